/* Days that sold out, under laws of demand that nothing was made for: bench_sold_out SEED PROBLEMS
   REPETITIONS draws problems (a law, how many features and rows, whether spreads differ, how many days sell
   out and how far the stock strays, quantile and budget) and prints by how many percent orders of the default
   learner cost more than the best ones, by demand itself and by sales with the schema's "stock". Costs are
   means over a grid of each law's quantiles. */
#include "num/normal.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 6, GRID = 1000, TEST = 400, TEXT = 2000 };
typedef double (*law)(double u);

static double lognormal(double u) {
  return exp(0.45 * tacit_normal_quantile(u)) / 0.55;
}
static double long_tail(double u) {
  return exp(0.8 * tacit_normal_quantile(u)) / 1.3;
}
static double weibull(double u) {
  return pow(-log1p(-u), 1 / 1.5) / 0.62;
}
static double gumbel(double u) {
  return -log(-log(u)) / 1.28;
}
static double left(double u) {
  return -gumbel(1 - u);
}
static double logistic(double u) {
  return log(u / (1 - u)) / 1.81;
}
static double heavy(double u) {
  double z = tacit_normal_quantile(u);
  return z * exp(0.08 * z * z) / 1.3;
}
static double uniform(double u) {
  return 3.46 * (u - 0.5);
}
static double two_piece(double u) {
  double z = tacit_normal_quantile(u);
  return z < 0 ? 0.6 * z : 1.3 * z;
}
static double pareto(double u) {
  return pow(1 - u, -0.25) * 2;
}
static double normal(double u) {
  return tacit_normal_quantile(u);
}
static const struct {
  const char *name;
  law at;
} LAWS[] = {{"normal", normal},   {"lognormal", lognormal}, {"long", long_tail},    {"weibull", weibull},
            {"gumbel", gumbel},   {"left", left},           {"logistic", logistic}, {"heavy", heavy},
            {"uniform", uniform}, {"two-piece", two_piece}, {"pareto", pareto}};
enum { LAW_COUNT = sizeof LAWS / sizeof *LAWS };

typedef struct problem {
  size_t law, features, rows;
  double slope[MOST], tilt, spread; /* demand = 100 + slope'z + spread e^(tilt z1) (e - its mean) */
  double share, stray, follow;      /* days sold out; stock's own spread; how far it follows slope'z */
  double tau, mu;
  double mean, above, grid[GRID], best[TEST], least;
  double z[TEST][MOST];
  uint64_t seed;
  tacit_schema *schema[2];
  double (*out)[2];
} problem;

