/* The certificate to and from its JSON object (docs/formats/policy.md). Scales are stated in encoded units:
   grid units times 2^-(cell_bits + 16), which is exact. */
#include "policy/policy.h"
#include "schema/fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const NOISE[] = {"none", "seeded", "operating system"};
static const char ENGINE_ROWS[] = "by the caller's engine";
static const char RESULT_ROWS[] = "of a query's result";
static const char *const ADJACENCY[] = {"replace-one", "add-remove"};
static const char *const SAMPLES[] = {"all", "poisson", "fixed"};
static const char *const SAMPLERS[] = {"exact rounded Gaussian", "exact randomised response"};

/* The sampler of a certificate's releases: responses are never mixed with others. */
static const char *sampler_of(const tacit_certificate *c) {
  return SAMPLERS[c->mechanism_count && c->mechanisms[0].kind == TACIT_RELEASE_SIGN];
}

/* The keys of a release beside those that all have, by its kind. A file of format 1 has "level" and "clip"
   everywhere: of a minimiser the second is its gradient, of a sign the first its epsilon, and sigma is 0. */
enum {
  LEVEL = 1,
  CLIP = 2,
  GRADIENT = 4,
  SAMPLE = 8,
  LAMBDA = 16,
  SMOOTHNESS = 32,
  EPSILON = 64,
  SUM = 128,
  RAMP = 256
};
static unsigned keys_of(tacit_release_kind kind, int format) {
  static const unsigned KEYS[] = {
      [TACIT_RELEASE_SCORES] = SUM | LEVEL | CLIP,
      [TACIT_RELEASE_ROWS] = SUM | CLIP,
      [TACIT_RELEASE_MOMENT] = SUM | CLIP,
      [TACIT_RELEASE_COUNT] = SUM,
      [TACIT_RELEASE_OUTER] = SUM | CLIP,
      [TACIT_RELEASE_UNITS] = SUM,
      [TACIT_RELEASE_RAMP] = SUM | RAMP,
      [TACIT_RELEASE_SLOPED] = SUM | CLIP | RAMP,
      [TACIT_RELEASE_SAMPLED] = SUM | LEVEL | CLIP | SAMPLE,
      [TACIT_RELEASE_OBJECTIVE] = SUM | LEVEL | CLIP | LAMBDA | SMOOTHNESS,
      [TACIT_RELEASE_MINIMISER] = SUM | LEVEL | GRADIENT | LAMBDA,
      [TACIT_RELEASE_SIGN] = EPSILON,
  };
  if (format > 1) return KEYS[kind];
  return SUM | LEVEL | CLIP | (KEYS[kind] & (SAMPLE | LAMBDA | SMOOTHNESS));
}

static json_t *mechanism_json(const tacit_mechanism *m, const char *target, int format) {
  unsigned keys = keys_of(m->kind, format);
  json_t *item = json_pack("{s:s, s:s, s:I}", "release", tacit_release_name(m->kind), "target", target,
                           "dimension", (json_int_t)m->dimension);
  if (keys & LEVEL) tacit_json_put(&item, "level", json_real(m->level));
  if (keys & CLIP) tacit_json_put(&item, "clip", json_real(m->clip));
  if (keys & GRADIENT) tacit_json_put(&item, "gradient", json_real(m->clip));
  if (keys & RAMP) {
    tacit_json_put(&item, "width", json_real(m->width));
    tacit_json_put(&item, "change", json_real(ldexp(m->change, -TACIT_TARGET_BITS)));
  }
  if (keys & EPSILON) tacit_json_put(&item, "epsilon", json_real(m->level));
  if (m->unit != 0) tacit_json_put(&item, "unit_clip", json_real(m->unit));
  if (keys & SUM) {
    tacit_json_put(&item, "grid_bits", json_integer(m->bits));
    tacit_json_put(&item, "sensitivity", json_real(ldexp(m->sensitivity, -m->bits)));
    tacit_json_put(&item, "sigma", json_real(ldexp(m->sigma, -m->bits)));
  }
  tacit_json_put(&item, "count", json_integer((json_int_t)m->count));
  if (keys & SAMPLE) {
    tacit_json_put(&item, "sampling", json_string(SAMPLES[m->sample]));
    tacit_json_put(&item, "rate", json_real(m->rate));
  }
  if (keys & LAMBDA) tacit_json_put(&item, "lambda", json_real(m->lambda));
  if (keys & SMOOTHNESS) tacit_json_put(&item, "smoothness", json_real(m->smoothness));
  return item;
}

