/* What a Parquet file says of its columns itself.

   A file's schema is a tree, written root first and each node before its parts. Its columns are the root's
   children; a name deeper down is none of a column. */
#include "source/parquet.h"

#include "base/base.h"

#include <stdlib.h>

enum { NAME, PARTS, NOTE, FIELDS };

/* The node behind node i and all of its parts. */
static size_t behind(const tacit_answer *schema, size_t i) {
  for (unsigned long open = 1; open > 0 && i < schema->rows; i++)
    open += strtoul(schema->cells[i * FIELDS + PARTS], NULL, 10) - 1;
  return i;
}

static tacit_status ask(const tacit_duckdb *duckdb, const char *path, tacit_answer *schema,
                        tacit_error *error) {
  tacit_words words = {0};
  tacit_words_add(&words, "SELECT name, CAST(num_children AS VARCHAR), CASE WHEN precision > 38 THEN 'wide' "
                          "WHEN type = 'INT96' THEN 'int96' WHEN type = 'FIXED_LEN_BYTE_ARRAY' AND "
                          "type_length = '2' THEN 'short' END FROM parquet_schema(");
  tacit_words_quote(&words, path, '\'');
  tacit_words_add(&words, ")");
  tacit_status status =
      words.failed ? tacit_no_memory(error) : tacit_duckdb_ask(duckdb, words.text, NULL, schema, NULL, error);
  free(words.text);
  return status == TACIT_BAD_INPUT ? TACIT_OK : status;
}

tacit_status tacit_parquet_describe(const tacit_duckdb *duckdb, const char *path, tacit_parquet *parquet,
                                    tacit_error *error) {
  *parquet = (tacit_parquet){0};
  TACIT_TRY(ask(duckdb, path, &parquet->schema, error));
  const tacit_answer *schema = &parquet->schema;
  parquet->columns = tacit_alloc(schema->rows, sizeof *parquet->columns);
  if (!parquet->columns) {
    tacit_parquet_free(parquet);
    return tacit_no_memory(error);
  }
  for (size_t i = 1; i < schema->rows; i = behind(schema, i)) {
    char *const *node = schema->cells + i * FIELDS;
    parquet->columns[parquet->count++] = (tacit_parquet_column){.name = node[NAME],
                                                                .wide = *node[NOTE] == 'w',
                                                                .int96 = *node[NOTE] == 'i',
                                                                .two_bytes = *node[NOTE] == 's'};
  }
  return TACIT_OK;
}

void tacit_parquet_free(tacit_parquet *parquet) {
  free(parquet->columns);
  tacit_answer_free(&parquet->schema);
  *parquet = (tacit_parquet){0};
}
