/* Known answers: a restaurant's steaks, underage 15, overage 5, the first 573 days to learn from and the last
   192 to pay for. */
#include "erm/erm.h"
#include "loss/check.h"
#include "small_table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define DATA TACIT_TEST_DATA "/restaurant/"
enum { DAYS = 765, TRAIN = 573, TEST = 192, COLUMNS = 8 };
static const double UNDERAGE = 15, OVERAGE = 5;
static const char *const WEEKDAYS[] = {"MON", "TUE", "WED", "THU",
                                       "FRI", "SAT", "SUN"}; /* the last is the base */

typedef struct restaurant {
  double steak[DAYS], temperature[DAYS];
  int weekday[DAYS];
} restaurant;

static int weekday_of(const char *name) {
  for (int k = 0; k < 7; k++)
    if (strcmp(name, WEEKDAYS[k]) == 0) return k;
  return -1;
}

static int open_restaurant(void **state) {
  small_table *features = small_table_read(DATA "yaz_data.csv");
  small_table *demand = small_table_read(DATA "yaz_target.csv");
  restaurant *data = calloc(1, sizeof *data);
  assert(features && demand && data && features->rows == DAYS && demand->rows == DAYS);
  for (size_t i = 0; i < DAYS; i++) {
    data->steak[i] = small_number(demand, i, "steak");
    data->temperature[i] = small_number(features, i, "temperature");
    data->weekday[i] = weekday_of(small_cell(features, i, "weekday"));
  }
  small_table_free(features);
  small_table_free(demand);
  *state = data;
  return 0;
}

static int close_restaurant(void **state) {
  free(*state);
  return 0;
}

static double cost(double demand, double order) {
  return (UNDERAGE + OVERAGE) * tacit_check_loss(UNDERAGE / (UNDERAGE + OVERAGE), demand - order);
}

/* SAA over the training days of one weekday, or of all for -1. */
static double saa(const restaurant *data, int weekday) {
  double y[TRAIN], order;
  tacit_sample sample = {.rows = 0, .columns = 1, .targets = 1, .y = y};
  for (size_t i = 0; i < TRAIN; i++)
    if (weekday < 0 || data->weekday[i] == weekday) y[sample.rows++] = data->steak[i];
  assert_int_equal(tacit_saa(&sample, 0, UNDERAGE / (UNDERAGE + OVERAGE), &order, NULL), TACIT_OK);
  return order;
}

static void one_order_for_all_days(void **state) {
  const restaurant *data = *state;
  double order = saa(data, -1), sum = 0;
  for (size_t i = TRAIN; i < DAYS; i++) sum += cost(data->steak[i], order);
  assert_true(order == 28);
  assert_true(fabs(sum / TEST - 59.9479167) < 1e-7);
}

static void one_order_for_each_weekday(void **state) {
  const restaurant *data = *state;
  const double known[] = {21, 24, 26, 26, 31, 45, 20};
  double sum = 0;
  for (int k = 0; k < 7; k++) assert_true(saa(data, k) == known[k]);
  for (size_t i = TRAIN; i < DAYS; i++) sum += cost(data->steak[i], known[data->weekday[i]]);
  assert_true(fabs(sum / TEST - 52.0572917) < 1e-7);
}

static void a_line_in_temperature_and_weekday(void **state) {
  const restaurant *data = *state;
  const double known[COLUMNS] = {23.2688172, -0.2150538, 1.5913978, 3.8494624,
                                 5.3225806,  4.4946237,  9.9892473, 23.8172043};
  static double x[COLUMNS * TRAIN], y[TRAIN];
  double b[COLUMNS];
  for (size_t i = 0; i < TRAIN; i++) {
    y[i] = data->steak[i];
    x[i] = 1;
    x[TRAIN + i] = data->temperature[i];
    if (data->weekday[i] < 6) x[(size_t)(2 + data->weekday[i]) * TRAIN + i] = 1;
  }
  tacit_sample sample = {.rows = TRAIN, .columns = COLUMNS, .targets = 1, .x = x, .y = y};
  assert_int_equal(tacit_erm_exact(&sample, 0, UNDERAGE / (UNDERAGE + OVERAGE), b, NULL, NULL), TACIT_OK);
  for (int j = 0; j < COLUMNS; j++) assert_true(fabs(b[j] - known[j]) < 1e-7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_order_for_all_days),
      cmocka_unit_test(one_order_for_each_weekday),
      cmocka_unit_test(a_line_in_temperature_and_weekday),
  };
  small_table *there = small_table_read(DATA "yaz_target.csv");
  if (!there) {
    (void)puts("no data in " DATA ": skipped");
    return 77;
  }
  small_table_free(there);
  return cmocka_run_group_tests(tests, open_restaurant, close_restaurant);
}
