/* The private pass against the memory it reads, threads, stochastic steps and samplers: pass ROWS COLUMNS
   prints lines "name tacit peer unit", times in seconds or rates. */
#include "base/base.h"
#include "data/design.h"
#include "learn/learners.h"
#include "method/methods.h"
#include "pass/score_sum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TURNS = 15 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Every cell once, four bytes each, as fast as it goes. */
__attribute__((target_clones("avx512f", "avx2", "default"))) static int32_t read_block(const int32_t *cells,
                                                                                       size_t count) {
  int32_t all = 0;
  for (size_t i = 0; i < count; i++) all ^= cells[i];
  return all;
}

/* As many cells as there are features. */
static double time_read(const tacit_design *design, size_t features, int threads) {
  double start = now();
  int32_t all = 0;
  size_t count = features * TACIT_BLOCK;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(^ : all)
  for (size_t b = 0; b < design->blocks; b++) all ^= read_block(tacit_design_block(design, b).cells, count);
  volatile int32_t keep = all;
  (void)keep;
  return now() - start;
}

static double time_pass(const tacit_design *design, int threads, const double *b, uint64_t *sum) {
  tacit_score_pass pass = {.tau = 0.7, .kernel = TACIT_KERNEL_GAUSSIAN, .bandwidth = 0.1, .coefficients = b};
  if (tacit_score_bound_set(&pass.bound, pass.tau, 4, design->cell_bits, NULL)) exit(1);
  double start = now();
  tacit_score_sum(design, &pass, threads, sum);
  return now() - start;
}

static void fill(tacit_design *design, size_t rows) {
  static double x[TACIT_TILE * 64], y[TACIT_TILE];
  uint64_t state = 1;
  tacit_row_store store = tacit_design_store(design);
  void *scratch = malloc(store.scratch);
  if (!scratch || store.reserve(store.self, rows, NULL)) exit(1);
  for (size_t i = 0; i < rows; i += TACIT_TILE) {
    for (size_t k = 0; k < TACIT_TILE * design->columns; k++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      x[k] = k < TACIT_TILE ? 1 : (double)(int64_t)state * 0x1p-62;
    }
    memcpy(y, x + TACIT_TILE, sizeof y);
    tacit_tile tile = {
        .count = rows - i < TACIT_TILE ? rows - i : TACIT_TILE, .stride = TACIT_TILE, .x = x, .y = y};
    store.put(store.self, i, &tile, scratch);
  }
  if (store.keep(store.self, rows, NULL)) exit(1);
  free(scratch);
}

static double smaller(double a, double b) {
  return a < b ? a : b;
}

static void time_samplers(void) {
  enum { DRAWS = 1000000 };
  tacit_noise_source source;
  tacit_stream stream;
  tacit_noise_source_os(&source);
  if (tacit_stream_begin(&source, &stream, NULL)) exit(1);
  double best = 1e9;
  volatile int64_t keep = 0;
  for (int turn = 0; turn < TURNS; turn++) {
    double start = now();
    int64_t all = 0;
    for (int i = 0; i < DRAWS; i++) all ^= tacit_gaussian_integer(&stream, 1e6);
    best = smaller(best, now() - start);
    keep = all;
  }
  (void)keep;
  printf("samplers %.6g 0 draws/s\n", DRAWS / best); /* pass.bench has the peer */
  tacit_stream_end(&stream);
}

/* The learner's task by hand, without the calibration that comes before it. */
static double time_task(tacit_task *task, size_t steps) {
  const tacit_mechanism run = {.kind = TACIT_RELEASE_SAMPLED,
                               .dimension = 3,
                               .level = 0.7,
                               .clip = 1.5,
                               .bits = 33,
                               .count = steps,
                               .sigma = 0x1p33};
  tacit_choice *choice = &task->choice;
  if (tacit_choice_open(choice, &task->facts, NULL) || tacit_plan_open(&task->plan, &task->facts, NULL) ||
      tacit_plan_add(&task->plan, &run, NULL) ||
      tacit_certificate_new("bench", &task->fit->certificate, NULL))
    exit(1);
  choice->steps = steps;
  choice->batch = 1;
  choice->kernel = TACIT_KERNEL_GAUSSIAN;
  choice->clip_norm = run.clip;
  choice->theta[0] = 4;
  choice->bandwidth[0] = 0.1;
  choice->step_size[0] = 0.01;
  tacit_gate_open(&task->gate, NULL, NULL);
  task->gate.plan = &task->plan;
  task->gate.certificate = task->fit->certificate;
  double start = now();
  if (tacit_learn_sgd(task, NULL)) exit(1);
  double took = now() - start;
  tacit_plan_close(&task->plan);
  tacit_choice_close(choice);
  tacit_certificate_free(task->fit->certificate);
  return took;
}

