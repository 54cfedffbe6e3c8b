/* What a fit gave. */
#include "method/fit.h"

#include "base/base.h"
#include "method/state.h"

#include <stdlib.h>

void tacit_fit_free(tacit_fit *fit) {
  if (!fit) return;
  free(fit->coefficients);
  free(fit->spread);
  free(fit->uncertainty);
  tacit_state_free(fit->state);
  tacit_certificate_free(fit->certificate);
  free(fit);
}

const double *tacit_fit_coefficients(const tacit_fit *fit) {
  return fit->coefficients;
}

tacit_status tacit_fit_want_spread(tacit_fit *fit, tacit_error *error) {
  if (!fit->spread) fit->spread = tacit_alloc(fit->targets * (fit->columns + 1), sizeof *fit->spread);
  return fit->spread ? TACIT_OK : tacit_no_memory(error);
}

size_t tacit_rule_numbers(size_t columns, bool spread) {
  return spread ? 2 * columns + 1 : columns;
}

size_t tacit_triangle(size_t numbers) {
  return numbers * (numbers + 1) / 2;
}

tacit_status tacit_fit_want_uncertainty(tacit_fit *fit, tacit_error *error) {
  size_t each = tacit_triangle(tacit_rule_numbers(fit->columns, fit->spread != NULL));
  fit->uncertainty = tacit_alloc(fit->targets * each, sizeof *fit->uncertainty);
  return fit->uncertainty ? TACIT_OK : tacit_no_memory(error);
}

tacit_rule tacit_fit_rule(const tacit_fit *fit, size_t target, double reach) {
  return (tacit_rule){.columns = fit->columns,
                      .coefficients = fit->coefficients + target * fit->columns,
                      .spread = fit->spread ? fit->spread + target * (fit->columns + 1) : NULL,
                      .reach = reach};
}

const double *tacit_fit_spread(const tacit_fit *fit) {
  return fit->spread;
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
