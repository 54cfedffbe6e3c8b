/* Wang and Qin's section 6 says that at E[c|x] the expected SPO and SPO+ losses are equal (Theorem 9) and
   that excess SPO+ risk bounds excess SPO risk (Corollary 1). Exact expectations over small laws show that
   the first is false. */
#include "loss/spo.h"
#include "papers/reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { D = 2, FINE = 24, GRID = 41 };

typedef struct law {
  const char *texts[2]; /* region, noise */
  const char *region;
  bool spread; /* uniform on the square, as a grid of FINE x FINE midpoints; else its four corners */
  double size;
} law;
#define SIMPLEX "{\"kind\": \"simplex\", \"dimension\": 2}"
#define BALL "{\"kind\": \"ball\", \"dimension\": 2, \"radius\": 1, \"center\": [1, 1]}"
#define BOX "{\"kind\": \"polytope\", \"A\": [[-2, -1], [1, 1]], \"b\": [-1, 2]}"
static const law LAWS[] = {
    {{"simplex", "+-"}, SIMPLEX, false, 0.04},        {{"simplex", "+-"}, SIMPLEX, false, 0.25},
    {{"simplex", "+-"}, SIMPLEX, false, 0.5},         {{"simplex", "uniform"}, SIMPLEX, true, 0.25},
    {{"simplex", "uniform"}, SIMPLEX, true, 0.5},     {{"ball at (1, 1)", "+-"}, BALL, false, 0.5},
    {{"ball at (1, 1)", "uniform"}, BALL, true, 0.5}, {{"polytope", "+-"}, BOX, false, 0.5},
};
enum { COUNT = sizeof LAWS / sizeof *LAWS };
static const double CENTER[D] = {1, 1.1};

/* The outcomes of c, all equally likely, with what they cost at best. */
typedef struct outcomes {
  const tacit_region *region;
  size_t count;
  double *c, *best, *best_cost, *work;
} outcomes;

static size_t fill(const law *l, double *c) {
  size_t side = l->spread ? FINE : 2;
  for (size_t i = 0; i < side * side; i++) {
    size_t at[D] = {i / side, i % side};
    for (size_t j = 0; j < D; j++)
      c[i * D + j] =
          CENTER[j] + l->size * (l->spread ? (2 * (double)at[j] + 1) / FINE - 1 : 2 * (double)at[j] - 1);
  }
  return side * side;
}

static tacit_status expect(const outcomes *o, const double *chat, double *spo, double *plus,
                           tacit_error *error) {
  *spo = *plus = 0;
  for (size_t i = 0; i < o->count; i++) {
    double one, two;
    const double *c = o->c + i * D;
    TACIT_TRY(tacit_spo_loss(o->region, c, o->best_cost[i], chat, o->work, &one, error));
    const tacit_spo_forecast forecast = {c, o->best + i * D, chat};
    TACIT_TRY(tacit_spo_plus(o->region, 0, &forecast, o->work, &two, NULL, error));
    *spo += one / (double)o->count;
    *plus += two / (double)o->count;
  }
  return TACIT_OK;
}

/* The most by which excess SPO exceeds excess SPO+ over a grid of predictions: above 0, Corollary 1 fails. A
   polytope's linear programs take too long for it. */
static tacit_status worst(const outcomes *o, double spo, double plus, double *most, tacit_error *error) {
  *most = -INFINITY;
  for (size_t k = 0; k < GRID * GRID; k++) {
    size_t first = k / GRID, second = k % GRID;
    double chat[D] = {2.0 * (double)first / (GRID - 1), 2.2 * (double)second / (GRID - 1)}, one, two;
    TACIT_TRY(expect(o, chat, &one, &two, error));
    *most = fmax(*most, (one - spo) - (two - plus));
  }
  return TACIT_OK;
}

static tacit_status study(const law *l, outcomes *o, tacit_report *report, tacit_error *error) {
  double spo, plus, most = NAN;
  o->count = fill(l, o->c);
  for (size_t i = 0; i < o->count; i++)
    TACIT_TRY(tacit_region_minimise(o->region, o->c + i * D, NULL, o->work, o->best + i * D, &o->best_cost[i],
                                    error));
  TACIT_TRY(expect(o, CENTER, &spo, &plus, error));
  if (strcmp(l->region, BOX) != 0) TACIT_TRY(worst(o, spo, plus, &most, error));
  const double numbers[] = {l->size, spo, plus, plus / spo, most};
  return tacit_report_add(report, l->texts, numbers, error);
}

static tacit_status add_law(const law *l, tacit_report *report, tacit_error *error) {
  tacit_region *region;
  TACIT_TRY(tacit_region_parse(l->region, strlen(l->region), &region, error));
  size_t most = FINE * FINE;
  outcomes o = {.region = region};
  o.c = tacit_alloc(most * (2 * D + 1) + tacit_spo_work(region), sizeof *o.c);
  tacit_status status = o.c ? TACIT_OK : tacit_no_memory(error);
  if (status == TACIT_OK) {
    o.best = o.c + most * D;
    o.best_cost = o.best + most * D;
    o.work = o.best_cost + most;
    status = study(l, &o, report, error);
  }
  free(o.c);
  tacit_region_free(region);
  return status;
}

tacit_status tacit_reproduce_wang_losses(const tacit_reproduce_options *options, const tacit_context *context,
                                         tacit_report **report, tacit_error *error) {
  (void)options;
  static const char *const columns[] = {"region", "noise", "size", "E_SPO", "E_SPO+", "ratio", "corollary"};
  TACIT_TRY(tacit_report_new("wang-spo-vs-spoplus", 2, 5, columns, report, error));
  for (size_t k = 0; k < COUNT; k++) {
    TACIT_TRY(tacit_progress(context, "losses", (double)k / COUNT, error));
    TACIT_TRY(add_law(&LAWS[k], *report, error));
  }
  tacit_report_note(
      *report,
      "Exact expectations at the prediction chat = E[c] = (1, 1.1), where Wang and Qin's Theorem 9 says "
      "that both are equal. Its conditions hold in every row: w*(E[c]) is unique and 0 <= c <= 2 E[c]. "
      "noise: independent in both costs, +-size or uniform within it (a grid of midpoints).\n"
      "They are not equal: on the simplex with +-0.5 they are 0.225 and 0.5. The proof of Lemma 5 puts the "
      "smallest value of every coordinate in place of a decision, which no region with a trade-off "
      "contains; only with noise that never changes the decision (size 0.04) both are equal.\n"
      "corollary: the most by which excess SPO exceeds excess SPO+ over a grid of predictions; Corollary 1 "
      "says that it is at most 0, with Theorem 9 as its reason. Its condition 3 asks that c has a density "
      "on all of R^d, which contradicts 0 <= c <= 2 E[c], so no law meets all of its conditions; above 0 "
      "the inequality itself fails for that law (at chat = 0, where both losses are equal).\n"
      "No method is run and nothing is learned, so there is no certificate.");
  return TACIT_OK;
}
