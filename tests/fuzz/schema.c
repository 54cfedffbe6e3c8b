/* Any bytes as a schema: refused, or a schema whose parts are within their limits and whose hash is stable.
 */
#include "schema/schema.h"
#include "fuzz/target.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tacit_schema *schema = NULL, *again = NULL;
  tacit_error error = {""};
  tacit_status status = tacit_schema_parse((const char *)data, size, &schema, &error);
  if (status != TACIT_OK) {
    MUST(!schema && error.text[0] && (status == TACIT_BAD_INPUT || status == TACIT_REFUSED));
    return 0;
  }
  size_t columns = tacit_schema_columns(schema);
  MUST(columns >= 1 && columns <= TACIT_COLUMNS_MAX && tacit_schema_targets(schema) >= 1);
  for (size_t j = 0; j < columns; j++) MUST(tacit_schema_column_name(schema, j));
  MUST(!tacit_schema_column_name(schema, columns) && strlen(tacit_schema_hash(schema)) == 64);
  MUST(tacit_schema_parse((const char *)data, size, &again, &error) == TACIT_OK);
  MUST(!strcmp(tacit_schema_hash(schema), tacit_schema_hash(again)));
  for (int add_remove = 0; add_remove < 2; add_remove++) {
    tacit_status promise =
        tacit_schema_check_promise(schema, add_remove ? TACIT_ADD_REMOVE : TACIT_REPLACE_ONE, 0, &error);
    MUST(promise == TACIT_OK || promise == TACIT_REFUSED);
  }
  tacit_schema_free(schema);
  tacit_schema_free(again);
  return 0;
}
