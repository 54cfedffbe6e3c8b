/* The picture of a plan: percent against mu at the asked rows, as a range, through gnuplot. */
#include "draw.h"

#include <math.h>
#include <string.h>

static const double LEAST = 0.1;           /* percent: what is below is drawn there, on a logarithmic axis */
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
  for (size_t m = 0; m < result->mu_count; m++) {
    const tacit_plan_row *row = &result->by_mu[m];
    plot_line(
        script, 4,
        (const double[]){row->mu, fmax(row->low, LEAST), fmax(row->middle, LEAST), fmax(row->high, LEAST)});
  }
  fprintf(script->file, "END\n");
}

static void write_lines(const plot_file *script, const tacit_plan_result *result) {
  fprintf(script->file,
          "plot $plan using 1:2:4 with filledcurves fc rgb '#cfe2f3' title 'low to high', \\\n"
          "  '' using 1:3 with linespoints lw 2 pt 7 ps 0.6 lc rgb '#1f4e79' title 'middle, %zu rows'\n",
          result->by_rows[result->asked_size].rows);
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
          "set ylabel 'price of privacy, %% (below 0.1 drawn there)'\n"
          "set key top right\n",
          t.name, t.extension, t.name, t.terminal, t.name, t.extension);
  write_data(&script, result);
  write_lines(&script, result);
  code = plot_close(&script);
  *all_drawn = code < 0 && plot_draw(t.folder, t.name);
  return code;
}
