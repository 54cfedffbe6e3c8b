/* Wang and Qin's Figure 3: SPO loss against the number of rows, without privacy, Algorithms 1 and 2 as
   published, and tacit's own at meaningful budgets. */
#include "papers/reproduce.h"
#include "papers/wang/trials.h"

#include <math.h>

enum { REPETITIONS = 5, WAYS = 6, SIZES = 6, SIZES_MAX = 32 };
static const size_t ROWS[SIZES] = {50, 100, 200, 300, 400, 500};

static const struct {
  const char *label;
  tacit_wang_way way;
  double mu;
} CURVES[WAYS] = {
    {"without noise", TACIT_WANG_WAY_PLAIN, 0},     {"Algorithm 1", TACIT_WANG_WAY_EVERY, 0},
    {"Algorithm 2", TACIT_WANG_WAY_GAUSSIAN, 0},    {"tacit, mu = 0.3", TACIT_WANG_WAY_TACIT, 0.3},
    {"tacit, mu = 0.5", TACIT_WANG_WAY_TACIT, 0.5}, {"tacit, mu = 0.9", TACIT_WANG_WAY_TACIT, 0.9},
};

tacit_status tacit_reproduce_wang_figure3(const tacit_reproduce_options *o, const tacit_context *context,
                                          tacit_report **report, tacit_error *error) {
  static const char *const columns[] = {"method", "n", "loss", "variance"};
  size_t repetitions = tacit_repetitions(o, REPETITIONS);
  size_t sizes = o->rows ? o->row_count : SIZES;
  TACIT_TRY(tacit_report_new("wang-figure3", 1, 3, columns, report, error));
  tacit_wang_study *study;
  TACIT_TRY(tacit_wang_study_new(o->seed, &study, error));
  tacit_status status = TACIT_OK;
  for (size_t k = 0; k < WAYS * sizes && status == TACIT_OK; k++) {
    tacit_wang_cell cell = {CURVES[k / sizes].way, (o->rows ? o->rows : ROWS)[k % sizes], 10, 0.4,
                            CURVES[k / sizes].mu};
    tacit_wang_result result;
    if (cell.rows > 2000) {
      status = tacit_fail(error, TACIT_USAGE, "--rows must be at most 2000: the algorithms take n^2 steps");
      break;
    }
    status =
        tacit_wang_study_run(study, &cell, repetitions, tacit_part_of("private decisions", k, WAYS * sizes),
                             context, &result, error);
    const double numbers[] = {(double)cell.rows, result.mean, result.variance};
    if (status == TACIT_OK) status = tacit_report_add(*report, &CURVES[k / sizes].label, numbers, error);
  }
  tacit_wang_study_free(study);
  TACIT_TRY(status);
  tacit_report_note(
      *report,
      "SPO loss on 10000 fresh rows, mean and variance over %zu repetitions, at the paper's (epsilon, "
      "delta) = (10, 0.4), which promises next to nothing. Algorithm 1 has the whole epsilon at every "
      "step, the reading that gives losses of the published size; it releases the gradient's norm and has "
      "NO guarantee. Algorithm 2's noise promises mu = 7.4 where ||x|| <= sqrt 3, else nothing. "
      "Assumptions as in wang-table1.\n"
      "tacit: `spo fit --method default`, mu-GDP under replace-one, seeded noise here; the algorithms as "
      "published carry no certificate.",
      repetitions);
  return TACIT_OK;
}
