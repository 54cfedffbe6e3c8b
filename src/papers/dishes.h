/* Any dish of the restaurant data with lags, with weekdays, or with both. */
#ifndef TACIT_SRC_PAPERS_DISHES_H
#define TACIT_SRC_PAPERS_DISHES_H

#include "papers/lamb.h"
#include "study/study.h"

typedef enum tacit_dish_features {
  TACIT_DISH_LAGS,    /* Zhao, Zhou and Wang's: holiday, rain, temperature, demand 7 and 14 days before */
  TACIT_DISH_BOTH,    /* and the weekday */
  TACIT_DISH_WEEKDAY, /* the weekday instead of the lags: a day is one row */
  TACIT_DISH_SETS
} tacit_dish_features;

enum { TACIT_DISH_COLUMNS = 7 /* with the target, at most */, TACIT_DISH_ENCODED = 12 };

typedef struct tacit_dish {
  size_t rows, columns; /* the target is the last column */
  const char *names[TACIT_DISH_COLUMNS];
  double *values[TACIT_DISH_COLUMNS]; /* the weekday as a place in tacit_weekdays */
  size_t weekday;                     /* its column; columns where there is none */
  tacit_schema *schema;
  tacit_sample *encoded; /* all rows as the schema encodes them: 0 to 100 portions as -1 to 1 */
} tacit_dish;

extern const char *const tacit_weekdays[]; /* Sunday, the base, first; NULL after the last */

/* name must outlive the dish. Give it back with tacit_dish_free, also after an error. */
tacit_status tacit_dish_read(const char *folder, const char *name, tacit_dish_features features,
                             tacit_dish *dish, tacit_error *error) TACIT_CHECKED;
void tacit_dish_free(tacit_dish *dish);

/* The rows order[0..rows) as a learner gets them. *space, the caller's, holds what the table points to. */
tacit_status tacit_dish_table(const tacit_dish *dish, size_t rows, const size_t *order, void **space,
                              tacit_study_table *table, tacit_error *error) TACIT_CHECKED;

#endif
