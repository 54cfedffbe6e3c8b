/* Arrow files (Feather version 2) and streams as a source: a reader that hands their batches to the one Arrow
   source there is. */
#ifndef TACIT_SRC_IPC_H
#define TACIT_SRC_IPC_H

#include "source/bytes.h"
#include "source/source.h"

/* Whether bytes begin as an Arrow file or stream does. */
bool tacit_ipc_begins(const char *head, size_t length);
/* Takes over bytes, also when it fails. What is not in memory is read in full. */
tacit_status tacit_source_ipc(tacit_bytes *bytes, tacit_source **source, tacit_error *error) TACIT_CHECKED;

#endif
