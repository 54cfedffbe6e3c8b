/* The curves of Zhao, Zhou and Wang's Figs 2 and 3: smoothed check losses, and the trade-off functions of
 * Gaussian privacy. */
#include "papers/zhao/curves.h"

#include "loss/check.h"
#include "loss/envelope.h"
#include "num/normal.h"

/* The paper does not state Fig. 2's numbers; these show that Horowitz's loss is not convex. */
static const double TAU = 0.7, BANDWIDTH = 0.6;
static const double REACH = 3; /* u from -REACH to REACH */
enum { POINTS = 400, CURVES = 5 };
static const double MU[CURVES] = {0.3, 0.5, 0.9, 3, 6};

static tacit_status losses(tacit_report *report, tacit_error *error) {
  static const char *const columns[] = {"u", "check", "horowitz", "convolution"};
  tacit_report *table;
  TACIT_TRY(tacit_report_table(report, "fig2", 4, columns, &table, error));
  for (int i = 0; i <= POINTS; i++) {
    double u = REACH * (2.0 * i / POINTS - 1);
    const double line[] = {u, tacit_check_loss(TAU, u),
                           tacit_horowitz_loss(TACIT_KERNEL_GAUSSIAN, TAU, BANDWIDTH, u),
                           tacit_smooth_loss(TACIT_KERNEL_GAUSSIAN, TAU, BANDWIDTH, u)};
    TACIT_TRY(tacit_report_add(table, NULL, line, error));
  }
  return TACIT_OK;
}

/* G_mu(alpha) = Phi(Phi^-1(1 - alpha) - mu) = Phi(-Phi^-1(alpha) - mu) */
static tacit_status trade_offs(tacit_report *report, tacit_error *error) {
  static const char *const columns[1 + CURVES] = {"alpha", "mu_0.3", "mu_0.5", "mu_0.9", "mu_3", "mu_6"};
  tacit_report *table;
  TACIT_TRY(tacit_report_table(report, "fig3", 1 + CURVES, columns, &table, error));
  for (int i = 0; i <= POINTS; i++) {
    double line[1 + CURVES] = {(double)i / POINTS};
    for (int k = 0; k < CURVES; k++) line[1 + k] = tacit_normal_cdf(-tacit_normal_quantile(line[0]) - MU[k]);
    TACIT_TRY(tacit_report_add(table, NULL, line, error));
  }
  return TACIT_OK;
}

tacit_status tacit_zhao_curves(tacit_report *report, tacit_error *error) {
  TACIT_TRY(losses(report, error));
  return trade_offs(report, error);
}
