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
/* Units that lie as a whole beyond the quantile, in standard deviations of a bin's noise: fewer than this and
   not even their count says much, more and their bins can be seen. */
static const double TAIL_LEAST = 0.5, TAIL_MOST = 3;

static double on_grid(double level) {
  return ldexp(rint(ldexp(level, TACIT_SCORE_BITS)), -TACIT_SCORE_BITS);
}

tacit_unit_parts tacit_newton_units(const tacit_newton *newton, double within, double below) {
  const double *c = newton->unit;
  return (tacit_unit_parts){.whole = newton->recipe.units,
                            .clip = {c[0], c[1], c[2]},
                            .level = {0, within, below},
                            .lean = {0, 0, newton->leans ? below : 0},
                            .leaving = newton->task->facts.adjacency == TACIT_ADD_REMOVE};
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

/* How large a clip may be, and how large it is where nothing is seen. */
typedef struct clip_room {
  double most, unseen;
} clip_room;

/* One of the parts of a step at this level: released with noise of *sigma, and turned into a clip. */
static tacit_status find_clip(tacit_newton *newton, uint64_t *bins, double level, clip_room room,
                              double *clip, double *sigma, tacit_error *error) {
  double counted[TACIT_UNIT_BINS];
  TACIT_TRY(tacit_release_sum(&newton->task->gate, newton->target, TACIT_RELEASE_UNITS, bins, counted, sigma,
                              error));
  *clip = clip_of(counted, look_at(newton, level, *sigma), room.most, room.unseen);
  return TACIT_OK;
}

/* Whole units of `most` rows lie beyond the quantile, or may, and noise hides how many. A count of rows below
   it, each less the level, has such a unit reach far to one side and little to the other: a clip that is the
   same on both sides, and shorter than that, takes from one side only, and the quantile that is found lies
   too near the median. Held to what `most` rows can add, on each side, units weigh less, but alike. Steps in
   spreads of each row take large numbers for news, and are left as they are. */
static bool leans(const tacit_newton *newton, double most, double sigma) {
  double beyond = fmin(newton->tau, 1 - newton->tau) * newton->n / most / sigma;
  bool outer = tacit_recipe_is_outer(newton->tau) && newton->d && !newton->recipe.scaled;
  return outer && beyond >= TAIL_LEAST && beyond < TAIL_MOST;
}

/* So that no unit adds more than the radius, or none that is replaced moves more than two. */
static double leaning_clip(const tacit_newton *newton, double most) {
  bool leaving = newton->task->facts.adjacency == TACIT_ADD_REMOVE;
  return most * (leaving ? fmax(newton->tau, 1 - newton->tau) : 0.5);
}

tacit_status tacit_newton_size(tacit_newton *newton, tacit_error *error) {
  const tacit_question rows = {
      .kind = TACIT_QUESTION_COUNT,
      .units = {.whole = true, .most = (double)newton->schema->rows_per_unit},
      .count = {.value = TACIT_VALUE_TARGET, .at = INFINITY, .target = newton->column}};
  if (!newton->recipe.units) return TACIT_OK;
  tacit_task *task = newton->task;
  uint64_t bins[TACIT_UNIT_BINS];
  double sigma, *clip = task->choice.unit + newton->place * TACIT_UNIT_CLIPS + TACIT_CLIP_SIZE;
  tacit_status status = tacit_rows_ask(&task->rows, &rows, bins, error);
  if (status == TACIT_OK)
    status = find_clip(newton, bins, 0.5, (clip_room){rows.units.most, rows.units.most}, clip, &sigma, error);
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
  const clip_room room = {asked.units.most, tacit_newton_part(newton, TACIT_UNIT_EARLY).clip[0]};
  double sigma;
  tacit_status status = tacit_rows_ask(&task->rows, &asked, bins[0], error);
  for (int i = 0; i < 3 && status == TACIT_OK; i++) {
    if (i == 0 && !question->scores.scores) continue;
    if (parts[i]) {
      status = find_clip(newton, bins[at], question->units.level[2], room, &clip[i], &sigma, error);
      if (status == TACIT_OK && kind == TACIT_CLIP_QUANTILE && i == 2 && leans(newton, room.most, sigma)) {
        newton->leans = true;
        clip[i] = leaning_clip(newton, room.most);
      }
      newton->unit[i] = clip[i];
    }
    at++;
  }
  tacit_wipe(bins, sizeof bins);
  return status == TACIT_OK ? tacit_task_plan_on(task, error) : status;
}
