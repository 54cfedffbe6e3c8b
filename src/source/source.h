/* A stream of records behind one small interface: named columns, and the next record's cells. */
#ifndef TACIT_SRC_SOURCE_H
#define TACIT_SRC_SOURCE_H

#include <tacit/schema.h>
#include <tacit/source.h>

/* One cell: text of `length` bytes (not NUL-terminated), or a number when text is NULL. */
typedef struct tacit_cell {
  const char *text;
  size_t length;
  double number;
} tacit_cell;

/* What a source's rows are to the records behind them (proofs/sql.md). */
typedef enum tacit_row_kind {
  TACIT_ROW_RECORD, /* each record is one row, each row one record */
  TACIT_ROW_CHOSEN, /* each row is one record, but which records have one depends on their values */
  TACIT_ROW_RESULT  /* whatever a query computed: nothing is known of the records behind a row */
} tacit_row_kind;

/* What a column is declared to hold. */
typedef enum tacit_declared {
  TACIT_DECLARED_NOTHING, /* as all of CSV and JSON: texts, which are numbers wherever they read as such */
  TACIT_DECLARED_TEXT,
  TACIT_DECLARED_NUMBERS /* a text cell has the digits of a number that is no double */
} tacit_declared;

/* What a column's cells were that the schema did not foresee (data/tally.h). */
typedef struct tacit_tally {
  size_t seen; /* its cells, these and all others */
  size_t clamped, unlisted, missing;
  size_t foreign;            /* of the unlisted: no UTF-8 */
  size_t unreadable, commas; /* of the missing: there is something, and a number if a comma were a point */
  size_t first_unlisted;     /* its record, where orders are made; 0: none, or not known */
  size_t later;              /* of a column whose hour is asked for: cells at 1:00 or later */
  size_t crossed;            /* of a column that tells series apart: rows whose lags come from another one */
} tacit_tally;

/* What chooses records, in the place of a column. */
#define TACIT_THE_CONDITION SIZE_MAX

/* For records that are text in memory, or read as text. */
typedef struct tacit_record_text {
  /* The record just read (the header, before the first) as it stands in the file, without its line end; NULL
     at the end and for sources that are not text. */
  const char *raw;
  size_t raw_length;
  /* To be read by several threads; NULL where the text is not in memory. rest: what follows the record just
     read. resume: reading goes on at `at`, where a record begins, after `record` records; what lies before it
     may leave memory. */
  void (*rest)(const tacit_source *self, const char **text, size_t *length);
  void (*resume)(tacit_source *self, const char *at, size_t record);
  char separator;     /* of a CSV file's cells; 0: it is none */
  bool decimal_comma; /* a number's point is a comma */
} tacit_record_text;

/* For columns of numbers in memory: numbers[j] has those of the `rows` records behind the first `before`,
   NULL where column j is not of numbers, or was not asked for. NULL for other sources. */
typedef struct tacit_source_batch {
  const double *const *numbers;
  size_t before, rows;
  /* Brings the next such records there; rows is 0 when there are none, or only some to be read one by one.
     NULL: all of the source's are there. */
  tacit_status (*bring)(tacit_source *self, tacit_error *error);
} tacit_source_batch;

/* Where the rows and their cells come from: it decides what may be promised of them (proofs/sql.md). A list
   is NULL where nothing in it applies to any column. */
typedef struct tacit_source_origin {
  tacit_row_kind rows_are;
  bool queried;         /* a query made the rows: their order means nothing */
  bool unordered;       /* the order in which they come may be another one next time */
  bool added_up;        /* the target is what events add up to, within the schema's limits (data/events.c) */
  const bool *computed; /* of each column, whether a query computed or renamed it */
  const bool *blurred;  /* of each column, whether values may lose digits in reading */
  /* Of each column, from what size on a whole number of its type may be another one, rounded by the program
     that wrote it: TACIT_DOUBLE_ROUNDS and so on, infinite for all other types. */
  const double *rounded_from;
  /* Whose records these are: of units in this shard of so many (data/shards.h); 0, 0: of any. */
  size_t shard, shards;
  bool reals_rounded; /* so do numbers with a point or an exponent, in any column */
  /* Whether a column and another, or the condition, are computed from one column of the records. NULL: each
     column is one of the records'. */
  bool (*related)(const tacit_source *self, size_t column, size_t other);
} tacit_source_origin;

/* What a source says of its columns beside their names. */
typedef struct tacit_source_header {
  const tacit_declared *declared; /* of each column; NULL: nothing of all */
  const char *const *types;       /* of each column, as DuckDB calls its type; NULL: none declares one */
  /* Columns that there are but that are neither numbers nor text, for the words of tacit_source_find. */
  const char *const *unreadable;
  size_t unreadable_count;
} tacit_source_header;

/* What whoever reads a source wants of it, and has counted. */
typedef struct tacit_source_reader {
  int threads; /* that the source may use by itself, set before the first record; 0: one */
  /* Whom a source tells that reads much before its first record; set likewise. NULL: nobody. */
  const tacit_context *context;
  /* For sources that read what is asked for only: tacit_source_find notes the column here. NULL for others.
   */
  bool *asked;
  bool settled; /* it is read by a policy's schema: what that cannot read has to be mended in the table */
  tacit_tally *tally; /* by feature and target of the schema; NULL: nothing was counted */
  size_t tally_count;
} tacit_source_reader;

/* next and close are what every source has; the rest says what more it can do, and is zero where it cannot.
 */
