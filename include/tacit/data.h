/* Where rows come from: CSV files, standard input, or memory. A source is read once, from first row to last. */
#ifndef TACIT_DATA_H
#define TACIT_DATA_H

#include <tacit/base.h>
#include <tacit/schema.h>

typedef struct tacit_source tacit_source;

/* Opens a CSV file (RFC 4180, header line first), "-" for standard input. *source is the caller's. */
TACIT_API tacit_status tacit_source_csv(const char *path, tacit_source **source, tacit_error *error) TACIT_CHECKED;
/* The same for CSV text in memory, which must outlive the source. */
TACIT_API tacit_status tacit_source_csv_text(const char *text, size_t length, tacit_source **source,
                                             tacit_error *error) TACIT_CHECKED;
/* A source over columns in memory: names[j] and, for each column, either numbers[j] (rows doubles) or texts[j]
   (rows NUL-terminated strings), the other NULL. Nothing is copied: the arrays must outlive the source. */
TACIT_API tacit_status tacit_source_columns(size_t rows, size_t columns, const char *const *names,
                                            const double *const *numbers, const char *const *const *texts,
                                            tacit_source **source, tacit_error *error) TACIT_CHECKED;
TACIT_API void tacit_source_free(tacit_source *source);

#endif
