/* tacit account tradeoff: how well any test can tell one table from a neighbour, level by level. */
#include "plot.h"
#include "releases.h"

#include <stdio.h>
#include <string.h>

enum { CURVES = 3, LEVELS = 9, DRAWN = 200 };
static const double LEVEL[LEVELS] = {0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9};

typedef struct request {
  double mu, epsilon, delta;
  bool has_mu, has_epsilon, has_delta, json;
  numbers level;
  pairs texts;
  const char *adjacency, *out;
  releases list;
  tacit_bundle bundle;
} request;

/* power[i]: no test at the level has more; a column for each promise that was named. */
typedef struct curve {
  const char *name;
  double power[NUMBERS_MAX];
} curve;
typedef struct table {
  size_t levels, curves;
  double level[NUMBERS_MAX];
  curve curve[CURVES];
} table;

static int parse(request *r, int argc, char **argv) {
  const option options[] = {
      {"mu", OPTION_NUMBER, &r->mu, "M", "the curve G_mu of Gaussian differential privacy", &r->has_mu},
      {"epsilon", OPTION_NUMBER, &r->epsilon, "E", "the curve of (epsilon, delta), with --delta",
       &r->has_epsilon},
      {"delta", OPTION_NUMBER, &r->delta, "D", "its delta (default 0)", &r->has_delta},
      {"release", OPTION_PAIRS, &r->texts, "R", "the curve of releases together, see below; repeat for each",
       NULL},
      {"adjacency", OPTION_TEXT, &r->adjacency, "NAME",
       "of sampled steps: replace-one (default) or add-remove", NULL},
      {"level", OPTION_NUMBERS, &r->level, "A", "of a test; repeat for several (default: nine from 0.001 on)",
       NULL},
      {"out", OPTION_TEXT, &r->out, "FOLDER", "also tradeoff.csv there, and its picture through gnuplot",
       NULL},
      {"json", OPTION_FLAG, &r->json, NULL, "print one JSON object", NULL},
  };
  int code = parse_options(
      &(command_line){.usage = "account tradeoff --mu M | --epsilon E --delta D | --release R ...",
                      .about = "What a promise means for whoever guesses: a test of one table "
                               "against its neighbour that\nraises a false alarm with at most "
                               "the level's chance finds the truth with at most this power.",
                      .options = options,
                      .option_count = sizeof options / sizeof *options,
                      .more = releases_help},
      argc, argv);
  if (code >= 0) return code;
  if (!r->has_mu && !r->has_epsilon && !r->texts.count)
    return usage_error("give --mu, --epsilon or --release");
  if (r->has_delta && !r->has_epsilon) return usage_error("give --epsilon with --delta");
  code = set_adjacency(r->adjacency, &r->bundle.adjacency);
  if (code < 0) code = releases_from(&r->list, &r->texts);
  r->bundle.releases = r->list.list;
  r->bundle.count = r->list.count;
  return code;
}

static tacit_status fill(const request *r, table *t, tacit_error *error) {
  tacit_status status = TACIT_OK;
  t->curves = 0;
  curve *mu = r->has_mu ? &t->curve[t->curves++] : NULL,
        *pair = r->has_epsilon ? &t->curve[t->curves++] : NULL,
        *together = r->list.count ? &t->curve[t->curves++] : NULL;
  if (mu) mu->name = "mu";
  if (pair) pair->name = "pair";
  if (together) together->name = "releases";
  for (size_t i = 0; i < t->levels && status == TACIT_OK; i++) {
    if (mu) status = tacit_gdp_power(r->mu, t->level[i], &mu->power[i], error);
    if (pair && status == TACIT_OK)
      status = tacit_pair_power(r->epsilon, r->delta, t->level[i], &pair->power[i], error);
  }
  if (together && status == TACIT_OK)
    status = tacit_bundle_power(&r->bundle, t->levels, t->level, together->power, error);
  return status;
}

static int print_table(const request *r, const table *t) {
  json_t *rows = json_array();
  if (!r->json) {
    printf("%-8s", "level");
    for (size_t k = 0; k < t->curves; k++) printf("  %-12s", t->curve[k].name);
    printf("\n");
  }
  for (size_t i = 0; i < t->levels; i++) {
    json_t *row = json_pack("{s:f}", "level", t->level[i]);
    if (!r->json) printf("%-8.4g", t->level[i]);
    for (size_t k = 0; k < t->curves; k++) {
      json_object_set_new(row, t->curve[k].name, json_real(t->curve[k].power[i]));
      if (!r->json) printf("  %-12.6f", t->curve[k].power[i]);
    }
    if (!r->json) printf("\n");
    json_array_append_new(rows, row);
  }
  if (r->json) return print_json(json_pack("{s:o}", "power", rows));
  json_decref(rows);
  return flushed(0);
}

static int write_curves(const char *folder, const table *t) {
  plot_file csv;
  int code = plot_open(folder, "tradeoff.csv", &csv);
  if (code >= 0) return code;
  fprintf(csv.file, "level");
  for (size_t k = 0; k < t->curves; k++) fprintf(csv.file, ",%s", t->curve[k].name);
  fprintf(csv.file, "\n");
  for (size_t i = 0; i < t->levels; i++) {
    double line[1 + CURVES] = {t->level[i]};
    for (size_t k = 0; k < t->curves; k++) line[1 + k] = 1 - t->curve[k].power[i];
    plot_line(&csv, 1 + t->curves, line);
  }
  return plot_close(&csv);
}

/* Type I against type II error, as Zhao, Zhou and Wang draw them. */
static int draw(const request *r, table *t) {
  char commands[1000];
  tacit_error error;
  t->levels = DRAWN - 1;
  for (size_t i = 0; i < t->levels; i++) t->level[i] = (double)(i + 1) / DRAWN;
  tacit_status status = fill(r, t, &error);
  if (status != TACIT_OK) return fail(status, &error);
  snprintf(commands, sizeof commands,
           "set size ratio 1\nset xrange [0:1]\nset yrange [0:1]\n"
           "set xlabel 'type I error (level)'\nset ylabel 'type II error, at least'\nset key top right\n"
           "plot 1 - x with lines lw 1 lc rgb '#999999' title 'perfect privacy', \\\n"
           "  for [k=2:%zu] data using 1:k with lines lw 2 title columnheader(k)\n",
           t->curves + 1);
  int code = write_curves(r->out, t);
  if (code < 0) code = plot_script(r->out, &(picture){"tradeoff", 640, 600, commands});
  if (code < 0 && !plot_draw(r->out, "tradeoff"))
    fprintf(stderr, "tacit: gnuplot is missing or failed: its script is in the folder\n");
  return code;
}

int run_account_tradeoff(int argc, char **argv) {
  static request r; /* room for many numbers */
  static table t;
  r = (request){.json = false};
  int code = parse(&r, argc, argv);
  if (code < 0 && r.out) code = plot_folder(r.out);
  if (code >= 0) return code;
  t.levels = r.level.count ? r.level.count : LEVELS;
  memcpy(t.level, r.level.count ? r.level.value : LEVEL, t.levels * sizeof *t.level);
  tacit_error error;
  tacit_status status = fill(&r, &t, &error);
  if (status != TACIT_OK) return fail(status, &error);
  if (r.has_mu && *mu_warning(r.mu)) fprintf(stderr, "tacit: %s\n", mu_warning(r.mu));
  code = print_table(&r, &t);
  if (code != 0 || !r.out) return code;
  code = draw(&r, &t);
  return code >= 0 ? code : 0;
}
