/* A column that is wrong as a whole: what the schema says of its cells fits so few of them that what was
   foreseen for single ones, such as `missing`, would hide a mistake. */
#include "base/base.h"
#include "data/tally.h"

#include <string.h>
#include <tacit/data.h>

static const char *words_of_most(const tacit_schema *schema, size_t index, const tacit_column_tally *t) {
  tacit_schema_feature feature = {.kind = "target"};
  if (index < tacit_schema_features(schema)) feature = tacit_schema_feature_at(schema, index);
  size_t before = tacit_schema_features(schema) + tacit_schema_targets(schema);
  const char *sold = index < before ? NULL : tacit_schema_target_sold_by(schema, index - before);
  if (sold && !strcmp(sold, "sold_out"))
    return "do not say whether the day sold out: true/false, yes/no, t/f, y/n, 1/0, or words that the schema "
           "names, as \"sold_out\": {\"name\": ..., \"levels\": [\"nein\", \"ja\"]}";
  if (!strcmp(feature.kind, "flag"))
    return "are neither true nor false: other words are levels, as \"levels\": [\"nein\", \"ja\"] in place "
           "of \"flag\"";
  if (feature.format)
    return "are not dates in the schema's format: say in the column's \"format\" how they are written";
  if (t->commas > t->unreadable / 2) return "are not numbers; this looks like a decimal comma";
  return "are not numbers: names and codes are \"levels\", days are a \"date\", truths a \"flag\"";
}

/* What is wrong with a column as a whole, and how many of how many cells show it; NULL: nothing. */
static const char *wrong_as_a_whole(const tacit_schema *schema, size_t index, const tacit_column_tally *t,
                                    size_t *count, size_t *of) {
  *of = t->seen - (t->missing - t->unreadable);
  *count = t->unreadable;
  if (t->mostly_unreadable) return words_of_most(schema, index, t);
  *count = t->unlisted;
  if (t->mostly_unlisted && t->foreign > t->unlisted / 2)
    return "are none of its levels, and no UTF-8: iconv -f LATIN1 -t UTF-8 TABLE > NEW.csv converts the "
           "table, if Latin-1 is what it is";
  if (t->mostly_unlisted)
    return "are none of its levels: spell them as the table does (\"fold\": true ignores case), or add "
           "\"other\": true for the rest";
  *count = t->clamped;
  if (t->mostly_beyond) return "lie beyond its bounds: are these in the table's units?";
  enum { FEW = 20 };
  *count = t->seen - t->missing;
  if (t->all_midnight && *count >= FEW)
    return "have no time of day, or midnight, and the schema asks for the hour: take \"hour\" out of it, or "
           "give the column with times";
  *count = t->missing, *of = t->seen;
  if (t->mostly_not_found)
    return "are not found: do \"by\", \"time\" and \"every\" (day, hour, week, month or number) of \"panel\" "
           "fit the table? Without a panel lags count records";
  return NULL;
}

/* Days of another format, or of other years: next to nothing would be added up. */
static bool is_elsewhere(const tacit_event_counts *c) {
  return tacit_tally_mostly(c->elsewhere, c->events);
}

tacit_status tacit_source_check_columns(const tacit_source *source, const tacit_schema *schema,
                                        tacit_error *error) {
  tacit_column_tally t;
  tacit_event_counts events;
  if (tacit_source_event_counts(source, &events) && is_elsewhere(&events))
    return tacit_fail(
        error, TACIT_BAD_INPUT,
        "%zu of %zu events belong to no row of the calendar: are their keys, such as days, written "
        "alike in both tables, or as the schema's \"format\" says?",
        events.elsewhere, events.events);
  for (size_t i = 0; tacit_source_tally(source, schema, i, &t); i++) {
    size_t count, of;
    const char *words = wrong_as_a_whole(schema, i, &t, &count, &of);
    if (words)
      return tacit_fail(error, TACIT_BAD_INPUT, "column \"%.150s\": %zu of %zu cells %s", t.name, count, of,
                        words);
  }
  return TACIT_OK;
}
