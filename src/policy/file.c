/* The policy file: JSON in and out, written to a temporary file and renamed. */
#include "base/reading.h"
#include "base/temporary.h"
#include "method/policy_size.h"
#include "policy/policy.h"
#include "policy/sign.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void tacit_json_put(json_t **object, const char *key, json_t *value) {
  if (*object && value && json_object_set_new(*object, key, value) == 0) return;
  if (!*object) json_decref(value);
  json_decref(*object);
  *object = NULL;
}

void tacit_json_append(json_t **array, json_t *value) {
  if (*array && value && json_array_append_new(*array, value) == 0) return;
  if (!*array) json_decref(value);
  json_decref(*array);
  *array = NULL;
}

/* How decisions follow from coefficients. Other rules may come; a reader refuses those it does not know. */
static const char LINEAR[] = "linear", WITH_SPREAD[] = "linear-with-spread";

static json_t *coefficients_json(const tacit_policy *policy, size_t target) {
  json_t *map = json_object();
  for (size_t j = 0; j < policy->schema->columns; j++)
    tacit_json_put(&map, policy->schema->column_names[j],
                   json_real(tacit_policy_coefficient(policy, target, j)));
  return map;
}

static json_t *goals_json(const tacit_policy *policy) {
  json_t *goals = json_array();
  for (size_t g = 0; g < tacit_policy_goal_count(policy); g++) {
    const tacit_goal *goal = &policy->goals[g];
    const char *target = policy->schema->targets[tacit_policy_goal_target(policy, g)].name;
    json_t *item = json_pack("{s:s, s:f}", "name", target, "quantile", goal->quantile);
    if (goal->underage > 0) {
      tacit_json_put(&item, "underage", json_real(goal->underage));
      tacit_json_put(&item, "overage", json_real(goal->overage));
    }
    tacit_json_append(&goals, item);
  }
  return goals;
}

json_t *tacit_policy_to_json(const tacit_policy *policy) {
  size_t goals = tacit_policy_goal_count(policy);
  json_t *json = json_pack("{s:s, s:i, s:s}", "format", TACIT_POLICY_FORMAT, "version", policy->version,
                           "tacit", policy->writer[0] ? policy->writer : tacit_version());
  if (policy->version > 1)
    tacit_json_put(&json, "rule", json_string(policy->raw_spread ? WITH_SPREAD : LINEAR));
  json_t *all = json_object();
  for (size_t g = 0; g < goals; g++)
    tacit_json_put(&all, tacit_policy_goal_name(policy, g), coefficients_json(policy, g));
  if (policy->region)
    tacit_json_put(&json, "region", tacit_policy_region_json(policy));
  else
    tacit_json_put(&json, "targets", goals_json(policy));
  /* one goal: the map itself; several: a map of maps */
  tacit_json_put(&json, "coefficients", goals == 1 ? coefficients_json(policy, 0) : json_incref(all));
  json_decref(all);
  if (policy->raw_spread) tacit_json_put(&json, "spread", tacit_policy_spread_json(policy));
  if (policy->uncertainty) tacit_json_put(&json, "uncertainty", tacit_policy_uncertainty_json(policy));
  if (policy->state) tacit_json_put(&json, "state", tacit_policy_state_json(policy));
  tacit_json_put(&json, "schema", json_incref(policy->schema->json));
  if (policy->certificate) tacit_json_put(&json, "privacy", tacit_certificate_to_json(policy));
  if (policy->signer[0]) tacit_json_put(&json, "signature", tacit_signature_json(policy));
  return json;
}

char *tacit_policy_text(const tacit_policy *policy) {
  json_t *json = tacit_policy_to_json(policy);
  char *text = tacit_json_text(json, TACIT_POLICY_FLAGS);
  json_decref(json);
  return text;
}

bool tacit_policy_bytes_are(const tacit_policy *policy, const json_t *json) {
  unsigned char plain[sizeof policy->digest], ended[sizeof policy->digest];
  crypto_hash_sha256_state state, more;
  char *text = tacit_json_text(json, TACIT_POLICY_FLAGS);
  if (!text) return false;
  crypto_hash_sha256_init(&state);
  crypto_hash_sha256_update(&state, (const unsigned char *)text, strlen(text));
  more = state;
  crypto_hash_sha256_update(&more, (const unsigned char *)"\n", 1);
  crypto_hash_sha256_final(&state, plain);
  crypto_hash_sha256_final(&more, ended);
  free(text);
  return !memcmp(plain, policy->digest, sizeof plain) || !memcmp(ended, policy->digest, sizeof ended);
}