struct tacit_source {
  size_t columns;
  const char *const *names;
  /* Reads the next record into cells[0..columns), valid until the next call. *more is false at the end.
     record is 1 for the first record after the header. After an error the source stays in it. */
  tacit_status (*next)(tacit_source *self, tacit_cell *cells, bool *more, tacit_error *error);
  void (*close)(tacit_source *self);
  size_t record;
  double fraction; /* of the source read so far, for progress; 0 when its size is not known */
  tacit_record_text text;
  tacit_source_batch batch;
  tacit_source_origin origin;
  tacit_source_header header;
  tacit_source_reader reader;
  /* Rows without records: those that are encoded already, and those in a caller's engine. NULL for others. */
  struct tacit_pack *pack;
  struct tacit_engine_rows *engine;
};

#define TACIT_DOUBLE_ROUNDS 0x1p53
#define TACIT_FLOAT_ROUNDS 0x1p24
#define TACIT_HALF_ROUNDS 0x1p11

/* For those who want more of an engine's rows than answers to questions. */
#define TACIT_ENGINE_HAS_NO_RECORDS                                                                          \
  "the rows lie in an engine, which only answers the questions of private learners; use the table itself"

/* The index of a named column. Errors: TACIT_BAD_INPUT when it is missing (the message names the column). */
tacit_status tacit_source_find(const tacit_source *source, const char *name, size_t *column,
                               tacit_error *error) TACIT_CHECKED;

/* Refuses units by a column that a query computed, and names that reading may blur, so that two units could
   become one (proofs/sql.md, Claim 5). Whoever counts the records of units asks this first. */
tacit_status tacit_source_check_unit(const tacit_source *source, const tacit_schema *schema,
                                     tacit_error *error) TACIT_CHECKED;
/* The same for a column that names units by what the schema's `key` says; NULL: none does. */
tacit_status tacit_source_check_unit_column(const tacit_source *source, const char *key, const char *column,
                                            tacit_error *error) TACIT_CHECKED;

/* Refuses lags where a query or a condition made the rows: a lag would be another record's. */
tacit_status tacit_source_check_lags(const tacit_source *source, const tacit_schema *schema,
                                     tacit_error *error) TACIT_CHECKED;

/* Refuses to promise what the source's rows do not carry: a public number of rows where values decide which
   records have one, lags where a query made the rows, and what tacit_source_check_unit refuses
   (proofs/sql.md). A release that cannot say in its certificate that a row is a query's result takes no such
   rows: results is false. */
tacit_status tacit_source_check_promise(const tacit_source *source, const tacit_schema *schema,
                                        tacit_adjacency adjacency, bool results,
                                        tacit_error *error) TACIT_CHECKED;

/* Refuses a table of one column whose first line looks separated by something else than was said, for those
   who look for no column by name. */
tacit_status tacit_source_check_form(const tacit_source *source, tacit_error *error) TACIT_CHECKED;

/* Refuses names that stand for two columns. It gives their places, not their names: where a header was
   forgotten the names are a private record. */
tacit_status tacit_source_check_names(const tacit_source *source, tacit_error *error) TACIT_CHECKED;

/* What a cell is when read as a number. */
typedef enum tacit_number_kind {
  TACIT_NUMBER,           /* finite, and *number is set */
  TACIT_NUMBER_EMPTY,     /* nothing, or only spaces */
  TACIT_NUMBER_TEXT,      /* anything that is not a decimal number */
  TACIT_NUMBER_NOT_FINITE /* NaN, an infinity, or larger than a double can be */
} tacit_number_kind;
tacit_number_kind tacit_cell_read_number(const tacit_cell *cell, double *number);
/* A cell that is a number with a decimal comma, in a table that has them, with a point instead, in `room`;
   any other cell as it is. For readers that know points alone. */
enum { TACIT_POINTED = 64 };
tacit_cell tacit_cell_pointed(const tacit_cell *cell, bool decimal_comma, char room[TACIT_POINTED]);

/* The same for a flag: 1 for true, yes, t, y and the number 1, 0 for false, no, f, n and 0, whatever the case
   of ASCII letters and with blanks around; anything else is TACIT_NUMBER_TEXT. */
tacit_number_kind tacit_cell_read_flag(const tacit_cell *cell, double *flag);
/* The same with words of one's own, "nein\nja" for 0 and 1: the cell without the blanks around it has a
   word's bytes or, where it has neither's, is the same number. */
tacit_number_kind tacit_cell_read_words(const tacit_cell *cell, const char *words, double *flag);
/* The same for a moment, in seconds (schema/clock.h). A whole number is read by its digits where there is a
   format; without one it is TACIT_NUMBER_TEXT. */
tacit_number_kind tacit_cell_read_moment(const tacit_cell *cell, const char *format, double *seconds);
/* The same where the source's numbers have a decimal comma: a point in one is then no number. */
tacit_number_kind tacit_source_read_number(const tacit_source *source, const tacit_cell *cell,
                                           double *number);

/* A number in plain digits, [-+]digits[.digits], at p: *number is what tacit_cell_read_number says of the
   bytes up to the place that is returned. NULL where there is none, where it is long or near the end: the
   careful way is for those. Whoever calls looks at what follows. Nothing at or behind end is looked at. */
const char *tacit_number_plain(const char *p, const char *end, double *number);

/* Parses a cell as a finite number: decimal or exponent notation, C locale, surrounding spaces allowed. False
   for empty cells, anything else than a number, NaN and infinities. */
bool tacit_cell_number(const tacit_cell *cell, double *number);

#endif
