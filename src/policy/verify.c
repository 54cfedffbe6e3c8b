/* Recomputes a policy's promise from the file alone: sensitivities from schema, quantile and unit, the
   guarantee from them. It trusts no stated number that it can compute, and says what it cannot know. */
#include "policy/rebuilt.h"
#include "policy/sign.h"

#include "loss/region_hash.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tacit_verdict_check(tacit_verdict *verdict, bool holds, const char *format, ...) {
  verdict->holds = verdict->holds && holds;
  if (verdict->count == TACIT_CHECKS_MAX) return;
  va_list arguments;
  va_start(arguments, format);
  verdict->checks[verdict->count].holds = holds;
  vsnprintf(verdict->checks[verdict->count].text, sizeof verdict->checks[0].text, format, arguments);
  va_end(arguments);
  verdict->count++;
}

/* The sensitivity that schema, quantile, unit and adjacency imply for a release, in units of its grid; +inf
   when they do not give one. */
static double sensitivity_of(const tacit_policy *policy, const tacit_mechanism *m) {
  double sensitivity;
  tacit_adjacency adjacency = policy->certificate->adjacency;
  if (tacit_mechanism_sensitivity(m, adjacency, policy->schema->rows_per_unit, &sensitivity, NULL) !=
      TACIT_OK)
    return INFINITY;
  return sensitivity;
}

static void check_sensitivities(const tacit_policy *policy, tacit_verdict *verdict) {
  const tacit_certificate *c = policy->certificate;
  double worst = 0;
  bool positive = c->mechanism_count > 0;
  for (size_t i = 0; i < c->mechanism_count; i++) {
    worst = fmax(worst, sensitivity_of(policy, &c->mechanisms[i]) / c->mechanisms[i].sensitivity);
    positive = positive && c->mechanisms[i].sensitivity > 0 && c->mechanisms[i].sigma <= TACIT_PLAN_SIGMA_MAX;
  }
  tacit_verdict_check(
      verdict, positive && worst <= 1,
      "stated sensitivities are at least the ones recomputed from schema, quantile, clip norm and unit "
      "(ratio %.6g)",
      worst);
}

/* Names, kinds and values of the inputs are those that the method can have; the coefficients, which are what
   is released, anything that it can give; the list of releases the one that follows. */
static void check_method(const tacit_policy *policy, const tacit_rebuilt *r, tacit_verdict *verdict) {
  const tacit_certificate *c = policy->certificate;
  tacit_verdict_check(verdict, r->inputs, "the inputs are those of the method, each within its range%s%s%s",
                      r->inputs ? "" : ": not so at \"", r->inputs ? "" : r->wrong, r->inputs ? "" : "\"");
  if (r->inputs)
    tacit_verdict_check(verdict, tacit_rebuilt_coefficients(r, policy),
                        "the coefficients are within the method's bounds");
  uint64_t listed = 0;
  for (size_t i = 0; i < c->mechanism_count; i++) listed += c->mechanisms[i].count;
  tacit_verdict_check(
      verdict, listed > 0 && listed == c->releases && r->listed,
      "every release of %.20s is listed: %llu of %llu, as its inputs ask for, each with its noise", c->method,
      (unsigned long long)listed, (unsigned long long)c->releases);
}

tacit_certificate *tacit_policy_recomputed(const tacit_policy *policy) {
  tacit_certificate *again;
  if (!policy->certificate->mechanism_count ||
      tacit_certificate_copy(policy->certificate, &again, NULL) != TACIT_OK)
    return NULL;
  for (size_t i = 0; i < again->mechanism_count; i++) {
    tacit_mechanism *m = &again->mechanisms[i];
    m->sensitivity = fmax(m->sensitivity, sensitivity_of(policy, m));
  }
  return again;
}

/* From the stated noise, per kind of mechanism. A privacy curve takes a while for each kind of release: for a
   list that is not the method's, and may be as long as a file can be, it is not computed. */
static void check_guarantee(const tacit_policy *policy, bool whole, tacit_verdict *verdict) {
  const tacit_certificate *c = policy->certificate;
  tacit_certificate *again = tacit_policy_recomputed(policy);
  if (c->mu != 0) {
    if (again) verdict->mu = tacit_certificate_mu(again);
    tacit_verdict_check(verdict, c->mu > 0 && c->mu <= TACIT_MU_MAX && verdict->mu <= c->mu,
                        "all releases together are %.9g-GDP; %.9g is claimed", verdict->mu, c->mu);
  } else {
    verdict->epsilon = c->epsilon;
    verdict->delta = again && whole ? tacit_certificate_delta(again, c->epsilon) : INFINITY;
    bool ranges = c->epsilon > 0 && c->epsilon <= TACIT_EPSILON_MAX && c->delta > 0 && c->delta < 1;
    tacit_verdict_check(verdict, ranges && verdict->delta <= c->delta,
                        "all releases together have delta %.9g at epsilon %.9g; %.9g is claimed",
                        verdict->delta, c->epsilon, c->delta);
  }
  tacit_certificate_free(again);
}

