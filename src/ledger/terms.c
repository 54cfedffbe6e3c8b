/* What an entry's texts say: whose data is protected, and how much is spent (docs/formats/ledger.md). Amounts
   for different units or adjacencies are different promises, so a label counts for one of each. */
#include "ledger/ledger.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const ADJACENCY[] = {"replace-one", "add-remove"};

/* What of the rows is protected: "result ", "targets ", "targets by 4 ", or nothing more to say. */
static const char *kind_of(const tacit_unit *unit, char text[40]) {
  snprintf(text, 40, "%s", unit->result_rows ? "result " : unit->targets ? "targets " : "");
  if (unit->targets && unit->change > 0) snprintf(text, 40, "targets by %.17g ", unit->change);
  return text;
}

static const char *parse_kind(const char *c, tacit_unit *unit) {
  char *end;
  unit->result_rows = !strncmp(c, "result ", strlen("result "));
  unit->targets = !strncmp(c, "targets ", strlen("targets "));
  if (unit->result_rows) return c + strlen("result ");
  if (!unit->targets) return c;
  c += strlen("targets ");
  if (strncmp(c, "by ", 3) != 0) return c;
  unit->change = strtod(c + 3, &end);
  return unit->change > 0 && *end == ' ' ? end + 1 : "";
}

tacit_unit tacit_unit_of(const tacit_schema *schema, tacit_adjacency adjacency, bool result_rows) {
  return (tacit_unit){.adjacency = adjacency,
                      .rows_per_unit = tacit_schema_records_per_unit(schema),
                      .column = tacit_schema_unit_column(schema),
                      .result_rows = result_rows,
                      .targets = tacit_schema_features_public(schema),
                      .change = tacit_schema_change(schema)};
}

void tacit_terms_measure(bool renyi, const tacit_unit *unit, char measure[TACIT_LEDGER_MEASURE_SIZE]) {
  const char *name = renyi ? "rdp" : "gdp";
  char kind[40];
  if (!unit->rows_per_unit)
    snprintf(measure, TACIT_LEDGER_MEASURE_SIZE, "%s", name);
  else
    snprintf(measure, TACIT_LEDGER_MEASURE_SIZE, "%s %s %zu %s%s%s", name, ADJACENCY[unit->adjacency],
             unit->rows_per_unit, kind_of(unit, kind), unit->column ? "column " : "rows",
             unit->column ? unit->column : "");
}

/* Outward: every decimal is at least its number. No release is too small to count. */
static void append(char *amount, double x) {
  char text[TACIT_AMOUNT_SIZE] = "inf";
  if (isfinite(x)) tacit_amount_up(x > TACIT_LEDGER_MU_MIN ? x : TACIT_LEDGER_MU_MIN, text);
  size_t n = strlen(amount);
  snprintf(amount + n, TACIT_LEDGER_AMOUNT_SIZE - n, "%s%s", n ? " " : "", text);
}

void tacit_terms_amount(const tacit_cost *cost, char amount[TACIT_LEDGER_AMOUNT_SIZE]) {
  amount[0] = 0;
  append(amount, cost->epsilon);
  append(amount, cost->delta);
  for (size_t i = 0; i < TACIT_RDP_ORDERS; i++) append(amount, cost->rdp[i]);
}

const char *tacit_terms_unit(const char *measure) {
  char per[TACIT_PER_SIZE], period[TACIT_PERIOD_MAX + 1];
  const char *space = strchr(measure, ' '), *unit = space ? tacit_period_take(space + 1, per, period) : NULL;
  return unit ? unit : "";
}

bool tacit_unit_parse(const char *text, tacit_unit *unit) {
  size_t length = strcspn(text, " ");
  uint64_t rows = 0;
  *unit = (tacit_unit){.rows_per_unit = 0};
  for (int a = 0; a < 2; a++)
    if (strlen(ADJACENCY[a]) == length && !strncmp(text, ADJACENCY[a], length)) {
      const char *c = text + length + (text[length] == ' ');
      unit->adjacency = (tacit_adjacency)a;
      if (*c < '1' || *c > '9') return false;
      for (; *c >= '0' && *c <= '9' && rows < UINT64_MAX / 16; c++) rows = rows * 10 + (uint64_t)(*c - '0');
      unit->rows_per_unit = (size_t)rows;
      if (*c++ != ' ') return false;
      c = parse_kind(c, unit);
      if (!strcmp(c, "rows")) return true;
      unit->column = c + strlen("column ");
      return !strncmp(c, "column ", strlen("column ")) && *unit->column;
    }
  return false;
}

