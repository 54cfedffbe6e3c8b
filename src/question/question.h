/* A question to the rows: plain public data. Its answer is a vector of 64-bit integers, modulo 2^64, that
   adds up over any partition of the rows and has the same bits whoever computes it (proofs/exact-sums.md). */
#ifndef TACIT_SRC_QUESTION_H
#define TACIT_SRC_QUESTION_H

#include "loss/kernel.h"
#include "loss/region.h"
#include "question/image.h"
#include "question/radius.h"

enum { TACIT_COST_BITS = 24 /* a cost is an integer multiple of 2^-24 of its bound */ };

/* What is public about the rows that are asked. */
typedef struct tacit_row_facts {
  size_t columns, targets;
  int cell_bits;
  char schema[65]; /* its hash */
} tacit_row_facts;

/* COUNT: how many rows have a number of theirs at most `at`, or above it, times 2^TACIT_SCORE_BITS. A row
   without encoding has none. */
typedef enum tacit_value_kind {
  TACIT_VALUE_TARGET,   /* y */
  TACIT_VALUE_DISTANCE, /* |y - centre| */
  TACIT_VALUE_LENGTH,   /* |x - vector| without the intercept: columns - 1 numbers */
  TACIT_VALUE_SIDE /* side (y - x'vector - centre), to a small part of `unit`: as many numbers as columns */
} tacit_value_kind;
typedef struct tacit_count_question {
  tacit_value_kind value;
  bool above;
  double at;
  size_t target;
  double centre, side, unit;
  const double *vector;
} tacit_count_question;

/* ROWS: the sum over rows of a vector v, or of the upper triangle of vv', by rows. v = (stretch x_j - shift_j
   for some columns; for each of some targets, (y - centre) / spread, cut at +-cut, times factor / over),
   shortened to norm clip and rounded toward zero on the grid 2^-bits. */
typedef struct tacit_target_part {
  size_t target;
  double centre, spread, cut, factor, over;
} tacit_target_part;
typedef struct tacit_rows_question {
  size_t first, columns; /* which columns: `columns` of them from `first` on */
  double stretch;
  const double *shift; /* of each; NULL: none */
  const tacit_target_part *targets;
  size_t target_count;
  double clip;
  int bits;
  bool moment;
} tacit_rows_question;

/* SCORES: for each of some parts the sum of {Kbar(u / bandwidth) - tau} x, x shortened to the clip norm. For
   a part alone with counts beside them: of |u| <= span and of Phi(u / smoothing), both times
   2^TACIT_SCORE_BITS; these may stand without scores. What u is, the part's form says. */
typedef enum tacit_score_form {
  TACIT_FORM_LINEAR, /* x'b + offset - y */
  /* log s - log|x'b + offset - y|: how far the row's spread s lies above its residual. Gaussian kernel. */
  TACIT_FORM_SPREAD,
  /* (x'b + offset - y) / s + times: in spreads. Gaussian kernel. x has one column more, weight (s / unit -
     1); a row whose others are all 0 has 0 there too. */
  TACIT_FORM_SCALED,
  TACIT_FORMS
} tacit_score_form;
/* A row's spread, s = exp(x'slopes + offset). The exponent, and a logarithm beside it, is held to [least,
   most]. */
typedef struct tacit_row_spread {
  const double *slopes;
  double offset, least, most;
  double times, unit, weight; /* of the scaled form, */
  double full; /* in which Phi of a row whose spread is less is drawn to tau as much; 0: of none */
  double skew; /* in which days that sold out have their chances: of demand about the rule (num/skewed.h) */
} tacit_row_spread;
typedef struct tacit_score_part {
  size_t target;
  double tau, bandwidth, offset, clip_norm;
  tacit_kernel kernel;
  const double *coefficients;
  tacit_score_form form;
  tacit_row_spread spread; /* of the second and third form */
} tacit_score_part;
typedef struct tacit_scores_question {
  const tacit_score_part *parts;
  size_t count;
  bool scores, sides;
  double span, smoothing;
} tacit_scores_question;

/* DECISIONS: the sum over rows of half a subgradient of the SPO+ loss times the row (pass/decision_sum.h). */
typedef struct tacit_decisions_question {
  const tacit_region *region; /* NULL in a question that was just read: it is named by its hash */
  char region_hash[65];
  double unit, radius;
  const double *rule; /* targets x columns */
} tacit_decisions_question;

/* COSTS: for each target the sum of what orders by a rule cost, as a share of a bound and held to [0, 1],
   times 2^TACIT_COST_BITS. DEARER: of the same the number of rows that cost more than the bound, times the
   same; with a bound below 0 that is how many there are (proofs/private-evaluation.md). */
typedef struct tacit_costs_question {
  const double *coefficients;               /* targets x columns */
  const double *underage, *overage, *bound; /* one for each target */
  const double *spread; /* NULL: the rule is linear; else targets x (columns + 1) (loss/rule.h) */
} tacit_costs_question;

/* FEATURES: of rows seen through an image in two bytes, and of no target: the sums of w v and, behind them,
   of w vv' as an upper triangle by rows. v is the row, with the column of the scaled form behind it where
   there is a spread; w = min(1, clip / |v|). On the grids 2^-(16 + bits) and 2^-(8 + 2 bits) of the image's
   bits. For features that are public: no row is held to a radius. */