static json_t *mechanisms_json(const tacit_policy *policy) {
  const tacit_certificate *c = policy->certificate;
  json_t *list = json_array();
  for (size_t i = 0; i < c->mechanism_count; i++) {
    const tacit_mechanism *m = &c->mechanisms[i];
    const char *target =
        m->target == TACIT_ALL_TARGETS ? "*" : policy->by_goal.schema.targets[m->target].name;
    tacit_json_append(&list, mechanism_json(m, target, policy->version));
  }
  return list;
}

static json_t *inputs_json(const tacit_certificate *c) {
  json_t *inputs = json_object();
  for (size_t i = 0; i < c->setting_count; i++) {
    const tacit_setting *s = &c->settings[i];
    tacit_json_put(&inputs, s->name, s->text[0] ? json_string(s->text) : json_real(s->number));
  }
  return inputs;
}

static json_t *guarantee_json(const tacit_certificate *c) {
  double epsilon;
  if (c->mu == 0)
    return json_pack("{s:s, s:f, s:f}", "kind", "(epsilon, delta)", "epsilon", c->epsilon, "delta", c->delta);
  json_t *guarantee = json_pack("{s:s, s:f}", "kind", "GDP", "mu", c->mu);
  const double deltas[] = {1e-3, 1e-5, 1e-7};
  json_t *curve = json_array();
  for (size_t i = 0; i < 3; i++)
    if (tacit_gdp_epsilon(c->mu, deltas[i], &epsilon, NULL) == TACIT_OK)
      tacit_json_append(&curve, json_pack("{s:f, s:f}", "epsilon", epsilon, "delta", deltas[i]));
  tacit_json_put(&guarantee, "as_epsilon_delta", curve);
  return guarantee;
}

/* What an attacker could come to believe (proofs/beliefs.md); null for a guarantee that is out of range. */
static json_t *beliefs_json(const tacit_certificate *c) {
  tacit_beliefs b;
  if (tacit_beliefs_from(c->mu, c->epsilon, c->delta, &b, NULL) != TACIT_OK) return json_null();
  json_t *json = json_object(), *except = json_array(), *rows = json_array();
  for (size_t k = 0; k < TACIT_EXCEPTIONS; k++) tacit_json_append(&except, json_real(b.except[k]));
  for (size_t i = 0; i < TACIT_PRIORS; i++) {
    json_t *row = json_object(), *most = json_array();
    for (size_t k = 0; k < TACIT_EXCEPTIONS; k++) tacit_json_append(&most, json_real(b.at_most[i][k]));
    tacit_json_put(&row, "prior", json_real(b.prior[i]));
    tacit_json_put(&row, "at_most", most);
    tacit_json_append(&rows, row);
  }
  tacit_json_put(&json, "except_with_probability", except);
  tacit_json_put(&json, "beliefs", rows);
  return json;
}

static json_t *receipt_json(const tacit_receipt *receipt) {
  if (!receipt->sequence) return json_null();
  json_t *json = json_pack("{s:s, s:I, s:s}", "label", receipt->label, "sequence",
                           (json_int_t)receipt->sequence, "head", receipt->head);
  if (receipt->commitment[0]) tacit_json_put(&json, "commitment", json_string(receipt->commitment));
  return json;
}

