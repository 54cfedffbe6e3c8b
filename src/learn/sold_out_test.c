/* Days that sold out: learners that are told which come near the quantile of a demand that they never see,
   whether a flag or the stock tells them, from memory and from text; what cannot be told refuses. */
#include "schema/sold.h"

#include "learn/task.h"
#include "policy/policy.h"
#include "random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 20000, P = 4 };
static double column[P][N]; /* a feature, sales, stock, whether the day sold out */
static const char *const NAMES[P] = {"z", "y", "stock", "out"};
#define TARGET(more)                                                                                         \
  "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 200" more "}, \"features\": [{\"name\": \"z\", "      \
  "\"center\": 0, \"scale\": 1}]"
static const char PLAIN[] = TARGET("") "}", STOCK[] = TARGET(", \"stock\": \"stock\"") "}",
                  FLAG[] = TARGET(", \"sold_out\": \"out\"") "}";

/* Demand 100 + 10 z + 20 e; stock 129.3 + 10 z + 20 e': it runs out on 15 % of days, since (129.3 - 100) /
   sqrt(800) = 1.036. */
static int draw(bool skewed, double above) {
  tacit_noise_source source;
  tacit_stream stream;
  tacit_noise_source_seeded(&source, 31);
  if (tacit_stream_begin(&source, &stream, NULL) != TACIT_OK) return -1;
  for (int i = 0; i < N; i++) {
    double z = tacit_normal(&stream), e = skewed ? -log(tacit_uniform(&stream)) - 1 : tacit_normal(&stream),
           demand = 100 + 10 * z + 20 * e, stock = 100 + above + 10 * z + 20 * tacit_normal(&stream);
    column[0][i] = z;
    column[1][i] = fmin(demand, stock);
    column[2][i] = stock;
    column[3][i] = demand >= stock;
  }
  return 0;
}

static int set_up(void **state) {
  (void)state;
  return draw(false, 29.3);
}

static tacit_schema *schema_of(const char *text) {
  tacit_schema *schema;
  tacit_error error = {""};
  if (tacit_schema_parse(text, strlen(text), &schema, &error) != TACIT_OK) fail_msg("%s", error.text);
  return schema;
}

static tacit_status learn(const char *text, const char *method, double tau, double mu, tacit_source *source,
                          tacit_fit **fit, tacit_error *error) {
  tacit_schema *schema = schema_of(text);
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = method;
  options.quantiles = &tau;
  options.quantile_count = 1;
  options.mu = mu;
  options.seeded = mu > 0;
  options.seed = 4;
  tacit_status status = tacit_learn(schema, source, &options, NULL, fit, error);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return status;
}

static tacit_source *columns_of(size_t rows) {
  static const double *const columns[P] = {column[0], column[1], column[2], column[3]};
  tacit_source *source;
  assert_int_equal(tacit_source_columns(rows, P, NAMES, columns, NULL, &source, NULL), TACIT_OK);
  return source;
}

/* What a usual row is ordered: the rule at z = 0. */
static double order_of(const tacit_fit *fit) {
  double order = fit->coefficients[0];
  if (fit->spread) order += fit->spread[2] * exp(fit->spread[0]);
  return 100 + 100 * order;
}

/* Sampling error of the order is about 0.3 at 0.9, noise at mu = 4 less than that. By the integrals of
   docs/sales.md the quantiles of demand are 100, 110.5 and 125.6, and those of sales 98.4, 107.8 and 120.7.
 */
static void told_learners_come_near_demand(void **state) {
  (void)state;
  const struct {
    const char *method;
    double tau, z;
  } cases[] = {{"default", 0.5, 0},
               {"default", 0.7, 0.524401},
               {"default", 0.9, 1.281552},
               {"median-newton", 0.7, 0.524401}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    double best = 100 + 20 * cases[k].z, order[3];
    const char *const schemas[3] = {STOCK, FLAG, PLAIN};
    for (int s = 0; s < 3; s++) {
      tacit_fit *fit = NULL;
      tacit_error error = {""};
      if (learn(schemas[s], cases[k].method, cases[k].tau, 4, columns_of(N), &fit, &error) != TACIT_OK)
        fail_msg("%s", error.text);
      order[s] = order_of(fit);
      tacit_fit_free(fit);
    }
    if (!(fabs(order[0] - best) < 1))
      fail_msg("%s at %g: %g, not %g", cases[k].method, cases[k].tau, order[0], best);
    assert_true(order[0] == order[1]); /* a flag tells the same as the stock */
    if (!(order[2] < best - 1)) fail_msg("sales as demand at %g: %g", cases[k].tau, order[2]);
  }
}

