/* Z Figs 2 to 9 as CSV files with a gnuplot script beside each: smoothed losses, trade-off functions, errors
   and regrets against n, and box plots of regrets at n = 400. */
#include "papers/zhao/curves.h"
#include "papers/zhao/trials.h"
#include "study/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  SIZES = 5, /* n = 100, 200, ..., 500 */
  TAUS = TACIT_ZHAO_TAUS,
  MUS = TACIT_ZHAO_MUS,
  CELLS = TACIT_ZHAO_LAWS * TAUS * MUS * SIZES,
  ROWS = TACIT_ZHAO_LAWS * TAUS * MUS, /* reported: those of n = 400 */
  SHOWN = 2                            /* the published method at its best step, and tacit */
};
static const char DEFAULT_FOLDER[] = "zhao-figures";
static const char *const FIGURES[] = {"fig2", "fig3", "fig4", "fig5", "fig6", "fig7", "fig8", "fig9"};

/* Columns of fig4 to fig6: 1 tau, 2 mu, 3 n, 4 the step, then log error, regret and its standard error,
 * twice. */
static const char CURVE_HEADER[] =
    "tau,mu,n,published_step,published_log_error,published_regret,published_regret_se,"
    "tacit_log_error,tacit_regret,tacit_regret_se\n";
static const char CURVE_COMMANDS[] =
    "array tau[3] = [0.25, 0.5, 0.75]\n"
    "array mu[4] = [0, 0.9, 0.5, 0.3]\n"
    "array shade[4] = ['#000000', '#0072b2', '#e69f00', '#d55e00']\n"
    "array name[4] = ['no privacy', 'mu = 0.9', 'mu = 0.5', 'mu = 0.3']\n"
    "set multiplot layout 2,3 title what.' (solid: tacit, dashed: published at its best step)'\n"
    "set xrange [80:520]\n"
    "set xtics 100\n"
    "do for [row = 1:2] {\n"
    "  if (row == 2) { set logscale y; set format y '%g' }\n"
    "  do for [t = 1:3] {\n"
    "    set title sprintf('tau = %g', tau[t])\n"
    "    set xlabel 'n'\n"
    "    set ylabel row == 1 ? 'mean log error' : 'mean regret'\n"
    "    if (row == 1 && t == 3) { set key top right } else { unset key }\n"
    "    plot for [m = 1:4] data u ($1 == tau[t] && $2 == mu[m] ? $3 : NaN):(row == 1 ? $8 : $9) \\\n"
    "           w lp pt 7 ps 0.7 lw 2 lc rgb shade[m] t name[m], \\\n"
    "         for [m = 1:4] data u ($1 == tau[t] && $2 == mu[m] ? $3 : NaN):(row == 1 ? $5 : $6) \\\n"
    "           w lp pt 6 ps 0.7 lw 1 dt 2 lc rgb shade[m] notitle\n"
    "  }\n"
    "}\n"
    "unset multiplot\n";

/* Columns of fig7 to fig9: the repetition, then for each tau and mu the published method's regret and
 * tacit's. */
static const char BOX_COMMANDS[] =
    "array tau[3] = [0.25, 0.5, 0.75]\n"
    "set style data boxplot\n"
    "set style boxplot outliers pointtype 7\n"
    "set style fill solid 0.35\n"
    "set pointsize 0.25\n"
    "set boxwidth 0.34\n"
    "set logscale y\n"
    "set format y '%g'\n"
    "set xrange [0.4:4.6]\n"
    "set yrange [1e-4:3]\n"
    "set xlabel 'mu'\n"
    "set xtics ('none' 1, '0.9' 2, '0.5' 3, '0.3' 4)\n"
    "set multiplot layout 1,3 title what.': regret at n = 400'\n"
    "do for [t = 1:3] {\n"
    "  set title sprintf('tau = %g', tau[t])\n"
    "  if (t == 1) { set key bottom right; set ylabel 'regret' } else { unset key; unset ylabel }\n"
    "  plot for [m = 1:4] data u (m - 0.2):(column(8 * (t - 1) + 2 * m)) lc rgb '#d55e00' \\\n"
    "         t (m == 1 ? 'published, best step' : ''), \\\n"
    "       for [m = 1:4] data u (m + 0.2):(column(8 * (t - 1) + 2 * m + 1)) lc rgb '#0072b2' \\\n"
    "         t (m == 1 ? 'tacit' : '')\n"
    "}\n"
    "unset multiplot\n";

