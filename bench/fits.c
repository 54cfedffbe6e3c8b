/* How long a fit takes on data in memory: fits FILE ROWS FEATURES WHAT THREADS TURNS [BANDWIDTH]
   FILE holds the features' columns and then the target as doubles. WHAT is erm, exact or private. Prints the
   best time in seconds and the coefficients, the intercept first. */
#include "erm/erm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/tacit.h>
#include <time.h>

enum { MOST = 1000 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const double QUANTILE = 0.7;

/* The table as the private learner gets it: columns in memory and a schema with public centres and scales. */
static tacit_status fit_private(const double *table, size_t n, size_t p, const tacit_context *context,
                                double *b, tacit_error *error) {
  static char names[MOST + 1][8], json[100 * MOST];
  const char *name[MOST + 1];
  const double *column[MOST + 1];
  const char *const *text[MOST + 1] = {0};
  int at = snprintf(json, sizeof json,
                    "{\"target\": {\"name\": \"y\", \"center\": 50, \"scale\": 12}, \"features\": [");
  for (size_t j = 0; j <= p; j++) {
    name[j] = names[j];
    column[j] = table + j * n;
    if (j == p) {
      strcpy(names[j], "y");
      continue;
    }
    snprintf(names[j], sizeof names[j], "x%zu", j);
    at += snprintf(json + at, sizeof json - (size_t)at, "%s{\"name\": \"x%zu\", \"center\": 0, \"scale\": 1}",
                   j ? ", " : "", j);
  }
  strcpy(json + at, "]}");
  tacit_schema *schema;
  tacit_source *source;
  tacit_fit *fit = NULL;
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.quantiles = &QUANTILE;
  options.quantile_count = 1;
  options.mu = 1;
  tacit_status status = tacit_schema_parse(json, strlen(json), &schema, error);
  if (status) return status;
  status = tacit_source_columns(n, p + 1, name, column, text, &source, error);
  if (status) return status;
  status = tacit_learn(schema, source, &options, context, &fit, error);
  if (!status) memcpy(b, tacit_fit_coefficients(fit), (p + 1) * sizeof *b);
  tacit_fit_free(fit);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return status;
}

int main(int argc, char **argv) {
  if (argc < 7) return 2;
  size_t n = (size_t)atof(argv[2]), p = (size_t)atof(argv[3]);
  if (n == 0 || p == 0 || p > MOST) return 2;
  double *x = malloc(n * (p + 2) * sizeof *x), best = 1e9, b[MOST + 1];
  FILE *file = fopen(argv[1], "rb");
  if (!x || !file || fread(x + n, sizeof *x, n * (p + 1), file) != n * (p + 1))
    return fprintf(stderr, "fits: %s cannot be read\n", argv[1]), 1;
  fclose(file);
  for (size_t i = 0; i < n; i++) x[i] = 1;
  tacit_sample sample = {.rows = n, .columns = p + 1, .targets = 1, .x = x, .y = x + (p + 1) * n};
  tacit_context context;
  tacit_error error;
  tacit_context_init(&context);
  context.threads = atoi(argv[5]);
  double h = argc > 7 ? atof(argv[7]) : 0.05;
  for (int turn = 0; turn < atoi(argv[6]); turn++) {
    double start = now();
    tacit_status status =
        !strcmp(argv[4], "erm")
            ? tacit_erm_smooth(&sample, 0, &(const tacit_erm_loss){QUANTILE, TACIT_KERNEL_GAUSSIAN, h}, b,
                               &context, &error)
        : !strcmp(argv[4], "exact") ? tacit_erm_exact(&sample, 0, QUANTILE, b, &context, &error)
                                    : fit_private(x + n, n, p, &context, b, &error);
    double took = now() - start;
    if (status) return fprintf(stderr, "fits: %s\n", error.text), 1;
    if (took < best) best = took;
  }
  printf("%.6f", best);
  for (size_t j = 0; j <= p; j++) printf(" %.12g", b[j]);
  printf("\n");
  free(x);
  return 0;
}
