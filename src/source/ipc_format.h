/* The type of a column in an Arrow schema, as a format of Arrow's C interface. */
#ifndef TACIT_SRC_IPC_FORMAT_H
#define TACIT_SRC_IPC_FORMAT_H

#include "source/flat.h"

enum { TACIT_IPC_FORMAT = 96 }; /* room for one */

/* The format of a Field's type; "" for types that no schema can name. */
void tacit_ipc_format(tacit_flat_table field, char format[TACIT_IPC_FORMAT]);
/* That of the places in a dictionary. */
void tacit_ipc_index_format(tacit_flat_table encoding, char format[TACIT_IPC_FORMAT]);
/* How many buffers a column of the Field's type has by itself, without its parts; -1: not known. *views: it
   has more, as a batch says. */
int tacit_ipc_buffers(tacit_flat_table field, bool old_unions, bool *views);

#endif
