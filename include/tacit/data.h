/* Tables: a source over a file of any kind or a query, packed tables, and rows as a schema encodes them. */
#ifndef TACIT_DATA_H
#define TACIT_DATA_H

#include <tacit/schema.h>
#include <tacit/source.h>

TACIT_BEGIN

/* A CSV file, also one that gzip or zstd packed, an Arrow file or stream (docs/formats/arrow.md), a packed
   table (tacit_pack_table) or a Parquet file, as its first bytes say; a Parquet or JSON file (.parquet,
   .json, .ndjson, .jsonl) by its name; "-" is CSV or Arrow on standard input. Parquet and JSON are read
   through DuckDB's C library, loaded at run time (docs/sql.md): TACIT_USAGE where there is none. */
TACIT_API tacit_status tacit_source_open(const char *path, tacit_source **source,
                                         tacit_error *error) TACIT_CHECKED;
/* The same, with CSV files in another form; NULL is the usual one. */
TACIT_API tacit_status tacit_source_open_as(const char *path, const tacit_csv_form *form,
                                            tacit_source **source, tacit_error *error) TACIT_CHECKED;
/* Part `part` (from 0) of `parts` of a packed table's rows. TACIT_USAGE for a table that is not packed and
   has several parts. */
TACIT_API tacit_status tacit_source_open_part(const char *path, size_t part, size_t parts,
                                              tacit_source **source, tacit_error *error) TACIT_CHECKED;
/* The same from a packed table's bytes, which are copied. */
TACIT_API tacit_status tacit_source_packed(const void *bytes, size_t length, size_t part, size_t parts,
                                           tacit_source **source, tacit_error *error) TACIT_CHECKED;
/* The rows of a SELECT, over a table of a DuckDB database, opened for reading alone, or with NULL over the
   CSV, Parquet or JSON file that FROM names. Without result_rows the query must keep one record one row:
   SELECT expressions FROM one table [WHERE condition], which tacit computes itself, of one record at a time
   (docs/sql.md); TACIT_REFUSED for others. With WHERE a private release needs add-remove. With result_rows
   the query may be any SELECT, which DuckDB computes, but a unit is then a row of its result: a private
   release needs add-remove, its certificate says so, and nothing is promised about the records behind it.
   proofs/sql.md */
TACIT_API tacit_status tacit_source_sql(const char *database, const char *query, bool result_rows,
                                        tacit_source **source, tacit_error *error) TACIT_CHECKED;
/* The records of a source that meet a condition, in the words that may stand behind WHERE above: shop = 24
   AND date >= '2018-06-01'. It is asked of one record at a time. How many records meet it is private: a
   private release needs add-remove, and takes no lags but those that are looked up by key. The source is
   taken over, also when this fails. */
TACIT_API tacit_status tacit_source_where(tacit_source *records, const char *condition, tacit_source **source,
                                          tacit_error *error) TACIT_CHECKED;
/* The rows of a public calendar, each with what the events of a private table add up to for it as the
   schema's target: "events" in the schema says which columns say who bought how much on which row, "unit"
   holds every customer to rows_per_unit rows and a change of each (docs/formats/schema.md). Both sources are
   taken over, also when this fails; the schema must outlive the source. TACIT_REFUSED for a schema without
   limits. */
TACIT_API tacit_status tacit_source_events(tacit_source *events, tacit_source *calendar,
                                           const tacit_schema *schema, tacit_source **source,
                                           tacit_error *error) TACIT_CHECKED;
/* What the limits did, for the data holder's eyes: no learner and no policy sees it. */
typedef struct tacit_event_counts {
  size_t events, customers;
  size_t nameless;  /* events that say no customer: each is taken for one of its own */
  size_t elsewhere; /* events of no row of the calendar: left out */
  size_t busy;      /* customers with more rows than the limit */
  size_t cut;       /* rows of a customer that had more than the limit, or less than nothing */
} tacit_event_counts;
/* False for a source that adds no events up; all are 0 before its first row is read. */
TACIT_API bool tacit_source_event_counts(const tacit_source *source, tacit_event_counts *counts);

/* Reads the source to its end and writes its rows to a file, encoded for the private learners
   (docs/formats/pack.md). A fit reads such a file without parsing, piece by piece, however large it is, and
   gives the same policy. The file is as private as the table. *counts, for the data holder's eyes, is filled
   in all cases. TACIT_USAGE for a path that is no regular file, TACIT_INTERNAL when it cannot be written;
   else as tacit_learn. */
