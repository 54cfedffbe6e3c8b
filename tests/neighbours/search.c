/* The search: problem after problem, each with several neighbours of its table. */
#include "neighbours/neighbours.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NEIGHBOURS = 5, PLANNED = 12 };

/* One problem's first run, which its neighbours are compared with. */
typedef struct base {
  problem *problem;
  table table;
  unit unit;
  transcript seen;
  outcome out;
  gate gate;
  fault fault;
  planned plan;
  bool as_planned; /* the run does not choose again */
} base;

static void run_either(const base *b, const table *t, const tacit_release_probe *probe, gate *g,
                       outcome *out) {
  const tacit_watch watch = {.probe = probe, .chosen = b->as_planned ? &b->plan.choice : NULL};
  run(b->problem, t, &watch, g, out);
}

static void run_first(base *b, tally *found) {
  b->gate = (gate){.problem = b->problem, .seen = &b->seen, .tally = found};
  tacit_release_probe probe = gate_watch(&b->gate);
  run_either(b, &b->table, &probe, &b->gate, &b->out);
  if (b->gate.first > 0) tally_note(found, b->problem, "something was released before it was paid for");
  if (b->out.status != TACIT_OK && (b->gate.at || b->gate.spent))
    tally_note(found, b->problem, "refused, but not before something was spent: %s", b->out.error.text);
}

static void verify_first(const base *b, tally *found) {
  tacit_error why = {""};
  if (!b->out.policy) return;
  found->verified++;
  if (!policy_verifies(b->out.policy, &why))
    tally_note(found, b->problem, "the policy does not verify: %s", why.text);
}

/* The place of the unit's first record among the rows that are kept: of each unit the first one. */
static size_t row_of_unit(const base *b) {
  const problem *p = b->problem;
  const table *t = &b->table;
  size_t last = t->columns - 1, row = 0, at = b->unit.at[0];
  if (p->columns[last].kind != A_UNIT) return at;
  for (size_t i = 0; i < at; i++) {
    bool first = true;
    for (size_t k = 0; k < i; k++)
      first = first && t->cells[k * t->columns + last].number != t->cells[i * t->columns + last].number;
    row += first;
  }
  return row;
}

static void count_pair(const base *b, tally *found) {
  const problem *p = b->problem;
  found->pairs++;
  if (b->out.status != TACIT_OK) {
    found->refused++;
    return;
  }
  found->of_method[p->method][p->adjacency == TACIT_ADD_REMOVE]++;
  found->of_origin[p->origin]++;
  found->of_units += p->schema->rows_per_unit > 1 || p->schema->unit_column != NULL;
  found->of_lags += p->schema->largest_lag > 0;
  found->of_panels += tacit_schema_looks_up(p->schema);
  found->of_sums += p->ahead > 0;
  found->of_open += p->schema->features_public;
  if (p->sold) found->of_sold[p->times > 1]++;
  found->of_spread +=
      p->method != BY_EVALUATE && b->out.values > p->learn.quantile_count * p->schema->columns;
  found->of_threads += p->threads > 1;
}

static void compare_costs(const gate *a, const gate *b, tally *found) {
  if (a->spent != b->spent || memcmp(&a->cost, &b->cost, sizeof a->cost) != 0)
    tally_note(found, a->problem, "the two tables cost differently");
}

/* The problem on the neighbouring table, with the first one's releases. */
static void run_second(base *b, const table *other, tally *found) {
  size_t d = b->problem->schema->columns, targets = b->problem->targets;
  int64_t *linear = NULL;
  outcome out;
  gate g = {.problem = b->problem, .seen = &b->seen, .tally = found, .fault = b->fault};
  b->problem->threads = b->problem->threads % 3 + 1; /* which no sum depends on */
  if (b->unit.count) g.row = row_of_unit(b);
  g.rows = b->table.rows;
  if (b->problem->method == BY_OBJECTIVE && b->out.status == TACIT_OK) {
    g.linear = linear = calloc(targets * d, sizeof *linear);
    if (!objective_follow(b->problem, &b->plan, &b->table, other, &b->seen, b->fault, found, linear)) {
      free(linear);
      return;
    }
  }
  tacit_release_probe probe = gate_replay(&g);
  run_either(b, other, &probe, &g, &out);
  if (outcomes_agree(b->problem, &b->out, &out, found) && b->out.status == TACIT_OK && g.at != b->seen.count)
    tally_note(found, b->problem, "%zu releases on one table, %zu on the other", b->seen.count, g.at);
  compare_costs(&b->gate, &g, found);
  double mu = b->problem->method == BY_EVALUATE ? b->problem->estimate.mu : b->problem->learn.mu;
  if (mu > 0) found->whole = fmax(found->whole, sqrt(g.square) / (mu * b->problem->times));
  outcome_free(&out);
  free(linear);
}

