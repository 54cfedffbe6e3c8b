/* Zhao, Zhou and Wang's Figs 2 to 9 as tables of points: smoothed losses, trade-off functions, errors and
   regrets against n, and every regret at n = 400 for box plots. */
#include "papers/zhao/curves.h"
#include "papers/zhao/trials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  SIZES = 5, /* n = 100, 200, ..., 500 */
  TAUS = TACIT_ZHAO_TAUS,
  MUS = TACIT_ZHAO_MUS,
  CELLS = TACIT_ZHAO_LAWS * TAUS * MUS * SIZES,
  SHOWN = 2, /* the published method at its best step, and tacit */
  BOXES = 1 + TAUS * MUS * SHOWN
};

/* mu = 0 stands for no privacy. */
static const char *const CURVE_COLUMNS[] = {"tau",
                                            "mu",
                                            "n",
                                            "best_step",
                                            "as_published_log_error",
                                            "as_published_regret",
                                            "as_published_regret_se",
                                            "tacit_log_error",
                                            "tacit_regret",
                                            "tacit_regret_se"};
enum { CURVES = sizeof CURVE_COLUMNS / sizeof *CURVE_COLUMNS };

typedef struct figures {
  uint64_t seed;
  const tacit_context *context;
  size_t repetitions, done; /* cells so far */
  tacit_zhao_trial *trials;
  double *boxes; /* repetitions x BOXES: the repetition, then for each tau and mu both regrets */
  tacit_report *report;
} figures;

static double mean_log(const figures *f, int method) {
  double sum = 0;
  for (size_t r = 0; r < f->repetitions; r++) sum += log(f->trials[r].distance[method]);
  return sum / (double)f->repetitions;
}

static void keep_boxes(figures *f, int tau, int mu, int step) {
  for (size_t r = 0; r < f->repetitions; r++) {
    double *line = f->boxes + r * BOXES;
    line[0] = (double)r + 1;
    line += 1 + (tau * MUS + mu) * SHOWN;
    line[0] = f->trials[r].regret[step];
    line[1] = f->trials[r].regret[TACIT_TRY_TACIT];
  }
}

/* One point of the curves; those of n = 400 are reported. */
static tacit_status add_point(figures *f, tacit_zhao_law law, int tau, int mu, size_t n, tacit_report *curves,
                              tacit_error *error) {
  tacit_zhao_cell cell = {law, tacit_zhao_taus[tau], tacit_zhao_mus[mu], n, false};
  tacit_zhao_row row;
  tacit_part part = tacit_part_of(tacit_zhao_label(law), f->done++, CELLS);
  TACIT_TRY(tacit_zhao_run(&cell, f->seed, f->repetitions, f->trials, part, f->context, error));
  tacit_zhao_summarise(&cell, f->repetitions, f->trials, &row);
  int step = (int)row.best_step - 1;
  const double line[CURVES] = {
      cell.tau,          cell.mu,          (double)n,           row.best_step,
      mean_log(f, step), row.as_published, row.as_published_se, mean_log(f, TACIT_TRY_TACIT),
      row.tacit,         row.tacit_se};
  TACIT_TRY(tacit_report_add(curves, NULL, line, error));
  if (n != TACIT_ZHAO_ROWS) return TACIT_OK;
  keep_boxes(f, tau, mu, step);
  return tacit_zhao_report_add(f->report, &row, error);
}

static tacit_status add_boxes(const figures *f, const char *name, tacit_error *error) {
  char text[BOXES][TACIT_REPORT_TEXT] = {"repetition"};
  const char *names[BOXES];
  tacit_report *table;
  for (int k = 0; k < BOXES; k++) {
    int cell = (k - 1) / SHOWN;
    if (k)
      snprintf(text[k], sizeof text[k], "%s tau=0.%d mu=0.%d", k % SHOWN ? "as_published" : "tacit",
               (int)lround(100 * tacit_zhao_taus[cell / MUS]), (int)lround(10 * tacit_zhao_mus[cell % MUS]));
    names[k] = text[k];
  }
  TACIT_TRY(tacit_report_table(f->report, name, BOXES, names, &table, error));
  for (size_t r = 0; r < f->repetitions; r++)
    TACIT_TRY(tacit_report_add(table, NULL, f->boxes + r * BOXES, error));
  return TACIT_OK;
}

/* Figs 4 and 7 are the first law's, 5 and 8 the second's, 6 and 9 the third's. */
static tacit_status add_law(figures *f, tacit_zhao_law law, tacit_error *error) {
  char name[2][16];
  tacit_report *curves;
  for (int k = 0; k < 2; k++) snprintf(name[k], sizeof name[k], "fig%d", 4 + 3 * k + (int)law);
  TACIT_TRY(tacit_report_table(f->report, name[0], CURVES, CURVE_COLUMNS, &curves, error));
  for (int tau = 0; tau < TAUS; tau++)
    for (int mu = 0; mu < MUS; mu++)
      for (size_t n = 100; n <= 500; n += 100) TACIT_TRY(add_point(f, law, tau, mu, n, curves, error));
  return add_boxes(f, name[1], error);
}

static tacit_status make(figures *f, tacit_error *error) {
  TACIT_TRY(tacit_zhao_curves(f->report, error));
  for (int law = 0; law < TACIT_ZHAO_LAWS; law++) TACIT_TRY(add_law(f, (tacit_zhao_law)law, error));
  tacit_report_note(
      f->report,
      "Mean regrets at n = 400, %zu repetitions; the tables fig2 to fig9 have the points of the figures: n "
      "= 100 to 500, errors of the coefficients as means of log ||b - beta*||, and every regret behind the "
      "box plots. as_published is Algorithm 1 at the best of the fixed steps 1, 2, 3, 4 for that n; tacit "
      "is its default learner, or smoothed ERM without privacy. The paper's figures are of its Table 1, "
      "whose quantile is not stated. Fig. 2 uses tau = 0.7 and bandwidth 0.6; the paper states neither.",
      f->repetitions);
  return TACIT_OK;
}

tacit_status tacit_reproduce_zhao_figures(const tacit_reproduce_options *options,
                                          const tacit_context *context, tacit_report **report,
                                          tacit_error *error) {
  TACIT_TRY(tacit_zhao_report("zhao-figures", report, error));
  figures f = {.seed = options->seed,
               .context = context,
               .repetitions = tacit_repetitions(options, TACIT_ZHAO_REPETITIONS),
               .report = *report};
  f.trials = tacit_alloc(f.repetitions, sizeof *f.trials);
  f.boxes = tacit_alloc(f.repetitions, BOXES * sizeof *f.boxes);
  tacit_status status = f.trials && f.boxes ? make(&f, error) : tacit_no_memory(error);
  free(f.trials);
  free(f.boxes);
  return status;
}
