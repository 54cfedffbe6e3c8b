/* What the studies share: streams by purpose, repetitions on several threads, summaries, and numbers as text.
 */
#ifndef TACIT_SRC_STUDY_H
#define TACIT_SRC_STUDY_H

#include "data/sample.h"
#include "method/fit.h"
#include "random/random.h"

#include <tacit/learn.h>
#include <tacit/study.h>

/* The stream of one repetition for one purpose: the same for every number of threads and repetitions. */
typedef enum tacit_purpose { TACIT_FOR_ROWS, TACIT_FOR_NOISE, TACIT_FOR_SPLITS } tacit_purpose;
tacit_status tacit_study_stream(uint64_t seed, tacit_purpose purpose, uint32_t group, uint32_t repetition,
                                tacit_stream *stream, tacit_error *error) TACIT_CHECKED;

/* Which part of the whole work something is, for the caller's progress: from 0 to 1. */
typedef struct tacit_part {
  const char *what;
  double from, to;
} tacit_part;
tacit_part tacit_part_of(const char *what, size_t at, size_t count); /* the part at of count equal ones */

/* work(self, r, error) for r = 0..count-1, on the context's threads; between batches the caller hears how far
   the work is and may cancel. work must write only what belongs to its own r. */
typedef tacit_status (*tacit_repetition)(void *self, size_t r, tacit_error *error);
tacit_status tacit_repeat(size_t count, tacit_repetition work, void *self, tacit_part part,
                          const tacit_context *context, tacit_error *error) TACIT_CHECKED;

/* Mean of values[0], values[stride], ... and its standard error (NaN for fewer than two). */
void tacit_summarise(size_t count, const double *values, size_t stride, double *mean, double *se);
/* Columns in memory as a user would hand them over, the target last. */
typedef struct tacit_study_table {
  const tacit_schema *schema;
  size_t rows, columns;
  const char *const *names;
  const double *const *values;     /* NULL for a column of texts */
  const char *const *const *texts; /* NULL when all columns are numbers */
} tacit_study_table;

/* The real learner, "default" or, for mu = 0, "erm"; seed: NULL for noise of the operating system. *fit is
   the caller's. */
tacit_status tacit_study_fit(const tacit_study_table *table, double tau, double mu, const uint64_t *seed,
                             tacit_fit **fit, tacit_error *error) TACIT_CHECKED;
/* The same by exact regression, without privacy. */
tacit_status tacit_study_exact(const tacit_study_table *table, double tau, tacit_fit **fit,
                               tacit_error *error) TACIT_CHECKED;
/* How its first target is ordered from an encoded row; it points into the fit. */
tacit_rule tacit_study_rule(const tacit_study_table *table, const tacit_fit *fit);
/* 1 where the guarantee recomputed from the certificate is above mu, else 0. */
double tacit_study_beyond(const tacit_fit *fit, double mu);
/* All of it for studies whose risks are of linear rules, at quantiles where the default learns no spread;
   coefficients are of the encoded columns, beyond may be NULL. TACIT_INTERNAL for a rule with a spread. */
tacit_status tacit_study_learn(const tacit_study_table *table, double tau, double mu, uint64_t seed,
                               double *coefficients, double *beyond, tacit_error *error) TACIT_CHECKED;

/* As many digits as read back to the same number, with a point, whatever the locale; text has
 * TACIT_NUMBER_TEXT_MAX bytes. */
enum { TACIT_NUMBER_TEXT_MAX = 32 };
void tacit_number_text(char *text, double value);

/* The restaurant simulator; restaurant.c. */
extern const char tacit_restaurant_schema[];
enum { TACIT_RESTAURANT_DAYS = 730 };
tacit_status tacit_simulate_restaurant(size_t rows, tacit_stream *stream, tacit_writer writer, void *user);

/* Shops, as a till exports them; shops.c. A row is a product of a shop on a day, days in their order. */
extern const char tacit_shops_schema[];
enum { TACIT_SHOPS_ROWS = 12 * 731 };
tacit_status tacit_simulate_shops(size_t rows, tacit_stream *stream, tacit_writer writer, void *user);

#endif