typedef struct figures {
  const tacit_study_options *options;
  const tacit_context *context;
  const char *folder;
  size_t repetitions, done; /* cells so far */
  tacit_zhao_trial *trials;
  double *boxes; /* repetitions x (1 + TAUS x MUS x SHOWN) */
  tacit_study_row *rows;
} figures;

static const size_t BOX_COLUMNS = 1 + TAUS * MUS * SHOWN;

static double mean_log(const figures *f, int method) {
  double sum = 0;
  for (size_t r = 0; r < f->repetitions; r++) sum += log(f->trials[r].distance[method]);
  return sum / (double)f->repetitions;
}

static void keep_boxes(figures *f, int tau, int mu, int step) {
  for (size_t r = 0; r < f->repetitions; r++) {
    double *line = f->boxes + r * BOX_COLUMNS;
    line[0] = (double)r + 1;
    line += 1 + (tau * MUS + mu) * SHOWN;
    line[0] = f->trials[r].regret[step];
    line[1] = f->trials[r].regret[TACIT_TRY_TACIT];
  }
}

/* One point of the curves, one line of the CSV. */
static tacit_status point(figures *f, tacit_zhao_law law, int tau, int mu, size_t n,
                          const tacit_plot_file *csv, tacit_error *error) {
  tacit_zhao_cell cell = {law, tacit_zhao_taus[tau], tacit_zhao_mus[mu], n, false};
  tacit_study_row row;
  tacit_part part = tacit_part_of(tacit_zhao_label(law), f->done++, CELLS);
  TACIT_TRY(tacit_zhao_run(&cell, f->options->seed, f->repetitions, f->trials, part, f->context, error));
  tacit_zhao_row(&cell, f->repetitions, f->trials, &row);
  int step = (int)row.best_step - 1;
  double line[] = {cell.tau,          cell.mu,       (double)n,        row.best_step,
                   mean_log(f, step), row.published, row.published_se, mean_log(f, TACIT_TRY_TACIT),
                   row.tacit,         row.tacit_se};
  tacit_plot_line(csv, sizeof line / sizeof *line, line);
  if (n != TACIT_ZHAO_ROWS) return TACIT_OK;
  keep_boxes(f, tau, mu, step);
  *f->rows++ = row;
  return TACIT_OK;
}

static tacit_status curves(figures *f, tacit_zhao_law law, const tacit_plot_file *csv, tacit_error *error) {
  fputs(CURVE_HEADER, csv->file);
  for (int tau = 0; tau < TAUS; tau++)
    for (int mu = 0; mu < MUS; mu++)
      for (size_t n = 100; n <= 500; n += 100) TACIT_TRY(point(f, law, tau, mu, n, csv, error));
  return TACIT_OK;
}

static tacit_status write_boxes(const figures *f, const char *name, tacit_error *error) {
  tacit_plot_file csv;
  TACIT_TRY(tacit_plot_open(f->folder, name, &csv, error));
  fputs("repetition", csv.file);
  for (int tau = 0; tau < TAUS; tau++)
    for (int mu = 0; mu < MUS; mu++)
      for (int method = 0; method < SHOWN; method++)
        fprintf(csv.file, ",%s tau=0.%d mu=0.%d", method ? "tacit" : "published",
                (int)lround(100 * tacit_zhao_taus[tau]), (int)lround(10 * tacit_zhao_mus[mu]));
  fputs("\n", csv.file);
  for (size_t r = 0; r < f->repetitions; r++) tacit_plot_line(&csv, BOX_COLUMNS, f->boxes + r * BOX_COLUMNS);
  return tacit_plot_close(&csv, error);
}