static bool write_all(int file, const char *text, size_t length) {
  while (length > 0) {
    ssize_t n = write(file, text, length);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text += n;
    length -= (size_t)n;
  }
  return fsync(file) == 0 || errno == EINVAL || errno == EROFS;
}

/* Where the file really goes: through symbolic links, and never over a device, a folder or a pipe. To be
   given to free(); NULL with the reason in errno. */
static char *resolve(const char *path) {
  struct stat there;
  char *real = realpath(path, NULL);
  if (!real && errno == ENOENT && *path) return tacit_copy_text(path, strlen(path)); /* a new file */
  if (real && stat(real, &there) == 0 && S_ISREG(there.st_mode)) return real;
  if (real) errno = EEXIST;
  free(real);
  return NULL;
}

/* What is not private is for its owner's eyes. */
static int open_beside(const char *path, bool private, char **name) {
  return tacit_temporary_open(path, private ? 0666 : 0600, name);
}

static tacit_status cannot_write(const char *path, tacit_error *error) {
  const char *why = errno == EEXIST  ? "not a regular file"
                    : errno == EPERM ? "a ledger, or its journal, has this name"
                                     : strerror(errno);
  return tacit_fail(error, TACIT_INTERNAL, "cannot write %s (%s); choose another --out or free some space",
                    path, why);
}

tacit_status tacit_policy_check_path(const char *path, tacit_error *error) {
  char *real = resolve(path), *name = NULL;
  int file = real ? open_beside(real, false, &name) : -1;
  tacit_status status = file >= 0 ? TACIT_OK : cannot_write(path, error);
  if (file >= 0) {
    unlink(name);
    close(file);
  }
  free(name);
  free(real);
  return status;
}

tacit_status tacit_policy_write(const tacit_policy *policy, const char *path, tacit_error *error) {
  char *text = tacit_policy_text(policy);
  if (!text) return tacit_no_memory(error);
  char *real = resolve(path), *name = NULL;
  int file = real ? open_beside(real, tacit_policy_private(policy), &name) : -1;
  bool good = file >= 0 && write_all(file, text, strlen(text)) && write_all(file, "\n", 1);
  good = good && !tacit_is_ledger_file(real) &&
         rename(name, real) == 0; /* it was synced: closing cannot lose anything */
  if (file >= 0) close(file);
  tacit_status status = good ? TACIT_OK : cannot_write(path, error);
  if (!good && file >= 0) unlink(name);
  free(name);
  free(real);
  free(text);
  return status;
}

static tacit_status malformed(const char *what, tacit_error *error) {
  return tacit_fail(error, TACIT_BAD_INPUT, "not a policy file: \"%s\" is missing or malformed", what);
}

static tacit_status read_coefficients(json_t *map, tacit_policy *policy, size_t target, tacit_error *error) {
  const tacit_schema *schema = &policy->by_goal.schema;
  double *raw = policy->raw + target * schema->columns;
  if (json_object_size(map) != schema->columns) return malformed("coefficients", error);
  for (size_t j = 0; j < schema->columns; j++) {
    json_t *value = json_object_get(map, schema->column_names[j]);
    raw[j] = json_number_value(value);
    if (!json_is_number(value) || !(fabs(raw[j]) <= TACIT_COEFFICIENT_MAX))
      return malformed("coefficients", error);
  }
  tacit_schema_encoded_units(schema, target, raw, policy->encoded + target * schema->columns);
  return TACIT_OK;
}

static tacit_status read_goal(json_t *json, const char *name, tacit_goal *goal, tacit_error *error) {
  const char *given = json_string_value(json_object_get(json, "name"));
  json_t *underage = json_object_get(json, "underage"), *overage = json_object_get(json, "overage");
  goal->quantile = json_number_value(json_object_get(json, "quantile"));
  goal->underage = json_number_value(underage);
  goal->overage = json_number_value(overage);
  bool costs = !underage && !overage;
  if (goal->underage > 0 && goal->overage > 0 && isfinite(goal->underage + goal->overage))
    costs = goal->underage / (goal->underage + goal->overage) ==
            goal->quantile; /* one rounding, the same everywhere */
  if (given && !strcmp(given, name) && goal->quantile > 0 && goal->quantile < 1 && costs) return TACIT_OK;
  return malformed("targets", error);
}

