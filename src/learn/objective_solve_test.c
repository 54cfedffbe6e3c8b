/* The exact gradient against plain doubles, its certified bound, and a solver that always gets there. */
#include "learn/objective_gradient.h"
#include "privacy/objective.h"
#include "random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 300, D = 4, BITS = 40 };
static int32_t cells[ROWS * D], targets[ROWS];
static int64_t linear[D];
static tacit_clipped_rows rows = {ROWS, D, cells, targets};
static tacit_kernel_table table;

static void draw_rows(tacit_stream *s, double spread) {
  for (int i = 0; i < ROWS; i++) {
    double y = 0.3;
    for (int j = 0; j < D; j++) {
      double x = j ? fmax(-7, fmin(7, tacit_normal(s) * (j == 3 ? spread : 1))) : 1;
      cells[i * D + j] = (int32_t)ldexp(x, TACIT_CELL_BITS);
      y += 0.5 * x;
    }
    targets[i] = (int32_t)ldexp(fmax(-60, fmin(60, y + tacit_normal(s))), TACIT_TARGET_BITS);
  }
  for (int j = 0; j < D; j++) linear[j] = (int64_t)ldexp(10 * tacit_normal(s), BITS);
}

static tacit_perturbed problem_of(tacit_kernel kernel, double h, double lambda) {
  double steepest = tacit_objective_steepest(tacit_kernel_facts(kernel)->name) / h;
  assert_true(tacit_kernel_table_fill(&table, kernel));
  return (tacit_perturbed){.rows = &rows,
                           .table = &table,
                           .tau = 0.7,
                           .bandwidth = h,
                           .lambda = lambda,
                           .steepest = steepest,
                           .smoothness = steepest * 200,
                           .slack = ROWS * 15 * 0x1p-56,
                           .linear = linear,
                           .linear_bits = BITS,
                           .threads = 1};
}

/* The gradient in long doubles, with the kernel itself or its table. */
static void plain_gradient(const tacit_perturbed *p, tacit_kernel kernel, bool smooth,
                           const tacit_int128 *theta, double *g) {
  long double sum[D], b[D];
  for (int j = 0; j < D; j++) {
    b[j] = ldexpl((long double)theta[j], -TACIT_THETA_BITS);
    sum[j] = p->lambda * b[j] + ldexpl((long double)linear[j], -BITS);
  }
  for (int i = 0; i < ROWS; i++) {
    long double u = -ldexpl(targets[i], -TACIT_TARGET_BITS), score;
    for (int j = 0; j < D; j++) u += ldexpl(cells[i * D + j], -TACIT_CELL_BITS) * b[j];
    u /= p->bandwidth;
    long double at = (u + 32) * 64;
    int k = at < 0 ? 0 : at > TACIT_TABLE_STEPS - 1 ? TACIT_TABLE_STEPS - 1 : (int)at;
    long double part = at < 0 ? 0 : at > TACIT_TABLE_STEPS ? 1 : at - k;
    score = ((long double)table.value[k] + part * (table.value[k + 1] - table.value[k])) * 0x1p-32L;
    if (smooth) score = tacit_kernel_cdf(kernel, (double)u);
    for (int j = 0; j < D; j++)
      sum[j] += (score - (long double)p->tau) * ldexpl(cells[i * D + j], -TACIT_CELL_BITS);
  }
  for (int j = 0; j < D; j++) g[j] = (double)sum[j];
}

static void the_gradient_is_the_problems(void **state) {
  (void)state;
  tacit_noise_source source;
  tacit_stream s;
  tacit_noise_source_seeded(&source, 11);
  assert_int_equal(tacit_stream_begin(&source, &s, NULL), TACIT_OK);
  for (int k = 0; k < 60; k++) {
    tacit_kernel kernel = (tacit_kernel)(k % TACIT_KERNELS);
    draw_rows(&s, 1);
    tacit_perturbed p = problem_of(kernel, 0.05 + 0.3 * tacit_uniform(&s), 0.25 * (1 + k));
    tacit_int128 theta[D], sums[D];
    double slopes[ROWS], g[D], plain[D], smooth[D], norm = 0;
    for (int j = 0; j < D; j++) theta[j] = (tacit_int128)ldexp(tacit_normal(&s), TACIT_THETA_BITS);
    double bound = tacit_perturbed_gradient_slopes(&p, theta, g, slopes, sums);
    plain_gradient(&p, kernel, false, theta, plain);
    plain_gradient(&p, kernel, true, theta, smooth);
    for (int j = 0; j < D; j++) {
      assert_true(fabs(g[j] - plain[j]) < 1e-11);               /* the table's, all but exactly */
      assert_true(fabs(g[j] - smooth[j]) < 5e-3 + 1e-4 * ROWS); /* the kernel's, up to the table's step */
      norm = hypot(norm, g[j]);
    }
    assert_true(bound >= norm && bound < norm * (1 + 1e-11) + 1e-12);
    for (int i = 0; i < ROWS; i++) assert_true(slopes[i] >= 0 && slopes[i] <= p.steepest);
  }
  tacit_stream_end(&s);
}

