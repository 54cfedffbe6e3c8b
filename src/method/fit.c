/* What a fit gave. */
#include "method/fit.h"

#include <stdlib.h>

void tacit_fit_free(tacit_fit *fit) {
  if (!fit) return;
  free(fit->coefficients);
  tacit_certificate_free(fit->certificate);
  free(fit);
}

const double *tacit_fit_coefficients(const tacit_fit *fit) {
  return fit->coefficients;
}

const tacit_certificate *tacit_fit_certificate(const tacit_fit *fit) {
  return fit->certificate;
}

const char *tacit_fit_note(const tacit_fit *fit) {
  return fit->note;
}

tacit_fit_counts tacit_fit_count(const tacit_fit *fit) {
  return fit->counts;
}
