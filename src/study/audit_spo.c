/* The learners of `tacit spo fit` as the audit runs them, over the unit disc: a cost and its opposite make
   opposite decisions, so that the canary's gradient has full size on both tables. */
#include "base/base.h"
#include "learn/spo.h"
#include "study/audit.h"

#include <string.h>

static const char DISC[] = "{\"kind\": \"ball\", \"dimension\": 2, \"radius\": 1}";

tacit_status tacit_audit_pass_spo(const tacit_audit *audit, int table, uint64_t seed,
                                  const tacit_release_probe *probe, double *coefficients,
                                  tacit_error *error) {
  static const char *const names[] = {"z1", "z2", "y", "w"};
  const tacit_audit_table *t = &audit->table[table];
  const double *columns[] = {t->column[0], t->column[1], t->column[2], t->column[1]};
  tacit_spo_options options;
  tacit_spo_options_init(&options);
  options.method = audit->method->region;
  if (audit->method->curve) {
    options.epsilon = audit->epsilon;
    options.delta = audit->options->delta;
  } else {
    options.mu = audit->options->mu;
  }
  options.steps = audit->method->steps;
  options.adjacency = audit->options->adjacency;
  options.nominal_rows = audit->options->adjacency == TACIT_ADD_REMOVE ? TACIT_AUDIT_ROWS : 0;
  options.seeded = tacit_audit_seeded(audit);
  options.seed = tacit_audit_noise_seed(audit, seed);
  tacit_context context;
  tacit_context_init(&context);
  context.threads = 1; /* runs go side by side */
  tacit_region *region = NULL;
  tacit_source *source = NULL;
  tacit_fit *fit = NULL;
  TACIT_TRY(tacit_region_parse(DISC, strlen(DISC), &region, error));
  tacit_status status = tacit_source_columns(t->rows, 4, names, columns, NULL, &source, error);
  if (status == TACIT_OK)
    status = tacit_spo_learn_probed(audit->schema, source, region, &options, &context, probe, &fit, error);
  /* the rule of the first cost, in which the tables differ */
  if (status == TACIT_OK) memcpy(coefficients, fit->coefficients, TACIT_AUDIT_COLUMNS * sizeof *coefficients);
  tacit_fit_free(fit);
  tacit_source_free(source);
  tacit_region_free(region);
  return status;
}

tacit_status tacit_audit_run_spo_plain(const tacit_audit *audit, int table, uint64_t seed,
                                       tacit_audit_sight *sight, tacit_error *error) {
  return tacit_audit_pass_spo(audit, table, seed, NULL, sight->coefficients, error);
}
