/* The curves of Z Figs 2 and 3: smoothed check losses, and the trade-off functions of Gaussian privacy. */
#include "papers/zhao/curves.h"

#include "loss/check.h"
#include "loss/envelope.h"
#include "num/normal.h"
#include "study/plot.h"

/* The paper does not state Fig. 2's numbers; these show that Horowitz's loss is not convex. */
static const double TAU = 0.7, BANDWIDTH = 0.6;
static const double REACH = 3; /* u from -REACH to REACH */
enum { POINTS = 400, CURVES = 5 };
static const double MU[CURVES] = {0.3, 0.5, 0.9, 3, 6};

static const char LOSS_COMMANDS[] =
    "set title 'Check loss and two smooth relatives (tau = 0.7, Gaussian, bandwidth 0.6)'\n"
    "set xlabel 'demand minus order'\n"
    "set ylabel 'loss'\n"
    "set key top center\n"
    "plot data u 1:2 w l lw 2 lc rgb '#000000' t 'check loss', \\\n"
    "     data u 1:3 w l lw 2 dt 2 lc rgb '#d55e00' t 'Horowitz', \\\n"
    "     data u 1:4 w l lw 2 lc rgb '#0072b2' t 'convolution'\n";

static const char TRADE_COMMANDS[] =
    "set title 'Trade-off functions G_{/Symbol m} of Gaussian differential privacy'\n"
    "set xlabel 'type I error'\n"
    "set ylabel 'type II error'\n"
    "set size square\n"
    "set xrange [0:1]\n"
    "set yrange [0:1]\n"
    "set key top right\n"
    "plot data u 1:2 w l lw 2 lc rgb '#0072b2' t 'mu = 0.3', \\\n"
    "     data u 1:3 w l lw 2 lc rgb '#009e73' t 'mu = 0.5', \\\n"
    "     data u 1:4 w l lw 2 lc rgb '#e69f00' t 'mu = 0.9', \\\n"
    "     data u 1:5 w l lw 2 lc rgb '#d55e00' t 'mu = 3', \\\n"
    "     data u 1:6 w l lw 2 lc rgb '#cc79a7' t 'mu = 6'\n";

static tacit_status losses(const char *folder, tacit_error *error) {
  tacit_plot_file csv;
  TACIT_TRY(tacit_plot_open(folder, "fig2.csv", &csv, error));
  fprintf(csv.file, "u,check,horowitz,convolution\n");
  for (int i = 0; i <= POINTS; i++) {
    double u = REACH * (2.0 * i / POINTS - 1);
    double line[] = {u, tacit_check_loss(TAU, u),
                     tacit_horowitz_loss(TACIT_KERNEL_GAUSSIAN, TAU, BANDWIDTH, u),
                     tacit_smooth_loss(TACIT_KERNEL_GAUSSIAN, TAU, BANDWIDTH, u)};
    tacit_plot_line(&csv, sizeof line / sizeof *line, line);
  }
  TACIT_TRY(tacit_plot_close(&csv, error));
  return tacit_plot_script(folder, "fig2", 800, 520, LOSS_COMMANDS, error);
}

/* G_mu(alpha) = Phi(Phi^-1(1 - alpha) - mu) = Phi(-Phi^-1(alpha) - mu) */
static tacit_status trade_offs(const char *folder, tacit_error *error) {
  tacit_plot_file csv;
  TACIT_TRY(tacit_plot_open(folder, "fig3.csv", &csv, error));
  fprintf(csv.file, "alpha,mu_0.3,mu_0.5,mu_0.9,mu_3,mu_6\n");
  for (int i = 0; i <= POINTS; i++) {
    double line[1 + CURVES] = {(double)i / POINTS};
    for (int k = 0; k < CURVES; k++) line[1 + k] = tacit_normal_cdf(-tacit_normal_quantile(line[0]) - MU[k]);
    tacit_plot_line(&csv, sizeof line / sizeof *line, line);
  }
  TACIT_TRY(tacit_plot_close(&csv, error));
  return tacit_plot_script(folder, "fig3", 640, 640, TRADE_COMMANDS, error);
}

tacit_status tacit_zhao_curves(const char *folder, tacit_error *error) {
  TACIT_TRY(losses(folder, error));
  return trade_offs(folder, error);
}
