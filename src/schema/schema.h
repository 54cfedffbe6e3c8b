/* The public facts as the other rooms see them: columns with their scales, the encoded layout, the privacy
   unit.

   Encoded column 0 is the intercept. Feature f fills the columns [first, first + width). Every encoded value
   is bounded by TACIT_SCALE_LIMIT; a row's encoding depends on the schema and that one row alone (and, for
   lags, on the rows that the schema says). */
#ifndef TACIT_SRC_SCHEMA_H
#define TACIT_SRC_SCHEMA_H

#include <jansson.h>
#include <tacit/schema.h>

#define TACIT_SCALE_LIMIT 8.0 /* a `center`/`scale` column is clamped at this many scales */
/* A target given by centre and scale is cut further out: it enters margins alone, and its weight is bounded
 * there. */
#define TACIT_TARGET_LIMIT 64.0
#define TACIT_COLUMNS_MAX 2048
#define TACIT_LAG_MAX 100000
#define TACIT_SUM_MAX 1000 /* periods of a sum */
#define TACIT_ROWS_MAX                                                                                       \
  (UINT64_C(1) << 53) /* nominal rows beyond this would not be exact in a file's numbers */

/* The public grid of a design's rows (data/design.h, proofs/exact-sums.md). */
enum {
  TACIT_CELL_MAX = 1 << 20, /* the largest cell */
  TACIT_CELL_BITS = 17,     /* an encoded row's grid is 2^-17: 8 scales are 2^20 */
  TACIT_TARGET_BITS = 24    /* targets only enter margins: a finer grid costs nothing */
};

/* From the user's units to encoded ones: clamp((x - center) / half, -limit, limit). A bounded column has
   center (min + max)/2, half (max - min)/2 and limit 1; a `center`/`scale` column has limit
   TACIT_SCALE_LIMIT. */
typedef struct tacit_scale {
  double center, half, limit;
  double log_unit; /* of a logarithmic target, above 0: x stands for log(1 + x / log_unit). 0: x is itself */
} tacit_scale;

typedef enum tacit_feature_kind {
  TACIT_FEATURE_NUMBER,
  TACIT_FEATURE_CATEGORY,   /* one 0/1 column for each level but the first */
  TACIT_FEATURE_LAG,        /* an earlier row's target */
  TACIT_FEATURE_SPLINE,     /* B-splines of `degree` over `knots`, the first one left out */
  TACIT_FEATURE_POLYNOMIAL, /* powers 1..degree of the scaled value */
  TACIT_FEATURE_FOURIER,    /* sin, cos of 2 pi k x / period, k = 1..harmonics */
  TACIT_FEATURE_HAAR,       /* +1, -1, 0 steps on 1, 2, 4, ... halves of [min, max] */
  TACIT_FEATURE_WAVELET,    /* Daubechies' wavelets on 1, 2, 4, ... parts of [min, max], periodised */
  TACIT_FEATURE_PRODUCT     /* products of other features' columns; of levels alone it is a category */
} tacit_feature_kind;

/* What of a cell a feature is made of. */
typedef enum tacit_cell_part {
  TACIT_PART_CELL, /* what stands there */
  TACIT_PART_FLAG, /* a truth: 1 or 0 */
  TACIT_PART_WEEKDAY,
  TACIT_PART_MONTH,
  TACIT_PART_WEEK,
  TACIT_PART_HOUR,
  TACIT_PART_HOLIDAY,
  TACIT_PART_DAY_OF_YEAR,
  TACIT_PART_TREND
} tacit_cell_part;

/* How a feature's cell is read. */
typedef enum tacit_reads {
  TACIT_READS_NOTHING, /* lags and products have no cell of their own */
  TACIT_READS_NUMBER,
  TACIT_READS_LEVEL,
  TACIT_READS_FLAG,  /* as 1 or 0 */
  TACIT_READS_MOMENT /* as seconds since 1970 on the clock that the cell shows */
} tacit_reads;

