/* sgd and objective as planned once, for many tables: calibration takes far longer than learning. */
#include "neighbours/neighbours.h"

#include <stdlib.h>

tacit_design *design_of(const problem *p, const table *t) {
  tacit_design *design = NULL;
  tacit_read_counts counts;
  opened o;
  source_open(p, t, 0, &o);
  if (tacit_design_new(p->schema, NULL, TACIT_CELL_BITS, &design, NULL) != TACIT_OK ||
      tacit_encode_source(o.source, p->schema, true, tacit_design_add, design, &counts, NULL, NULL) !=
          TACIT_OK)
    abort();
  source_close(&o);
  return design;
}

bool planned_open(const problem *p, const table *t, planned *plan) {
  char note[240];
  size_t nominal = p->learn.nominal_rows ? p->learn.nominal_rows : p->schema->nominal_rows;
  plan->rows = (double)(p->adjacency == TACIT_ADD_REMOVE ? nominal : t->rows);
  if (p->method == BY_SGD)
    return tacit_sgd_plan_target(p->schema, &p->learn, plan->rows, 0, &plan->sgd, note, NULL) == TACIT_OK;
  for (size_t k = 0; k < p->targets; k++)
    if (tacit_objective_plan_target(p->schema, &p->learn, plan->rows, k, &plan->objective[k], note, NULL) !=
        TACIT_OK)
      return false;
  return true;
}

void planned_run(const planned *plan, const problem *p, const table *t, const tacit_release_probe *probe,
                 outcome *out) {
  tacit_noise_source noise;
  tacit_certificate *certificate = NULL;
  tacit_context context;
  tacit_design *design = design_of(p, t);
  tacit_context_init(&context);
  context.threads = p->threads;
  tacit_noise_source_seeded(&noise, p->learn.seed);
  *out = (outcome){.values = p->schema->columns};
  out->coefficients = calloc(out->values, sizeof *out->coefficients);
  out->status = tacit_certificate_new("search", &certificate, &out->error);
  const tacit_release at = {&noise, certificate, probe};
  if (out->status == TACIT_OK)
    out->status =
        p->method == BY_SGD
            ? tacit_sgd_run(design, &plan->sgd, plan->rows, &context, &at, out->coefficients, &out->error)
            : tacit_objective_learn_target(p->schema, design, plan->objective, &context, &at,
                                           out->coefficients, &out->error);
  tacit_certificate_free(certificate);
  tacit_design_free(design);
}
