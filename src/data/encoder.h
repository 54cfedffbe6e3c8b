/* The encoder's inside, for the readers that fill its inputs themselves. */
#ifndef TACIT_SRC_ENCODER_H
#define TACIT_SRC_ENCODER_H

#include "data/encode.h"
#include "data/lag_groups.h"
#include "data/lags.h"
#include "data/level_values.h"
#include "data/lookup.h"
#include "data/records.h"
#include "data/units.h"

#define TACIT_NO_COLUMN SIZE_MAX

/* A column that is read as a number, a flag or a moment: by a target, by one feature or by several. */
typedef struct tacit_input {
  size_t column;
  tacit_reads reading;
  const char *format; /* of a moment; NULL: ISO 8601. Of a flag: its two words; NULL: the usual ones */
  tacit_number_kind kind;
  double value;    /* set when the kind is TACIT_NUMBER */
  tacit_tally odd; /* cells that are not what they should be, of a tile whose values do not show it */
} tacit_input;

/* Where rows look at other records by their key. */
typedef struct tacit_panel_reader {
  tacit_lookup *lookup;
  tacit_records records;
  bool complete;            /* all records are kept */
  size_t next;              /* how many of them were read again */
  size_t *by;               /* the columns that name a group */
  const tacit_cell **names; /* their cells in this record */
  tacit_input time;
} tacit_panel_reader;

struct tacit_encoder {
  tacit_source *source;
  const tacit_schema *schema;
  bool need_targets;
  bool settled;      /* the schema is a policy's: a cell that it cannot read has to be mended in the table */
  tacit_cell *cells; /* of the record */
  tacit_input *inputs;
  size_t input_count;
  size_t *features; /* the feature's input; its column where that is looked up as a level, TACIT_NO_COLUMN
                       where there is none */
  size_t *targets;  /* the target's input; TACIT_NO_COLUMN where it may be and is absent */
  size_t *sold;     /* the input that says whether a target's day sold out; TACIT_NO_COLUMN where none does */
  tacit_level_values *levels; /* by feature; of categories alone */
  double *now;                /* this record's targets in the user's units, NaN where not known */
  tacit_lags lags;            /* those before it */
  tacit_lag_groups *groups;   /* that lags may cross; NULL without lags that count records */
  tacit_panel_reader *panel;  /* NULL where nothing is looked up by key */
  tacit_units *units;         /* NULL where no limit is enforced */
  size_t unit_column;
  size_t cell_count;
  tacit_read_counts counts;
  tacit_tally *tally; /* of the records read since it was last given to the source (data/tally.h) */
};

/* What a cell is to an input. */
tacit_number_kind tacit_input_read(const tacit_input *input, const tacit_cell *cell, double *value);
/* The same of this record's cell, with the decimal comma that the source may have. */
tacit_number_kind tacit_encoder_read(const tacit_encoder *encoder, const tacit_input *input, double *value);

/* Look-ups by key; encode_panel.c. */
tacit_status tacit_encoder_open_panel(tacit_encoder *encoder, tacit_error *error) TACIT_CHECKED;
void tacit_encoder_close_panel(tacit_encoder *encoder);
/* Reads all records into memory, where rows look each other up; done already, or nothing to do, is fine. */
tacit_status tacit_encoder_read_panel(tacit_encoder *encoder, const tacit_context *context,
                                      tacit_error *error) TACIT_CHECKED;
/* The next record's cells, from the source or from memory. */
tacit_status tacit_encoder_record(tacit_encoder *encoder, bool *more, tacit_error *error) TACIT_CHECKED;
/* Whether another record came first with this one's key: only that one is learned from. */
bool tacit_encoder_is_twin(const tacit_encoder *encoder);
/* A target of this record's group so many periods later; NaN where it is not known. */
double tacit_encoder_look_up(const tacit_encoder *encoder, int64_t after, size_t target);
/* The sum of a target over its periods, of which this record's own comes first and is given, NaN where it is
   not known. A period that is not known takes the target's `missing`, and *whole becomes false; without
   `missing` the sum is NaN. */
double tacit_encoder_sum(const tacit_encoder *encoder, size_t target, double own, bool *whole);
/* Says that there are no earlier targets for a policy that looks them up. */
tacit_status tacit_encoder_no_past(const tacit_encoder *encoder, size_t target,
                                   tacit_error *error) TACIT_CHECKED;
/* TACIT_BAD_INPUT, in the words of encode_words.c: a cell of a column; input is NULL where there is none. */
tacit_status tacit_encoder_bad_cell(const tacit_encoder *encoder, const char *column,
                                    const tacit_input *input, tacit_error *error);
/* The same of the column that says whether a target's day sold out. */
tacit_status tacit_encoder_bad_sold(const tacit_encoder *encoder, size_t target, tacit_error *error);
/* TACIT_BAD_INPUT: a time that is not one, or (whole is false) a number that is not whole. */
tacit_status tacit_encoder_bad_time(const tacit_encoder *encoder, const tacit_input *time, bool whole,
                                    tacit_error *error);

/* The record whose inputs and categories' cells are filled in, as a row; counts it. *ready is false, and x
   not set, where lags are not known. */
tacit_status tacit_encoder_row(tacit_encoder *encoder, double *x, double *y, bool *ready,
                               tacit_error *error) TACIT_CHECKED;

#endif
