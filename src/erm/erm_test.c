/* Known answers: quantile regression on engel, stackloss and barro, exact and smoothed, in the data's own
   units. The fits are made as the program makes them, on columns scaled to [-1, 1], and converted back. */
#include "erm/erm.h"
#include "small_table.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { MOST = 8 };
#define DATA TACIT_TEST_DATA "/quantreg/"

typedef struct scaled {
  tacit_sample sample;
  double middle[MOST], half[MOST]; /* of each column; of the target at [0] */
} scaled;

static double rescale(size_t n, double *values, double *middle) {
  double low = DBL_MAX, high = -DBL_MAX;
  for (size_t i = 0; i < n; i++) low = fmin(low, values[i]), high = fmax(high, values[i]);
  double half = (high - low) / 2;
  *middle = (high + low) / 2;
  for (size_t i = 0; i < n; i++) values[i] = (values[i] - *middle) / half;
  return half;
}

/* names: the target, then the features, NULL at the end. */
static scaled *load(const char *path, const char *const *names) {
  small_table *table = small_table_read(path);
  assert_non_null(table);
  scaled *data = calloc(1, sizeof *data);
  assert_non_null(data);
  size_t n = table->rows, p = 0;
  while (names[p]) p++;
  data->sample = (tacit_sample){.rows = n, .columns = p, .targets = 1};
  data->sample.x = calloc(n * p, sizeof(double));
  data->sample.y = calloc(n, sizeof(double));
  for (size_t j = 0; j < p; j++) {
    double *column = j ? data->sample.x + j * n : data->sample.y;
    for (size_t i = 0; i < n; i++) column[i] = small_number(table, i, names[j]);
    data->half[j] = rescale(n, column, &data->middle[j]);
  }
  for (size_t i = 0; i < n; i++) data->sample.x[i] = 1;
  small_table_free(table);
  return data;
}

static void unload(scaled *data) {
  free(data->sample.x);
  free(data->sample.y);
  free(data);
}

static void to_own_units(const scaled *data, const double *b, double *raw) {
  raw[0] = data->middle[0] + data->half[0] * b[0];
  for (size_t j = 1; j < data->sample.columns; j++) {
    raw[j] = b[j] * data->half[0] / data->half[j];
    raw[0] -= raw[j] * data->middle[j];
  }
}

static void assert_close(double got, double want, double relative) {
  if (fabs(got - want) <= relative * fabs(want) + 1e-11) return;
  fail_msg("%.15g is not %.15g", got, want);
}

static void exact(const scaled *data, double tau, const double *coefficients, double objective) {
  double b[MOST], raw[MOST];
  assert_int_equal(tacit_erm_exact(&data->sample, 0, tau, b, NULL, NULL), TACIT_OK);
  to_own_units(data, b, raw);
  assert_close(tacit_check_objective(&data->sample, 0, tau, b) * data->half[0], objective, 1e-10);
  for (size_t j = 0; coefficients && j < data->sample.columns; j++)
    assert_close(raw[j], coefficients[j], 1e-8);
}

static void smooth(const scaled *data, double tau, tacit_kernel kernel, double h,
                   const double *coefficients) {
  double b[MOST], raw[MOST];
  assert_int_equal(tacit_erm_smooth(&data->sample, 0, &(const tacit_erm_loss){tau, kernel, h / data->half[0]},
                                    b, NULL, NULL),
                   TACIT_OK);
  to_own_units(data, b, raw);
  for (size_t j = 0; j < data->sample.columns; j++) assert_close(raw[j], coefficients[j], 1e-8);
}

static scaled *engel(void) {
  return load(DATA "engel.csv", (const char *const[]){"foodexp", "income", NULL});
}

static scaled *stackloss(void) {
  return load(DATA "stackloss.csv",
              (const char *const[]){"stack.loss", "Air.Flow", "Water.Temp", "Acid.Conc.", NULL});
}

static void engel_exact(void **state) {
  (void)state;
  scaled *data = engel();
  exact(data, 0.05, (double[]){124.880040812573, 0.343361057632}, 2174.31731532);
  exact(data, 0.10, (double[]){110.141574204948, 0.401765759303}, 3869.93216099);
  exact(data, 0.25, (double[]){95.483539634553, 0.474103208193}, 7082.31589897);
  exact(data, 0.50, (double[]){81.482247416936, 0.560180551209}, 8779.96632381);
  exact(data, 0.75, (double[]){62.396585528964, 0.644014139369}, 6529.25028389);
  exact(data, 0.90, (double[]){67.350872080130, 0.686299480372}, 3391.98371103);
  exact(data, 0.95, (double[]){64.103963181055, 0.709068516962}, 1900.24422451);
  unload(data);
}

static void stackloss_exact(void **state) {
  (void)state;
  scaled *data = stackloss();
  exact(data, 0.25, NULL, 16.625); /* eight points lie on the plane: the fit may not be unique */
  exact(data, 0.50, (double[]){-39.6898550724638, 0.8318840579710, 0.5739130434783, -0.0608695652174},
        21.0405797101);
  exact(data, 0.75, NULL, 16.2521551724);
  exact(data, 0.90, (double[]){-58.5433186490455, 0.7929515418502, 1.3054331864905, 0.0381791483113},
        8.36167400881);
  unload(data);
}

static void barro_exact(void **state) {
  (void)state;
  scaled *data =
      load(DATA "barro.csv", (const char *const[]){"y.net", "lgdp2", "fse2", "gedy2", "Iy2", "gcony2", NULL});
  exact(data, 0.25, NULL, 1.04283521568);
  exact(data, 0.50, NULL, 1.30367566879);
  exact(data, 0.75,
        (double[]){0.131030179754073, -0.014885238519052, -0.000264523685654, 0.003999838999726,
                   0.145266630083079, -0.135046431405689},
        1.0121353019);
  unload(data);
}

static void engel_smoothed(void **state) {
  (void)state;
  scaled *data = engel();
  smooth(data, 0.5, TACIT_KERNEL_GAUSSIAN, 50, (double[]){93.887032485951, 0.544180622363});
  smooth(data, 0.5, TACIT_KERNEL_LOGISTIC, 50, (double[]){99.158621532666, 0.537606140666});
  smooth(data, 0.5, TACIT_KERNEL_UNIFORM, 50, (double[]){89.462604266055, 0.550511572064});
  smooth(data, 0.5, TACIT_KERNEL_EPANECHNIKOV, 50, (double[]){87.853505375945, 0.553116440406});
  smooth(data, 0.5, TACIT_KERNEL_TRIANGULAR, 50, (double[]){87.475215518592, 0.553715490826});
  smooth(data, 0.9, TACIT_KERNEL_GAUSSIAN, 50, (double[]){97.71335946433, 0.67325405755});
  unload(data);
}

static void stackloss_smoothed(void **state) {
  (void)state;
  scaled *data = stackloss();
  smooth(data, 0.5, TACIT_KERNEL_GAUSSIAN, 2,
         (double[]){-40.231429689214, 0.827024693628, 0.868400473546, -0.122196326605});
  unload(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(engel_exact),    cmocka_unit_test(stackloss_exact),    cmocka_unit_test(barro_exact),
      cmocka_unit_test(engel_smoothed), cmocka_unit_test(stackloss_smoothed),
  };
  small_table *there = small_table_read(DATA "engel.csv");
  if (!there) {
    (void)puts("no data in " DATA ": skipped");
    return 77;
  }
  small_table_free(there);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