typedef struct tacit_wavelet tacit_wavelet; /* schema/wavelet.h */

typedef struct tacit_feature {
  char *name; /* the table's column; for a lag, a target's name; for a product, its factors' labels */
  tacit_feature_kind kind;
  tacit_cell_part part;
  bool has_scale; /* false only for categories and for a Fourier feature without bounds */
  tacit_scale scale;
  bool has_missing;
  double missing; /* in the user's units, finite */
  char **levels;  /* categories; the first level is the base. NULL for products */
  size_t level_count;
  bool fold;            /* cells and levels are compared as tacit_fold leaves them */
  char **keys;          /* what a cell is compared with: the levels, folded or as they are */
  size_t *level_order;  /* the levels sorted by the bytes of their keys; NULL where no text is looked up */
  bool hashed;          /* the levels are buckets */
  size_t unknown_level; /* where an unlisted value goes: the level "other" if listed, else 0 */
  size_t missing_level; /* where an empty cell goes: `missing` if given, else unknown_level */
  size_t lag, lag_target;
  size_t degree;     /* spline, polynomial */
  double *knots;     /* spline: interior knots, ascending, in the user's units, strictly inside the bounds */
  size_t knot_count; /* spline */
  size_t harmonics;  /* Fourier */
  double period;     /* Fourier */
  double *days;      /* day of the year: the columns of days 1 to 366 */
  size_t resolution; /* Haar, wavelets: number of scales J, width 2^J - 1 */
  tacit_wavelet *wavelet;
  char *format;      /* of a moment; NULL: as ISO 8601 writes it */
  double start;      /* of a trend: the day that is 0, counted from 1970 */
  int64_t *holidays; /* days since 1970, ascending */
  size_t holiday_count;
  size_t *factors; /* of a product: the features whose columns are multiplied */
  size_t factor_count;
  size_t first, width;
} tacit_feature;

/* How long one period of a panel is. */
typedef enum tacit_every {
  TACIT_EVERY_DAY,
  TACIT_EVERY_HOUR,
  TACIT_EVERY_WEEK, /* from Monday on */
  TACIT_EVERY_MONTH,
  TACIT_EVERY_NUMBER /* the time is a whole number */
} tacit_every;

/* Records that are told apart by a group and a time: lags and sums are then looked up by this key. */
typedef struct tacit_panel {
  char *time;      /* the column of a record's time; NULL: no panel */
  char *format;    /* of the times; NULL: as ISO 8601 writes them */
  char **by;       /* the columns that name a record's group */
  size_t by_count; /* 0: all records are one group */
  tacit_every every;
  bool unique;  /* a table in which two records have one key is refused */
  bool missing; /* a time may be unreadable: nobody finds that record, and it finds nobody */
} tacit_panel;

typedef struct tacit_tiers tacit_tiers; /* schema/tiers.h */

typedef struct tacit_target {
  char *name;
  tacit_scale scale;
  bool bounded;  /* given by min and max */
  size_t column; /* of the table's targets: its own place, unless it is there for one of several goals */
  bool has_missing;
  double missing;
  size_t sum_of_next; /* the target is a sum over so many periods, the record's own first; 0: its own alone */
  tacit_tiers *tiers; /* costs that rise with the amount; NULL: the goal says what a unit costs */
  char *sold_column;  /* says whether a day sold out, so that demand was more; NULL: none does */
  bool sold_by_stock; /* it is the stock: a day sold out where sales reach it. Else it is a flag */
  char *sold_words;   /* of a flag: the words for "no" and for "sold out", a line each; NULL: a flag's own */
  bool sold_has_missing;
  double sold_missing; /* the flag or the stock of a cell that is neither */
} tacit_target;

