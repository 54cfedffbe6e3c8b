/* The noise that C and E prescribe by closed forms, beside what the same guarantee needs by exact accounting.
 */
#include "privacy/objective.h"

#include <math.h>

/* OP: C Algorithm 2 has ln(2/delta), E Lemma EC.1 ln(1/delta); both take lambda >= beta / (n epsilon), so
   that beta / Lambda = epsilon / 2. */
static tacit_status objective_row(double factor, double epsilon, double delta, tacit_closed_form *row,
                                  tacit_error *error) {
  row->sigma = sqrt(8 * log(factor / delta) + 4 * epsilon) / epsilon;
  for (int a = 0; a < 2; a++) {
    tacit_objective o = {1, epsilon / 2, 1, row->sigma, (tacit_adjacency)a};
    tacit_interval certified;
    TACIT_TRY(tacit_objective_delta(&o, epsilon, &certified, error));
    row->certified_delta[a] = certified.upper;
    TACIT_TRY(tacit_objective_sigma(&o, epsilon, delta, &row->exact_sigma[a], error));
    row->ratio[a] = row->sigma / row->exact_sigma[a];
  }
  return TACIT_OK;
}

/* GP: T releases of a sum that moves by 2 under replace-one, 1 under add-remove, in units of one record's L.
 */
static tacit_status gradient_row(double sigma, double steps, double epsilon, double delta,
                                 tacit_closed_form *row, tacit_error *error) {
  double mu;
  row->sigma = sigma;
  TACIT_TRY(tacit_gdp_mu(epsilon, delta, &mu, error));
  for (int a = 0; a < 2; a++) {
    double reach = (a == TACIT_REPLACE_ONE ? 2 : 1) * sqrt(steps);
    row->exact_sigma[a] = reach / mu;
    row->ratio[a] = row->sigma / row->exact_sigma[a];
    TACIT_TRY(
        tacit_gdp_delta(nextafter(reach / row->sigma, INFINITY), epsilon, &row->certified_delta[a], error));
  }
  return TACIT_OK;
}

tacit_status tacit_closed_forms(double epsilon, double delta, uint64_t steps,
                                tacit_closed_form rows[TACIT_CLOSED_FORMS], tacit_error *error) {
  if (!(epsilon > 0 && epsilon <= TACIT_EPSILON_MAX && delta > 0 && delta < 1 && steps > 0))
    return tacit_fail(error, TACIT_USAGE,
                      "epsilon must be above 0, delta between 0 and 1, and there must be a step");
  double T = (double)steps;
  double moments = sqrt(8 * T * log(1 / delta)) / epsilon;
  double advanced = sqrt(64 * T * log(2.5 * T / delta) * log(2 / delta)) / epsilon;
  rows[0] = (tacit_closed_form){.name = "OP, C Algorithm 2",
                                .formula = "sqrt(8 ln(2/delta) + 4 epsilon) / epsilon"};
  rows[1] =
      (tacit_closed_form){.name = "OP, E Lemma EC.1", .formula = "sqrt(8 ln(1/delta) + 4 epsilon) / epsilon"};
  rows[2] = (tacit_closed_form){.name = "GP, E Theorem 3", .formula = "sqrt(8 T ln(1/delta)) / epsilon"};
  rows[3] = (tacit_closed_form){.name = "GP, advanced composition",
                                .formula = "sqrt(64 T ln(2.5 T/delta) ln(2/delta)) / epsilon"};
  TACIT_TRY(objective_row(2, epsilon, delta, &rows[0], error));
  TACIT_TRY(objective_row(1, epsilon, delta, &rows[1], error));
  TACIT_TRY(gradient_row(moments, T, epsilon, delta, &rows[2], error));
  return gradient_row(advanced, T, epsilon, delta, &rows[3], error);
}