json_t *tacit_certificate_to_json(const tacit_policy *policy) {
  const tacit_certificate *c = policy->certificate;
  char statement[1024];
  tacit_policy_statement(policy, statement);
  json_t *json =
      json_pack("{s:b, s:s, s:s}", "private", c->private, "statement", statement, "method", c->method);
  if (!c->private) tacit_json_put(&json, "reason", json_string(c->reason));
  if (c->noise != TACIT_NOISE_NONE) {
    const char *limit = tacit_schema_enforces(policy->schema)                ? "enforced"
                        : c->rows_per_unit > 1 || policy->schema->unit_given ? "asserted"
                                                                             : "one row";
    tacit_json_put(&json, "guarantee", guarantee_json(c));
    tacit_json_put(&json, "attacker", beliefs_json(c));
    tacit_json_put(&json, "adjacency", json_string(ADJACENCY[c->adjacency]));
    json_t *unit = json_pack("{s:I, s:s}", "rows_per_unit", (json_int_t)c->rows_per_unit, "limit", limit);
    if (c->result_rows) tacit_json_put(&unit, "rows", json_string(RESULT_ROWS));
    if (policy->schema->features_public) tacit_json_put(&unit, "private", json_string("target"));
    if (policy->schema->change > 0) tacit_json_put(&unit, "change", json_real(policy->schema->change));
    tacit_json_put(&json, "unit", unit);
    tacit_json_put(&json, "rows", json_integer((json_int_t)c->rows));
    if (c->engine_rows) tacit_json_put(&json, "rows_held", json_string(ENGINE_ROWS));
    tacit_json_put(&json, "inputs", inputs_json(c));
    tacit_json_put(&json, "releases", json_integer((json_int_t)c->releases));
    tacit_json_put(&json, "mechanisms", mechanisms_json(policy));
    tacit_json_put(&json, "noise",
                   json_pack("{s:s, s:s}", "source", NOISE[c->noise], "sampler", sampler_of(c)));
  }
  tacit_json_put(&json, "schema_hash", json_string(policy->schema_hash));
  if (c->region_hash[0]) tacit_json_put(&json, "region_hash", json_string(c->region_hash));
  if (c->before[0]) tacit_json_put(&json, "goes_on_from", json_string(c->before));
  if (c->period[0]) tacit_json_put(&json, "period", json_string(c->period));
  tacit_json_put(&json, "ledger", receipt_json(&c->receipt));
  return json;
}

static tacit_status malformed(const char *what, tacit_error *error) {
  return tacit_fail(error, TACIT_BAD_INPUT, "the policy's certificate is malformed at \"%s\"", what);
}

/* The index of a text in a list of names. */
static bool name_index(const json_t *json, const char *const *names, size_t count, int *index) {
  const char *text = json_string_value(json);
  for (*index = 0; text && (size_t)*index < count; ++*index)
    if (!strcmp(text, names[*index])) return true;
  return false;
}

static bool natural(const json_t *json, uint64_t most, uint64_t *value) {
  if (!json_is_integer(json) || json_integer_value(json) < 0) return false;
  *value = (uint64_t)json_integer_value(json);
  return *value <= most;
}

static bool number(const json_t *json, double *value) {
  *value = json_number_value(json);
  return json_is_number(json) && isfinite(*value);
}

/* 64 hexadecimal digits. */
static bool read_hash(const json_t *json, char hash[65]) {
  const char *text = json_string_value(json);
  if (!text || strlen(text) != 64 || strspn(text, "0123456789abcdef") != 64) return false;
  memcpy(hash, text, 65);
  return true;
}

/* A file without the key, or with null, was paid for by no ledger; entries of earlier versions of the ledger
   have no commitment. */
static tacit_status read_receipt(json_t *json, tacit_receipt *receipt, tacit_error *error) {
  if (!json || json_is_null(json)) return TACIT_OK;
  const char *label = json_string_value(json_object_get(json, "label"));
  const json_t *commitment = json_object_get(json, "commitment");
  if (!natural(json_object_get(json, "sequence"), UINT64_C(1) << 53, &receipt->sequence) ||
      receipt->sequence == 0 || !label || !*label || strlen(label) > TACIT_LABEL_MAX ||
      !read_hash(json_object_get(json, "head"), receipt->head) ||
      (commitment && !read_hash(commitment, receipt->commitment)))
    return malformed("ledger", error);
  memcpy(receipt->label, label, strlen(label) + 1);
  return TACIT_OK;
}

static bool read_number(json_t *json, bool wanted, const char *key, double *value) {
  return !wanted || number(json_object_get(json, key), value);
}

