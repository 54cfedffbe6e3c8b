/* What is said where a table lacks a column. */
#ifndef TACIT_SRC_NO_COLUMN_H
#define TACIT_SRC_NO_COLUMN_H

#include "source/source.h"

/* TACIT_BAD_INPUT, with what is likely: a name that is spelt a little otherwise, another separator, bytes that
   are no UTF-8. */
tacit_status tacit_source_no_column(const tacit_source *source, const char *name, tacit_error *error);
/* What seems to separate the columns of a header that has one alone; NULL where nothing does. */
const char *tacit_source_other_separator(const tacit_source *source);

#endif