/* Smooth and kinked kernels, narrow and wide, well and badly scaled: a certified gradient, for one thread and
   three the same solution. */
static void the_solver_always_gets_there(void **state) {
  (void)state;
  tacit_noise_source source;
  tacit_stream s;
  tacit_noise_source_seeded(&source, 12);
  assert_int_equal(tacit_stream_begin(&source, &s, NULL), TACIT_OK);
  size_t most = 0;
  for (int k = 0; k < 90; k++) {
    tacit_kernel kernel = (tacit_kernel)(k % TACIT_KERNELS);
    draw_rows(&s, k % 2 ? 1 : 0.01);
    tacit_perturbed p = problem_of(kernel, pow(10, -3 + 4 * tacit_uniform(&s)), k % 3 ? 8 : 0.0625);
    double M = ROWS * p.smoothness + p.lambda, g[D], slopes[ROWS],
           gamma = 4 * (M * sqrt(D) * 0x1p-65 + p.slack);
    tacit_int128 theta[D], again[D], sums[D];
    size_t passes;
    tacit_solver_room room;
    assert_int_equal(tacit_solver_room_new(&rows, 3, &room, NULL), TACIT_OK); /* also room for one */
    assert_int_equal(tacit_perturbed_solve(&p, gamma, &room, NULL, theta, &passes, NULL), TACIT_OK);
    assert_true(tacit_perturbed_gradient_slopes(&p, theta, g, slopes, sums) <= gamma);
    most = passes > most ? passes : most;
    p.threads = 3;
    assert_int_equal(tacit_perturbed_solve(&p, gamma, &room, NULL, again, NULL, NULL), TACIT_OK);
    tacit_solver_room_free(&room);
    assert_memory_equal(theta, again, sizeof theta);
  }
  assert_true(most < 3000); /* narrow uniform kernels with next to no ridge; most take ten */
  tacit_stream_end(&s);
}

/* Sparse rows, a bandwidth of a hundred-thousandth and a ridge a millionth of the curvature: what epsilon of
   16 allows. */
static void draw_sparse_rows(tacit_stream *s) {
  for (int i = 0; i < ROWS; i++) {
    for (int j = 0; j < D; j++)
      cells[i * D + j] = tacit_uniform(s) < 0.1 ? (int32_t)ldexp(7 * tacit_uniform(s), TACIT_CELL_BITS) : 0;
    double kind = tacit_uniform(s), y = kind < 0.3 ? 0 : kind < 0.6 ? tacit_normal(s) : i % 2 ? 63 : -63;
    targets[i] = (int32_t)ldexp(y, TACIT_TARGET_BITS);
  }
  for (int j = 0; j < D; j++) linear[j] = (int64_t)ldexp(tacit_normal(s), BITS);
}

static bool asked_too_often(void *user) {
  int *asked = user;
  return ++*asked > 5000;
}