/* What a release's kind asks for. */
static bool read_keys(json_t *json, unsigned keys, tacit_mechanism *m) {
  int sample = 0;
  uint64_t bits = 0;
  if ((keys & SAMPLE) && !name_index(json_object_get(json, "sampling"), SAMPLES, 3, &sample)) return false;
  if ((keys & SUM) && !natural(json_object_get(json, "grid_bits"), 60, &bits)) return false;
  m->sample = (tacit_sample_kind)sample;
  m->bits = (int)bits;
  if (keys & EPSILON) m->sensitivity = 1;
  bool read = read_number(json, keys & LEVEL, "level", &m->level) &&
              read_number(json, keys & EPSILON, "epsilon", &m->level) &&
              read_number(json, keys & CLIP, "clip", &m->clip) &&
              read_number(json, json_object_get(json, "unit_clip") != NULL, "unit_clip", &m->unit) &&
              read_number(json, keys & GRADIENT, "gradient", &m->clip) &&
              read_number(json, keys & RAMP, "width", &m->width) &&
              read_number(json, keys & RAMP, "change", &m->change) &&
              read_number(json, keys & SUM, "sensitivity", &m->sensitivity) &&
              read_number(json, keys & SUM, "sigma", &m->sigma) &&
              read_number(json, keys & SAMPLE, "rate", &m->rate) &&
              read_number(json, keys & LAMBDA, "lambda", &m->lambda) &&
              read_number(json, keys & SMOOTHNESS, "smoothness", &m->smoothness);
  m->change = ldexp(m->change, TACIT_TARGET_BITS);
  m->sensitivity = ldexp(m->sensitivity, m->bits);
  m->sigma = ldexp(m->sigma, m->bits);
  return read && isfinite(m->sensitivity) && isfinite(m->sigma);
}

static tacit_status read_mechanism(json_t *json, tacit_policy *policy, tacit_error *error) {
  size_t targets = tacit_policy_goal_count(policy);
  tacit_mechanism m = {.target = targets};
  const char *target = json_string_value(json_object_get(json, "target"));
  const char *release = json_string_value(json_object_get(json, "release"));
  for (size_t t = 0; target && t < targets; t++)
    if (!strcmp(target, policy->by_goal.schema.targets[t].name)) m.target = t;
  if (m.target == targets && target && !strcmp(target, "*")) m.target = TACIT_ALL_TARGETS;
  uint64_t dimension;
  if (m.target == targets || !release || !tacit_release_by_name(release, &m.kind) ||
      !natural(json_object_get(json, "dimension"), UINT32_MAX, &dimension) ||
      !natural(json_object_get(json, "count"), UINT64_C(1) << 53, &m.count) ||
      !read_keys(json, keys_of(m.kind, policy->version), &m))
    return malformed("mechanisms", error);
  m.dimension = (size_t)dimension;
  return tacit_certificate_add(policy->certificate, &m, error);
}

static tacit_status read_inputs(json_t *json, tacit_certificate *c, tacit_error *error) {
  const char *key;
  json_t *value;
  if (!json_is_object(json)) return malformed("inputs", error);
  json_object_foreach(json, key, value) {
    if (json_is_string(value))
      TACIT_TRY(tacit_certificate_text(c, key, json_string_value(value), error));
    else
      TACIT_TRY(tacit_certificate_number(c, key, json_number_value(value), error));
  }
  return TACIT_OK;
}

/* mu, or (epsilon, delta). Whatever else stands there, verify finds that this program would not write it. */
static tacit_status read_guarantee(json_t *json, tacit_certificate *c, tacit_error *error) {
  json_t *mu = json_object_get(json, "mu");
  bool known = mu ? number(mu, &c->mu) && c->mu != 0
                  : number(json_object_get(json, "epsilon"), &c->epsilon) &&
                        number(json_object_get(json, "delta"), &c->delta);
  return known ? TACIT_OK : malformed("guarantee", error);
}

