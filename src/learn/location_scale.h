/* Rules with a spread: order = b'x + k s(x), s(x) = exp(g'x) the median of |residual|.

   The centre is learned at the median (median_newton.h, whose gains, steps and symbols are the same), the
   spread as the median of the logarithm of |residual|, by the same steps. Then everything is counted in
   spreads: how many of them the quantile is, and slopes, location and k at the quantile itself. Where spreads
   are equal the rule is linear; where they differ it is better than the best linear rule.

   n, d, tau, W, x, a, V, Va as in median_newton.h · xg, ag slopes and location of log s, in whitened rows · k
   spreads · m~, S~ mean and covariance of rows weighed by 1 / s · h = 1 / E[1 / s]. */
#ifndef TACIT_SRC_LOCATION_SCALE_H
#define TACIT_SRC_LOCATION_SCALE_H

#include "learn/median_newton.h"

typedef struct tacit_scaled {
  tacit_newton newton;
  double moment_noise; /* of an entry of the moment */
  double *S;           /* d x d: the covariance of the rows, as far as it is believed */
  double *S0;          /* the same before it was made definite */
  double *back;        /* d x d: W'^-1 */
  double *size;        /* d: the squared length of each of its columns; by eigenvectors, the eigenvalues of S
                          with what noise adds to them, by whose roots W divides, */
  double *apart;       /* d: and one over that of each column of W, which is then the same */
  double least, most;  /* of log s */
  double *xg, ag;      /* the spread, */
  double Vag;
  tacit_followed followed; /* its slopes */
  double times;            /* k */
  double skew;             /* of residuals, where days sold out */
  double *kept;            /* 2 d: slopes and their variances at the median, for each of several quantiles; */
  double kept_a, kept_Va;  /* and the location's */
  uint64_t *sum;           /* d or d + 1 scores, and two counts behind them */
  size_t scores;           /* how many there are in the last answer, */
  double level;            /* and the level that its rows' counts are about */
  double near;             /* of rows, how many are expected near the quantile */
  bool *rare;              /* of each column, and then of each feature's first level, which has none */
} tacit_scaled;

#define TACIT_MAD 0.6745                      /* the median of |normal| */
#define TACIT_NEAR_QUANTILE (0.5 / TACIT_MAD) /* spreads from it */

/* How far some rows' targets lie; mean, radius and moment of rows of which some are levels, with all targets,
   and whitening; rows.c. */