/* Errors that are exponential, less 1, and stock that strays as far about 27.4 above the centre, which sells
   out on 15 % of days: e^-(1 + t) is the chance to exceed t, whose mean over normal t of mean 1.37 and spread
   1 (where t < -1 it is 1) is 0.15. The quantile is 100 + 20 (log 10 - 1) = 126.05; with chances of a normal
   law the order would be less than 123. */
static void skewed_demand_is_reached(void **state) {
  (void)state;
  double best = 100 + 20 * (log(10) - 1);
  const char *const schemas[2] = {STOCK, FLAG};
  assert_int_equal(draw(true, 27.4), 0);
  for (int s = 0; s < 2; s++) {
    tacit_fit *fit = NULL;
    tacit_error error = {""};
    if (learn(schemas[s], "default", 0.9, 4, columns_of(N), &fit, &error) != TACIT_OK)
      fail_msg("%s", error.text);
    if (!(fabs(order_of(fit) - best) < 1)) fail_msg("%g, not %g", order_of(fit), best);
    tacit_fit_free(fit);
  }
  assert_int_equal(set_up(state), 0);
}

#define TOLERANT(levels, missing)                                                                            \
  TARGET(", \"sold_out\": {\"name\": \"out\"" levels ", \"missing\": " missing "}") "}"

/* Text is read record by record or in tiles, memory by columns: the same rows, whatever words flags have and
   what the schema says of cells that are none. */
static void text_and_memory_agree(void **state) {
  (void)state;
  enum { ROWS = 300, ROOM = ROWS * 100 };
  static char text[ROOM];
  const struct {
    const char *schema, *yes, *no, *odd;
  } cases[] = {{FLAG, "yes", "no", "0.0"},
               {TOLERANT("", "false"), "TRUE", "f", ""},
               {TOLERANT("", "true"), "?", "no", "0"},
               {TOLERANT(", \"levels\": [\"nein\", \"ja\"]", "\"nein\""), " ja", "nein", "Ja"},
               {TOLERANT(", \"levels\": [\"1\", \"0\"]", "\"1\""), "\"0\"", "1", "no"}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    size_t length = (size_t)snprintf(text, ROOM, "z,y,stock,out\n");
    for (int i = 0; i < ROWS; i++)
      length += (size_t)snprintf(text + length, ROOM - length, "%.17g,%.17g,%.17g,%s\n", column[0][i],
                                 column[1][i], column[2][i],
                                 column[3][i] > 0 ? cases[c].yes
                                 : i % 2          ? cases[c].odd
                                                  : cases[c].no);
    tacit_fit *fit[2] = {NULL, NULL};
    tacit_source *source;
    tacit_error error = {""};
    assert_int_equal(learn(FLAG, "default", 0.7, 2, columns_of(ROWS), &fit[0], NULL), TACIT_OK);
    assert_int_equal(tacit_source_csv_text(text, length, &source, NULL), TACIT_OK);
    if (learn(cases[c].schema, "default", 0.7, 2, source, &fit[1], &error) != TACIT_OK)
      fail_msg("%zu: %s", c, error.text);
    assert_memory_equal(fit[0]->coefficients, fit[1]->coefficients, 2 * sizeof(double));
    for (int k = 0; k < 2; k++) tacit_fit_free(fit[k]);
  }
}

/* A cell that does not say whether the day sold out stops the fit, as a number does that is none: it is not a
   day that did not. */
static void odd_cells_stop(void **state) {
  (void)state;
  const struct {
    const char *schema, *cell, *says;
  } cases[] = {{FLAG, "ja", "neither true nor false"},
               {FLAG, "2", "neither true nor false"},
               {FLAG, "", "empty"},
               {STOCK, "viel", "not a number"},
               {STOCK, "", "empty"},
               {TARGET(", \"sold_out\": {\"name\": \"out\", \"levels\": [\"nein\", \"1\"]}") "}", "no",
                "none of its two levels"}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    char text[4000];
    bool stock = cases[c].schema == STOCK;
    size_t length = (size_t)snprintf(text, sizeof text, "z,y,stock,out\n");
    for (int i = 0; i < 200; i++)
      length += (size_t)snprintf(text + length, sizeof text - length, "%d,%d,%s,%s\n", i % 3, 80 + i % 7,
                                 stock && i == 130 ? cases[c].cell : "99",
                                 !stock && i == 130 ? cases[c].cell : "1");
    tacit_fit *fit = NULL;
    tacit_source *source;
    tacit_error error = {""};
    assert_int_equal(tacit_source_csv_text(text, length, &source, NULL), TACIT_OK);
    assert_int_equal(learn(cases[c].schema, "default", 0.7, 2, source, &fit, &error), TACIT_BAD_INPUT);
    if (!strstr(error.text, "record 131") || !strstr(error.text, cases[c].says)) fail_msg("%s", error.text);
  }
  for (int j = 2; j < 4; j++) { /* from memory */
    double was = column[j][50];
    tacit_fit *fit = NULL;
    column[j][50] = j == 2 ? (double)NAN : 2;
    assert_int_equal(learn(j == 2 ? STOCK : FLAG, "default", 0.7, 2, columns_of(200), &fit, NULL),
                     TACIT_BAD_INPUT);
    column[j][50] = was;
  }
}