/* What only a certificate with noise has. */
static tacit_status read_promise(json_t *json, tacit_policy *policy, tacit_error *error) {
  tacit_certificate *c = policy->certificate;
  uint64_t rows, unit, releases;
  int adjacency;
  if (!name_index(json_object_get(json, "adjacency"), ADJACENCY, 2, &adjacency))
    return malformed("adjacency", error);
  TACIT_TRY(read_guarantee(json_object_get(json, "guarantee"), c, error));
  if (!natural(json_object_get(json_object_get(json, "unit"), "rows_per_unit"), TACIT_COUNT_MAX, &unit))
    return malformed("unit", error);
  if (!natural(json_object_get(json, "rows"), UINT64_C(1) << 53, &rows)) return malformed("rows", error);
  if (!natural(json_object_get(json, "releases"), UINT64_C(1) << 53, &releases))
    return malformed("releases", error);
  c->adjacency = (tacit_adjacency)adjacency;
  c->rows_per_unit = (size_t)unit;
  const char *kind = json_string_value(json_object_get(json_object_get(json, "unit"), "rows"));
  c->result_rows = kind && !strcmp(kind, RESULT_ROWS);
  c->rows = (size_t)rows;
  const char *held = json_string_value(json_object_get(json, "rows_held"));
  c->engine_rows = held && !strcmp(held, ENGINE_ROWS);
  TACIT_TRY(read_inputs(json_object_get(json, "inputs"), c, error));
  json_t *list = json_object_get(json, "mechanisms"), *item;
  size_t i;
  if (!json_is_array(list)) return malformed("mechanisms", error);
  json_array_foreach(list, i, item) TACIT_TRY(read_mechanism(item, policy, error));
  c->releases = releases; /* as stated; verify compares it with the list */
  return TACIT_OK;
}

/* Which policy it goes on from, and which period its records are of. */
static tacit_status read_chain(const json_t *json, tacit_certificate *c, tacit_error *error) {
  const json_t *before = json_object_get(json, "goes_on_from"), *period = json_object_get(json, "period");
  if (before && !read_hash(before, c->before)) return malformed("goes_on_from", error);
  if (period && !tacit_period_sound(json_string_value(period))) return malformed("period", error);
  if (period) snprintf(c->period, sizeof c->period, "%s", json_string_value(period));
  return TACIT_OK;
}

/* Texts that verification prints must not be able to draw on a terminal. */
static bool plain(const char *text) {
  return text && !tacit_has_control(text, strlen(text));
}

tacit_status tacit_certificate_from_json(json_t *json, tacit_policy *policy, tacit_error *error) {
  const char *method = json_string_value(json_object_get(json, "method"));
  const char *hash = json_string_value(json_object_get(json, "schema_hash"));
  const char *reason = json_string_value(json_object_get(json, "reason"));
  const char *region = json_string_value(json_object_get(json, "region_hash"));
  json_t *private = json_object_get(json, "private");
  if (!plain(method)) return malformed("method", error);
  if (reason && !plain(reason)) return malformed("reason", error);
  if (!hash || strlen(hash) != 64) return malformed("schema_hash", error);
  if (!json_is_boolean(private)) return malformed("private", error);
  TACIT_TRY(tacit_certificate_new(method, &policy->certificate, error));
  tacit_certificate *c = policy->certificate;
  c->format = policy->version;
  c->private = json_is_true(private);
  memcpy(policy->schema_hash, hash, sizeof policy->schema_hash);
  snprintf(c->region_hash, sizeof c->region_hash, "%s", region ? region : "");
  snprintf(c->reason, sizeof c->reason, "%s", reason ? reason : "");
  c->rows_per_unit = policy->schema->rows_per_unit;
  TACIT_TRY(read_chain(json, c, error));
  TACIT_TRY(read_receipt(json_object_get(json, "ledger"), &c->receipt, error));
  if (!plain(c->receipt.label)) return malformed("ledger", error);
  json_t *noise = json_object_get(json, "noise");
  if (!noise) return TACIT_OK; /* a baseline: it has no noise and promises nothing */
  int source, sampler;
  if (!name_index(json_object_get(noise, "source"), NOISE, 3, &source) ||
      !name_index(json_object_get(noise, "sampler"), SAMPLERS, 2, &sampler))
    return malformed("noise", error);
  c->noise = (tacit_noise_kind)source;
  return read_promise(json, policy, error);
}