typedef struct tacit_features_question {
  double clip;
  bool scaled;
  tacit_row_spread spread;
} tacit_features_question;
enum { TACIT_FEATURE_BITS = 16, TACIT_PRODUCT_BITS = 8 };

/* RAMPS: of rows seen through an image in two bytes. A row's ramp about m is clamp((m - y + width) / (2
   width), 0, 1), in whole numbers of 2^-24. With m = x'b + offset: the sum of ramps (less 1/2) times rows,
   shortened to the clip norm, which may be left out; the sum of ramps of another width; and of the ramp about
   m + span less that about m - span, of a third. Targets that move a little move all of these a little. */
typedef struct tacit_ramps_question {
  size_t target;
  const double *coefficients;
  double offset;
  bool scores;
  double width, clip_norm;
  double below_width, within_width, span;
} tacit_ramps_question;

typedef enum tacit_question_kind {
  TACIT_QUESTION_COUNT,
  TACIT_QUESTION_ROWS,
  TACIT_QUESTION_SCORES,
  TACIT_QUESTION_DECISIONS,
  TACIT_QUESTION_COSTS,
  TACIT_QUESTION_DEARER,
  TACIT_QUESTION_FEATURES,
  TACIT_QUESTION_RAMPS,
  TACIT_QUESTION_KINDS
} tacit_question_kind;

/* Where the rows of a unit lie together (data/design_units.h), its part of a count, of rows or of one part's
   scores can be taken as a whole: summed first and then shortened to the norm floor(clip times what one row
   can reach); of a count, each row's number less `level`. Scores, |u| <= span and Phi have one of each; other
   questions the first. Or, with `most`, the answer is how many units there are in each bin of the norm
   (question/radius.h), times 2^TACIT_SCORE_BITS: bins for scores, for |u| <= span, for Phi. */
enum { TACIT_UNIT_PARTS = 3 };
typedef struct tacit_unit_parts {
  bool whole; /* else nothing here is read, and each row counts by itself */
  double clip[TACIT_UNIT_PARTS], level[TACIT_UNIT_PARTS];
  double lean[TACIT_UNIT_PARTS]; /* of a number: how what it is held to leans (question/radius.h), */
  bool leaving;                  /* where units come and go; 0: it does not */
  double most;                   /* 0: the sums themselves */
} tacit_unit_parts;

typedef struct tacit_question {
  tacit_question_kind kind;
  tacit_unit_parts units;
  const tacit_row_image *image; /* NULL: the rows as they are encoded */
  bool last_image; /* a hint, not part of the question: nobody will ask about anything but this image again */
  union {
    tacit_count_question count;
    tacit_rows_question rows;
    tacit_scores_question scores;
    tacit_decisions_question decisions;
    tacit_costs_question costs; /* of both kinds */
    tacit_features_question features;
    tacit_ramps_question ramps;
  };
} tacit_question;

/* TACIT_USAGE for a question that rows like these cannot answer. Numbers that only decide how large a row's
   part is, never how large it may be, can have any value. */
tacit_status tacit_question_check(const tacit_question *question, const tacit_row_facts *facts,
                                  tacit_error *error) TACIT_CHECKED;
/* Whether its answer is the same whatever the targets are: it may be given away where features are public. */
bool tacit_question_without_targets(const tacit_question *question);
/* How many columns a part's scores are about. */
size_t tacit_score_columns(const tacit_score_part *part, size_t columns);
/* How many integers the answer of such rows has, for a question that was checked. */
size_t tacit_question_width(const tacit_question *question, const tacit_row_facts *facts);
/* How large one row's part of entry k can be, or one unit's where it is taken as a whole, in integers: what
   the sums hold it to, and the certificate's sensitivities come from (question/radius.h). */
double tacit_question_reach(const tacit_question *question, const tacit_row_facts *facts, size_t k);

/* How large one row's part is of what is clipped by unit: the scores, or all there is; the first or second
   count beside them. */
double tacit_row_reach(const tacit_question *question, const tacit_row_facts *facts, size_t part);

/* The question's bytes, with what is public about the rows in them; image and region are named by their
 *hashes. bytes is to be freed. */
tacit_status tacit_question_write(const tacit_question *question, const tacit_row_facts *facts,
                                  unsigned char **bytes, size_t *length, tacit_error *error) TACIT_CHECKED;
/* A question that was read: whoever answers finds the image and the region by their hashes and enters them
   before it is checked. */
typedef struct tacit_told_question {
  tacit_question question;
  tacit_row_facts facts;
  unsigned char hash[TACIT_HASH]; /* SHA-256 of its bytes */
  bool has_image;
  unsigned char image[TACIT_HASH];
  size_t vector_length; /* of the vectors that an image's rows are multiplied by */
  void *memory;         /* the numbers */
  tacit_target_part *targets;
  tacit_score_part *parts;
} tacit_told_question;
/* TACIT_BAD_INPUT for bytes that are no question of this version. */
tacit_status tacit_question_read(const unsigned char *bytes, size_t length, tacit_told_question *told,
                                 tacit_error *error) TACIT_CHECKED;
/* Enters the image that the question names. TACIT_BAD_INPUT where the question's vectors do not fit it. */
tacit_status tacit_told_question_see(tacit_told_question *told, const tacit_row_image *image,
                                     tacit_error *error) TACIT_CHECKED;
void tacit_told_question_close(tacit_told_question *told);

#endif
