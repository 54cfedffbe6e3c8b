/* Learners whose calibration takes longer than their learning (sgd, objective): planned once, and then run as
   planned, by the same functions that `tacit fit` runs. Their samples, and the linear term of an objective,
   are secret: the attacker has the coefficients alone. */
#include "base/base.h"
#include "data/design.h"
#include "learn/objective_plan.h"
#include "learn/sgd.h"
#include "study/audit.h"

#include <stdlib.h>
#include <string.h>

struct tacit_audit_plan {
  tacit_design *design[2];
  double rows; /* public */
  tacit_sgd_plan sgd;
  tacit_objective_plan objective;
};

void tacit_audit_plan_free(struct tacit_audit_plan *plan) {
  if (!plan) return;
  tacit_design_free(plan->design[0]);
  tacit_design_free(plan->design[1]);
  free(plan);
}

static tacit_status make_designs(tacit_audit *audit, tacit_error *error) {
  static const char *const names[] = {"z1", "z2", "y"};
  for (int k = 0; k < 2; k++) {
    const tacit_audit_table *t = &audit->table[k];
    const double *columns[] = {t->column[0], t->column[1], t->column[2]};
    tacit_read_counts counts;
    tacit_source *source;
    TACIT_TRY(tacit_design_new(audit->schema, NULL, TACIT_CELL_BITS, &audit->plan->design[k], error));
    TACIT_TRY(tacit_source_columns(t->rows, 3, names, columns, NULL, &source, error));
    tacit_status status = tacit_encode_source(source, audit->schema, true, tacit_design_add,
                                              audit->plan->design[k], &counts, NULL, error);
    tacit_source_free(source);
    TACIT_TRY(status);
  }
  return TACIT_OK;
}

tacit_status tacit_audit_make_plan(tacit_audit *audit, tacit_error *error) {
  static const double MEDIAN = 0.5;
  char note[240] = "";
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = audit->method->name;
  options.quantiles = &MEDIAN;
  options.quantile_count = 1;
  options.epsilon = audit->epsilon;
  options.delta = audit->options->delta;
  options.steps = audit->method->steps;
  options.adjacency = audit->options->adjacency;
  bool add_remove =
      options.adjacency == TACIT_ADD_REMOVE; /* batches of fixed size are for replace-one alone */
  options.batch = add_remove ? 0 : audit->method->batch;
  options.rate = add_remove && audit->method->batch ? (double)audit->method->batch / TACIT_AUDIT_ROWS : 0;
  options.nominal_rows = add_remove ? TACIT_AUDIT_ROWS : 0;
  bool sgd = !strcmp(audit->method->name, "sgd");
  audit->plan = tacit_alloc(1, sizeof *audit->plan);
  if (!audit->plan) return tacit_no_memory(error);
  audit->plan->rows = TACIT_AUDIT_ROWS;
  TACIT_TRY(make_designs(audit, error));
  TACIT_TRY(sgd ? tacit_sgd_check(audit->schema, &options, error)
                : tacit_objective_check(audit->schema, &options, error));
  return sgd ? tacit_sgd_plan_target(audit->schema, &options, audit->plan->rows, 0, &audit->plan->sgd, note,
                                     error)
             : tacit_objective_plan_target(audit->schema, &options, audit->plan->rows, 0,
                                           &audit->plan->objective, note, error);
}

tacit_status tacit_audit_run_planned(const tacit_audit *audit, int table, uint64_t seed,
                                     tacit_audit_sight *sight, tacit_error *error) {
  const struct tacit_audit_plan *plan = audit->plan;
  tacit_noise_source noise;
  tacit_certificate *certificate;
  tacit_context context;
  tacit_context_init(&context);
  context.threads = 1; /* runs go side by side */
  if (audit->options->seeded)
    tacit_noise_source_seeded(&noise, seed);
  else
    tacit_noise_source_os(&noise);
  TACIT_TRY(tacit_certificate_new("audit", &certificate, error));
  const tacit_release gate = {&noise, certificate, NULL};
  tacit_status status =
      !strcmp(audit->method->name, "sgd")
          ? tacit_sgd_run(plan->design[table], &plan->sgd, plan->rows, &context, &gate, sight->coefficients,
                          error)
          : tacit_objective_learn_target(audit->schema, plan->design[table], &plan->objective, &context,
                                         &gate, sight->coefficients, error);
  tacit_certificate_free(certificate);
  return status;
}