static tacit_status write_script(const figures *f, int figure, tacit_zhao_law law, int height,
                                 const char *commands, tacit_error *error) {
  char name[16], text[4096];
  snprintf(name, sizeof name, "fig%d", figure);
  snprintf(text, sizeof text, "what = '%s'\n%s", tacit_zhao_label(law), commands);
  return tacit_plot_script(f->folder, name, 1200, height, text, error);
}

/* Figs 4 and 7 are the first law's, 5 and 8 the second's, 6 and 9 the third's. */
static tacit_status draw_law(figures *f, tacit_zhao_law law, tacit_error *error) {
  char name[2][16];
  for (int k = 0; k < 2; k++) snprintf(name[k], sizeof name[k], "fig%d.csv", 4 + 3 * k + (int)law);
  tacit_plot_file csv;
  TACIT_TRY(tacit_plot_open(f->folder, name[0], &csv, error));
  tacit_status status = curves(f, law, &csv, error), closed = tacit_plot_close(&csv, status ? NULL : error);
  TACIT_TRY(status);
  TACIT_TRY(closed);
  TACIT_TRY(write_boxes(f, name[1], error));
  TACIT_TRY(write_script(f, 4 + (int)law, law, 760, CURVE_COMMANDS, error));
  return write_script(f, 7 + (int)law, law, 480, BOX_COMMANDS, error);
}

static tacit_status make(figures *f, char *notes, tacit_error *error) {
  TACIT_TRY(tacit_plot_folder(f->folder, error));
  TACIT_TRY(tacit_zhao_curves(f->folder, error));
  for (int law = 0; law < TACIT_ZHAO_LAWS; law++) TACIT_TRY(draw_law(f, (tacit_zhao_law)law, error));
  bool drawn = true;
  for (size_t i = 0; drawn && i < sizeof FIGURES / sizeof *FIGURES; i++)
    drawn = tacit_plot_draw(f->folder, FIGURES[i]);
  snprintf(
      notes, TACIT_NOTES,
      "Figures 2 to 9 are in %.200s: fig2.csv to fig9.csv with a gnuplot script beside each%s.\n"
      "Here: mean regrets at n = 400, %zu repetitions; the files have n = 100 to 500, errors of the "
      "coefficients "
      "as means of log ||b - beta*||, and every regret behind the box plots. published is Z Algorithm 1 at "
      "the "
      "best of the fixed steps 1, 2, 3, 4 for that n; tacit is its default learner, or smoothed ERM without "
      "privacy. The paper's figures are of its Table 1, whose quantile is not stated. Fig. 2 uses tau = 0.7 "
      "and "
      "bandwidth 0.6; the paper states neither.",
      f->folder,
      drawn ? ", drawn as PNG"
            : "; gnuplot is not installed or failed, so there are no PNG files (install it and run the "
              "scripts)",
      f->repetitions);
  return TACIT_OK;
}

tacit_status tacit_reproduce_zhao_figures(const tacit_study_options *options, const tacit_context *context,
                                          tacit_study_row **rows, size_t *count, char *notes,
                                          tacit_error *error) {
  figures f = {.options = options,
               .context = context,
               .folder = options->out ? options->out : DEFAULT_FOLDER,
               .repetitions = options->repetitions ? options->repetitions : TACIT_ZHAO_REPETITIONS};
  f.trials = tacit_alloc(f.repetitions, sizeof *f.trials);
  f.boxes = tacit_alloc(f.repetitions, BOX_COLUMNS * sizeof *f.boxes);
  f.rows = *rows = tacit_alloc(ROWS, sizeof **rows);
  tacit_status status = f.trials && f.boxes && *rows ? make(&f, notes, error) : tacit_no_memory(error);
  free(f.trials);
  free(f.boxes);
  if (status == TACIT_OK) {
    *count = ROWS;
    return TACIT_OK;
  }
  free(*rows);
  *rows = NULL;
  return status;
}