/* One record a step, three columns with the intercept, exact noise, one thread; the peer is the bar. */
static void time_steps(void) {
  enum { ROWS = 10000, STEPS = 2000000 };
  static const char text[] = "{\"target\": {\"name\": \"y\", \"center\": 0, \"scale\": 1}, \"features\": ["
                             "{\"name\": \"a\", \"center\": 0, \"scale\": 1},"
                             "{\"name\": \"b\", \"center\": 0, \"scale\": 1}]}";
  static const double tau = 0.7;
  tacit_schema *schema;
  tacit_design *design;
  tacit_learn_options options;
  double best = 1e9, b[3];
  tacit_fit fit = {.columns = 3, .targets = 1, .coefficients = b};
  tacit_learn_options_init(&options);
  if (tacit_schema_parse(text, strlen(text), &schema, NULL) ||
      tacit_design_new(schema, NULL, TACIT_CELL_BITS, &design, NULL))
    exit(1);
  fill(design, ROWS);
  tacit_task task = {.method = &tacit_method_sgd,
                     .schema = schema,
                     .options = &options,
                     .facts = {.schema = schema, .quantiles = &tau, .rows = ROWS},
                     .fit = &fit};
  if (tacit_answerer_new(schema, design, NULL, &task.rows.own, NULL)) exit(1);
  for (int turn = 0; turn < TURNS; turn++) best = smaller(best, time_task(&task, STEPS));
  printf("sgp-steps %.6g %.6g steps/s\n", STEPS / best, 8e6);
  tacit_rows_close(&task.rows); /* and the design */
  tacit_schema_free(schema);
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  size_t rows = (size_t)atof(argv[1]), features = (size_t)atof(argv[2]);
  if (features < 1 || features > 60) return 2;
  char json[8192];
  int at = snprintf(json, sizeof json,
                    "{\"target\": {\"name\": \"y\", \"center\": 0, \"scale\": 1}, \"features\": [");
  for (size_t j = 0; j < features; j++)
    at += snprintf(json + at, sizeof json - (size_t)at, "%s{\"name\": \"x%zu\", \"center\": 0, \"scale\": 1}",
                   j ? ", " : "", j);
  strcpy(json + at, "]}");
  tacit_schema *schema;
  tacit_design *design;
  tacit_error error;
  if (tacit_schema_parse(json, strlen(json), &schema, &error) ||
      tacit_design_new(schema, NULL, TACIT_CELL_BITS, &design, &error))
    return fprintf(stderr, "pass: %s\n", error.text), 1;
  fill(design, rows);
  /* The default learner's pass goes over whitened rows: here over the features, as they are. */
  double b[64] = {0.1, 0.5, -0.2}, read = 1e9, wide = 1e9, one = 1e9, two = 1e9, matrix[64 * 64] = {0};
  uint64_t sum[64];
  tacit_design *white;
  const tacit_image image = {
      .matrix = matrix, .columns = features, .cell_bits = TACIT_WHITE_BITS, .narrow = true};
  for (size_t j = 0; j < features; j++) matrix[j * (features + 1) + j + 1] = 1;
  if (tacit_design_transform(design, &image, 2, &white, &error))
    return fprintf(stderr, "pass: %s\n", error.text), 1;
  for (int turn = 0; turn < TURNS; turn++) {
    read = smaller(read, time_read(design, features, 2));
    wide = smaller(wide, time_pass(design, 2, b, sum));
    two = smaller(two, time_pass(white, 2, b, sum));
    one = smaller(one, time_pass(white, 1, b, sum));
  }
  printf("bandwidth %.6g %.6g s\n", two, read);
  printf("bandwidth-four-bytes %.6g %.6g s\n", wide, read);
  printf("threads-2 %.6g %.6g s\n", two, one);
  tacit_design_free(white);
  time_samplers();
  time_steps();
  tacit_design_free(design);
  tacit_schema_free(schema);
  return 0;
}
