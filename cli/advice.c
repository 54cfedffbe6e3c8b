/* Says which share of a column is not what the schema says, and what is likely then. */
#include "advice.h"

#include <stdio.h>
#include <string.h>

/* So small a part of the bounds, of so many records, is seldom meant. */
static const double NARROW = 0.05;
enum { FEW = 20 };

static bool is_many(size_t count, const odd_cells *odd) {
  return count > odd->records / 10;
}

static double percent(size_t count, const odd_cells *odd) {
  return 100 * (double)count / (double)odd->records;
}

static void on_unlisted(const tacit_schema_feature *feature, const odd_cells *odd, char *line) {
  snprintf(line, ADVICE_TEXT,
           "%.0f %% of the records are of no listed level, taken as %.200s: are the levels spelt as in the "
           "table?%s",
           percent(odd->unlisted, odd), feature->unlisted_as,
           feature->fold ? "" : " \"fold\": true ignores case");
}

bool says_sold_out(const tacit_schema *schema, size_t index) {
  size_t before = tacit_schema_features(schema) + tacit_schema_targets(schema);
  const char *by = index < before ? NULL : tacit_schema_target_sold_by(schema, index - before);
  return by && !strcmp(by, "sold_out");
}

static void on_sold_out(const odd_cells *odd, char *line) {
  snprintf(
      line, ADVICE_TEXT,
      "%.0f %% of the records are neither true nor false: a flag is true/false, yes/no, t/f, y/n or 1/0; "
      "of other words: \"sold_out\": {\"name\": ..., \"levels\": [\"nein\", \"ja\"]}, the second for "
      "sold out",
      percent(odd->unreadable, odd));
}

static void on_unreadable(const tacit_schema_feature *feature, const odd_cells *odd, char *line) {
  double share = percent(odd->unreadable, odd);
  if (feature && feature->format)
    snprintf(line, ADVICE_TEXT,
             "%.0f %% of the records are no dates as %.200s writes them: another format? \"format\" says "
             "which",
             share, feature->format);
  else if (feature && !strcmp(feature->kind, "flag"))
    snprintf(line, ADVICE_TEXT,
             "%.0f %% of the records are neither true nor false: a flag is true/false, yes/no, t/f, y/n or "
             "1/0; other words are \"levels\": [\"nein\", \"ja\"]",
             share);
  else
    snprintf(line, ADVICE_TEXT, "%.0f %% of the records are no numbers: %s", share,
             odd->commas > odd->unreadable / 2
                 ? "this looks like a decimal comma: --decimal ,"
                 : "names and codes are \"levels\", days are a \"date\", truths a \"flag\"");
}

size_t advice_on(const tacit_schema *schema, size_t index, const odd_cells *odd,
                 char lines[ADVICE_LINES][ADVICE_TEXT]) {
  bool is_feature = index < tacit_schema_features(schema);
  tacit_schema_feature feature = {0};
  size_t count = 0;
  if (is_feature) feature = tacit_schema_feature_at(schema, index);
  if (is_many(odd->unlisted, odd) && feature.unlisted_as) on_unlisted(&feature, odd, lines[count++]);
  if (odd->foreign)
    snprintf(
        lines[count++], ADVICE_TEXT,
        "%zu of these cells are no UTF-8: iconv -f LATIN1 -t UTF-8 TABLE > NEW.csv converts the table, if "
        "Latin-1 is what it is",
        odd->foreign);
  if (is_many(odd->unreadable, odd) && says_sold_out(schema, index))
    on_sold_out(odd, lines[count++]);
  else if (is_many(odd->unreadable, odd))
    on_unreadable(is_feature ? &feature : NULL, odd, lines[count++]);
  if (is_many(odd->outside, odd))
    snprintf(lines[count++], ADVICE_TEXT,
             "%.0f %% of the records lie beyond the bounds: are the bounds in the table's units?",
             percent(odd->outside, odd));
  if (odd->filled > 0 && odd->filled < NARROW && odd->records >= FEW)
    snprintf(
        lines[count++], ADVICE_TEXT,
        "its numbers spread over %.2g %% of its bounds: are the bounds in the table's units? Bounds that are "
        "far too wide hide what it says behind noise",
        100 * odd->filled);
  return count;
}
