/* The plan of learners that go by Newton steps, which grows as they go on: `median-newton`, whose rules are
   linear, and `location-scale`, whose rules have a spread as well. */
#ifndef TACIT_SRC_NEWTON_PLAN_H
#define TACIT_SRC_NEWTON_PLAN_H

#include "method/method.h"
#include "method/shares.h"

/* Features, steps, scales; and, of rules with a spread alone, whether they say how sure they are, and whether
   units are clipped as a whole. */
enum { TACIT_NEWTON_INPUTS = 3, TACIT_NEWTON_ALL_INPUTS = 5 };
extern const tacit_input tacit_newton_inputs[TACIT_NEWTON_ALL_INPUTS];

/* The parts of a method (method/method.h), with rules that have a spread or without. */
tacit_status tacit_newton_choose(const tacit_facts *facts, bool spread, tacit_choice *choice,
                                 tacit_error *error) TACIT_CHECKED;
/* The releases up to the moment while a radius is not found, up to the steps while their clip norm is not, up
   to the count of a tail while the way after that is open, else all of them. */
tacit_status tacit_newton_plan_all(const tacit_facts *facts, const tacit_choice *choice,
                                   tacit_release_plan *plan, tacit_error *error) TACIT_CHECKED;
/* The same after a choice was settled further: what is complete stays in the plan, the rest is made again. */
tacit_status tacit_newton_plan_on(const tacit_facts *facts, tacit_choice *choice, tacit_release_plan *plan,
                                  tacit_error *error) TACIT_CHECKED;
bool tacit_newton_read_list(const tacit_facts *facts, const tacit_certificate *certificate, bool spread,
                            tacit_choice *choice);
bool tacit_newton_possible(const tacit_facts *facts, const tacit_choice *choice, const char **wrong);
bool tacit_newton_slopes(const tacit_choice *choice);

/* A target's guarantee for one row of a unit; where units are clipped as a whole, for one of those rows that
   they may be expected to reach as far as. */
double tacit_newton_mu(const tacit_facts *facts, const tacit_choice *choice);
/* Of the rows that most units have, what is taken of one before its scores are: for counts of the target, for
   sums of rows, and of scores until it is known how far they reach. Powers of two: exact both ways. */
#define TACIT_UNIT_TARGET 0.125
#define TACIT_UNIT_ROWS 0.25
#define TACIT_UNIT_EARLY 0.25
#define TACIT_UNIT_LEAST 0x1p-14 /* of the rows of a unit, what its part may be held to */
/* What the median has is for the quantile too. */
void tacit_newton_take_median(const tacit_facts *facts, tacit_choice *choice, size_t goal);
/* The clips of one kind of step. */
const double *tacit_newton_clips(const tacit_choice *choice, size_t goal, tacit_unit_clip kind);
/* Whether how far units reach at a quantile is counted there: else it is what it was at the median. */
bool tacit_newton_counts_reach(const tacit_recipe *recipe, double tau);
/* How many numbers of a step that is: its scores if there are features, rows within where spreads differ, and
   rows below. */
uint64_t tacit_newton_reach_parts(const tacit_recipe *recipe);
/* Whether units are clipped as a whole: the schema says whose each row is, and no unit has more rows than can
   lie together. Not where intervals are asked for, whose variances are of rows. */
bool tacit_newton_whole_units(const tacit_schema *schema, bool intervals);
/* Whether it is worth it: by quantiles, rows and guarantee. */
bool tacit_newton_sees_tail(const tacit_facts *facts);
/* The rules that all targets share. */
void tacit_newton_settle(const tacit_facts *facts, bool spread, tacit_choice *choice);
/* A goal's own rules: with a spread they depend on its quantile, and on the goals that it shares with. */
void tacit_newton_recipe(const tacit_facts *facts, const tacit_choice *choice, size_t goal,
                         tacit_recipe *recipe);
/* Where goals share: whose the releases of a goal's target are, and those of the rows; whether a goal is the
   first of its target. */
size_t tacit_newton_of_target(const tacit_facts *facts, size_t goal);
size_t tacit_newton_of_rows(const tacit_facts *facts);
bool tacit_newton_begins(const tacit_facts *facts, size_t goal);
size_t tacit_newton_first(const tacit_facts *facts, size_t goal); /* goal of its target */
/* Of the counts that a bisection of a far quantile takes, each one's share. */
double tacit_newton_bisection_share(const tacit_recipe *recipe);
/* The norm that scores at the quantile are clipped to, in a rule with a spread: it is one column more. */
double tacit_newton_scaled_clip(const tacit_recipe *recipe, double clip);

/* The level that scores are asked at. Where features are public it is always 1/2: what is missing to another
   one is then known exactly, and a score moves by 1 at most (proofs/public-features.md). */
double tacit_newton_asked(const tacit_recipe *recipe, double level);

/* The grid of vectors behind a moment of this radius. */
int tacit_moment_bits(int reach, double clip);

#endif
