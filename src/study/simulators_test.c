/* The simulators: the same seed gives the same bytes, the schema fits the rows, and the rows are what they
 * should be. */
#include "study/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/learn.h>
#include <tacit/study.h>

#include <cmocka.h>

#include "study/simulated_for_test.h"

static size_t lines(const text *t) {
  size_t count = 0;
  for (size_t i = 0; i < t->length; i++) count += t->bytes[i] == '\n';
  return count;
}

static void the_same_seed_gives_the_same_bytes(void **state) {
  (void)state;
  for (size_t i = 0; tacit_simulator_name(i); i++) {
    const char *name = tacit_simulator_name(i);
    text a = simulated(name, 0, 7), b = simulated(name, 0, 7), c = simulated(name, 0, 8);
    assert_true(a.length == b.length && !memcmp(a.bytes, b.bytes, a.length));
    assert_true(strcmp(a.bytes, c.bytes) != 0);
    size_t own = strncmp(name, "zhao-", 5) ? 1001 : 401;
    if (!strcmp(name, "restaurant")) own = 731;
    if (!strcmp(name, "shops")) own = 12 * 731 + 1;
    assert_int_equal(lines(&a), own);
    assert_non_null(tacit_simulator_about(i));
    free(a.bytes);
    free(b.bytes);
    free(c.bytes);
  }
  text three = simulated("zhao-t3", 3, 1);
  assert_int_equal(lines(&three), 4);
  free(three.bytes);
}

static void unknown_names_and_full_disks_are_refused(void **state) {
  (void)state;
  tacit_error error = {""};
  text small = {.room = 100};
  assert_null(tacit_simulator_schema("nobody"));
  assert_int_equal(tacit_simulate("nobody", 1, 1, append, &small, &error), TACIT_USAGE);
  assert_non_null(strstr(error.text, "zhao-normal"));
  assert_int_equal(tacit_simulate("restaurant", 0, 1, append, &small, &error), TACIT_INTERNAL);
  free(small.bytes);
}

static tacit_fit *fit_of(const text *rows, const char *json, const char *method, double tau) {
  tacit_schema *schema = NULL;
  tacit_source *source = NULL;
  tacit_fit *fit = NULL;
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = method;
  options.quantiles = &tau;
  options.quantile_count = 1;
  assert_int_equal(tacit_schema_parse(json, strlen(json), &schema, NULL), TACIT_OK);
  assert_int_equal(tacit_source_csv_text(rows->bytes, rows->length, &source, NULL), TACIT_OK);
  assert_int_equal(tacit_learn(schema, source, &options, NULL, &fit, NULL), TACIT_OK);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return fit;
}

/* Coefficients are of the target halved. Their standard errors at 5,000 rows are below 0.027 in the target's
   units: five of them. */
static void an_exact_fit_recovers_the_papers_coefficients(void **state) {
  (void)state;
  static const double theta[5] = {1.5, 1, -2.5, -1.5, 3};
  text rows = simulated("zhao-normal", 5000, 1);
  tacit_fit *fit = fit_of(&rows, tacit_simulator_schema("zhao-normal"), "erm-exact", 0.5);
  for (int j = 0; j < 5; j++) assert_near(2 * tacit_fit_coefficients(fit)[j], theta[j], 0.135);
  assert_int_equal(tacit_fit_count(fit).rows, 5000);
  tacit_fit_free(fit);
  free(rows.bytes);
}

typedef struct day {
  int year, month, day, holiday, demand;
  char weekday[4];
  double temperature, rain;
} day;

static size_t read_days(const text *t, day *days, size_t most) {
  size_t count = 0;
  for (const char *line = strchr(t->bytes, '\n') + 1; *line && count < most; line = strchr(line, '\n') + 1) {
    day *d = &days[count++];
    assert_int_equal(sscanf(line, "%d-%d-%d,%3s,%d,%lf,%lf,%d", &d->year, &d->month, &d->day, d->weekday,
                            &d->holiday, &d->temperature, &d->rain, &d->demand),
                     8);
  }
  return count;
}

/* What a person would look at first: bounds, the week, the year, holidays. */
static void the_restaurant_looks_like_one(void **state) {
  (void)state;
  static const char *const names[7] = {"MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"};
  enum { DAYS = 730 };
  static day days[DAYS];
  text t = simulated("restaurant", 0, 1);
  assert_int_equal(strncmp(t.bytes, "date,weekday,is_holiday,temperature,rain,demand\n", 48), 0);
  assert_int_equal(read_days(&t, days, DAYS), DAYS);
  double week[7] = {0}, all = 0, square = 0, july = 0, january = 0;
  int holidays = 0, closed = 0;
  for (int i = 0; i < DAYS; i++) {
    const day *d = &days[i];
    assert_string_equal(d->weekday, names[(i + 5) % 7]);
    assert_true(d->demand >= 0 && d->demand <= 100 && d->rain >= 0 && d->rain <= 40);
    assert_true(d->temperature >= -15 && d->temperature <= 40);
    week[(i + 5) % 7] += d->demand / 104.3;
    all += d->demand / (double)DAYS;
    square += d->demand * d->demand / (double)DAYS;
    july += d->month == 7 ? d->temperature / 62 : 0;
    january += d->month == 1 ? d->temperature / 62 : 0;
    holidays += d->holiday;
    closed += d->demand == 0;
    if (d->month == 12 && d->day == 25) assert_int_equal(d->holiday, 1);
  }
  assert_true(days[DAYS - 1].year == 2023 && days[DAYS - 1].month == 12 && days[DAYS - 1].day == 31);
  assert_int_equal(days[106].holiday, 1); /* Easter Sunday, 17 April 2022 */
  assert_int_equal(days[463].holiday, 1); /* and 9 April 2023 */
  assert_true(all > 30 && all < 42);
  assert_true(square - all * all > 100); /* far more than the 35 of a Poisson count */
  for (int w = 0; w < 7; w++) {
    assert_true(week[w] > 20 && week[w] < 60);
    if (w != 4 && w != 5) assert_true(week[w] + 8 < week[4] && week[w] + 8 < week[5]);
  }
  assert_true(july > january + 10);
  assert_true(holidays > 20 && holidays < 36 && closed >= 1 && closed <= 10);
  free(t.bytes);
}

/* One row per day, eleven columns: the promise for a row is one for a day. */
static void the_restaurants_schema_fits_its_rows(void **state) {
  (void)state;
  text t = simulated("restaurant", 400, 3);
  tacit_fit *fit = fit_of(&t, tacit_simulator_schema("restaurant"), "erm", 0.6);
  assert_int_equal(tacit_fit_count(fit).rows, 400);
  const double *b = tacit_fit_coefficients(fit);
  /* intercept, TUE to SUN, holiday, temperature, rain: half the target's width is 50 portions */
  assert_true(50 * (b[4] - b[1]) > 10);
  assert_true(50 * (b[5] - b[2]) > 10);
  tacit_fit_free(fit);
  free(t.bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_seed_gives_the_same_bytes),
      cmocka_unit_test(unknown_names_and_full_disks_are_refused),
      cmocka_unit_test(an_exact_fit_recovers_the_papers_coefficients),
      cmocka_unit_test(the_restaurant_looks_like_one),
      cmocka_unit_test(the_restaurants_schema_fits_its_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