static void what_cannot_be_told_refuses(void **state) {
  (void)state;
  static const char *const METHODS[] = {"erm",      "erm-exact", "saa",   "bisection",
                                        "noisy-gd", "gradient",  "follow"};
  static const char *const BAD[] = {TARGET(", \"stock\": \"stock\", \"sold_out\": \"out\"") "}",
                                    TARGET(", \"stock\": \"y\"") "}",
                                    TARGET(", \"stock\": \"stock\"") ", \"private\": \"target\"}",
                                    TARGET(", \"stock\": \"stock\", \"cost\": {\"shortage\": [{\"rate\": "
                                           "1}], \"leftover\": [{\"rate\": 1}]}") "}",
                                    TOLERANT("", "0"),
                                    TOLERANT("", "\"no\""),
                                    TOLERANT(", \"levels\": [\"a\", \"b\"]", "\"c\""),
                                    TOLERANT(", \"levels\": [\"a\", \"b\"]", "false"),
                                    TOLERANT(", \"levels\": [\"a\", \"a\"]", "\"a\""),
                                    TOLERANT(", \"levels\": [\"a\"]", "\"a\""),
                                    TOLERANT(", \"levels\": [\"a\", 1]", "\"a\""),
                                    TARGET(", \"stock\": {\"missing\": 1}") "}",
                                    TARGET(", \"stock\": {\"name\": \"s\", \"levels\": []}") "}"};
  for (size_t m = 0; m < sizeof METHODS / sizeof *METHODS; m++) {
    tacit_fit *fit = NULL;
    tacit_error error = {""};
    assert_int_equal(learn(STOCK, METHODS[m], 0.7, m < 3 ? 0 : 1, columns_of(200), &fit, &error),
                     TACIT_REFUSED);
    assert_non_null(strstr(error.text, "sold out"));
  }
  for (size_t k = 0; k < sizeof BAD / sizeof *BAD; k++) {
    tacit_schema *schema;
    assert_int_equal(tacit_schema_parse(BAD[k], strlen(BAD[k]), &schema, NULL), TACIT_BAD_INPUT);
  }
}

/* The bit is in the target, within its limits, and moves it by less than 2^-22. */
/* A stock in single precision beside sales in double is still reached. */
static void a_stock_that_lost_digits_is_the_stock(void **state) {
  (void)state;
  const tacit_target target = {.sold_by_stock = true};
  for (int i = 1; i < 1000; i++) {
    double stock = 0.1 * i * i;
    assert_true(tacit_sold_says(&target, stock, (double)(float)stock));
    assert_true(tacit_sold_says(&target, (double)(float)stock, stock));
    assert_false(tacit_sold_says(&target, stock * (1 - 1e-6), stock));
  }
}

static void the_bit_stays_within_the_grid(void **state) {
  (void)state;
  const tacit_scale scales[] = {{.half = 1, .limit = 1}, {.half = 1, .limit = 64}};
  for (int s = 0; s < 2; s++)
    for (int k = -1000; k <= 1000; k++)
      for (int sold = 0; sold < 2; sold++) {
        double e = scales[s].limit * k / 1000, marked = tacit_sold_mark(&scales[s], e, sold);
        int64_t grid = (int64_t)ldexp(marked, TACIT_TARGET_BITS);
        assert_true(ldexp((double)grid, -TACIT_TARGET_BITS) == marked && (grid & 1) == sold);
        assert_true(fabs(marked) <= scales[s].limit && fabs(marked - e) < 0x1p-21);
      }
  assert_true(isnan(tacit_sold_mark(scales, NAN, true)));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(told_learners_come_near_demand),
                                     cmocka_unit_test(skewed_demand_is_reached),
                                     cmocka_unit_test(text_and_memory_agree),
                                     cmocka_unit_test(odd_cells_stop),
                                     cmocka_unit_test(what_cannot_be_told_refuses),
                                     cmocka_unit_test(the_bit_stays_within_the_grid),
                                     cmocka_unit_test(a_stock_that_lost_digits_is_the_stock)};
  return cmocka_run_group_tests(tests, set_up, NULL);
}
