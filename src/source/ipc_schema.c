/* Reads the schema of an Arrow file or stream. */
#include "source/ipc_schema.h"

#include "base/base.h"
#include "source/ipc_format.h"

#include <stdlib.h>
#include <string.h>

/* Fields of a Schema, a Field and a DictionaryEncoding. */
enum { ENDIANNESS, FIELDS };
enum { NAME = 0, DICTIONARY = 4, CHILDREN = 5 };
enum { ID };
enum { V4 = 3, V5 = 4 };
/* Parts within parts, and all together: a few bytes may name many. A name's bytes: many fields may share
 * them. */
enum { DEEPEST = 64, MOST = 1 << 20, LONGEST = 4096 };

tacit_status tacit_ipc_damaged(tacit_error *error) {
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "the Arrow file or stream is damaged or cut off; fetch or write it again");
}

static tacit_status add_piece(tacit_ipc_schema *s, tacit_ipc_piece piece, tacit_error *error) {
  if (s->piece_count == MOST) return tacit_ipc_damaged(error);
  if (s->piece_count == s->piece_room) {
    tacit_ipc_piece *grown = tacit_grow(s->pieces, &s->piece_room, s->piece_count + 1, sizeof *grown);
    if (!grown) return tacit_no_memory(error);
    s->pieces = grown;
  }
  s->pieces[s->piece_count++] = piece;
  return TACIT_OK;
}

/* A field's pieces, in the order in which a batch has them. What lies in a dictionary is not in the batch. */
static tacit_status add_pieces(tacit_ipc_schema *s, tacit_flat_table field, int depth, tacit_error *error) {
  tacit_ipc_piece piece = {.buffers = 2};
  bool coded = tacit_flat_child(field, DICTIONARY).flat != NULL;
  if (!coded) piece.buffers = tacit_ipc_buffers(field, s->old_unions, &piece.views);
  if (piece.buffers < 0)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "the Arrow file has a column of a type that is newer than this program, or is damaged; "
                      "write it without that column, or as Parquet");
  TACIT_TRY(add_piece(s, piece, error));
  if (coded) return TACIT_OK;
  tacit_flat_vector children = tacit_flat_list(field, CHILDREN, 4);
  if (children.count && depth == DEEPEST) return tacit_ipc_damaged(error);
  for (size_t i = 0; i < children.count; i++) {
    tacit_flat_table child = tacit_flat_entry(children, i);
    if (!child.flat) return tacit_ipc_damaged(error);
    TACIT_TRY(add_pieces(s, child, depth + 1, error));
  }
  return TACIT_OK;
}

/* The dictionary of this number, of which there is one for each; SIZE_MAX where two columns disagree. */
static size_t find_words(tacit_ipc_schema *s, int64_t id, tacit_arrow_kind kind) {
  for (size_t i = 0; i < s->words_count; i++)
    if (s->words[i].id == id) return s->words[i].kind == kind ? i : SIZE_MAX;
  s->words[s->words_count] = (tacit_ipc_words){.id = id, .kind = kind};
  return s->words_count++;
}

/* A column whose cells are places in a dictionary of texts; of one of anything else it is left unreadable. */
static tacit_status read_coded(tacit_ipc_schema *s, tacit_ipc_column *c, tacit_flat_table encoding,
                               tacit_error *error) {
  char format[TACIT_IPC_FORMAT];
  c->words = (struct ArrowSchema){.format = c->schema.format};
  const tacit_arrow_kind kind = tacit_arrow_column_of(&c->words, 0).holds;
  tacit_ipc_index_format(encoding, format);
  char *own = tacit_copy_text(format, strlen(format));
  if (!own) return tacit_no_memory(error);
  free((void *)c->schema.format);
  c->schema.format = own;
  bool texts = kind == TACIT_ARROW_TEXT || kind == TACIT_ARROW_LARGE_TEXT || kind == TACIT_ARROW_TEXT_VIEW;
  c->words.format = texts ? "U" : "";
  c->schema.dictionary = &c->words;
  if (!texts) return TACIT_OK;
  c->words_at = find_words(s, tacit_flat_number(encoding, ID, 8, 0), kind);
  return c->words_at == SIZE_MAX ? tacit_ipc_damaged(error) : TACIT_OK;
}

