/* The size of a policy before there is one: schema and region as they will be written, and bounds on the
 * rest.
 */
#include "method/policy_size.h"

#include "base/base.h"
#include "loss/region.h"
#include "method/fit.h"

#include <string.h>

/* Bytes of what is written beside names, with its place in the file's lines: a number has up to 24. */
enum {
  HEAD = 16 << 10, /* statement, guarantee, beliefs, receipt, signature */
  COEFFICIENT = 40,
  MAP = 40, /* around a target's coefficients */
  COVARIANCE = 36,
  GOAL = 200,
  SETTING = 100,
  RELEASE = 450
};
/* And values. */
enum { HEAD_VALUES = 1000, GOAL_VALUES = 6, RELEASE_VALUES = 14 };
enum { ON_THE_WAY = 160 }; /* releases of a target that are chosen on the way, at most */

void tacit_json_count(tacit_json_size *size, const char *text, size_t length) {
  size->bytes += length;
  for (size_t i = 0; i < length; i++) {
    char c = text[i];
    if (size->quoted) {
      size->quoted = size->escaped || c != '"';
      size->escaped = !size->escaped && c == '\\';
    } else {
      size->quoted = c == '"';
      size->values += c == ',' || c == '{' || c == '[';
    }
  }
}

/* Within the file every line stands two spaces further in. */
static int add_piece(const char *piece, size_t length, void *self) {
  tacit_json_size *size = self;
  tacit_json_count(size, piece, length);
  for (size_t i = 0; i < length; i++)
    if (piece[i] == '\n') size->bytes += 2;
  return 0;
}

static tacit_status add_json(tacit_json_size *size, const json_t *json, tacit_error *error) {
  return json_dump_callback(json, add_piece, size, TACIT_POLICY_FLAGS) == 0 ? TACIT_OK
                                                                            : tacit_no_memory(error);
}

static void add(tacit_json_size *size, size_t count, size_t bytes, size_t values) {
  size->bytes += count * bytes;
  size->values += count * values;
}

/* A name as JSON writes it: a quote becomes two bytes; control characters, which become six, it has none. */
static size_t written(const char *name) {
  size_t bytes = 2;
  for (; *name; name++) bytes += *name == '"' || *name == '\\' ? 2 : 1;
  return bytes;
}

/* For every target a map from each column to a number, with `more` numbers beside. */
static void add_maps(tacit_json_size *size, const tacit_schema *schema, size_t more) {
  size_t bytes = MAP + more * COEFFICIENT;
  for (size_t j = 0; j < schema->columns; j++) bytes += COEFFICIENT + written(schema->column_names[j]);
  add(size, schema->target_count, bytes, schema->columns + more + 1);
  for (size_t t = 0; t < schema->target_count; t++) size->bytes += written(schema->targets[t].name);
}

tacit_status tacit_policy_size(const tacit_method *method, const tacit_facts *facts,
                               const tacit_certificate *certificate, size_t listed, tacit_json_size *size,
                               tacit_error *error) {
  const tacit_schema *schema = facts->schema;
  size_t longest = 0, targets = schema->target_count;
  *size = (tacit_json_size){0};
  TACIT_TRY(add_json(size, schema->json, error));
  if (facts->region) TACIT_TRY(add_json(size, facts->region->json, error));
  for (size_t t = 0; t < targets; t++) {
    size_t name = written(schema->targets[t].name);
    longest = name > longest ? name : longest;
  }
  add(size, 1, HEAD, HEAD_VALUES);
  add_maps(size, schema, 0); /* the coefficients */
  if (method->spread) add_maps(size, schema, 1);
  if (tacit_certificate_find(certificate, "intervals")) {
    size_t numbers = tacit_rule_numbers(schema->columns, method->spread);
    add(size, targets, MAP + longest, 1);
    add(size, targets * numbers, MAP, 1);
    add(size, targets * tacit_triangle(numbers), COVARIANCE, 1);
  }
  if (method->follows) {
    add(size, schema->columns, MAP + COEFFICIENT, 2);
    add(size, tacit_triangle(schema->columns), COVARIANCE, 1);
  }
  add(size, targets, GOAL + longest, GOAL_VALUES);
  add(size, certificate->setting_count, SETTING, 1);
  add(size, method->on_the_way ? targets * ON_THE_WAY : listed, RELEASE + longest, RELEASE_VALUES);
  return TACIT_OK;
}

tacit_status tacit_policy_size_check(const tacit_json_size *size, tacit_error *error) {
  if (size->bytes >= TACIT_POLICY_BYTES_MAX)
    return tacit_fail(
        error, TACIT_REFUSED,
        "the policy would be larger than a policy file can be, %d MB; use fewer targets, shorter names of "
        "columns and levels, or fewer steps",
        TACIT_POLICY_BYTES_MAX >> 20);
  if (size->values > TACIT_POLICY_VALUES_MAX)
    return tacit_fail(
        error, TACIT_REFUSED,
        "the policy would have more values than a policy file can have, %d; use fewer targets, columns or "
        "steps, a smaller region, or leave out \"second_moment\"",
        TACIT_POLICY_VALUES_MAX);
  return TACIT_OK;
}
