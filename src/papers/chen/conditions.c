/* The conditions under which Chen and Chua and their companion state theorems, checked and reported; and what
   each published method claims. */
#include "papers/chen/chen.h"

#include "privacy/sampled.h"

#include <math.h>

const double tacit_chen_error_density = 0.132980760133811; /* 1 / (3 sqrt(2 pi)) */

tacit_chen_setting tacit_chen_public(const tacit_chen_problem *problem, double epsilon, double delta) {
  return (tacit_chen_setting){TACIT_CHEN_TAU,       epsilon, delta, problem->bound_x, problem->bound_theta,
                              TACIT_KERNEL_LOGISTIC};
}

static const char *verdict(bool holds) {
  return holds ? "holds" : "FAILS";
}

/* What the published noise is certified to at epsilon by exact accounting. beta / Lambda = epsilon / 2 in
   both papers' OP. */
static void note_noise(tacit_report *report, const tacit_chen_setting *s, size_t rows) {
  for (int k = 0; k < 2; k++) {
    double sigma = sqrt(8 * log((k ? 1 : 2) / s->delta) + 4 * s->epsilon) / s->epsilon;
    tacit_objective objective = {1, s->epsilon / 2, 1, sigma, TACIT_REPLACE_ONE};
    tacit_interval replaced, added;
    if (tacit_objective_delta(&objective, s->epsilon, &replaced, NULL) != TACIT_OK) continue;
    objective.adjacency = TACIT_ADD_REMOVE;
    if (tacit_objective_delta(&objective, s->epsilon, &added, NULL) != TACIT_OK) continue;
    tacit_report_note(
        report,
        "\n  %s: the noise of OP as in %s is enough where a record is replaced: delta certified to %.3g "
        "there, to %.3g where one is added (proofs/objective-perturbation.md)",
        verdict(replaced.upper <= s->delta), k ? "the companion" : "Chen and Chua", replaced.upper,
        added.upper);
  }
  const tacit_sampled sampled = {sqrt(8 * log(1 / s->delta)) / s->epsilon, nextafter(1 / (double)rows, 1),
                                 (uint64_t)rows * rows, TACIT_SAMPLING_FIXED, TACIT_REPLACE_ONE};
  tacit_interval delta;
  if (tacit_sampled_delta(&sampled, s->epsilon, &delta, NULL) == TACIT_OK)
    tacit_report_note(
        report,
        "\n  %s: the noise of SGP and EmpSGD is enough where a record is replaced: delta certified to "
        "%.3g (proofs/sampled-gaussian.md)",
        verdict(delta.upper <= s->delta), delta.upper);
}

void tacit_chen_note_conditions(tacit_report *report, const tacit_chen_setting *s, size_t rows,
                                double density) {
  const tacit_kernel_constants *k = tacit_kernel_facts(s->kernel);
  double n = (double)rows, top = fmax(s->tau, 1 - s->tau);
  double least_rows = (1 + k->kappa1 * k->sup / (top * top)) / 4;
  double least_epsilon = k->sup * density * k->kappa2 / (2 * sqrt(top * top * top)) *
                         sqrt(s->bound_theta / s->bound_x) / sqrt(sqrt(n));
  double most_delta = exp(-s->epsilon / 2);
  tacit_report_note(report, "\nconditions at n = %zu, epsilon = %g, delta = %g:", rows, s->epsilon, s->delta);
  tacit_report_note(report, "\n  %s: epsilon <= 1 (Chen and Chua, Algorithm 1, SGP and EmpSGD)",
                    verdict(s->epsilon <= 1));
  tacit_report_note(report, "\n  %s: delta <= e^(-epsilon/2) = %.3g (companion, Theorem 2, OP's risk)",
                    verdict(s->delta <= most_delta), most_delta);
  tacit_report_note(
      report,
      "\n  %s: n >= (1 + kappa_1 sup K / r^2) / 4 = %.3g, r = max(tau, 1 - tau) (companion, Theorems 4, 6)",
      verdict(n >= least_rows), least_rows);
  tacit_report_note(report, "\n  %s: epsilon >= %.3g (companion, Theorem 2's lower bound, s = %.3g)",
                    verdict(s->epsilon >= least_epsilon), least_epsilon, density);
  tacit_report_note(report,
                    "\n  %s: epsilon <= 1 and delta <= 1/n^2 = %.3g (Bassily et al. 2019, Moreau SGD)",
                    verdict(s->epsilon <= 1 && s->delta <= 1 / (n * n)), 1 / (n * n));
  note_noise(report, s, rows);
  tacit_report_note(
      report,
      "\n  FAILS: E(1/|u|) < inf (Chen and Chua, Theorem 3.6 part 2; the errors have a density at 0)");
}

void tacit_chen_note_methods(tacit_report *report) {
  tacit_report_note(report, "\nmethods as published are run in floating point with simulated noise: none of "
                            "their rows carries a certificate. What they claim, and whether the published "
                            "argument carries it:");
  for (int m = 0; m < TACIT_CHEN_METHODS; m++) {
    const tacit_chen_facts *f = tacit_chen_method_facts((tacit_chen_method)m);
    tacit_report_note(report, "\n  %s: %s [%s]; %s", f->label, f->claim, f->adjacency, f->verdict);
  }
}