/* One for each target, or several of one target; none over a region. */
static tacit_status read_goals(json_t *list, tacit_policy *policy, tacit_error *error) {
  if (policy->region)
    return list ? malformed("targets", error) : tacit_policy_set_goals(policy, NULL, 0, error);
  const tacit_schema *schema = policy->schema;
  size_t count = json_array_size(list),
         most = schema->target_count > 1 ? schema->target_count : TACIT_QUANTILES_MAX;
  if (count < schema->target_count || count > most) return malformed("targets", error);
  tacit_goal *goals = tacit_alloc(count, sizeof *goals);
  tacit_status status = goals ? TACIT_OK : tacit_no_memory(error);
  for (size_t g = 0; g < count && status == TACIT_OK; g++) {
    status = read_goal(json_array_get(list, g), schema->targets[schema->target_count > 1 ? g : 0].name,
                       &goals[g], error);
    bool ascends = schema->target_count > 1 || g == 0 || goals[g].quantile > goals[g - 1].quantile;
    if (status == TACIT_OK && !ascends) status = malformed("targets", error);
  }
  if (status == TACIT_OK) status = tacit_policy_set_goals(policy, goals, count, error);
  free(goals);
  return status;
}

/* Three whole numbers below 1000 with points between them, as every version of this program has them. What is
   none is not kept, and the file is then not what any version writes. */
static void read_writer(const json_t *json, tacit_policy *policy) {
  const char *version = json_string_value(json), *at = version;
  for (int part = 0; at && part < 3; part++) {
    size_t digits = strspn(at, "0123456789");
    if (digits < 1 || digits > 3 || (digits > 1 && *at == '0') || at[digits] != (part < 2 ? '.' : 0)) return;
    at += digits + 1;
  }
  if (version) memcpy(policy->writer, version, strlen(version) + 1);
}

static tacit_status from_json(json_t *json, tacit_policy *policy, tacit_error *error) {
  const char *format = json_string_value(json_object_get(json, "format"));
  if (!format && json_object_get(json, "features") && json_object_get(json, "target"))
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "this is a schema, not a policy: a fit makes a policy of it and a table");
  if (!format || strcmp(format, TACIT_POLICY_FORMAT)) return malformed("format", error);
  json_int_t version = json_integer_value(json_object_get(json, "version"));
  if (version < TACIT_POLICY_OLDEST || version > TACIT_POLICY_VERSION)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "this policy has another format version; use the tacit that wrote it");
  policy->version = (int)version;
  const char *rule = json_string_value(json_object_get(json, "rule"));
  bool spread = version > 1 && rule && !strcmp(rule, WITH_SPREAD);
  if (version > 1 && (!rule || (strcmp(rule, LINEAR) != 0 && !spread)))
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "this policy's rule is not one that this tacit knows; use the tacit that wrote it");
  read_writer(json_object_get(json, "tacit"), policy);
  char *text = tacit_json_text(json_object_get(json, "schema"), JSON_COMPACT | JSON_REAL_PRECISION(17));
  if (!text) return malformed("schema", error);
  tacit_status status = tacit_schema_parse(text, strlen(text), &policy->schema, error);
  free(text);
  TACIT_TRY(status);
  json_t *region = json_object_get(json, "region"), *map = json_object_get(json, "coefficients");
  if (region) TACIT_TRY(tacit_policy_read_region(policy, region, error));
  TACIT_TRY(read_goals(json_object_get(json, "targets"), policy, error));
  size_t goals = tacit_policy_goal_count(policy);
  for (size_t g = 0; g < goals; g++) {
    json_t *own = goals == 1 ? map : json_object_get(map, tacit_policy_goal_name(policy, g));
    TACIT_TRY(read_coefficients(own, policy, g, error));
  }
  json_t *spreads = json_object_get(json, "spread");
  if (spread) TACIT_TRY(tacit_policy_read_spread(policy, spreads, error));
  if (!spread && spreads)
    return tacit_fail(error, TACIT_BAD_INPUT, "not a policy file: its rule is linear, and has no \"spread\"");
  json_t *uncertainty = json_object_get(json, "uncertainty");
  if (uncertainty) TACIT_TRY(tacit_policy_read_uncertainty(policy, uncertainty, error));
  json_t *state = json_object_get(json, "state");
  if (state) TACIT_TRY(tacit_policy_read_state(policy, state, error));
  TACIT_TRY(tacit_signature_read(json_object_get(json, "signature"), policy, error));
  json_t *privacy = json_object_get(json, "privacy");
  return privacy ? tacit_certificate_from_json(privacy, policy, error) : TACIT_OK;
}