static void check_unit(const tacit_policy *policy, tacit_verdict *verdict) {
  const tacit_certificate *c = policy->certificate;
  bool add_remove = c->adjacency == TACIT_ADD_REMOVE;
  tacit_error error = {""};
  /* under add-remove `rows` is public by declaration: the schema's, or the command's, which is then an input
   */
  const tacit_setting *nominal = tacit_certificate_find(c, "nominal_rows");
  size_t declared = nominal ? c->rows : 0;
  /* what a query's result has in rows is as private as its records; decisions are not learned from it */
  const tacit_method *method = tacit_method_certified(c->method, policy->region != NULL);
  /* an engine answers the questions of methods that ask some, about records */
  bool held = !c->engine_rows || (!c->result_rows && method && !(method->needs & TACIT_NEEDS_ONE_PLACE));
  bool sound = held && ((add_remove && !policy->region) || !c->result_rows) &&
               tacit_schema_check_promise(policy->schema, c->adjacency, declared, &error) == TACIT_OK &&
               tacit_schema_check_units(policy->schema, &error) == TACIT_OK &&
               (nominal ? add_remove && nominal->number == (double)c->rows : true) &&
               (add_remove && !nominal ? c->rows == policy->schema->nominal_rows : true) &&
               (add_remove || c->rows >= policy->schema->columns);
  tacit_verdict_check(
      verdict, sound && c->rows_per_unit == policy->schema->rows_per_unit && c->rows > 0,
      "unit: %zu row%s%s%s, %s, limit %s; adjacency %s%s%s%s%s", policy->schema->rows_per_unit,
      policy->schema->rows_per_unit > 1 ? "s" : "", c->result_rows ? " of a query's result" : "",
      policy->schema->change > 0 ? ", whose targets it moves by at most the schema's change; features public"
      : policy->schema->features_public ? ", of which targets are private and features public"
                                        : "",
      add_remove ? "number of rows private" : "number of rows public",
      tacit_certificate_find(c, "units")      ? "enforced while reading, its rows clipped as a whole"
      : tacit_schema_enforces(policy->schema) ? "enforced while reading"
      : policy->schema->unit_given            ? "asserted by the schema"
                                              : "one row",
      add_remove ? "add-remove" : "replace-one",
      tacit_schema_looks_up(policy->schema) ? "; rows that look a record up are counted with it" : "",
      c->engine_rows ? "; rows held by the caller's engine" : "", sound ? "" : ": ", error.text);
}

/* A policy over a region names the one it was learned for; another one must not. */
static void check_region(const tacit_policy *policy, tacit_verdict *verdict) {
  const char *stated = policy->certificate->region_hash;
  char hash[65] = "";
  if (!policy->region && !stated[0]) return;
  bool hashed = policy->region && tacit_region_hash(policy->region, hash, NULL) == TACIT_OK;
  tacit_verdict_check(verdict, hashed && !strcmp(hash, stated), "the region is the one that was certified");
}

/* Whatever the file says in words or as (epsilon, delta) is written again from its numbers and must be the
   same; so is everything else, and nothing may stand in it that this program would not write. The same values
   in other bytes, by white space, by the order of keys or by how a number is spelt, could hold a message. */
static void check_derived(const tacit_policy *policy, tacit_verdict *verdict) {
  if (!policy->file) return;
  json_t *again = tacit_policy_to_json(policy);
  tacit_verdict_check(verdict, json_equal(again, policy->file),
                      "statement, (epsilon, delta) and all else follow from the numbers");
  bool same = tacit_policy_bytes_are(policy, again);
  tacit_verdict_check(verdict, same, "the file is, byte for byte, what tacit writes%s",
                      same ? "" : ": it was edited or laid out anew; verify the file as the fit wrote it");
  json_decref(again);
}

/* Whatever its ledger says, the receipt was given for this release or for another one. */
static void check_receipt(const tacit_policy *policy, tacit_verdict *verdict) {
  const char *stated = policy->certificate->receipt.commitment;
  char commitment[65];
  if (!stated[0]) return;
  tacit_verdict_check(
      verdict, tacit_policy_commitment(policy, commitment, NULL) == TACIT_OK && !strcmp(commitment, stated),
      "the receipt was given for this release: method, schema, inputs, guarantee and noise");
}

static void check_signature(const tacit_policy *policy, tacit_verdict *verdict) {
  if (!policy->signer[0]) return;
  tacit_verdict_check(verdict, tacit_policy_check_signature(policy, NULL) == TACIT_OK,
                      "the signature fits the file and the key %s", policy->signer);
}

void tacit_policy_verify(const tacit_policy *policy, tacit_verdict *verdict) {
  *verdict = (tacit_verdict){.holds = true, .mu = INFINITY};
  const tacit_certificate *c = policy->certificate;
  check_signature(policy, verdict);
  if (!c) {
    tacit_verdict_check(verdict, false, "the file has coefficients but no certificate");
    return;
  }
  tacit_verdict_check(verdict, !strcmp(policy->schema_hash, policy->schema->hash),
                      "the schema is the one that was certified");
  check_region(policy, verdict);
  tacit_verdict_check(verdict, c->private, "the policy claims to be private%s%s", c->private ? "" : ": no, ",
                      c->reason);
  tacit_verdict_check(verdict, c->noise == TACIT_NOISE_OS,
                      "the noise is claimed to come from the operating system's entropy");
  if (c->noise == TACIT_NOISE_NONE) return;
  check_unit(policy, verdict);
  check_derived(policy, verdict);
  check_sensitivities(policy, verdict);
  tacit_rebuilt rebuilt;
  tacit_rebuild(policy, &rebuilt);
  check_method(policy, &rebuilt, verdict);
  check_guarantee(policy, rebuilt.listed, verdict);
  tacit_rebuilt_free(&rebuilt);
  check_receipt(policy, verdict);
}