tacit_status tacit_scaled_far(tacit_newton *newton, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_scaled_rows(tacit_scaled *scaled, tacit_target_part *targets,
                               tacit_error *error) TACIT_CHECKED;
/* Marks levels whose released shares, before anything is believed of them, cannot be told from 0, and says so
   in the fit's note; and holds their coefficients of encoded columns within those of the others; rare.c. */
void tacit_scaled_mark_rare(tacit_scaled *scaled, double noise);
void tacit_scaled_hold_rare(const tacit_scaled *scaled, double *coefficients);
tacit_status tacit_scaled_whiten(tacit_scaled *scaled, tacit_error *error) TACIT_CHECKED;
/* W, its inverse and the curvature of whitened rows by a triangle, to which noise adds `worth`; false where
   that will not do; triangle.c. */
bool tacit_scaled_triangle(tacit_scaled *scaled, double worth);
/* Whitened rows are kept in two bytes, where no entry is beyond 32: that of a rare level must not be cut. */
#define TACIT_LEVEL_REACH 21
/* The same where features are public: exact, and without a release; and the slopes that steps begin with, of
   which no moment says anything; public.c. */
tacit_status tacit_scaled_public_rows(tacit_scaled *scaled, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_scaled_public_start(tacit_scaled *scaled, tacit_error *error) TACIT_CHECKED;
/* The sums of rows with their spread as a column, clipped: d + 1 numbers. */
tacit_status tacit_scaled_public_sums(const tacit_scaled *scaled, const tacit_score_part *part, double *sums,
                                      tacit_error *error) TACIT_CHECKED;
/* The spread; spread.c. */
tacit_status tacit_scaled_spread(tacit_scaled *scaled, tacit_error *error) TACIT_CHECKED;
/* Averages of the spread over rows, from the releases so far: 1 / E[1/s], E[s], one between both, E[s^2] /
   E[s]; the variance of s / h where rows are weighed by 1 / s, and what makes a column of s / h - 1 about as
   long as the others. */
typedef struct tacit_tilted {
  double h, average, typical, full, variance, weight;
} tacit_tilted;
tacit_status tacit_scaled_tilted(const tacit_scaled *scaled, tacit_tilted *tilted,
                                 tacit_error *error) TACIT_CHECKED;
/* Directions that steps at the quantile go along, in columns, their curvature and length before they were
   scaled; the weighed mean of (zeta, t); curvature.c. */
typedef struct tacit_curvature {
  size_t size; /* d + 1: slopes of whitened rows, and of t = weight (s / h - 1) */
  double *direction, *curve, *length, *centre;
} tacit_curvature;
bool tacit_curvature_open(tacit_curvature *curvature, size_t size); /* false without memory */
void tacit_curvature_close(tacit_curvature *curvature);
/* f: the density at the quantile of rows of spread h. V: how far slopes may have to go. */
tacit_status tacit_scaled_curvature(const tacit_scaled *scaled, const tacit_tilted *tilted, double f,
                                    tacit_curvature *curvature, double *V, tacit_error *error) TACIT_CHECKED;
/* The quantile, in spreads; *far: it is further out than they reach, and the rule is linear; quantile.c. */
tacit_status tacit_scaled_quantile(tacit_scaled *scaled, bool *far, tacit_error *error) TACIT_CHECKED;

/* Where the steps at the quantile have arrived. */
typedef struct tacit_arrived {
  const tacit_tilted *tilted;
  const tacit_curvature *curvature;
  double f, clip, Va;
  const tacit_followed *followed; /* the directions, */
  const double *moved;            /* and how far they went */
} tacit_arrived;
/* How sure the rule is, where that was asked for: with its spread; a linear one, which takes some releases of
   its own; uncertainty_scaled.c, uncertainty_linear.c. */
tacit_status tacit_scaled_uncertainty(const tacit_scaled *scaled, const tacit_arrived *arrived,
                                      tacit_error *error) TACIT_CHECKED;
tacit_status tacit_linear_uncertainty(tacit_scaled *scaled, tacit_error *error) TACIT_CHECKED;

/* Slopes of log s, times a factor, in the rows' own columns; curvature.c. */
void tacit_scaled_slopes(const tacit_scaled *scaled, double factor, double *beta);
/* Residuals in spreads, from so many of them above; quantile.c. */
tacit_score_part tacit_scaled_part(const tacit_scaled *scaled, const double *slopes, double offset,
                                   double times);

/* Whether a feature's columns are the levels of a category, and taken as such. */
bool tacit_is_level(const tacit_newton *newton, const tacit_feature *feature);
/* Rows weighed by exp(beta'x), as if features were independent: their mean and covariance, and the logarithm
   of the mean of exp(beta'(x - mean)); mean and S may be NULL; tilt.c. */
double tacit_scaled_tilt(const tacit_scaled *scaled, const double *beta, double *mean, double *S);
/* Raises the eigenvalues of the correlations behind a covariance to a floor, or, of many columns that noise
   has left indefinite, makes all correlations smaller until none is below it; definite.c. False without
   memory. */
enum { TACIT_MANY_COLUMNS = 256 };
bool tacit_scaled_definite(size_t d, double *S, int threads);

/* One question about residuals in spreads, or about spreads themselves; scores may be left out; ask.c. */
tacit_status tacit_scaled_ask(tacit_scaled *scaled, const tacit_score_part *part, bool scores,
                              tacit_error *error) TACIT_CHECKED;
/* How far units reach in such steps, for the steps to come. */
tacit_status tacit_scaled_reach(tacit_scaled *scaled, const tacit_score_part *part, tacit_unit_clip kind,
                                tacit_error *error) TACIT_CHECKED;
/* Its answer, released: the scores; the smoothed count; how many are near the quantile. */
tacit_status tacit_scaled_scores(tacit_scaled *scaled, const tacit_score_part *part, double *out,
                                 double *sigma, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_scaled_count(tacit_scaled *scaled, double *count, double *sigma,
                                tacit_error *error) TACIT_CHECKED;
tacit_status tacit_scaled_within(tacit_scaled *scaled, double *count, double *sigma,
                                 tacit_error *error) TACIT_CHECKED;

/* More is unknown than was believed where two steps, longer than noise and belief allow, go the same way: V
   grows. */
typedef struct tacit_surprise {
  size_t d;
  double *before; /* d: the last step */
  bool begun;
} tacit_surprise;
void tacit_surprised(tacit_surprise *surprise, double *V, const double *u, const double *v,
                     const double *gamma);
/* A step u with noise variance v of one number of variance *V, the step before it being `before`: the move.
 */
double tacit_number_step(double *V, double u, double v, double before);

#endif