static tacit_status take(json_t *json, const unsigned char *digest, const json_error_t *problem,
                         tacit_policy **policy, tacit_error *error) {
  *policy = NULL;
  if (!json)
    return tacit_fail(error, TACIT_BAD_INPUT, "not a policy file: line %d, column %d is not JSON",
                      problem->line, problem->column);
  tacit_policy *made = tacit_alloc(1, sizeof *made);
  tacit_status status = made ? from_json(json, made, error) : tacit_no_memory(error);
  if (status == TACIT_OK) {
    made->file = json_incref(json);
    memcpy(made->digest, digest, sizeof made->digest);
  }
  json_decref(json);
  if (status != TACIT_OK)
    tacit_policy_free(made);
  else
    *policy = made;
  return status;
}

static tacit_status too_large(tacit_error *error) {
  return tacit_fail(error, TACIT_BAD_INPUT, "not a policy file: it is larger than %d MB",
                    TACIT_POLICY_BYTES_MAX >> 20);
}

static tacit_status too_many(tacit_error *error) {
  return tacit_fail(error, TACIT_BAD_INPUT, "not a policy file: it has more than %d values",
                    TACIT_POLICY_VALUES_MAX);
}

tacit_status tacit_policy_parse(const char *json, size_t length, tacit_policy **policy, tacit_error *error) {
  json_error_t problem;
  unsigned char digest[crypto_hash_sha256_BYTES];
  *policy = NULL;
  tacit_json_size size = {0};
  if (length > TACIT_POLICY_BYTES_MAX) return too_large(error);
  tacit_json_count(&size, json, length);
  if (size.values > TACIT_POLICY_VALUES_MAX) return too_many(error);
  crypto_hash_sha256(digest, (const unsigned char *)json, length);
  json_t *parsed = json_loadb(json, length, JSON_REJECT_DUPLICATES, &problem);
  return take(parsed, digest, &problem, policy, error);
}

/* A policy comes from anywhere: it is read up to a limit, and no further than to the first byte that is no
   JSON. jansson itself stops at 2048 levels of nesting. */
typedef struct reading {
  FILE *file;
  size_t left;
  tacit_json_size size;
  crypto_hash_sha256_state hash; /* of what was read: all of the file, where it is JSON to its end */
} reading;

static size_t read_some(void *into, size_t room, void *user) {
  reading *r = user;
  if (r->left == 0) return (size_t)-1; /* too long: an error, not an end */
  size_t got = fread(into, 1, room < r->left ? room : r->left, r->file);
  r->left -= got;
  crypto_hash_sha256_update(&r->hash, into, got);
  tacit_json_count(&r->size, into, got);
  return ferror(r->file) || r->size.values > TACIT_POLICY_VALUES_MAX ? (size_t)-1 : got;
}

tacit_status tacit_policy_read(const char *path, tacit_policy **policy, tacit_error *error) {
  json_error_t problem;
  unsigned char digest[crypto_hash_sha256_BYTES];
  struct stat facts;
  bool ledger;
  FILE *file = tacit_reading_stream(path, &ledger);
  *policy = NULL;
  if (ledger) return tacit_reading_refused(path, error);
  if (!file) return tacit_fail(error, TACIT_BAD_INPUT, "cannot read %s: %s", path, strerror(errno));
  reading r = {.file = file, .left = TACIT_POLICY_BYTES_MAX};
  crypto_hash_sha256_init(&r.hash);
  bool folder = fstat(fileno(file), &facts) == 0 && S_ISDIR(facts.st_mode);
  json_t *parsed = folder ? NULL : json_load_callback(read_some, &r, JSON_REJECT_DUPLICATES, &problem);
  fclose(file);
  crypto_hash_sha256_final(&r.hash, digest);
  if (folder)
    return tacit_fail(error, TACIT_BAD_INPUT, "cannot read %s: it is a folder; name a policy", path);
  if (!parsed && r.left == 0) return too_large(error);
  if (!parsed && r.size.values > TACIT_POLICY_VALUES_MAX) return too_many(error);
  if (!parsed)
    return tacit_fail(error, TACIT_BAD_INPUT, "%s is not a policy file: line %d, column %d is not JSON", path,
                      problem.line, problem.column);
  return take(parsed, digest, &problem, policy, error);
}
