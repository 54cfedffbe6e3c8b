/* One run of a problem's method on a table, and what is left of it: coefficients, the policy, what was spent.
 */
#include "neighbours/neighbours.h"

#include <stdio.h>
#include <stdlib.h>
#include <tacit/policy.h>

/* The policy as its file has it. */
static char *policy_text(const problem *p, const tacit_fit *fit) {
  tacit_policy *policy = NULL;
  tacit_goal goals[TARGETS_MOST];
  tacit_error error;
  for (size_t t = 0; t < p->learn.quantile_count; t++) goals[t] = (tacit_goal){.quantile = p->quantiles[t]};
  tacit_status status = tacit_policy_from_fit(p->schema, p->region, fit, goals, &policy, &error);
  if (status != TACIT_OK) return strdup(error.text);
  char *text = tacit_policy_text(policy);
  tacit_policy_free(policy);
  return text;
}

/* A seed is all that may be wrong with a policy. Its first fault goes to *why. */
bool policy_verifies(const char *text, tacit_error *why) {
  tacit_policy *policy = NULL;
  tacit_verdict verdict = {.holds = false};
  bool right = tacit_policy_parse(text, strlen(text), &policy, why) == TACIT_OK;
  if (right) tacit_policy_verify(policy, &verdict);
  for (size_t k = 0; k < verdict.count && right; k++) {
    const char *said = verdict.checks[k].text;
    right = verdict.checks[k].holds || strstr(said, "claims to be private") || strstr(said, "entropy");
    if (!right) snprintf(why->text, sizeof why->text, "%.200s", said);
  }
  tacit_policy_free(policy);
  return right;
}

static bool same_certificate(const tacit_certificate *a, const tacit_certificate *b) {
  if (!a || !b) return a == b;
  bool same = !strcmp(a->method, b->method) && a->private == b->private && !strcmp(a->reason, b->reason) &&
              a->adjacency == b->adjacency && a->rows_per_unit == b->rows_per_unit && a->rows == b->rows &&
              a->mu == b->mu && a->epsilon == b->epsilon && a->delta == b->delta && a->noise == b->noise &&
              !strcmp(a->region_hash, b->region_hash) && a->releases == b->releases &&
              a->mechanism_count == b->mechanism_count && a->setting_count == b->setting_count;
  for (size_t k = 0; same && k < a->mechanism_count; k++)
    same = same_mechanism(&a->mechanisms[k], &b->mechanisms[k]);
  for (size_t k = 0; same && k < a->setting_count; k++)
    same = !strcmp(a->settings[k].name, b->settings[k].name) &&
           a->settings[k].number == b->settings[k].number &&
           !strcmp(a->settings[k].text, b->settings[k].text);
  return same;
}

static void keep(const problem *p, tacit_fit *fit, outcome *out) {
  if (!fit) return;
  size_t linear = fit->targets * fit->columns;
  size_t spread = fit->spread ? linear + fit->targets : 0, state = fit->state ? fit->columns : 0;
  out->values = linear + spread + state;
  out->coefficients = malloc(out->values * sizeof *out->coefficients);
  memcpy(out->coefficients, fit->coefficients, linear * sizeof *out->coefficients);
  if (fit->spread) memcpy(out->coefficients + linear, fit->spread, spread * sizeof *out->coefficients);
  if (fit->state)
    memcpy(out->coefficients + linear + spread, fit->state->centre, state * sizeof *out->coefficients);
  snprintf(out->note, sizeof out->note, "%s", fit->note);
  if (p->whole) out->policy = policy_text(p, fit);
  if (tacit_certificate_copy(fit->certificate, &out->certificate, NULL) != TACIT_OK) abort();
  tacit_fit_free(fit);
}

static void run_estimate(const problem *p, const table *t, const tacit_context *context,
                         const tacit_release_probe *probe, gate *g, outcome *out) {
  tacit_estimate_options options = p->estimate;
  tacit_estimate estimates[TARGETS_MOST];
  opened o;
  options.spend = gate_spend;
  options.spend_user = g;
  memset(estimates, 0, sizeof estimates);
  source_open(p, t, 0, &o);
  out->status =
      tacit_estimate_cost_probed(p->schema, o.source, &options, context, probe, estimates, &out->error);
  source_close(&o);
  if (out->status != TACIT_OK) return;
  size_t bytes = p->targets * sizeof *estimates;
  out->values = bytes / sizeof(double);
  out->coefficients = malloc(bytes);
  memcpy(out->coefficients, estimates, bytes);
}

static void run_fit(const problem *p, const table *t, const tacit_context *context, const tacit_watch *watch,
                    gate *g, outcome *out) {
  tacit_learn_options learn = p->learn;
  tacit_fit *fit = NULL;
  opened o;
  learn.spend = gate_spend;
  learn.spend_user = g;
  source_open(p, t, 0, &o);
  out->status = tacit_learn_watched(p->schema, o.source, &learn, context, watch, &fit, &out->error);
  source_close(&o);
  keep(p, fit, out);
}

static void run_in_parts(const problem *p, const table *t, const tacit_watch *watch, gate *g, outcome *out) {
  outcome outs[RANKS_MOST];
  tacit_fit *fits[RANKS_MOST] = {NULL};
  tacit_learn_options learn = p->learn;
  memset(outs, 0, sizeof outs);
  learn.spend = gate_spend;
  learn.spend_user = g;
  run_ranks(p, t, &learn, watch, outs, fits);
  for (size_t r = 0; r < p->ranks; r++) keep(p, fits[r], &outs[r]);
  *out = outs[0];
  for (size_t r = 1; r < p->ranks; r++) {
    if (out->status == TACIT_OK && outcomes_agree(p, out, &outs[r], g->tally)) g->tally->of_ranks++;
    outcome_free(&outs[r]);
  }
}

void run(const problem *p, const table *t, const tacit_watch *watch, gate *g, outcome *out) {
  tacit_context context;
  tacit_context_init(&context);
  context.threads = p->threads;
  *out = (outcome){0};
  if (p->origin == FROM_PACK) source_pack(p, t);
  if (p->ranks > 1)
    run_in_parts(p, t, watch, g, out);
  else if (p->method == BY_EVALUATE)
    run_estimate(p, t, &context, watch->probe, g, out);
  else
    run_fit(p, t, &context, watch, g, out);
}

bool outcomes_agree(const problem *p, const outcome *a, const outcome *b, tally *found) {
  if (a->status != b->status || (a->status != TACIT_OK && strcmp(a->error.text, b->error.text) != 0))
    tally_note(found, p, "\"%s\" on one table, \"%s\" on the other", a->status ? a->error.text : "done",
               b->status ? b->error.text : "done");
  else if (a->values != b->values ||
           (a->values && memcmp(a->coefficients, b->coefficients, a->values * sizeof(double)) != 0))
    tally_note(found, p, "the coefficients differ");
  else if (!same_certificate(a->certificate, b->certificate))
    tally_note(found, p, "the certificates differ");
  else if (!a->policy != !b->policy || (a->policy && strcmp(a->policy, b->policy) != 0))
    tally_note(found, p, "the policies differ");
  else if (strcmp(a->note, b->note) != 0)
    tally_note(found, p, "the notes differ");
  else
    return true;
  return false;
}

void outcome_free(outcome *o) {
  free(o->coefficients);
  free(o->policy);
  tacit_certificate_free(o->certificate);
  *o = (outcome){0};
}