static tacit_status read_column(tacit_ipc_schema *s, size_t j, tacit_flat_table field, tacit_error *error) {
  tacit_ipc_column *c = &s->columns[j];
  char format[TACIT_IPC_FORMAT];
  size_t length;
  const char *name = tacit_flat_text(field, NAME, &length);
  if (name && (memchr(name, 0, length) || length > LONGEST)) return tacit_ipc_damaged(error);
  tacit_ipc_format(field, format);
  c->schema.name = tacit_copy_text(name ? name : "", name ? length : 0);
  c->schema.format = tacit_copy_text(format, strlen(format));
  c->words_at = SIZE_MAX;
  if (!c->schema.name || !c->schema.format) return tacit_no_memory(error);
  tacit_flat_table encoding = tacit_flat_child(field, DICTIONARY);
  if (encoding.flat) TACIT_TRY(read_coded(s, c, encoding, error));
  c->holds = tacit_arrow_column_of(&c->schema, j);
  c->first = s->piece_count;
  TACIT_TRY(add_pieces(s, field, 0, error));
  c->pieces = s->piece_count - c->first;
  return TACIT_OK;
}

static tacit_status check_form(tacit_flat_table table, int64_t version, tacit_error *error) {
  if (version != V4 && version != V5)
    return tacit_fail(
        error, TACIT_BAD_INPUT,
        "the Arrow file is of a version of the format that is not read (those since Arrow 0.8, V4 "
        "and V5, are); write it again with a present version, or as Parquet");
  if (tacit_flat_number(table, ENDIANNESS, 2, 0) != 0)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "the Arrow file has its numbers' highest bytes first (big-endian), which is not read; "
                      "write it as Parquet or CSV");
  return TACIT_OK;
}

tacit_status tacit_ipc_schema_read(tacit_flat_table table, int64_t version, tacit_ipc_schema *schema,
                                   tacit_error *error) {
  *schema = (tacit_ipc_schema){.old_unions = version == V4};
  if (!table.flat || table.flat->broken) return tacit_ipc_damaged(error);
  TACIT_TRY(check_form(table, version, error));
  tacit_flat_vector fields = tacit_flat_list(table, FIELDS, 4);
  schema->columns = tacit_alloc(fields.count, sizeof *schema->columns);
  schema->words = tacit_alloc(fields.count, sizeof *schema->words);
  schema->children = tacit_alloc(fields.count, sizeof(void *));
  if (!schema->columns || !schema->words || !schema->children) return tacit_no_memory(error);
  for (size_t j = 0; j < fields.count; j++) {
    tacit_flat_table field = tacit_flat_entry(fields, j);
    if (!field.flat) return tacit_ipc_damaged(error);
    schema->count = j + 1;
    schema->children[j] = &schema->columns[j].schema;
    TACIT_TRY(read_column(schema, j, field, error));
  }
  return table.flat->broken ? tacit_ipc_damaged(error) : TACIT_OK;
}

void tacit_ipc_schema_free(tacit_ipc_schema *schema) {
  for (size_t j = 0; j < schema->count; j++) {
    free((void *)schema->columns[j].schema.name);
    free((void *)schema->columns[j].schema.format);
  }
  for (size_t i = 0; i < schema->words_count; i++) {
    tacit_free_wiped(schema->words[i].places, schema->words[i].room * sizeof(int64_t));
    tacit_free_wiped(schema->words[i].bytes, schema->words[i].capacity);
  }
  free(schema->columns);
  free(schema->words);
  free(schema->children);
  free(schema->pieces);
  *schema = (tacit_ipc_schema){0};
}