static void compare(base *b, size_t neighbours, tally *found) {
  problem *p = b->problem;
  for (size_t k = 0; k < neighbours; k++) {
    table other;
    bool again = k && p->adjacency == TACIT_ADD_REMOVE && b->fault != ROW_BY_ROW;
    if (again) unit_draw(p, &b->table, &b->unit);
    tacit_adjacency told = p->adjacency;
    if (b->fault == ROWS_TOLD) p->adjacency = TACIT_ADD_REMOVE; /* for the neighbour alone */
    p->features_too = b->fault == FEATURES_TOO;
    table_neighbour(p, &b->table, &b->unit, &other);
    if (b->fault == ROW_BY_ROW && p->adjacency == TACIT_REPLACE_ONE) unit_scatter(p, &other, &b->unit);
    p->adjacency = told;
    count_pair(b, found);
    run_second(b, &other, found);
    table_free(&other);
  }
}

static void end_run(base *b) {
  transcript_free(&b->seen);
  outcome_free(&b->out);
}

static void search_problem(uint64_t seed, method only, fault planted, tally *found) {
  base *b = calloc(1, sizeof *b);
  if (!b) abort();
  b->problem = problem_new(seed, only);
  problem *p = b->problem;
  bool plans = p->method == BY_SGD || p->method == BY_OBJECTIVE;
  b->fault = planted;
  if (planted == ONE_RECORD_MORE) p->owned++;
  p->more = planted == CHANGED_MORE ? 1.02 : 1;
  table_draw(p, &b->table, &b->unit);
  if (planted == ROW_BY_ROW) unit_scatter(p, &b->table, &b->unit);
  bool ready = plans && planned_open(p, &b->table, &b->plan);
  run_first(b, found);
  verify_first(b, found);
  bool learned = b->out.status == TACIT_OK;
  compare(b, plans ? 1 : NEIGHBOURS, found);
  end_run(b);
  if (ready && learned) { /* the same without calibration, many times */
    b->as_planned = true;
    run_first(b, found);
    compare(b, PLANNED, found);
    end_run(b);
  }
  found->problems++;
  if (plans) planned_close(&b->plan);
  table_free(&b->table);
  unit_free(&b->unit);
  problem_free(p);
  free(b);
}

void search(uint64_t first, size_t problems, method only, fault planted, tally *found) {
  for (size_t k = 0; k < problems; k++) search_problem(first + k, only, planted, found);
}

void tally_print(const tally *found) {
  printf("%zu problems, %zu pairs of neighbouring tables (%zu refused alike), %zu releases compared\n",
         found->problems, found->pairs, found->refused, found->releases);
  printf("pairs by method (replace-one, add-remove):");
  for (size_t m = 0; m < METHODS; m++)
    printf(" %s %zu, %zu;", method_names[m], found->of_method[m][0], found->of_method[m][1]);
  printf("\nfrom columns %zu, CSV %zu, packed %zu; with several rows per unit %zu, lags %zu, threads %zu; "
         "look-ups %zu, sums %zu; other ranks' policies %zu; rules with a spread %zu; "
         "policies verified %zu\n",
         found->of_origin[FROM_COLUMNS], found->of_origin[FROM_CSV], found->of_origin[FROM_PACK],
         found->of_units, found->of_lags, found->of_threads, found->of_panels, found->of_sums,
         found->of_ranks, found->of_spread, found->verified);
  for (size_t k = 0; k < KINDS; k++)
    printf("%-15s %9zu releases, the largest distance %.9f of the stated one, %zu above it\n",
           tacit_release_name((tacit_release_kind)k), found->seen[k], found->largest[k], found->above[k]);
  for (size_t k = 0; k < KINDS; k++)
    if (found->of_whole[k][0] > 0 || found->of_whole[k][1] > 0)
      printf("%-15s of whole units: the largest distance %.9f of the stated one, %.9f under add-remove\n",
             tacit_release_name((tacit_release_kind)k), found->of_whole[k][0], found->of_whole[k][1]);
  printf(
      "where features are public (%zu pairs): scores %.9f, counts %.9f of the stated distance; where targets "
      "change by a limited amount: ramp scores %.9f, ramps %.9f\n",
      found->of_open, found->open[TACIT_RELEASE_SCORES], found->open[TACIT_RELEASE_COUNT],
      found->open[TACIT_RELEASE_SLOPED], found->open[TACIT_RELEASE_RAMP]);
  for (size_t k = 0; k < KINDS; k++)
    if (found->sold[k][0] > 0)
      printf("%-15s from events: the largest distance %.9f of the stated one (%zu pairs), of twice that "
             "where a customer is replaced %.9f (%zu)\n",
             tacit_release_name((tacit_release_kind)k), found->sold[k][0], found->of_sold[0],
             found->sold[k][1], found->of_sold[1]);
  printf("scores with a spread: the largest distance %.9f of the stated one\n", found->scaled);
  printf("all releases of a run together: the largest distance %.9f of mu\n", found->whole);
  printf("certified gradients: the largest %.6f of the stated one; sampled steps with the record: %zu; "
         "bits that differ: %zu\n",
         found->gradient, found->in_sample, found->flipped);
  if (found->first[0]) printf("%zu other differences; the first: %s\n", found->differ, found->first);
  fflush(stdout);
}