/* By steepest descent these would take billions of passes, and the budget is spent by then. */
static void narrow_kernels_do_not_end_in_descent(void **state) {
  (void)state;
  tacit_noise_source source;
  tacit_stream s;
  tacit_noise_source_seeded(&source, 13);
  assert_int_equal(tacit_stream_begin(&source, &s, NULL), TACIT_OK);
  for (int k = 0; k < 300; k++) {
    draw_sparse_rows(&s);
    double h = ldexp(1, -10 - k % 8);
    tacit_perturbed p = problem_of((tacit_kernel)(k % TACIT_KERNELS), h, 0x1p-6);
    p.lambda = fmax(0x1p-6, ldexp(1, (int)log2(p.smoothness * 1e-7)));
    double gamma = 4 * ((ROWS * p.smoothness + p.lambda) * sqrt(D) * 0x1p-65 + p.slack) + 1e-11;
    tacit_int128 theta[D];
    tacit_solver_room room;
    int asked = 0;
    tacit_context context = {.threads = 1, .cancelled = asked_too_often, .user = &asked};
    assert_int_equal(tacit_solver_room_new(&rows, 1, &room, NULL), TACIT_OK);
    assert_int_equal(tacit_perturbed_solve(&p, gamma, &room, &context, theta, NULL, NULL), TACIT_OK);
    tacit_solver_room_free(&room);
  }
  tacit_stream_end(&s);
}

static void clipped_rows_are_within_the_norm(void **state) {
  (void)state;
  static const char text[] =
      "{\"target\": {\"name\": \"y\", \"center\": 0, \"scale\": 1}, \"features\": ["
      "{\"name\": \"a\", \"center\": 0, \"scale\": 1}, {\"name\": \"b\", \"center\": 0, \"scale\": 1}]}";
  tacit_schema *schema;
  tacit_design *design;
  tacit_clipped_rows clipped;
  uint64_t random = 88172645463325252u;
  assert_int_equal(tacit_schema_parse(text, strlen(text), &schema, NULL), TACIT_OK);
  for (int k = 0; k < 40; k++) {
    double clip = 0.3 + 0.1 * k, y = 0;
    assert_int_equal(tacit_design_new(schema, NULL, TACIT_CELL_BITS, &design, NULL), TACIT_OK);
    for (int i = 0; i < 200; i++) {
      double x[3] = {1, 0, 0};
      for (int j = 1; j < 3; j++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        x[j] = (double)(int64_t)random * 0x1p-60; /* within 8 */
      }
      if (i == 7) x[1] = NAN;
      assert_int_equal(tacit_design_add(design, x, &y, NULL), TACIT_OK);
    }
    assert_int_equal(tacit_clipped_rows_new(design, &clipped, NULL), TACIT_OK);
    tacit_clipped_rows_fill(design, 0, clip, &clipped);
    for (size_t i = 0; i < clipped.rows; i++) {
      double square = 0, direction = 0;
      for (int j = 0; j < 3; j++) {
        square += (double)clipped.cells[i * 3 + j] * clipped.cells[i * 3 + j];
        direction +=
            (double)clipped.cells[i * 3 + j] * design->stored.block[0].cells[j * TACIT_BLOCK + (int)i];
      }
      assert_true(sqrt(square) <= ldexp(clip, TACIT_CELL_BITS));
      assert_true(i == 7 || direction > 0); /* shortened, not dropped */
    }
    tacit_clipped_rows_free(&clipped);
    tacit_design_free(design);
  }
  tacit_schema_free(schema);
}

static void the_steepest_slope_is_the_kernels(void **state) {
  (void)state;
  for (int k = 0; k < TACIT_KERNELS; k++) {
    const tacit_kernel_constants *facts = tacit_kernel_facts((tacit_kernel)k);
    double steepest = tacit_objective_steepest(facts->name), slope = 0;
    assert_true(steepest >= facts->sup + 0.9 * 0x1p-20 && steepest < facts->sup + 1e-5);
    assert_true(tacit_kernel_table_fill(&table, (tacit_kernel)k));
    assert_true(table.value[0] == 0 && table.value[TACIT_TABLE_STEPS] == INT64_C(1) << 32);
    for (int i = 0; i < TACIT_TABLE_STEPS; i++) {
      assert_true(table.value[i] <= table.value[i + 1]);
      slope = fmax(slope, 64 * ldexp((double)(table.value[i + 1] - table.value[i]), -32));
    }
    assert_true(slope <= steepest && slope > 0.98 * facts->sup);
  }
  assert_true(tacit_objective_steepest("none") == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_gradient_is_the_problems),
      cmocka_unit_test(the_solver_always_gets_there),
      cmocka_unit_test(narrow_kernels_do_not_end_in_descent),
      cmocka_unit_test(clipped_rows_are_within_the_norm),
      cmocka_unit_test(the_steepest_slope_is_the_kernels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
