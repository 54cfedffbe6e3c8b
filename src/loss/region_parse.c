/* A region from a file or JSON text; docs/formats/region.md. */
#include "loss/region_kinds.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 16 << 20 }; /* jansson itself stops at 2048 levels of nesting */

static const struct {
  const char *name;
  tacit_status (*make)(tacit_region *region, const json_t *json, tacit_error *error);
} KINDS[] = {
    {"ball", tacit_region_make_ball},       {"box", tacit_region_make_box},
    {"simplex", tacit_region_make_simplex}, {"grid", tacit_region_make_grid},
    {"graph", tacit_region_make_graph},     {"polytope", tacit_region_make_polytope},
};

static tacit_status make(tacit_region *region, const json_t *json, tacit_error *error) {
  if (!json_is_object(json))
    return tacit_fail(error, TACIT_BAD_INPUT, "a region must be an object, {\"kind\": ...}");
  const char *name = json_string_value(json_object_get(json, "kind"));
  for (size_t i = 0; name && i < sizeof KINDS / sizeof *KINDS; i++)
    if (!strcmp(name, KINDS[i].name)) return KINDS[i].make(region, json, error);
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "\"kind\" of the region must be one of ball, box, simplex, grid, graph, polytope");
}

static tacit_status too_large(tacit_error *error) {
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "the region is larger than %d MB, numbers written with 17 digits; use a smaller one, or "
                    "numbers that need no more digits than they have, such as 0 for 0.0",
                    BYTES_MAX >> 20);
}

/* In the words that a policy has it in, which is read by the same rules: 0.1 becomes 0.10000000000000001. */
static tacit_status check_written(const json_t *json, tacit_error *error) {
  size_t length = json_dumpb(json, NULL, 0, JSON_COMPACT | JSON_REAL_PRECISION(17));
  if (length == 0) return tacit_no_memory(error);
  return length <= BYTES_MAX ? TACIT_OK : too_large(error);
}

tacit_status tacit_region_parse(const char *text, size_t length, tacit_region **region, tacit_error *error) {
  *region = NULL;
  if (length > BYTES_MAX) return too_large(error);
  json_error_t at;
  json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES, &at);
  /* Without memory jansson often gives no text at all. */
  if (!json && (json_error_code(&at) == json_error_out_of_memory || !at.text[0]))
    return tacit_no_memory(error);
  if (!json)
    return tacit_fail(error, TACIT_BAD_INPUT, "the region is not JSON at line %d, column %d: %s", at.line,
                      at.column, at.text);
  tacit_region *made = tacit_alloc(1, sizeof *made);
  tacit_status status = made ? check_written(json, error) : tacit_no_memory(error);
  if (status == TACIT_OK) status = make(made, json, error);
  if (status == TACIT_OK) {
    made->json = json;
    *region = made;
    return TACIT_OK;
  }
  json_decref(json);
  tacit_region_free(made);
  return status;
}

tacit_status tacit_region_read(const char *path, tacit_region **region, tacit_error *error) {
  char *text;
  size_t length;
  *region = NULL;
  TACIT_TRY(tacit_read_file(path, BYTES_MAX, &text, &length, error));
  tacit_status status = tacit_region_parse(text, length, region, error);
  free(text);
  return status;
}