typedef struct tacit_pack_counts {
  size_t records, rows, dropped_lag, dropped_unit;
} tacit_pack_counts;
TACIT_API tacit_status tacit_pack_table(tacit_source *source, const tacit_schema *schema, const char *path,
                                        tacit_pack_counts *counts, const tacit_context *context,
                                        tacit_error *error) TACIT_CHECKED;

/* A table that several workers read, with units by a column, is brought to shards first: of which of so many
   shards each record's unit is, by its name alone, so that every worker finds the same. Reads the source to
   its end. found->shard, one for each record, is to be given to tacit_free; texts and numbers say what named
   units: a column that holds texts for one worker and numbers for another may name one unit twice, and must
   not be used. docs/engine.md */
typedef struct tacit_shards {
  uint32_t *shard;
  size_t records;
  bool texts, numbers;
} tacit_shards;
TACIT_API tacit_status tacit_unit_shards(tacit_source *source, const tacit_schema *schema, size_t shards,
                                         tacit_shards *found, tacit_error *error) TACIT_CHECKED;
/* Says that the source has the records of one shard, in the table's order, before it is packed
   (tacit_pack_table) or opened as a part (tacit/engine.h): a record of another shard is then TACIT_BAD_INPUT,
   and the part of several whose manifest speaks of units. */
TACIT_API tacit_status tacit_source_shard(tacit_source *source, size_t shard, size_t shards,
                                          tacit_error *error) TACIT_CHECKED;

/* Reads the source to its end and writes its records to two CSV files, each as it stands in its file, or, of
   a source that is no text, as CSV has it; for a first honest test. The files are as private as the table,
   and so is how many records each has where values decide that. *counts is for the data holder's eyes.
   TACIT_USAGE for options that do not go together, and for files that hold something else; TACIT_BAD_INPUT
   for a record whose value is not of the kind of `at`; nothing is written then. */
typedef struct tacit_split_options {
  const char *by, *at; /* a column, and the number or date that the second part begins with; or */
  const char *format;  /* how the column's dates are written, as in a schema; NULL: ISO 8601 */
  double share;        /* by lot: about this share of the records goes to the first part, above 0, below 1 */
  uint64_t seed;       /* of the lot */
  const char *unit;    /* by lot: a column whose equal values go together; NULL: each record by itself */
  bool replace;        /* files of these names that hold something else */
} tacit_split_options;
typedef struct tacit_split_counts {
  size_t first, second;
  bool undated; /* it ended at a cell that is no date as ISO 8601 has it, and no format was given */
  bool other;   /* it ended since a file of a part's name holds something else */
} tacit_split_counts;
TACIT_API tacit_status tacit_split_table(tacit_source *source, const tacit_split_options *options,
                                         const char *first, const char *second, tacit_split_counts *counts,
                                         const tacit_context *context, tacit_error *error) TACIT_CHECKED;

/* Rows as the schema encodes them, one record at a time. With need_targets false (ordering) a target may be
   absent or empty. Limits on units apply to learning alone, not here. Both source and schema must
   outlive the encoder. */
typedef struct tacit_encoder tacit_encoder;
TACIT_API tacit_status tacit_encoder_new(tacit_source *source, const tacit_schema *schema, bool need_targets,
                                         tacit_encoder **encoder, tacit_error *error) TACIT_CHECKED;
/* Reads one record. x has tacit_schema_columns entries, the intercept first; y has tacit_schema_targets
   entries, encoded like x, NaN where a target is not known. *ready is false, and x not set, for a record
   whose lagged targets are not known; *more is false at the end. */
TACIT_API tacit_status tacit_encoder_next(tacit_encoder *encoder, double *x, double *y, bool *ready,
                                          bool *more, tacit_error *error) TACIT_CHECKED;
TACIT_API void tacit_encoder_free(tacit_encoder *encoder);

/* A schema for the source's columns, with blanks (null) and a question where a person must say what is
   public: from names and declared types alone, reading no record. *json is to be freed. Until the blanks are
   filled in and the questions removed it is refused as a schema. */
TACIT_API tacit_status tacit_schema_draft(const tacit_source *source, char **json,
                                          tacit_error *error) TACIT_CHECKED;
/* The kinds of columns that a schema knows, targets first, and keys that stand beside its columns last: what
   it is and a line of JSON. Both NULL beyond the last. */
