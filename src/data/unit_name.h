/* Whether a cell can name a unit. */
#ifndef TACIT_SRC_UNIT_NAME_H
#define TACIT_SRC_UNIT_NAME_H

#include "source/source.h"

/* TACIT_BAD_INPUT for a name in the source's column that may have been rounded: two units could become one.
 */
tacit_status tacit_unit_name_check(const tacit_source *source, size_t column, const tacit_cell *name,
                                   tacit_error *error) TACIT_CHECKED;
/* The same where a cell names something else, such as a "group". */
tacit_status tacit_name_check(const tacit_source *source, size_t column, const char *whose,
                              const tacit_cell *name, tacit_error *error) TACIT_CHECKED;

#endif
