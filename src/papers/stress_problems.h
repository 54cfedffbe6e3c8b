/* Ten awkward problems for a learner, each with features on a known scale and with bounded ones. */
#ifndef TACIT_SRC_PAPERS_STRESS_PROBLEMS_H
#define TACIT_SRC_PAPERS_STRESS_PROBLEMS_H

#include "study/study.h"

typedef enum tacit_stress_shape {
  TACIT_STRESS_PLAIN,
  TACIT_STRESS_COLLINEAR, /* two more columns: the first again, and the sum of the first two */
  TACIT_STRESS_CONSTANT,  /* one more column that never changes */
  TACIT_STRESS_WIDE,      /* bounds 100 times too wide: of the target, and of bounded features */
  TACIT_STRESS_BINARY,    /* demand 0 or 1 */
  TACIT_STRESS_HEAVY      /* Cauchy errors, bounds +-500 */
} tacit_stress_shape;

typedef struct tacit_stress {
  const char *label;
  tacit_stress_shape shape;
  size_t features, rows;
  double tau, mu;
} tacit_stress;

enum { TACIT_STRESSES = 10, TACIT_STRESS_FEATURES = 199 };
extern const tacit_stress tacit_stresses[TACIT_STRESSES];

/* One problem on one route, with its schemas: with all features, and with none. */
typedef struct tacit_stress_problem {
  const tacit_stress *stress;
  bool known; /* normal features with centre and scale; else bounded, skewed ones and whole demand */
  size_t features;
  double low, high; /* of the target */
  tacit_schema *with, *without;
  char name[TACIT_STRESS_FEATURES][8];
  const char *names[TACIT_STRESS_FEATURES + 1]; /* the target last */
} tacit_stress_problem;

/* Give it back with tacit_stress_close, also after an error. */
tacit_status tacit_stress_open(const tacit_stress *stress, bool known, tacit_stress_problem *problem,
                               tacit_error *error) TACIT_CHECKED;
void tacit_stress_close(tacit_stress_problem *problem);

/* So many rows. *space, the caller's, holds the columns to which values (features + 1 of them) point; the
   table has the schema with all features. */
tacit_status tacit_stress_draw(const tacit_stress_problem *problem, tacit_stream *stream, size_t rows,
                               double **space, const double **values, tacit_study_table *table,
                               tacit_error *error) TACIT_CHECKED;

#endif