typedef struct tacit_schema_kind {
  const char *what, *json;
} tacit_schema_kind;
TACIT_API tacit_schema_kind tacit_schema_kind_at(size_t kind);
/* For the data holder's eyes only: what the cells of a table are to a schema. A schema that is changed after
   looking at these is no longer public knowledge. */
typedef struct tacit_cell_counts {
  size_t empty;      /* nothing, or blanks */
  size_t unreadable; /* no number, no flag or no date where one should be */
  size_t outside;    /* beyond the bounds, or beyond 8 scales (of a target 64) */
  size_t unlisted;   /* no level of the schema */
  size_t foreign;    /* of these: no UTF-8, as a schema is */
  size_t commas;     /* of the unreadable ones: numbers, if a comma were their decimal point */
  size_t levels;     /* of a feature of levels, a date's parts among them: how many there are, */
  size_t unseen;     /* and how many no record has */
  double filled;     /* of bounded numbers: the share of their bounds that they spread over; 1: not known */
  /* Of all these: those that a fit stops at, for want of a "missing"; or that the program's fit stops at
     because they are most of the column: unreadable, of no listed level where there is none for the others,
     of a target beyond the bounds. */
  size_t refused;
} tacit_cell_counts;
/* Reads the source to its end. counts has room for tacit_schema_entries: one for each feature of the schema,
   then one for each target, and perhaps one for each column that says what sold out. */
TACIT_API tacit_status tacit_schema_check_table(const tacit_schema *schema, tacit_source *source,
                                                tacit_cell_counts *counts, size_t *records,
                                                const tacit_context *context,
                                                tacit_error *error) TACIT_CHECKED;
/* Reads the source to its end as a fit does, units, limits and look-ups among it, and keeps nothing: how many
   rows there are and how many records were left out, and the source's tally. Errors are those of a fit. */
TACIT_API tacit_status tacit_schema_try_table(const tacit_schema *schema, tacit_source *source,
                                              tacit_pack_counts *counts, const tacit_context *context,
                                              tacit_error *error) TACIT_CHECKED;
/* For the data holder's eyes only: how many cells of a column the schema did not foresee, among the records
   that were read, and what became of them. */
typedef struct tacit_column_tally {
  const char *name; /* the table's column, or a lag; the schema's */
  size_t clamped;   /* numbers beyond the bounds, or 8 scales (a target: 64), which count as the bound */
  size_t unlisted;  /* texts that are no level, which count as "other" or the first one */
  size_t foreign;   /* of these: no UTF-8, as a schema is */
  size_t missing;   /* empty cells, and where a number should be what is none; they count as `missing` */
  /* Of a column of levels that seems to tell series apart, where lags count records: rows that take one from
     a record with another level. "panel" in the schema looks lags up by group and time. */
  size_t crossed;
  size_t seen;           /* cells that were looked at */
  size_t unreadable;     /* of the missing ones: those that are not empty */
  size_t commas;         /* of those: numbers, if a comma were their decimal point */
  size_t first_unlisted; /* where orders are made: the first unlisted cell's record, else 0 */
  /* Most of the cells that are not empty cannot be read, which is a mistake as a whole: a forgotten decimal
     comma, another format. */
  bool mostly_unreadable;
  bool mostly_unlisted;  /* likewise: spelt otherwise, where no level stands for all others */
  bool mostly_beyond;    /* a target's bounds: they are in other units */
  bool all_midnight;     /* the hour is asked for, and no cell that was read has a time of day */
  bool mostly_not_found; /* next to nothing of what a lag looks up: periods of another length */
} tacit_column_tally;
/* The features of the schema that the source was read with, in their order, then its targets, and then the
   columns that say which of these sold out (tacit_schema_entries in all). False beyond the last, and for rows
   that were encoded elsewhere: a packed table, an engine. An encoder counts when it is freed. */
TACIT_API bool tacit_source_tally(const tacit_source *source, const tacit_schema *schema, size_t index,
                                  tacit_column_tally *tally);
/* For whoever is about to pay for what the source's records tell: TACIT_BAD_INPUT, with what is likely, where
   a column is wrong as a whole, in one of the ways above. */
TACIT_API tacit_status tacit_source_check_columns(const tacit_source *source, const tacit_schema *schema,
                                                  tacit_error *error) TACIT_CHECKED;

TACIT_END

#endif
