/* The exact moment of the rows as the default learner asks for it, against BLAS: moment ROWS COLUMNS THREADS
   prints both rates in multiply-adds a second, best of some turns that take turns. A moment has about half as
   many as the product of two different matrices that dgemm is timed on, and each counts once. */
#include "method/newton_plan.h"
#include "pass/answer.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TURNS = 5 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* About normal: the sum of four uniform numbers. */
static double draw(uint64_t *state) {
  double sum = 0;
  for (int k = 0; k < 4; k++) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    sum += (double)(int64_t)*state * 0x1p-63;
  }
  return sum * 0.866;
}

static tacit_design *make(const tacit_schema *schema, size_t rows) {
  size_t columns = schema->columns;
  tacit_design *design;
  double *x = malloc(columns * sizeof *x), y;
  uint64_t state = 1;
  if (!x || tacit_design_new(schema, NULL, 17, &design, NULL)) exit(1);
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < columns; j++) x[j] = j ? draw(&state) : 1;
    y = draw(&state);
    if (tacit_design_add(design, x, &y, NULL)) exit(1);
  }
  free(x);
  return design;
}

static double time_moment(const tacit_design *design, const tacit_schema *schema, int threads,
                          uint64_t *answer) {
  size_t columns = schema->columns - 1;
  double radius = 1.1 * sqrt((double)columns);
  const tacit_target_part target = {.spread = 1, .cut = 2, .factor = radius, .over = 2};
  const tacit_question question = {.kind = TACIT_QUESTION_ROWS,
                                   .rows = {.first = 1,
                                            .columns = columns,
                                            .stretch = 1,
                                            .targets = &target,
                                            .target_count = 1,
                                            .clip = radius,
                                            .bits = tacit_moment_bits(TACIT_WIDE_REACH, radius),
                                            .moment = true}};
  double start = now();
  if (tacit_answer_rows(design, schema, &question, threads, answer, NULL)) exit(1);
  return now() - start;
}

static double time_product(size_t n, size_t p, const double *a, double *c) {
  double start = now();
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, (int)p, (int)p, (int)n, 1, a, (int)n, a, (int)n, 0, c,
              (int)p);
  return now() - start;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  size_t n = (size_t)atof(argv[1]), p = (size_t)atof(argv[2]);
  int threads = atoi(argv[3]);
  tacit_target target = {0}; /* without costs in tiers */
  const tacit_schema schema = {.columns = p + 1, .target_count = 1, .targets = &target};
  tacit_design *design = make(&schema, n);
  double *a = malloc(n * p * sizeof *a), *c = malloc(p * p * sizeof *c), ours = INFINITY, theirs = INFINITY;
  uint64_t *answer = malloc((p + 1) * (p + 2) / 2 * sizeof *answer);
  if (!a || !c || !answer) return 1;
  for (size_t i = 0; i < n * p; i++) a[i] = (double)(i % 1021) - 510;
  for (int turn = 0; turn < TURNS; turn++) {
    ours = fmin(ours, time_moment(design, &schema, threads, answer));
    theirs = fmin(theirs, time_product(n, p, a, c));
  }
  double width = (double)p + 1, rows = (double)n;
  printf("%.6g %.6g\n", rows * width * (width + 1) / 2 / ours, rows * (double)p * (double)p / theirs);
  tacit_design_free(design);
  free(a);
  free(c);
  free(answer);
  return 0;
}
