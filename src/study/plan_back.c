/* The backwards question: the guarantee, or the number of rows, at which privacy costs so many percent.

   Prices fall along both. The cells that were tried bracket the answer; further ones halve the bracket, on a
   logarithmic scale, until its ends are close, and inside it the price is taken to be a straight line. */
#include "privacy/gdp.h"
#include "study/plan.h"

#include <assert.h>
#include <math.h>

enum { TRIES = 8 };                  /* cells more for an answer */
static const double CLOSE = 1.2;     /* ratio of a bracket's ends that is close enough */
static const double STRIDE = 3;      /* where the answer lies beyond what was tried */
static const double LEAST_MU = 1e-3; /* nobody asks for less */
static const double MOST_MU = 20;    /* nothing is hidden beyond it: whoever guesses is right */
static const double MOST_ROWS =
    10; /* times the asked ones, or as many as a mu of 20 on simulated rows stands for */

typedef struct point {
  double at; /* mu or rows */
  tacit_plan_row row;
} point;

typedef struct line {
  tacit_planner *p;
  bool by_rows; /* else by mu */
  double least, most;
  point points[TACIT_PLAN_CELLS];
  size_t count;
} line;

static tacit_status gather(line *l, tacit_error *error) {
  const tacit_plan_cell *asked = &l->p->cells[l->p->asked];
  l->count = 0;
  for (size_t k = 0; k < l->p->cell_count; k++) {
    const tacit_plan_cell *cell = &l->p->cells[k];
    if (l->by_rows ? cell->mu != asked->mu : cell->rows != asked->rows) continue;
    point new = {.at = l->by_rows ? (double)cell->rows : cell->mu};
    TACIT_TRY(tacit_plan_fill(l->p, cell, &new.row, error));
    size_t i = l->count++;
    for (; i > 0 && l->points[i - 1].at > new.at; i--) l->points[i] = l->points[i - 1];
    l->points[i] = new;
  }
  return TACIT_OK;
}

/* What an answer is sought for: the middle, or it with two standard errors, or nine problems in ten. */
typedef enum curve { MIDDLE, BELOW, ABOVE, MOST } curve;

static double value(const point *at, curve which) {
  const tacit_plan_row *row = &at->row;
  double se = isnan(row->middle_se) ? 0 : row->middle_se;
  if (which == MOST) return row->nine_in_ten;
  return row->middle + (which == BELOW ? -2 * se : which == ABOVE ? 2 * se : 0);
}

/* How many points, from the left, lie before the answer: beyond them none is too dear. */
static size_t too_dear(const line *l, curve which, double percent) {
  size_t count = l->count;
  while (count > 0 && value(&l->points[count - 1], which) <= percent) count--;
  return count;
}

static double crossing(const line *l, curve which, double percent) {
  size_t i = too_dear(l, which, percent);
  if (i == l->count) return INFINITY;
  if (i == 0) return l->points[0].at; /* or less */
  double before = value(&l->points[i - 1], which), after = value(&l->points[i], which);
  double part = before > after ? (before - percent) / (before - after) : 1;
  return exp(log(l->points[i - 1].at) + part * log(l->points[i].at / l->points[i - 1].at));
}

/* Where to look next; false: the answer is known well enough, or out of reach. */
static bool next_place(const line *l, curve which, double percent, double *at) {
  size_t i = too_dear(l, which, percent);
  const point *left = i ? &l->points[i - 1] : NULL, *right = i < l->count ? &l->points[i] : NULL;
  assert(left || right);
  if (left && right && right->at / left->at < CLOSE) return false;
  if (left && right)
    *at = sqrt(left->at * right->at);
  else
    *at = left ? fmin(left->at * STRIDE, l->most) : fmax(right->at / STRIDE, l->least);
  if (l->by_rows) *at = round(*at);
  return (!left || *at > left->at) && (!right || *at < right->at);
}

static tacit_status search(line *l, curve which, double percent, const tacit_context *context,
                           tacit_error *error) {
  tacit_planner *p = l->p;
  const tacit_plan_cell asked = p->cells[p->asked];
  double at;
  TACIT_TRY(gather(l, error));
  for (int i = 0; i < TRIES && p->cell_count < TACIT_PLAN_CELLS && next_place(l, which, percent, &at); i++) {
    TACIT_TRY(
        tacit_plan_add_cell(p, l->by_rows ? asked.mu : at, l->by_rows ? (size_t)at : asked.rows, error));
    tacit_plan_work work = {p->cell_count - 1, p->cell_count, 0, p->rounds, 1, 1};
    TACIT_TRY(tacit_plan_try(p, work, context, error));
    TACIT_TRY(gather(l, error));
  }
  return TACIT_OK;
}

static tacit_status answer_line(line *l, double percent, const tacit_context *context, double answer[4],
                                tacit_error *error) {
  TACIT_TRY(search(l, MIDDLE, percent, context, error));
  TACIT_TRY(search(l, MOST, percent, context, error));
  for (curve which = MIDDLE; which <= MOST; which++) answer[which] = crossing(l, which, percent);
  return TACIT_OK;
}

tacit_status tacit_plan_back(tacit_planner *p, const tacit_context *context, tacit_plan_answer *a,
                             tacit_error *error) {
  const tacit_plan_cell asked = p->cells[p->asked];
  double percent = p->options->percent, mu[4], rows[4], reach = (double)p->schema->rows_per_unit;
  line by_mu = {.p = p, .least = LEAST_MU * reach, .most = fmax(MOST_MU, asked.mu)};
  line by_rows = {.p = p, .by_rows = true};
  by_rows.most = fmin(round(fmax(MOST_MU * (double)p->cap / asked.mu, MOST_ROWS * (double)asked.rows)),
                      (double)(TACIT_ROWS_MAX / TACIT_PLAN_SIZES));
  by_rows.least = (double)(p->schema->columns + p->schema->largest_lag + 1);
  TACIT_TRY(answer_line(&by_mu, percent, context, mu, error));
  double per_mu = (double)asked.rows / asked.mu, rows_most = by_rows.most;
  if (asked.rows >= p->cap && fmin(mu[MIDDLE], mu[BELOW]) * per_mu >= (double)p->cap)
    /* the same rows stand for both: what counts is mu times rows */
    for (curve which = MIDDLE; which <= MOST; which++)
      rows[which] = mu[which] * per_mu, rows_most = by_mu.most * per_mu;
  else
    TACIT_TRY(answer_line(&by_rows, percent, context, rows, error));
  *a = (tacit_plan_answer){percent,     mu[MIDDLE],  mu[BELOW],  mu[ABOVE],  mu[MOST], rows[MIDDLE],
                           rows[BELOW], rows[ABOVE], rows[MOST], by_mu.most, rows_most};
  return TACIT_OK;
}
