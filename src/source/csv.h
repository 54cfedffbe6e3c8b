/* The CSV source over any bytes and with any buffer, for tests; users call tacit_source_csv. */
#ifndef TACIT_SRC_CSV_H
#define TACIT_SRC_CSV_H

#include "source/bytes.h"
#include "source/source.h"

enum { TACIT_CSV_BUFFER = 1 << 20 }; /* a read's own cost vanishes, and it fits the cache */

/* Reads the header. Takes over bytes, also when it fails. buffer is the first buffer's size, at least 1. */
tacit_status tacit_csv_over(tacit_bytes *bytes, size_t buffer, tacit_source **source,
                            tacit_error *error) TACIT_CHECKED;
/* TACIT_USAGE for a form that no file has. */
tacit_status tacit_csv_check_form(const tacit_csv_form *form, tacit_error *error) TACIT_CHECKED;
/* The same in another form, which was checked; NULL is the usual one. */
tacit_status tacit_csv_over_as(tacit_bytes *bytes, size_t buffer, const tacit_csv_form *form,
                               tacit_source **source, tacit_error *error) TACIT_CHECKED;

#endif
