/* Linear rules: slopes by noisy Newton steps at the median, then the quantile itself.

   Each quantity is released in small steps, and each step is believed as far as it deserves: with a prior
   variance V and a step whose noise has variance v (both known), the step is taken with gain V / (V + v).
   Where the budget buys little, gains are small, slopes stay near zero, and the policy falls back to a
   private unconditional quantile.

   n public number of rows · d features · tau quantile · mu guarantee · z rows without intercept, centred ·
   W whitening · x slopes in whitened units · a location · s spread of the residual · V, Va their variances.
 */
#ifndef TACIT_SRC_MEDIAN_NEWTON_H
#define TACIT_SRC_MEDIAN_NEWTON_H

#include "learn/followed.h"
#include "learn/learners.h"
#include "learn/secant.h"

typedef struct tacit_newton {
  tacit_task *task;
  const tacit_schema *schema;
  tacit_row_image white; /* how the encoded rows are seen whitened, in d columns */
  size_t target;         /* whose releases are being made: a goal's, or those of all that share them; */
  size_t column;         /* the table's target that it is about; */
  size_t place;          /* where its radius and clip norm are kept in the choice, */
  size_t first, goal;    /* and what units are held to, at the median and at the quantile */
  double unit[3];        /* the same for the steps at work: of scores, of rows within and below, */
  bool leans;            /* the last of them as the level does (question/radius.h) */
  bool last;             /* nobody will ask about the rows themselves again, only through their image */
  double n, tau, range;  /* |y| <= range */
  tacit_recipe recipe;   /* the public choices */
  size_t d;              /* features, as the recipe says */
  /* released so far, and what follows from it */
  double a, Va, s, Vs, y_spread;
  double bandwidth; /* of the slopes' scores, in spreads: the recipe's, and less towards the end */
  double y_far;     /* no less than y_spread: how far from a the targets of some rows lie */
  double radius;
  double *mean;             /* d */
  double *matrix;           /* d x columns: of the whitened rows */
  double *W;                /* d x d: a whitened row is W' (z - mean) */
  double *moment;           /* of the d columns and the recipe's targets, an upper triangle */
  double *x, *V, *u, *step; /* d */
  double *gamma;            /* d: the curvature of whitened rows, 1 where they are quite white */
  double *shortened;        /* d: where features are public the sum of clipped rows, else NULL */
  uint64_t *sum;            /* d, of the last pass, and its counts: */
  uint64_t *within, *below;
  tacit_secant secant;
  tacit_followed followed; /* the slopes, and the location behind them */
} tacit_newton;

/* For a goal. To be closed, also when it fails. */
tacit_status tacit_newton_open(tacit_newton *newton, tacit_task *task, size_t target,
                               tacit_error *error) TACIT_CHECKED;
void tacit_newton_close(tacit_newton *newton);
/* Coefficients of the encoded columns: slopes W x, and the intercept that the centring leaves. */
void tacit_newton_coefficients(const tacit_newton *newton, const double *x, double a, double *coefficients);
/* The whitened rows, newton->matrix times the encoded ones. */
tacit_status tacit_newton_set_white(tacit_newton *newton, tacit_error *error) TACIT_CHECKED;

/* How a question about units as a whole says what they are held to, and a released count what each row was
   taken less; how many rows most units have; how far their parts of a step reach, for the steps to come, of
   which parts[.] are wanted; units.c. Nothing where rows count by themselves. */
tacit_unit_parts tacit_newton_units(const tacit_newton *newton, double within, double below);
tacit_unit_parts tacit_newton_part(const tacit_newton *newton, double part);
double tacit_newton_less(const tacit_newton *newton, double level);
tacit_status tacit_newton_size(tacit_newton *newton, tacit_error *error) TACIT_CHECKED;
void tacit_newton_early(tacit_newton *newton); /* what the first steps go by */
tacit_status tacit_newton_reach(tacit_newton *newton, const tacit_question *question, tacit_unit_clip kind,
                                const bool parts[3], tacit_error *error) TACIT_CHECKED;

/* The parts, in their order; median_newton_scale.c, _whiten.c, _step.c and _tail.c. */
tacit_status tacit_newton_scale(tacit_newton *newton,
                                tacit_error *error) TACIT_CHECKED; /* centre and spread of y */
tacit_status tacit_newton_centre(tacit_newton *newton,
                                 tacit_error *error) TACIT_CHECKED; /* mean and radius of rows: */
tacit_status tacit_newton_mean(tacit_newton *newton, double *noise, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_newton_radius(tacit_newton *newton, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_newton_whiten(tacit_newton *newton,
                                 tacit_error *error) TACIT_CHECKED; /* moment, W, first slopes */
tacit_status tacit_newton_at_median(tacit_newton *newton, tacit_error *error) TACIT_CHECKED;
/* At the residuals of the median: whether the quantile is far out; the location is then moved there; tail.c.
 */
tacit_status tacit_newton_tail(tacit_newton *newton, bool *far, tacit_error *error) TACIT_CHECKED;
/* Plans on, far or not; far: the location is moved there. */
tacit_status tacit_newton_go_far(tacit_newton *newton, bool far, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_newton_at_quantile(tacit_newton *newton, tacit_error *error) TACIT_CHECKED;

/* From W and the mean to the matrix of the whitened rows. */
tacit_status tacit_newton_seal(tacit_newton *newton, tacit_error *error) TACIT_CHECKED;
/* A target as it stands in the moment: cut at 2 y_far, which counts as much as the radius. */
tacit_target_part tacit_newton_target_part(const tacit_newton *newton);
/* The moment of rows and targets, as many as the recipe has; *sigma is the noise of its mean. */
tacit_status tacit_newton_moment(tacit_newton *newton, const tacit_target_part *targets, double *sigma,
                                 tacit_error *error) TACIT_CHECKED;
/* Entry (j, k), j <= k, of that moment, over the rows. */
double tacit_newton_entry(const tacit_newton *newton, size_t j, size_t k);
/* Least squares in whitened coordinates, weighed against the prior that slopes are small: x and V. Column k
   of W has the squared length 1 / apart[k], and that of W'^-1 has size[k]. */
void tacit_newton_start(tacit_newton *newton, double sigma, const double *size, const double *apart);

/* The gain of a measurement of curvature gamma and noise variance v against a state of variance *V, which is
   updated; trust < 1 says how much of a step of the linear model is believed to arrive. */
double tacit_newton_gain(double *V, double v, double gamma, double trust);
/* Scales V down so that its entries, each times its curvature, sum to at most `total`. */
void tacit_newton_cap(double *V, const double *gamma, size_t d, double total);

#define TACIT_INSIDE 0.683     /* of a normal distribution lies within one spread */
#define TACIT_NEWTON_TRUST 0.8 /* of a Newton step of the slopes, where noise rules or steps are few */

#endif
