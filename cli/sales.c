/* A word of warning where a target seems to be sales: where stock ran out they are less than demand. */
#include "cli.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Whether the name holds the word in any case, with no letter on either side of it. */
static bool has_word(const char *name, const char *word) {
  size_t length = strlen(word);
  for (const char *at = name; *at; at++) {
    size_t k = 0;
    while (k < length && tolower((unsigned char)at[k]) == word[k]) k++;
    bool starts = at == name || !isalpha((unsigned char)at[-1]);
    if (k == length && starts && !isalpha((unsigned char)at[length])) return true;
  }
  return false;
}

static bool is_sales(const char *name) {
  static const char *const WORDS[] = {"sales", "sold", "sale", "turnover", "revenue"};
  for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
    if (has_word(name, WORDS[i])) return true;
  return false;
}

void warn_of_sales(const tacit_schema *schema) {
  for (size_t t = 0; t < tacit_schema_targets(schema); t++) {
    const char *name = tacit_schema_target_name(schema, t);
    if (is_sales(name) && !tacit_schema_target_sold_out(schema, t))
      fprintf(
          stderr,
          "tacit: \"%s\" seems to be what was sold. On days that sold out demand was more, and orders "
          "learned from such days are too low; \"sold_out\" or \"stock\" in the schema's target names the "
          "column that tells them (docs/sales.md)\n",
          name);
  }
}

void say_plan_is_of_demand(const tacit_schema *schema) {
  for (size_t t = 0; t < tacit_schema_targets(schema); t++) {
    if (!tacit_schema_target_sold_out(schema, t)) continue;
    fputs("tacit: planned as if demand were known; days that sold out say less, and cost somewhat more "
          "(docs/sales.md)\n",
          stderr);
    return;
  }
}
