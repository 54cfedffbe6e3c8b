/* Drafts a schema from the names and the declared types of a table's columns. No record is read: what cannot
   be known from these is a blank, with a question for whoever knows the table. */
#include "base/base.h"
#include "data/encode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum holds { ANYTHING, NUMBERS, TEXTS, TRUTHS, DATES } holds;

static holds held_by(const char *type) {
  static const struct {
    const char *begins;
    holds what;
  } TYPES[] = {{"BOOLEAN", TRUTHS},   {"DATE", DATES},        {"TIMESTAMP", DATES},  {"DATETIME", DATES},
               {"DOUBLE", NUMBERS},   {"FLOAT", NUMBERS},     {"DECIMAL", NUMBERS},  {"TINYINT", NUMBERS},
               {"SMALLINT", NUMBERS}, {"INTEGER", NUMBERS},   {"BIGINT", NUMBERS},   {"HUGEINT", NUMBERS},
               {"UTINYINT", NUMBERS}, {"USMALLINT", NUMBERS}, {"UINTEGER", NUMBERS}, {"UBIGINT", NUMBERS},
               {"UHUGEINT", NUMBERS}, {"VARCHAR", TEXTS},     {"ENUM", TEXTS},       {"UUID", TEXTS}};
  for (size_t i = 0; type && i < sizeof TYPES / sizeof *TYPES; i++)
    if (!strncmp(type, TYPES[i].begins, strlen(TYPES[i].begins))) return TYPES[i].what;
  return ANYTHING;
}

static const char *question_of(holds what) {
  switch (what) {
  case NUMBERS:
    return "Which least and largest number can it have? Or are its numbers names?";
  case TEXTS:
    return "Which values can it have? The usual one comes first.";
  case TRUTHS:
    return "What does an empty cell mean?";
  case DATES:
    return "Which parts of the date matter?";
  case ANYTHING:
    break;
  }
  return "What is it: a number, names, true or false, a date?";
}

/* NULL without memory. */
static json_t *draft_feature(const char *name, holds what) {
  json_t *feature = json_object();
  int lost = json_object_set_new(feature, "name", json_string_nocheck(name));
  lost |= json_object_set_new(feature, "question", json_string(question_of(what)));
  if (what == NUMBERS || what == ANYTHING) {
    lost |= json_object_set_new(feature, "min", json_null());
    lost |= json_object_set_new(feature, "max", json_null());
  }
  if (what == TEXTS) lost |= json_object_set_new(feature, "levels", json_null());
  if (what == TRUTHS) lost |= json_object_set_new(feature, "flag", json_true());
  if (what == DATES) lost |= json_object_set_new(feature, "date", json_pack("[s, s]", "weekday", "month"));
  if (!lost) return feature;
  json_decref(feature);
  return NULL;
}

/* A form that had to be said need not be said again. */
static int add_form(json_t *root, const tacit_record_text *text) {
  const char separator[] = {text->separator, 0}, *decimal = text->decimal_comma ? "," : ".";
  if (!text->separator || (text->separator == ',' && !text->decimal_comma)) return 0;
  return json_object_set_new(
      root, "csv",
      json_pack("{s:s, s:s}", "separator", text->separator == '\t' ? "tab" : separator, "decimal", decimal));
}

/* The draft with the question that all columns share, each kind of column on a line of its own. */
static char *with_question(const char *text) {
  static const char BEGIN[] =
      "{\n  \"question\": {\n    \"of all\": \"What is each column? Answer by one of these kinds, and "
      "remove the target from the features, and with it all that is not known yet when the decision is made "
      "or that names people.\"";
  static const char END[] = "\n  },";
  size_t room = sizeof BEGIN + sizeof END + strlen(text);
  tacit_schema_kind kind;
  for (size_t k = 0; kind = tacit_schema_kind_at(k), kind.what; k++)
    room += strlen(kind.what) + strlen(kind.json) + 16;
  char *made = tacit_alloc(room, 1), *at = made;
  if (!made) return NULL;
  at += snprintf(at, room, "%s", BEGIN);
  for (size_t k = 0; kind = tacit_schema_kind_at(k), kind.what; k++)
    at += snprintf(at, room - (size_t)(at - made), ",\n    \"%s\": %s", kind.what, kind.json);
  snprintf(at, room - (size_t)(at - made), "%s%s", END, text + 1); /* behind its brace */
  return made;
}

tacit_status tacit_schema_draft(const tacit_source *source, char **json, tacit_error *error) {
  static const char TARGET[] =
      "Which column is to be decided (how much to order), and between which numbers can it lie?";
  *json = NULL;
  if (source->pack || source->engine)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "a packed table has no columns of its own; draft from its table");
  TACIT_TRY(tacit_source_check_form(source, error));
  for (size_t j = 0; j < source->columns; j++) /* its place, not its name: it may be somebody's record */
    if (!tacit_is_utf8(source->names[j], strlen(source->names[j])))
      return tacit_fail(
          error, TACIT_BAD_INPUT,
          "the name of column %zu is no UTF-8: iconv -f LATIN1 -t UTF-8 TABLE > NEW.csv converts the "
          "table, if Latin-1 is what it is",
          j + 1);
  json_t *features = json_array();
  int lost = 0;
  for (size_t j = 0; j < source->columns; j++)
    lost |= json_array_append_new(
        features,
        draft_feature(source->names[j], held_by(source->header.types ? source->header.types[j] : NULL)));
  static const char UNIT[] =
      "Whose data is it: which column names them, and how many rows of each may count? Remove this "
      "where each row is somebody else's.";
  json_t *root =
      json_pack("{s:{s:n, s:s, s:n, s:n}, s:o, s:{s:s, s:n, s:n}}", "target", "name", "question", TARGET,
                "min", "max", "features", features, "unit", "question", UNIT, "column", "rows_per_unit");
  lost |= add_form(root, &source->text);
  if (!root || lost) {
    json_decref(root);
    return tacit_no_memory(error);
  }
  char *text = tacit_json_text(root, JSON_INDENT(2));
  json_decref(root);
  if (text) *json = with_question(text);
  free(text);
  return *json ? TACIT_OK : tacit_no_memory(error);
}