/* A table of events, whose quantities are added up to the target of each row of a public calendar. */
enum { TACIT_EVENT_KEYS_MAX = 8 };
typedef struct tacit_event_columns {
  char *customer;
  char *quantity;                   /* NULL: an event is one */
  char *keys[TACIT_EVENT_KEYS_MAX]; /* of both tables: together they say which row an event belongs to */
  size_t key_count;
  size_t day;   /* the key that is compared by the day that it lies in; key_count: none */
  char *format; /* of that key; NULL: as ISO 8601 writes it */
} tacit_event_columns;

struct tacit_schema {
  tacit_target *targets;
  size_t target_count;
  tacit_feature *features;
  size_t feature_count;
  size_t columns; /* encoded columns p, with the intercept */
  char **column_names;
  double clip_norm;     /* 0 when the schema gives none */
  size_t rows_per_unit; /* 1 when the schema gives none */
  bool unit_given;      /* the schema said rows_per_unit */
  char *unit_column;    /* NULL: the limit is asserted, not enforced */
  double change;        /* "unit.change": one unit moves a target by this much at most; 0: by anything */
  tacit_event_columns *events; /* NULL: the target stands in the table */
  size_t nominal_rows;         /* 0 when the schema gives none */
  bool features_public;  /* "private": "target": neighbouring tables have the same records but for targets */
  double *second_moment; /* columns x columns, row-major, symmetric positive definite; NULL when not given */
  size_t largest_lag;    /* 0 without lags */
  size_t distinct_lags;  /* over all lagged features */
  tacit_panel panel;
  tacit_csv_form csv; /* of the files it is for; 0 where the schema says none */
  json_t *json;       /* the schema as given, for embedding in a policy */
  char hash[65];
};

/* Whether the limits of a unit are kept by whoever reads the table, and not only asserted. */
bool tacit_schema_enforces(const tacit_schema *schema);

tacit_reads tacit_feature_reads(const tacit_feature *feature);
/* The largest size of a value in the feature's columns. */
double tacit_feature_limit(const tacit_feature *feature);

/* What a moment, in seconds since 1970, or a flag is to the feature: a level's number from 0, or a number. */
double tacit_feature_part(const tacit_feature *feature, double x);

/* The encoded columns of feature f for the value x (already known to be finite), written to out[0..width):
   for all that is read as a number, a flag or a moment, and for lags. A number is clamped to the feature's
   bounds first. */
void tacit_feature_encode(const tacit_feature *feature, double x, double *out);
/* Whether a text is one of the listed levels, or empty, and which; else *level is that of unlisted values. */
bool tacit_feature_find_level(const tacit_feature *feature, const char *text, size_t length, size_t *level);
/* The bucket of a text: the first eight bytes of its SHA-256, as a number with the first byte highest, modulo
   the number of buckets. 0 for an empty one. */
size_t tacit_feature_bucket(const tacit_feature *feature, const char *text, size_t length);
/* The level a text belongs to, by the rules for unlisted and empty values. */
size_t tacit_feature_level(const tacit_feature *feature, const char *text, size_t length);
/* The same column 0/1 encoding for a level: out[0..width) all zero, or one of them 1. */
void tacit_feature_encode_level(const tacit_feature *feature, size_t level, double *out);

/* The columns of all products from those of their factors, for `count` rows: row i has x[j * stride + i] in
   column j. */
void tacit_schema_multiply(const tacit_schema *schema, size_t stride, size_t count, double *x);
/* What is left of a text where case and blanks do not count: no spaces and tabs around it, A to Z as a to z
   and, in UTF-8, À to Þ as à to þ. Returns the length; at most `room` bytes are written, and more than that
   means that it did not fit. */
size_t tacit_fold(const char *text, size_t length, char *folded, size_t room);

double tacit_scale_encode(const tacit_scale *scale, double x); /* clamped */
double tacit_scale_decode(const tacit_scale *scale, double e);
/* By how much of the targets' grid an encoded target moves at most where one in the user's units moves by
   `change`: a whole number, rounded up (proofs/bounded-change.md). 0, any change: all that there is. */
