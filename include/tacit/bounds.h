/* The papers' bounds on what a method's policy costs beyond the best one, with every constant: as published,
   and as they follow from their proofs where the two differ (docs/bounds.md). No rows, no noise. */
#ifndef TACIT_BOUNDS_H
#define TACIT_BOUNDS_H

#include <tacit/privacy.h>

TACIT_BEGIN

/* What the theorems are about, in any units that demand, rows and coefficients share; costs have b + h = 1.
   init sets what has a default; 0 elsewhere means that it was not given. */
typedef struct tacit_bounds_options {
  const char *method; /* one of tacit_bounds_method; the last two are of decisions */
  double rows, columns;
  double tau;                         /* the quantile */
  double clip_norm;                   /* B_x: no row is longer */
  double theta_bound;                 /* B_theta: no best coefficients are longer; of decisions B_B */
  double epsilon, delta;              /* the guarantee: this pair, */
  double mu;                          /* or this mu */
  const char *kernel;                 /* default: logistic, and Gaussian for Zhao, Zhou and Wang's */
  double spread;                      /* of a normal residual: gives the three densities that are not given */
  double density_low;                 /* f_l: at the quantile at least */
  double density_high;                /* f_u, s: nowhere more */
  double density_slope;               /* l_0, l_1: its Lipschitz constant */
  double eigenvalue;                  /* rho_1: the smallest of E[x x'] (default 1) */
  double distance;                    /* R_0: from the start to the solution (default theta_bound) */
  double confidence;                  /* z: bounds hold but for a few e^-z (default ln rows) */
  double steps, step_size, bandwidth; /* Zhao, Zhou and Wang's; default: eq. (8) */
  double outputs, diameter, width;    /* of decisions: entries of a cost, diameter of the region, the largest
                                         norm B_w of a decision (default: the diameter) */
} tacit_bounds_options;
/* The methods with published bounds, the first the default; NULL past the last. */
TACIT_API const char *tacit_bounds_method(size_t index);
TACIT_API void tacit_bounds_options_init(tacit_bounds_options *options);

/* Columns, clip norm, theta bound and spread of a target, where they were not given, as its schema has them
   or as learners assume them: everything is then in encoded units. TACIT_USAGE without such a target. */
TACIT_API tacit_status tacit_bounds_from_schema(const tacit_schema *schema, size_t target,
                                                tacit_bounds_options *options,
                                                tacit_error *error) TACIT_CHECKED;

/* A number that a theorem gives. NaN where it has none: without a constant it needs, or beyond its
   conditions. */
typedef struct tacit_bound {
  const char *name, *where;
  double value;     /* as it follows from the proof, with the least noise that the guarantee allows */
  double published; /* as printed, with the published noise; NaN where nothing was */
} tacit_bound;
/* What a theorem asks for. */
typedef struct tacit_bound_condition {
  const char *text;
  bool holds;
} tacit_bound_condition;

enum { TACIT_BOUNDS_MAX = 16 };
typedef struct tacit_bounds {
  tacit_bound bound[TACIT_BOUNDS_MAX];
  size_t bounds;
  tacit_bound_condition condition[TACIT_BOUNDS_MAX];
  size_t conditions;
} tacit_bounds;
/* TACIT_USAGE for what is missing or out of range. */
TACIT_API tacit_status tacit_bounds_find(const tacit_bounds_options *options, tacit_bounds *bounds,
                                         tacit_error *error) TACIT_CHECKED;

TACIT_END

#endif
