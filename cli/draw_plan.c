/* The picture of a plan: percent against mu, one line for each number of rows, through gnuplot. */
#include "draw.h"

#include <math.h>
#include <string.h>

enum { NAME_MAX_BYTES = 56, PATH = 4096 }; /* plot.h keeps names of 63 bytes */

typedef struct target {
  char folder[PATH], name[NAME_MAX_BYTES + 1];
  const char *terminal, *extension;
} target;

/* FOLDER/NAME.png. The name goes into the script between quotes, and is gnuplot's argument. */
static int split_path(const char *path, target *t) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  t->extension = dot ? dot : "";
  if (strcmp(t->extension, ".png") != 0 && strcmp(t->extension, ".svg") != 0)
    return usage_error("the picture's name must end in .png or .svg");
  t->terminal = strcmp(t->extension, ".png") ? "svg size 800,560 font 'sans,14' background 'white'"
                                             : "pngcairo size 800,560 font 'sans,11'";
  size_t length = (size_t)(dot - name), folder = slash ? (size_t)(slash - path) : 0;
  if (length == 0 || length > NAME_MAX_BYTES || folder >= PATH || *name == '-' || strpbrk(name, "'\\\n"))
    return usage_error(
        "the picture's name must have 1 to %d bytes before the dot, not begin with a dash and hold no quote, "
        "backslash or line break",
        NAME_MAX_BYTES);
  memcpy(t->name, name, length);
  t->name[length] = 0;
  memcpy(t->folder, slash ? path : ".", slash ? folder : 1);
  t->folder[slash ? folder : 1] = 0;
  if (slash == path) memcpy(t->folder, "/", 2);
  return -1;
}

static int open_script(const target *t, plot_file *script) {
  char file[NAME_MAX_BYTES + 4];
  snprintf(file, sizeof file, "%s.gp", t->name);
  return plot_open(t->folder, file, script);
}

int draw_plan_check(const char *path) {
  target t;
  plot_file script;
  int code = split_path(path, &t);
  if (code < 0) code = open_script(&t, &script);
  return code < 0 ? plot_close(&script) : code;
}

/* The data stand in the script itself: a file NAME.csv beside it might be somebody's table. */
static void write_data(const plot_file *script, const tacit_plan_result *result) {
  fprintf(script->file, "$plan << END\n");
  for (size_t k = 0; k < result->size_count; k++) {
    for (size_t m = 0; m < result->mu_count; m++) {
      const tacit_plan_row *row = &result->rows[m * result->size_count + k];
      double se = isfinite(row->percent_se) ? row->percent_se : 0;
      plot_line(script, 3, (const double[]){row->mu, fmax(row->percent, 0.01), se});
    }
    fprintf(script->file, "\n\n");
  }
  fprintf(script->file, "END\n");
}

static void write_lines(const plot_file *script, const tacit_plan_result *result) {
  for (size_t k = 0; k < result->size_count; k++)
    fprintf(script->file, "%s$plan index %zu using 1:2:3 with yerrorlines lw %s pt 7 ps 0.6 title '%zu rows'",
            k ? ", \\\n  " : "plot ", k, k == result->asked_size ? "3" : "1.5", result->rows[k].rows);
  fprintf(script->file, "\n");
}

int draw_plan(const char *path, const tacit_plan_result *result, bool *all_drawn) {
  target t;
  plot_file script;
  int code = split_path(path, &t);
  if (code < 0) code = open_script(&t, &script);
  if (code >= 0) return code;
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
          t.name, t.extension, t.name, t.terminal, t.name, t.extension);
  write_data(&script, result);
  write_lines(&script, result);
  code = plot_close(&script);
  *all_drawn = code < 0 && plot_draw(t.folder, t.name);
  return code;
}
