/* The noise that C and E prescribe by closed forms, beside what the same guarantee needs by exact accounting.
 */
#include "privacy/objective.h"
#include "privacy/sampled.h"

#include <math.h>

/* OP: Chen and Chua's Algorithm 2 has ln(2/delta), the companion's Lemma EC.1 ln(1/delta); both take lambda
   >= beta / (n epsilon), so that beta / Lambda = epsilon / 2. */
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

/* SGP: n^2 steps of one record each, noise in units of one record's L. */
static tacit_status stochastic_row(double n, double epsilon, double delta, tacit_closed_form *row,
                                   tacit_error *error) {
  row->sigma = sqrt(8 * log(1 / delta)) / epsilon;
  for (int a = 0; a < 2; a++) {
    tacit_sampled s = {.sigma = row->sigma,
                       .rate = fmin(1, nextafter(1 / n, 2)),
                       .steps = (uint64_t)(n * n),
                       .sampling = a == TACIT_REPLACE_ONE ? TACIT_SAMPLING_FIXED : TACIT_SAMPLING_POISSON,
                       .adjacency = (tacit_adjacency)a};
    tacit_interval certified;
    TACIT_TRY(tacit_sampled_delta(&s, epsilon, &certified, error));
    row->certified_delta[a] = certified.upper;
    TACIT_TRY(tacit_sampled_sigma(&s, epsilon, delta, &row->exact_sigma[a], error));
    row->ratio[a] = row->sigma / row->exact_sigma[a];
  }
  return TACIT_OK;
}

tacit_status tacit_closed_forms(double epsilon, double delta, uint64_t rows,
                                tacit_closed_form forms[TACIT_CLOSED_FORMS], tacit_error *error) {
  if (!(epsilon > 0 && epsilon <= 100 && delta > 0 && delta < 1))
    return tacit_fail(error, TACIT_USAGE,
                      "epsilon must be above 0 and at most 100, delta above 0 and below 1");
  if (rows < 2 || rows > 100000) return tacit_fail(error, TACIT_USAGE, "the rows must be 2 to 100000");
  double n = (double)rows, T = n * n;
  double moments = sqrt(8 * T * log(1 / delta)) / epsilon;
  double advanced = sqrt(64 * T * log(2.5 * T / delta) * log(2 / delta)) / epsilon;
  static const char *const names[][2] = {
      {"OP, Chen and Chua, Algorithm 2", "sqrt(8 ln(2/delta) + 4 epsilon) / epsilon"},
      {"OP, companion, Lemma EC.1", "sqrt(8 ln(1/delta) + 4 epsilon) / epsilon"},
      {"GP, companion, Theorem 3", "sqrt(8 T ln(1/delta)) / epsilon"},
      {"GP, advanced composition", "sqrt(64 T ln(2.5 T/delta) ln(2/delta)) / epsilon"},
      {"SGP, Chen and Chua, Theorem 3.2", "sqrt(8 ln(1/delta)) / epsilon"}};
  for (size_t i = 0; i < TACIT_CLOSED_FORMS; i++)
    forms[i] = (tacit_closed_form){.name = names[i][0], .formula = names[i][1]};
  TACIT_TRY(objective_row(2, epsilon, delta, &forms[0], error));
  TACIT_TRY(objective_row(1, epsilon, delta, &forms[1], error));
  TACIT_TRY(gradient_row(moments, T, epsilon, delta, &forms[2], error));
  TACIT_TRY(gradient_row(advanced, T, epsilon, delta, &forms[3], error));
  return stochastic_row(n, epsilon, delta, &forms[4], error);
}
