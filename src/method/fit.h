/* What a fit gave: filled by the door and the learner, and made into a policy. */
#ifndef TACIT_SRC_FIT_H
#define TACIT_SRC_FIT_H

#include "privacy/certificate.h"

#include <tacit/method.h>

struct tacit_fit {
  size_t columns, targets;
  double *coefficients; /* targets x columns, of the encoded columns */
  tacit_certificate *certificate;
  tacit_fit_counts counts;
  char note[240]; /* from public facts alone */
};

#endif
