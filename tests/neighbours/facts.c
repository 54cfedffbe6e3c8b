/* What the tests assert about a search. */
#include "neighbours/neighbours.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

void assert_nothing_moves_further(const tally *found) {
  if (found->first[0]) fail_msg("%s", found->first);
  for (size_t k = 0; k < KINDS; k++) assert_true(found->above[k] == 0 && found->largest[k] <= 1);
  assert_int_equal(found->differ, 0);
  assert_true(found->whole <= 1 && found->gradient <= 1);
}

static const double WHOLE_FLOOR = 0.98;

void assert_not_vacuous(const tally *found, double floor) {
  for (size_t k = 0; k < KINDS; k++)
    if (!(found->largest[k] > (k == TACIT_RELEASE_MINIMISER ? 0 : floor)))
      fail_msg("%s came no nearer than %g", tacit_release_name((tacit_release_kind)k), found->largest[k]);
  assert_true(found->gradient > 0); /* Newton's method mostly ends far inside what is certified */
  assert_true(found->whole > floor);
  static const tacit_release_kind WHOLE[] = {TACIT_RELEASE_SCORES, TACIT_RELEASE_ROWS, TACIT_RELEASE_MOMENT,
                                             TACIT_RELEASE_COUNT, TACIT_RELEASE_UNITS};
  for (size_t i = 0; i < 2 * sizeof WHOLE / sizeof *WHOLE; i++)
    if (!(found->of_whole[WHOLE[i / 2]][i % 2] > WHOLE_FLOOR))
      fail_msg("%s of whole units came no nearer than %g", tacit_release_name(WHOLE[i / 2]),
               found->of_whole[WHOLE[i / 2]][i % 2]);
  assert_true(found->of_open);
  static const tacit_release_kind OPEN[] = {TACIT_RELEASE_SCORES, TACIT_RELEASE_COUNT, TACIT_RELEASE_RAMP,
                                            TACIT_RELEASE_SLOPED};
  for (size_t i = 0; i < 4; i++)
    if (!(found->open[OPEN[i]] > floor))
      fail_msg("where features are public %s came no nearer than %g", tacit_release_name(OPEN[i]),
               found->open[OPEN[i]]);
  if (!(found->scaled > floor)) fail_msg("scores with a spread came no nearer than %g", found->scaled);
  for (size_t m = 0; m < METHODS; m++)
    assert_true(found->of_method[m][0] && (found->of_method[m][1] || m == BY_BOUNDED_CHANGE));
  assert_true(found->of_spread > found->of_method[BY_LOCATION_SCALE][0]); /* more than half */
  for (size_t o = 0; o < ORIGINS; o++) assert_true(found->of_origin[o]);
  assert_true(found->of_ranks && found->of_units && found->of_lags && found->of_threads);
  assert_true(found->verified);
  assert_true(found->in_sample && found->flipped && found->refused);
  assert_true(found->refused < found->pairs / 10);
}

void assert_events_are_searched(const tally *found, double floor) {
  static const tacit_release_kind RAMPS[] = {TACIT_RELEASE_RAMP, TACIT_RELEASE_SLOPED};
  for (size_t i = 0; i < 2; i++) {
    if (!(found->sold[RAMPS[i]][0] > floor))
      fail_msg("from events %s came no nearer than %g", tacit_release_name(RAMPS[i]),
               found->sold[RAMPS[i]][0]);
    assert_true(found->sold[RAMPS[i]][1] > 0.5); /* somebody else is on other rows */
  }
  assert_true(found->of_sold[0] && found->of_sold[1] && found->verified);
  assert_true(found->refused < found->pairs / 10);
}

static bool can_have(fault f, method m) {
  if (f == SOLVED_TOO_SOON) return m == BY_OBJECTIVE;
  if (f == ANOTHER_SAMPLE) return m == BY_SGD;
  if (f == ROW_BY_ROW) return m == BY_LOCATION_SCALE;
  if (f == CHANGED_MORE) return m == BY_BOUNDED_CHANGE;
  if (f == FEATURES_TOO) return m == BY_LOCATION_SCALE; /* which takes from them what it can */
  if (f == STATED_TOO_SMALL || f == ONE_RECORD_MORE)
    return m != BY_SPO_EXPONENTIAL; /* any two tables are alike */
  return true;
}

void assert_faults_are_found(size_t problems) {
  /* out of eight: sgd and objective have many neighbours and take long, evaluation has one release */
  static const size_t OF_EIGHT[METHODS] = {8, 8, 8, 8, 8, 8, 2, 2, 8, 8, 4, 80, 16};
  for (fault f = NO_FAULT + 1; f < FAULTS; f++)
    for (method m = 0; m < METHODS; m++) {
      tally found = {0};
      size_t above = 0;
      if (!can_have(f, m)) continue;
      size_t times = f == ROW_BY_ROW ? 5 : 1; /* few schemas have a column of units */
      search(1, times * problems * OF_EIGHT[m] / 8, m, f, &found);
      for (size_t k = 0; k < KINDS; k++) above += found.above[k];
      bool caught = f == NOT_FORCED || f == ROWS_TOLD || f == ANOTHER_SAMPLE || f == FEATURES_TOO
                        ? found.differ > 0
                        : above > 0;
      if (!caught) fail_msg("fault %d in %s was not found", (int)f, method_names[m]);
    }
}

void assert_faults_of_events_are_found(size_t problems) {
  static const fault FAULT[] = {STATED_TOO_SMALL, ONE_RECORD_MORE, CHANGED_MORE, NOT_FORCED};
  for (size_t i = 0; i < sizeof FAULT / sizeof *FAULT; i++) {
    tally found = {0};
    size_t above = 0;
    search(EVENTS, problems, BY_BOUNDED_CHANGE, FAULT[i], &found);
    for (size_t k = 0; k < KINDS; k++) above += found.above[k];
    if (!(FAULT[i] == NOT_FORCED ? found.differ > 0 : above > 0))
      fail_msg("fault %d of events was not found", (int)FAULT[i]);
  }
}
