/* The learners of `tacit spo fit`, as the audit runs them: two costs, and decisions in the unit disc, where
   opposite costs have opposite best decisions.

   Descent and least squares release noisy sums and go through the probe like the learners of `tacit fit`.
   Exponential descent releases one bit at a time along a random direction: what the policy holds is looked at
   alone. Of the rule the first cost's coefficients are seen, where the canary pulls. */
#include "learn/spo.h"
#include "study/audit.h"

#include <string.h>

static void ask(const tacit_audit *audit, uint64_t seed, tacit_spo_options *options) {
  const tacit_audit_options *o = audit->options;
  tacit_spo_options_init(options);
  options->method = audit->method->spo;
  if (audit->method->curve) {
    options->epsilon = audit->epsilon;
    options->delta = o->delta;
  } else {
    options->mu = o->mu;
  }
  options->steps = audit->method->steps;
  options->adjacency = o->adjacency;
  options->nominal_rows = o->adjacency == TACIT_ADD_REMOVE ? TACIT_AUDIT_ROWS : 0;
  options->seeded = tacit_audit_seeded(audit);
  options->seed = tacit_audit_noise_seed(audit, seed);
  if (audit->method->clips) options->clip_norm = tacit_audit_clip(audit);
}

tacit_status tacit_audit_pass_spo(const tacit_audit *audit, int table, uint64_t seed,
                                  const tacit_release_probe *probe, double *coefficients,
                                  tacit_error *error) {
  static const char *const names[] = {"z1", "z2", "y", "c"};
  const tacit_audit_table *t = &audit->table[table];
  const double *columns[] = {t->column[0], t->column[1], t->column[2], t->column[3]};
  tacit_spo_options options;
  ask(audit, seed, &options);
  tacit_context context;
  tacit_context_init(&context);
  context.threads = 1; /* runs go side by side */
  tacit_source *source = NULL;
  tacit_fit *fit = NULL;
  TACIT_TRY(tacit_source_columns(t->rows, 4, names, columns, NULL, &source, error));
  tacit_status status =
      tacit_spo_learn_probed(audit->schema, source, audit->region, &options, &context, probe, &fit, error);
  if (status == TACIT_OK) memcpy(coefficients, fit->coefficients, TACIT_AUDIT_COLUMNS * sizeof *coefficients);
  tacit_fit_free(fit);
  tacit_source_free(source);
  return status;
}

tacit_status tacit_audit_run_spo(const tacit_audit *audit, int table, uint64_t seed, tacit_audit_sight *sight,
                                 tacit_error *error) {
  if (!audit->method->transcript)
    return tacit_audit_pass_spo(audit, table, seed, NULL, sight->coefficients, error);
  return tacit_audit_see(audit, tacit_audit_pass_spo, table, seed, sight, NULL, error);
}
