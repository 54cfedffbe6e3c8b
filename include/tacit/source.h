/* Where rows come from: CSV text, columns in memory (tacit/arrow.h: streams of other programs; tacit/data.h:
   a file of any kind, a query). A source is read once, from first row to last. */
#ifndef TACIT_SOURCE_H
#define TACIT_SOURCE_H

#include <tacit/schema.h>

TACIT_BEGIN

typedef struct tacit_source tacit_source;

/* Opens a CSV file (RFC 4180, header line first; docs/formats/csv.md), "-" for standard input. *source is the
   caller's. */
TACIT_API tacit_status tacit_source_csv(const char *path, tacit_source **source,
                                        tacit_error *error) TACIT_CHECKED;
/* The same in another form, NULL for the usual one. It is the caller's to say: no form is guessed from cells.
   Files that gzip or zstd packed are unpacked as they are read, in every form. */
TACIT_API tacit_status tacit_source_csv_as(const char *path, const tacit_csv_form *form,
                                           tacit_source **source, tacit_error *error) TACIT_CHECKED;
/* The same for CSV text in memory, which must outlive the source. */
TACIT_API tacit_status tacit_source_csv_text(const char *text, size_t length, tacit_source **source,
                                             tacit_error *error) TACIT_CHECKED;
/* A source over columns in memory: names[j] and, for each column, either numbers[j] (rows doubles) or
   texts[j] (rows NUL-terminated strings), the other NULL. Nothing is copied: the arrays must outlive the
   source. Names of units that are numbers at or beyond 2^53 are refused, for two could be one: give texts. */
TACIT_API tacit_status tacit_source_columns(size_t rows, size_t columns, const char *const *names,
                                            const double *const *numbers, const char *const *const *texts,
                                            tacit_source **source, tacit_error *error) TACIT_CHECKED;
TACIT_API void tacit_source_free(tacit_source *source);
/* The record just read (the header, before the first) as it stands in a CSV source, without its line end,
   valid until the next one is read; NULL for columns in memory. */
TACIT_API const char *tacit_source_text(const tacit_source *source, size_t *length);
/* What DuckDB reads beside a database, by names of its own making: an ending; NULL after the last. */
TACIT_API const char *tacit_source_beside(size_t index);

TACIT_END

#endif
