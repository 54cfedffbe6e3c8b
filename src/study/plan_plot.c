/* The picture of a plan: percent against mu, one line for each number of rows, through gnuplot. */
#include "study/plan.h"
#include "study/plot.h"
#include "study/study.h"

#include <math.h>
#include <string.h>

enum { NAME_MAX_BYTES = 56, PATH = 4096 }; /* plot.h keeps names of 63 bytes */

typedef struct picture {
  char folder[PATH], name[NAME_MAX_BYTES + 1];
  const char *terminal, *extension;
} picture;

/* FOLDER/NAME.png. The name goes into the script between quotes, and is gnuplot's argument. */
static tacit_status split_path(const char *path, picture *p, tacit_error *error) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  p->extension = dot ? dot : "";
  if (strcmp(p->extension, ".png") != 0 && strcmp(p->extension, ".svg") != 0)
    return tacit_fail(error, TACIT_USAGE, "the picture's name must end in .png or .svg");
  p->terminal = strcmp(p->extension, ".png") ? "svg size 800,560 font 'sans,14' background 'white'"
                                             : "pngcairo size 800,560 font 'sans,11'";
  size_t length = (size_t)(dot - name), folder = slash ? (size_t)(slash - path) : 0;
  if (length == 0 || length > NAME_MAX_BYTES || folder >= PATH || *name == '-' || strpbrk(name, "'\\\n"))
    return tacit_fail(error, TACIT_USAGE,
                      "the picture's name must have 1 to %d bytes before the dot, not begin with a dash and "
                      "hold no quote, backslash or line break",
                      NAME_MAX_BYTES);
  memcpy(p->name, name, length);
  p->name[length] = 0;
  memcpy(p->folder, slash ? path : ".", slash ? folder : 1);
  p->folder[slash ? folder : 1] = 0;
  if (slash == path) memcpy(p->folder, "/", 2);
  return TACIT_OK;
}

static tacit_status open_script(const picture *p, tacit_plot_file *script, tacit_error *error) {
  char file[NAME_MAX_BYTES + 4];
  snprintf(file, sizeof file, "%s.gp", p->name);
  return tacit_plot_open(p->folder, file, script, error);
}

tacit_status tacit_plan_check_picture(const char *path, tacit_error *error) {
  picture p;
  tacit_plot_file script;
  TACIT_TRY(split_path(path, &p, error));
  TACIT_TRY(open_script(&p, &script, error));
  return tacit_plot_close(&script, error);
}

/* The data stand in the script itself: a file NAME.csv beside it might be somebody's table. */
static void write_data(const tacit_plot_file *script, const tacit_plan_result *result) {
  fprintf(script->file, "$plan << END\n");
  for (size_t k = 0; k < result->size_count; k++) {
    for (size_t m = 0; m < result->mu_count; m++) {
      const tacit_plan_row *row = &result->rows[m * result->size_count + k];
      double se = isfinite(row->percent_se) ? row->percent_se : 0;
      tacit_plot_line(script, 3, (const double[]){row->mu, fmax(row->percent, 0.01), se});
    }
    fprintf(script->file, "\n\n");
  }
  fprintf(script->file, "END\n");
}

static void write_lines(const tacit_plot_file *script, const tacit_plan_result *result) {
  for (size_t k = 0; k < result->size_count; k++) {
    char rows[TACIT_COUNT_TEXT];
    fprintf(script->file, "%s$plan index %zu using 1:2:3 with yerrorlines lw %s pt 7 ps 0.6 title '%s rows'",
            k ? ", \\\n  " : "plot ", k, k == result->asked_size ? "3" : "1.5",
            tacit_count_text(result->rows[k].rows, rows));
  }
  fprintf(script->file, "\n");
}

tacit_status tacit_plan_draw(const char *path, tacit_plan_result *result, tacit_error *error) {
  picture p;
  tacit_plot_file script;
  TACIT_TRY(split_path(path, &p, error));
  TACIT_TRY(open_script(&p, &script, error));
  fprintf(script.file,
          "# Makes %s%s: gnuplot %s.gp\n"
          "set terminal %s\n"
          "set output '%s%s'\n"
          "set datafile separator ','\n"
          "set border 3 lc rgb '#555555'\n"
          "set tics nomirror\n"
          "set grid lc rgb '#dddddd' lt 1\n"
          "set logscale xy\n"
          "set xlabel 'mu (smaller: a stronger promise)'\n"
          "set ylabel 'cost of privacy, %% (below 0.01 drawn there)'\n"
          "set key top right\n",
          p.name, p.extension, p.name, p.terminal, p.name, p.extension);
  write_data(&script, result);
  write_lines(&script, result);
  TACIT_TRY(tacit_plot_close(&script, error));
  result->drawn = tacit_plot_draw(p.folder, p.name);
  return TACIT_OK;
}
