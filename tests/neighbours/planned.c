/* What sgd and objective choose, once for many tables: calibration takes far longer than learning. */
#include "neighbours/neighbours.h"

#include "data/read.h"

#include <stdlib.h>

tacit_design *design_of(const problem *p, const table *t) {
  tacit_design *design = NULL;
  tacit_read_counts counts;
  opened o;
  if (p->origin == FROM_PACK) source_pack(p, t);
  source_open(p, t, 0, &o);
  if (tacit_read_design(o.source, p->schema, NULL, &design, &counts, NULL, NULL) != TACIT_OK) abort();
  source_close(&o);
  return design;
}

bool planned_open(const problem *p, const table *t, planned *plan) {
  const tacit_learn_options *o = &p->learn;
  const tacit_method *asked = tacit_method_find(o->method, false);
  size_t nominal = o->nominal_rows ? o->nominal_rows : p->schema->nominal_rows;
  *plan = (planned){.facts = {.schema = p->schema,
                              .quantiles = o->quantiles,
                              .rows = (double)(p->adjacency == TACIT_ADD_REMOVE ? nominal : t->rows),
                              .epsilon = o->epsilon,
                              .delta = o->delta,
                              .adjacency = p->adjacency}};
  return tacit_choice_open(&plan->choice, &plan->facts, NULL) == TACIT_OK &&
         tacit_plan_open(&plan->plan, &plan->facts, NULL) == TACIT_OK &&
         asked->check(&plan->facts, o, NULL) == TACIT_OK &&
         asked->choose(&plan->facts, o, &plan->choice, NULL) == TACIT_OK &&
         asked->plan(&plan->facts, &plan->choice, &plan->plan, NULL) == TACIT_OK;
}

void planned_close(planned *plan) {
  tacit_choice_close(&plan->choice);
  tacit_plan_close(&plan->plan);
}
