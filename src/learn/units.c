/* Units as a whole: how many rows they have and how far their parts of a step reach, from a noisy number of
   units in each of some bins; and what their parts are then held to. A clip far below what most units reach
   moves what is learned, one far above it is paid for in noise: it goes where few units lie above, as far as
   noise lets that be seen (proofs/units.md). */
#include "base/base.h"
#include "learn/median_newton.h"
#include "method/newton_plan.h"
#include "num/normal.h"

#include <math.h>

/* Of the units, how many may lie above the clip: of noisy releases more, since bias is small beside noise, of
   rich ones hardly any. Far from the median fewer: those that lie above are the ones that tell where the
   quantile is. And standard deviations of the noise that do not count as units. */
static const double FEW = 0.1, RICH_FEW = 0.02, SEEN = 1.5;
static const double OUTER = 0.2, OUTER_SEEN = 1;

static double on_grid(double level) {
  return ldexp(rint(ldexp(level, TACIT_SCORE_BITS)), -TACIT_SCORE_BITS);
}

tacit_unit_parts tacit_newton_units(const tacit_newton *newton, double within, double below) {
  const double *c = newton->unit;
  return (tacit_unit_parts){
      .whole = newton->recipe.units, .clip = {c[0], c[1], c[2]}, .level = {0, within, below}};
}

tacit_unit_parts tacit_newton_part(const tacit_newton *newton, double part) {
  double size = *tacit_newton_clips(&newton->task->choice, newton->place, TACIT_CLIP_SIZE);
  return (tacit_unit_parts){.whole = newton->recipe.units, .clip = {part * size}};
}

double tacit_newton_less(const tacit_newton *newton, double level) {
  return newton->recipe.units ? newton->n * on_grid(level) : 0;
}

/* What counts as few of all units, and as noise of one bin. */
typedef struct sight {
  double few, noise;
  bool outer;
} sight;

/* From where so many lie above, as far as can be seen, to where so few do, were sums normal. */
static double inflated(double few, double seen) {
  return tacit_normal_quantile(1 - few / 2) / tacit_normal_quantile(1 - fmin(0.5, seen) / 2);
}

static sight look_at(const tacit_newton *newton, double level, double sigma) {
  double outer = fmin(level, 1 - level) / OUTER, few = FEW + (RICH_FEW - FEW) * newton->recipe.rich;
  return (sight){fmin(1, outer) * few, (outer < 1 ? OUTER_SEEN : SEEN) * sigma, outer < 1};
}

/* From the top: the first bin with which more than a few units lie above. Inside it units are taken to lie
   evenly on the logarithmic scale. Where noise might hide half of them there is nothing to be seen. */
static double clip_of(const double bins[TACIT_UNIT_BINS], sight seen, double most, double unseen) {
  double all = 0, above = 0;
  for (int i = 0; i < TACIT_UNIT_BINS; i++) all += bins[i];
  for (int i = 0; i < TACIT_UNIT_BINS - 1; i++) {
    double noise = seen.noise * sqrt((double)i + 1), few = seen.few * all + noise, here = fmax(bins[i], 0);
    if (!(noise < all / 2)) return unseen;
    if (above + here > few) {
      double inside = fmax(0, fmin(1, (few - above) / here));
      double top = i ? tacit_unit_edge(most, i - 1) : most;
      return fmin(most, top * exp2(-inside / 2) * (seen.outer ? inflated(seen.few, few / all) : 1));
    }
    above += bins[i];
  }
  return tacit_unit_edge(most, TACIT_UNIT_BINS - 2);
}

/* One of the parts of a step at this level: released, and turned into a clip. */
static tacit_status find_clip(tacit_newton *newton, uint64_t *bins, double level, double most, double unseen,
                              double *clip, tacit_error *error) {
  double counted[TACIT_UNIT_BINS], sigma;
  TACIT_TRY(tacit_release_sum(&newton->task->gate, newton->target, TACIT_RELEASE_UNITS, bins, counted, &sigma,
                              error));
  *clip = clip_of(counted, look_at(newton, level, sigma), most, unseen);
  return TACIT_OK;
}

tacit_status tacit_newton_size(tacit_newton *newton, tacit_error *error) {
  const tacit_question rows = {
      .kind = TACIT_QUESTION_COUNT,
      .units = {.whole = true, .most = (double)newton->schema->rows_per_unit},
      .count = {.value = TACIT_VALUE_TARGET, .at = INFINITY, .target = newton->column}};
  if (!newton->recipe.units) return TACIT_OK;
  tacit_task *task = newton->task;
  uint64_t bins[TACIT_UNIT_BINS];
  double *clip = task->choice.unit + newton->place * TACIT_UNIT_CLIPS + TACIT_CLIP_SIZE;
  tacit_status status = tacit_rows_ask(&task->rows, &rows, bins, error);
  if (status == TACIT_OK)
    status = find_clip(newton, bins, 0.5, rows.units.most, rows.units.most, clip, error);
  tacit_wipe(bins, sizeof bins);
  tacit_newton_early(newton);
  return status == TACIT_OK ? tacit_task_plan_on(task, error) : status;
}

void tacit_newton_early(tacit_newton *newton) {
  const tacit_unit_parts early = tacit_newton_part(newton, TACIT_UNIT_EARLY);
  for (int i = 0; i < 3; i++) newton->unit[i] = early.clip[0];
}

tacit_status tacit_newton_reach(tacit_newton *newton, const tacit_question *question, tacit_unit_clip kind,
                                const bool parts[3], tacit_error *error) {
  if (!newton->recipe.units) return TACIT_OK;
  tacit_task *task = newton->task;
  tacit_question asked = *question;
  uint64_t bins[3][TACIT_UNIT_BINS];
  size_t goal = kind == TACIT_CLIP_QUANTILE ? newton->goal : newton->first, at = 0;
  double *clip = task->choice.unit + goal * TACIT_UNIT_CLIPS + kind;
  asked.units.most = tacit_newton_part(newton, 1).clip[0]; /* the rows that most units have */
  double unseen = tacit_newton_part(newton, TACIT_UNIT_EARLY).clip[0];
  tacit_status status = tacit_rows_ask(&task->rows, &asked, bins[0], error);
  for (int i = 0; i < 3 && status == TACIT_OK; i++) {
    if (i == 0 && !question->scores.scores) continue;
    if (parts[i]) {
      status =
          find_clip(newton, bins[at], question->units.level[2], asked.units.most, unseen, &clip[i], error);
      newton->unit[i] = clip[i];
    }
    at++;
  }
  tacit_wipe(bins, sizeof bins);
  return status == TACIT_OK ? tacit_task_plan_on(task, error) : status;
}