/* The next word of a list separated by single spaces, as an amount or "inf". */
static bool word(const char **list, char text[TACIT_AMOUNT_SIZE]) {
  size_t n = strcspn(*list, " ");
  if (n == 0 || n >= TACIT_AMOUNT_SIZE) return false;
  memcpy(text, *list, n);
  text[n] = 0;
  *list += n;
  if (**list == ' ') ++*list;
  return !strcmp(text, "inf") || !isnan(tacit_amount_value(text));
}

bool tacit_terms_parse(const char *kind, const char *measure, const char *amount, tacit_terms *terms) {
  char epsilon[TACIT_AMOUNT_SIZE];
  tacit_unit unit;
  *terms = (tacit_terms){.budget = !strcmp(kind, "budget"), .unit = tacit_terms_unit(measure)};
  terms->renyi = !strncmp(measure, "rdp", 3);
  if (strcspn(measure, " ") != 3 || (!terms->renyi && strncmp(measure, "gdp", 3) != 0)) return false;
  const char *behind = measure[3] ? tacit_period_take(measure + 4, terms->per, terms->period) : "";
  bool whole = terms->budget && terms->per[0] && behind && !*behind; /* a budget need not say its unit */
  if (!behind || (measure[3] && !whole && !tacit_unit_parse(behind, &unit))) return false;
  if (terms->per[0] && terms->budget == (terms->period[0] != 0)) return false;
  if (terms->renyi) {
    if (terms->budget || !word(&amount, epsilon) || !word(&amount, terms->delta)) return false;
    terms->epsilon = strcmp(epsilon, "inf") != 0 ? tacit_amount_value(epsilon) : INFINITY;
    for (size_t i = 0; i < TACIT_RDP_ORDERS; i++)
      if (!word(&amount, terms->rdp[i])) return false;
  } else {
    if (!word(&amount, terms->mu) || !strcmp(terms->mu, "inf")) return false;
    if (terms->budget && *amount && (!word(&amount, terms->delta) || !strcmp(terms->delta, "inf")))
      return false;
  }
  return *amount == 0;
}

/* A unit in words. */
static const char *said(const char *text, char words[160]) {
  tacit_unit unit;
  if (!tacit_unit_parse(text, &unit)) return "nothing";
  char by[64] = " (their targets alone)";
  if (unit.change > 0) snprintf(by, sizeof by, " (their targets alone, by %.6g each)", unit.change);
  const char *many = unit.rows_per_unit > 1 ? "s" : "", *of = unit.result_rows ? " of a query's result"
                                                              : unit.targets   ? by
                                                                               : "";
  if (unit.column)
    snprintf(words, 160, "%zu row%s%s of each \"%.60s\", %s", unit.rows_per_unit, many, of, unit.column,
             ADJACENCY[unit.adjacency]);
  else
    snprintf(words, 160, "%zu row%s%s, %s", unit.rows_per_unit, many, of, ADJACENCY[unit.adjacency]);
  return words;
}

tacit_status tacit_terms_allow(const tacit_label *label, const char *unit, tacit_error *error) {
  char known[160], asked[160];
  if (!label || !*unit) return TACIT_OK;
  if (label->unit[0] && strcmp(label->unit, unit) != 0)
    return tacit_fail(
        error, TACIT_REFUSED,
        "label \"%s\" counts for units of %s, and this is for %s: different promises do not add "
        "up. Nothing was spent. Use the same unit and adjacency, or another --label, whose budget "
        "then comes on top",
        label->name, said(label->unit, known), said(unit, asked));
  return TACIT_OK;
}
