/* Wang and Qin's Algorithms 1 and 2 as published, on their problem: three features, three costs,
   decisions in the unit ball.

   NOTHING HERE IS PRIVATE. Algorithm 1 steps by the length of the gradient itself, which no noise covers: one
   step tells neighbouring tables apart with certainty, so Wang and Qin's Lemma 2 does not hold. Algorithm 2
   is Gaussian noise in doubles, valid only where ||x|| is bounded, which Wang and Qin's experiment does not
   say. */
#ifndef TACIT_SRC_PAPERS_WANG_PUBLISHED_H
#define TACIT_SRC_PAPERS_WANG_PUBLISHED_H

#include "base/base.h"
#include "random/random.h"

enum { TACIT_WANG_D = 3, TACIT_WANG_CELLS = 9 };

/* Rows by columns, padded to whole lanes with rows of zeros. */
typedef struct tacit_wang_rows {
  size_t rows, padded;
  double *x, *c, *best; /* 3 x padded each; best = w*(c) = -c / ||c|| */
} tacit_wang_rows;
tacit_status tacit_wang_rows_new(size_t rows, tacit_wang_rows **made, tacit_error *error) TACIT_CHECKED;
/* x ~ N(0, I), c = x (Wang and Qin, section 7; the law is ours, the paper gives none). */
void tacit_wang_rows_draw(tacit_wang_rows *rows, tacit_stream *stream);
/* Row i is x with costs c. */
void tacit_wang_rows_set(tacit_wang_rows *rows, size_t i, const double *x, const double *c);
void tacit_wang_rows_free(tacit_wang_rows *rows); /* NULL is fine */

typedef enum tacit_wang_kind {
  TACIT_WANG_PLAIN,       /* without noise, at Algorithm 2's step */
  TACIT_WANG_EXPONENTIAL, /* Algorithm 1 */
  TACIT_WANG_GAUSSIAN     /* Algorithm 2, noise on all pd entries */
} tacit_wang_kind;

typedef struct tacit_wang {
  tacit_wang_kind kind;
  size_t steps;     /* T = n^2 */
  double eta;       /* Wang and Qin's Theorem 4 or 7 */
  double smoothing; /* mu_s = eta / 2 */
  double epsilon0;  /* of one exponential step */
  double sigma;     /* of one Gaussian step */
  double bound;     /* B_B: the average is projected to ||B|| <= bound */
} tacit_wang;

/* Our reading of what the paper leaves open: L = 2 diam(S) sqrt(3) (the root mean square of ||x||),
   B_w = 1, B_B = ||I|| = sqrt(3). */
extern const double tacit_wang_lipschitz, tacit_wang_bound;

/* Settings for n rows at (epsilon, delta). every_step: each exponential step has the whole epsilon, instead
   of Theorem 3's epsilon0. */
void tacit_wang_init(tacit_wang *w, tacit_wang_kind kind, size_t rows, double epsilon, double delta,
                     bool every_step);
/* rule: B, 3 x 3 by rows. */
void tacit_wang_run(const tacit_wang *w, const tacit_wang_rows *rows, tacit_stream *stream, double *rule);
/* Mean of SPO over rows with c = x, in closed form on the ball: ||x|| (1 - cos of the angle of x and Bx);
   a prediction of 0 costs its worst. */
double tacit_wang_loss(const tacit_wang_rows *rows, const double *rule);
/* The gradient of the mean smoothed SPO+ loss. */
void tacit_wang_gradient(const tacit_wang_rows *rows, double smoothing, const double *rule,
                         double gradient[TACIT_WANG_CELLS]);

#endif
