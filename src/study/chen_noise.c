/* E Fig. EC.2: the noise of gradient perturbation, T = n^2 steps of sensitivity 2 L / n, under advanced
   composition, the moments accountant and Gaussian privacy. In multiples of L none but the first depends on
   n. */
#include "study/reports.h"

#include <math.h>

static const double DELTAS[] = {1e-2, 1e-4, 1e-6}, EPSILONS[] = {0.25, 0.5, 1, 2, 4};
enum { ROWS = 1000 };
static const char *const COLUMNS[] = {"mechanism", "delta", "epsilon",    "advanced_composition",
                                      "published", "exact", "times_exact"};

static tacit_status add_gradient(double rows, double delta, double epsilon, tacit_report *report,
                                 tacit_error *error) {
  double T = rows * rows, mu, exact;
  double advanced = sqrt(64 * log(2.5 * T / delta) * log(2 / delta)) / epsilon;
  double moments = sqrt(8 * log(1 / delta)) / epsilon;
  TACIT_TRY(tacit_gdp_mu(epsilon, delta, &mu, error));
  TACIT_TRY(tacit_gdp_sigma(mu, 2, 1, &exact, error)); /* sqrt(T) 2 L / n = 2 L */
  const char *name = "GP, n^2 steps";
  const double line[] = {delta, epsilon, advanced, moments, exact, moments / exact};
  return tacit_report_add(report, &name, line, error);
}

tacit_status tacit_report_chen_noise(const tacit_report_options *options, const tacit_context *context,
                                     tacit_report **report, tacit_error *error) {
  const double *epsilons = options->epsilons ? options->epsilons : EPSILONS;
  size_t epsilon_count = options->epsilons ? options->epsilon_count : sizeof EPSILONS / sizeof *EPSILONS;
  size_t delta_count = options->delta > 0 ? 1 : sizeof DELTAS / sizeof *DELTAS;
  size_t rows = options->rows && options->row_count ? options->rows[0] : ROWS;
  (void)context;
  TACIT_TRY(tacit_report_new("chen-noise", 1, sizeof COLUMNS / sizeof *COLUMNS - 1, COLUMNS, report, error));
  for (size_t k = 0; k < delta_count; k++)
    for (size_t i = 0; i < epsilon_count; i++)
      TACIT_TRY(add_gradient((double)rows, options->delta > 0 ? options->delta : DELTAS[k], epsilons[i],
                             *report, error));
  tacit_report_note(
      *report,
      "Noise sigma in multiples of the Lipschitz constant L, replace-one, n = %zu. GP (E Theorem 3, Fig. "
      "EC.2): "
      "advanced composition 64 T L^2 ln(2.5 T/delta) ln(2/delta) / (n^2 epsilon^2), the published closed "
      "form "
      "(moments accountant) 8 T L^2 ln(1/delta) / (n^2 epsilon^2) = SGP's too, and exactly 2 L / mu for the "
      "largest mu that (epsilon, delta) allows. E's values of delta are in titles of subplots that the text "
      "does not repeat; these are ours. E EC.1.5 prints 2 L^2 ln(1.25/delta_0) where its sensitivity 2L/n "
      "makes "
      "it 8 L^2; the constant 64 that follows is the right one. The closed form is from Abadi et al.'s "
      "Theorem 1, "
      "stated there for small epsilon: E states no limit; Gaussian privacy shows that it holds wherever "
      "times_exact is at least 1.",
      rows);
  return tacit_report_write(
      *report, options->out, 1200, 460,
      "set logscale xy\nset xlabel 'epsilon'\nset ylabel 'sigma / L'\n"
      "set multiplot layout 1,3\n"
      "do for [d in '1e-2 1e-4 1e-6'] {\n"
      "  set title 'delta = '.d\n"
      "  plot for [c = 4:6] data u (abs($2 / real(d) - 1) < 1e-9 ? $3 : NaN):(column(c)) w lp pt 7 "
      "lw 2 t word('advanced moments exact', c - 3)\n"
      "}\nunset multiplot\n",
      error);
}