double tacit_scale_steps(const tacit_scale *scale, double change);
/* The width of what the scale holds, in the user's units. */
double tacit_scale_width(const tacit_scale *scale);
/* Half the range of a target in encoded units, as public rules take it: 8 scales where it has no bounds. */
double tacit_scale_reach(const tacit_scale *scale);

/* Coefficients of the encoded columns -> coefficients in the user's own units: the decision for target t is
   raw[0] + sum_j raw[j] * v_j, where v_j is the clamped number in the user's units (numbers and lags) or the
   value of the basis function (levels and transforms). raw and encoded have `columns` entries. */
void tacit_schema_user_units(const tacit_schema *schema, size_t target, const double *encoded, double *raw);
void tacit_schema_encoded_units(const tacit_schema *schema, size_t target, const double *raw,
                                double *encoded);
/* The same for a rule's spread (loss/rule.h), columns + 1 numbers: the logarithm of the spread, in the user's
   units, is raw[0] + sum_j raw[j] * v_j. The last one, how many spreads there are, has no unit. */
void tacit_schema_user_spread(const tacit_schema *schema, size_t target, const double *encoded, double *raw);
void tacit_schema_encoded_spread(const tacit_schema *schema, size_t target, const double *raw,
                                 double *encoded);

/* Whether every feature is a number with a public centre and scale. */
bool tacit_schema_scales_known(const tacit_schema *schema);

/* Zhao's eq. (6): root = second_moment^(-1/2), columns x columns, and the grid of a row root * x: as fine as
   TACIT_CELL_BITS, coarser where cells would outgrow TACIT_CELL_MAX. TACIT_REFUSED without a second moment,
   and where even whole numbers would. */
tacit_status tacit_schema_whitening(const tacit_schema *schema, double *root, int *cell_bits,
                                    tacit_error *error) TACIT_CHECKED;

/* Whether a row depends on other records than its own: it cannot be read without them. */
bool tacit_schema_needs_all(const tacit_schema *schema);
/* Whether a unit is named by a column and may have several rows, few enough for them to lie together
   (data/design_units.h): what learners that clip a unit as a whole ask for (proofs/units.md). */
enum { TACIT_WHOLE_ROWS_MAX = 1024 };
bool tacit_schema_whole_units(const tacit_schema *schema);
/* Whether rows look at other records by their key. */
bool tacit_schema_looks_up(const tacit_schema *schema);
/* Whether a record's group says whose it is: no look-up leaves its unit. */
bool tacit_schema_groups_in_units(const tacit_schema *schema);
/* How many rows' parts of a sum one record can change, its own row among them (proofs/units.md,
   proofs/panels.md): what rows_per_unit must be for a unit of one record. */
size_t tacit_schema_reach(const tacit_schema *schema);
/* Whether a column is one of the key's. */
bool tacit_panel_names(const tacit_panel *panel, const char *column);
/* The period of a time: seconds since 1970, or with TACIT_EVERY_NUMBER the number itself; false where that
   is not whole. */
bool tacit_panel_period(const tacit_panel *panel, double time, int64_t *period);

/* Refuses what the chosen adjacency cannot promise: a lag without rows_per_unit large enough or with
   unit.column, a lag that is not looked up or no nominal rows under add-remove, either where features are
   public. nominal_rows is the command's (0: none). TACIT_REFUSED. */
tacit_status tacit_schema_check_promise(const tacit_schema *schema, tacit_adjacency adjacency,
                                        size_t nominal_rows, tacit_error *error) TACIT_CHECKED;

/* A slope in the user's units is an encoded one times half_y / half_x: it must stay a number whatever the
   noise. TACIT_REFUSED where it might not. */
tacit_status tacit_schema_check_units(const tacit_schema *schema, tacit_error *error) TACIT_CHECKED;

/* The JSON as text with jansson's flags, to be given to free(); NULL without memory, or for NULL. */
char *tacit_json_text(const json_t *json, size_t flags);

#endif
