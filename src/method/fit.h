/* What a fit gave: filled by the door and the learner, and made into a policy. */
#ifndef TACIT_SRC_FIT_H
#define TACIT_SRC_FIT_H

#include "loss/rule.h"
#include "privacy/certificate.h"

#include <tacit/method.h>

struct tacit_fit {
  size_t columns, targets;
  double *coefficients; /* targets x columns, of the encoded columns */
  double *spread;       /* NULL: the rule is linear; else targets x (columns + 1): g, then k (loss/rule.h) */
  double *uncertainty;  /* NULL: not asked for; else targets x triangle: covariances of the numbers above, b
                           and then, where there is a spread, g and k; all 0 where they are not known */
  struct tacit_state *state; /* for the next policy (method/state.h); NULL: none */
  tacit_certificate *certificate;
  tacit_fit_counts counts;
  char note[640]; /* from public facts and releases alone */
};

/* How a target is ordered; it points into the fit. reach is the target's (tacit_scale_reach). */
tacit_rule tacit_fit_rule(const tacit_fit *fit, size_t target, double reach);
/* Room for a spread, all zero: with k = 0 a target's rule is linear still. For methods that say `spread`. */
tacit_status tacit_fit_want_spread(tacit_fit *fit, tacit_error *error) TACIT_CHECKED;
/* How many numbers a target's rule has, and how many covariances those have: the lower triangle, row by row.
 */
size_t tacit_rule_numbers(size_t columns, bool spread);
size_t tacit_triangle(size_t numbers);
/* Room for them, once it is settled whether there is a spread. */
tacit_status tacit_fit_want_uncertainty(tacit_fit *fit, tacit_error *error) TACIT_CHECKED;

#endif
