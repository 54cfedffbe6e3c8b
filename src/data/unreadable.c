/* A column that is a mistake as a whole: most of its cells cannot be read, and `missing` would stand for
 * them.
 */
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
           "of "
           "\"flag\"";
  if (feature.format)
    return "are not dates in the schema's format: say in the column's \"format\" how they are written";
  if (t->commas > t->unreadable / 2) return "are not numbers; this looks like a decimal comma";
  return "are not numbers: names and codes are \"levels\", days are a \"date\", truths a \"flag\"";
}

tacit_status tacit_source_check_readable(const tacit_source *source, const tacit_schema *schema,
                                         tacit_error *error) {
  tacit_column_tally t;
  for (size_t i = 0; tacit_source_tally(source, schema, i, &t); i++)
    if (t.mostly_unreadable)
      return tacit_fail(error, TACIT_BAD_INPUT, "nothing was spent: column \"%.150s\": %zu of %zu cells %s",
                        t.name, t.unreadable, t.seen - (t.missing - t.unreadable),
                        words_of_most(schema, i, &t));
  return TACIT_OK;
}
