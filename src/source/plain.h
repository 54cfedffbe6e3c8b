/* Tables that are read without another program's help. */
#ifndef TACIT_SRC_PLAIN_H
#define TACIT_SRC_PLAIN_H

#include "source/source.h"

/* An Arrow file or stream by its first bytes, and else CSV in some form; "-" is standard input. */
tacit_status tacit_source_plain(const char *path, const tacit_csv_form *form, tacit_source **source,
                                tacit_error *error) TACIT_CHECKED;

#endif