static double pick(tacit_stream *s, const double *from, size_t count) {
  return from[(size_t)(tacit_uniform(s) * (double)count) % count];
}
#define PICK(stream, ...)                                                                                    \
  pick(stream, (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static double width(const problem *p, const double *z) {
  return p->spread * exp(p->tilt * z[0]);
}
static double centre(const problem *p, const double *z) {
  double sum = 100;
  for (size_t j = 0; j < p->features; j++) sum += p->slope[j] * z[j];
  return sum;
}
static double error_at(const problem *p, double u) {
  return LAWS[p->law].at(u) - p->mean;
}
static double cost(const problem *p, double order) { /* in widths above the centre */
  double sum = 0;
  for (int k = 0; k < GRID; k++) {
    double r = p->grid[k] - order;
    sum += r > 0 ? p->tau * r : (p->tau - 1) * r;
  }
  return sum / GRID;
}

static double stock_of(const problem *p, const double *z, double own) {
  return fmax(0, 100 + p->follow * (centre(p, z) - 100) + width(p, z) * (p->above + p->stray * own));
}

/* The share of days that sell out, over the test rows' features. */
static double sold(problem *p, double above) {
  double sum = 0;
  p->above = above;
  for (int i = 0; i < TEST; i++)
    for (int k = 0; k < 100; k++) {
      double own = tacit_normal_quantile(fmod((k + 0.5) * 0.6180339887 + i * 0.37, 1)),
             room = (stock_of(p, p->z[i], own) - centre(p, p->z[i])) / width(p, p->z[i]);
      sum += p->grid[(k * 10 + i) % GRID] >= room;
    }
  return sum / TEST / 100;
}

static tacit_status set_schemas(problem *p, tacit_error *error) {
  for (int told = 0; told < 2; told++) {
    char text[TEXT];
    int at =
        snprintf(text, TEXT, "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 250%s}, \"features\": [",
                 told ? ", \"stock\": \"stock\"" : "");
    for (size_t j = 0; j < p->features; j++)
      at += snprintf(text + at, (size_t)(TEXT - at), "%s{\"name\": \"z%zu\", \"center\": 0, \"scale\": 1}",
                     j ? ", " : "", j);
    at += snprintf(text + at, (size_t)(TEXT - at), "]}");
    TACIT_TRY(tacit_schema_parse(text, (size_t)at, &p->schema[told], error));
  }
  return TACIT_OK;
}

static tacit_status draw_problem(problem *p, tacit_stream *s, tacit_error *error) {
  p->law = (size_t)(tacit_uniform(s) * LAW_COUNT) % LAW_COUNT;
  p->features = (size_t)PICK(s, 2, 3, 6);
  p->rows = (size_t)PICK(s, 800, 2000, 5000);
  for (size_t j = 0; j < MOST; j++) p->slope[j] = 12 * (tacit_uniform(s) - 0.5);
  p->tilt = PICK(s, 0, 0, 0.3);
  p->spread = 8 + 14 * tacit_uniform(s);
  p->share = PICK(s, 0.05, 0.1, 0.15, 0.25);
  p->stray = PICK(s, 0.4, 0.8, 1.3);
  p->follow = PICK(s, 0, 1, 1);
  p->tau = PICK(s, 0.2, 0.8, 0.85, 0.9, 0.95);
  p->mu = PICK(s, 0.4, 1, 3);
  p->seed = tacit_stream_bits(s);
  p->mean = 0;
  for (int k = 0; k < GRID; k++) p->mean += LAWS[p->law].at((k + 0.5) / GRID) / GRID;
  for (int k = 0; k < GRID; k++) p->grid[k] = error_at(p, (k + 0.5) / GRID);
  for (int i = 0; i < TEST; i++)
    for (size_t j = 0; j < p->features; j++) p->z[i][j] = tacit_normal(s);
  p->least = 0;
  for (int i = 0; i < TEST; i++) p->least += width(p, p->z[i]) * cost(p, p->grid[(int)(p->tau * GRID)]);
  double low = -5, high = 15;
  for (int k = 0; k < 30; k++)
    if (sold(p, (low + high) / 2) > p->share)
      low = (low + high) / 2;
    else
      high = (low + high) / 2;
  return set_schemas(p, error);
}

static double excess(const problem *p, const tacit_rule *rule, const tacit_scale *scale) {
  double sum = 0;
  for (int i = 0; i < TEST; i++) {
    double x[MOST + 1] = {1};
    memcpy(x + 1, p->z[i], p->features * sizeof(double));
    double order = fmax(-scale->limit, fmin(scale->limit, tacit_rule_order(rule, x)));
    sum += width(p, p->z[i]) *
           cost(p, (tacit_scale_decode(scale, order) - centre(p, p->z[i])) / width(p, p->z[i]));
  }
  return 100 * (sum / p->least - 1);
}

static tacit_status run(void *with, size_t r, tacit_error *error) {
  const problem *p = with;
  static const char *const NAMES[] = {"z0", "z1", "z2", "z3", "z4", "z5", "y", "stock"};
  tacit_stream s;
  TACIT_TRY(tacit_study_stream(p->seed, TACIT_FOR_ROWS, 1, (uint32_t)r, &s, error));
  double *columns = calloc((MOST + 3) * p->rows, sizeof *columns);
  const char *names[MOST + 2];
  const double *values[MOST + 2];
  if (!columns) return tacit_no_memory(error);
  double *demand = columns + MOST * p->rows, *sales = demand + p->rows, *stock = sales + p->rows;
  for (size_t i = 0; i < p->rows; i++) {
    double z[MOST];
    for (size_t j = 0; j < p->features; j++) columns[j * p->rows + i] = z[j] = tacit_normal(&s);
    demand[i] = fmax(0, centre(p, z) + width(p, z) * error_at(p, tacit_uniform(&s)));
    stock[i] = stock_of(p, z, tacit_normal(&s));
    sales[i] = fmin(demand[i], stock[i]);
  }
  uint64_t seed = tacit_stream_bits(&s);
  tacit_status status = TACIT_OK;
  for (size_t j = 0; j < p->features; j++) names[j] = NAMES[j], values[j] = columns + j * p->rows;
  names[p->features] = "y", names[p->features + 1] = "stock", values[p->features + 1] = stock;
  for (int told = 0; told < 2 && status == TACIT_OK; told++) {
    values[p->features] = told ? sales : demand;
    const tacit_study_table table = {p->schema[told], p->rows, p->features + 2, names, values, NULL};
    tacit_fit *fit = NULL;
    status = tacit_study_fit(&table, p->tau, p->mu, &seed, &fit, error);
    if (status != TACIT_OK) break;
    const tacit_rule rule = tacit_study_rule(&table, fit);
    p->out[r][told] = excess(p, &rule, &table.schema->targets[0].scale);
    tacit_fit_free(fit);
  }
  tacit_stream_end(&s);
  free(columns);
  return status;
}

static tacit_status run_all(uint64_t seed, size_t problems, size_t repetitions, tacit_error *error) {
  tacit_stream s;
  problem *p = calloc(1, sizeof *p);
  double(*out)[2] = calloc(repetitions, sizeof *out);
  if (!p || !out) return tacit_no_memory(error);
  TACIT_TRY(tacit_study_stream(seed, TACIT_FOR_ROWS, 0, 0, &s, error));
  printf("law tilt share stray follow tau features rows mu known known_se told told_se ratio\n");
  for (size_t k = 0; k < problems; k++) {
    memset(p, 0, sizeof *p);
    p->out = out;
    TACIT_TRY(draw_problem(p, &s, error));
    TACIT_TRY(tacit_repeat(repetitions, run, p, (tacit_part){"sold out", 0, 1}, NULL, error));
    double mean[2], se[2];
    for (int told = 0; told < 2; told++)
      tacit_summarise(repetitions, &out[0][told], 2, &mean[told], &se[told]);
    printf("%s %g %g %g %g %g %zu %zu %g %.4f %.4f %.4f %.4f %.3f\n", LAWS[p->law].name, p->tilt, p->share,
           p->stray, p->follow, p->tau, p->features, p->rows, p->mu, mean[0], se[0], mean[1], se[1],
           mean[1] / mean[0]);
    fflush(stdout);
    for (int told = 0; told < 2; told++) tacit_schema_free(p->schema[told]);
  }
  tacit_stream_end(&s);
  free(p);
  free(out);
  return TACIT_OK;
}

int main(int count, char **words) {
  tacit_error error = {""};
  if (count != 4) return fprintf(stderr, "usage: %s SEED PROBLEMS REPETITIONS\n", words[0]), 2;
  tacit_status status =
      run_all(strtoull(words[1], NULL, 10), strtoul(words[2], NULL, 10), strtoul(words[3], NULL, 10), &error);
  if (status != TACIT_OK) fprintf(stderr, "%s\n", error.text);
  return status == TACIT_OK ? 0 : 1;
}
