/* tacit ledger export: a statement of what was spent, in plain language or as JSON. */
#include "ledger.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *curve_json(double mu) {
  static const double deltas[] = {1e-5, 1e-7};
  json_t *list = json_array();
  for (size_t i = 0; i < sizeof deltas / sizeof *deltas; i++) {
    double epsilon;
    if (mu > 0 && isfinite(mu) && tacit_gdp_epsilon(mu, deltas[i], &epsilon, NULL) == TACIT_OK)
      json_array_append_new(list, json_pack("{s:f, s:f}", "epsilon", epsilon, "delta", deltas[i]));
  }
  return list;
}

/* The entries of one reading; a list that lacks one must not pass for whole. */
typedef struct entries {
  json_t *list;
  FILE *text;
  bool lost;
} entries;

static void add_entry(void *user, const tacit_ledger_entry *e) {
  entries *all = user;
  bool renyi = !strncmp(e->measure, "rdp", 3);
  int failed = json_array_append_new(
      all->list, json_pack("{s:I, s:s, s:s, s:s, s:s, s:o, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "sequence",
                           (json_int_t)e->sequence, "kind", e->kind, "label", e->label, "measure", e->measure,
                           "amount", e->amount, "mu", renyi ? json_null() : json_real(e->mu), "method",
                           e->method, "schema_hash", e->schema_hash, "date", e->date, "nonce", e->nonce,
                           "previous", e->previous, "hash", e->hash, "commitment", e->commitment));
  all->lost = all->lost || failed;
}

static tacit_status cannot_state(tacit_error *error) {
  snprintf(error->text, sizeof error->text,
           "the statement could not be made: not enough memory, or the ledger has what JSON cannot say");
  return TACIT_INTERNAL;
}

static tacit_status export_json(tacit_ledger *ledger, int *code, tacit_error *error) {
  entries all = {.list = json_array()};
  json_t *labels = json_array();
  tacit_status status = tacit_ledger_each(ledger, add_entry, &all, error);
  for (size_t i = 0; i < tacit_ledger_labels(ledger); i++) {
    tacit_ledger_total total = tacit_ledger_total_at(ledger, i);
    json_t *item = ledger_total_json(&total);
    bool failed = json_object_set_new(item, "spent_as_epsilon_delta", curve_json(total.spent_mu)) != 0;
    all.lost = json_array_append_new(labels, item) != 0 || failed || all.lost;
  }
  json_t *statement =
      json_pack("{s:s, s:i, s:s, s:I, s:s, s:o, s:o}", "format", "tacit-ledger-statement", "version", 1, "id",
                tacit_ledger_id(ledger), "sequence", (json_int_t)tacit_ledger_sequence(ledger), "head",
                tacit_ledger_head(ledger), "labels", labels, "entries", all.list);
  if (status == TACIT_OK && (all.lost || !statement)) status = cannot_state(error);
  if (status == TACIT_OK)
    *code = print_json(statement);
  else
    json_decref(statement);
  return status;
}

static void print_label(const tacit_ledger_total *t) {
  double epsilon;
  char text[ROUNDED_SIZE], delta[ROUNDED_SIZE], budget[ROUNDED_SIZE];
  if (*t->per && !*t->period) {
    printf(
        "\nPopulation \"%s\" has a budget of mu = %s for each %s by itself: that no unit has records in two "
        "of\nthem is the word of whoever opened the label, and was not checked.\n",
        t->label, in_full(budget, t->budget_mu), t->per);
    return;
  }
  printf("\nPopulation \"%s\"%s%s: %llu release%s, together ", t->label, *t->period ? " in " : "", t->period,
         (unsigned long long)t->releases, t->releases == 1 ? "" : "s");
  if (t->renyi)
    printf("(epsilon, delta) = (%s, %s), from their Renyi divergences,\nas not all of them are Gaussian",
           rounded_up(text, 6, t->spent_epsilon), rounded_up(delta, 3, t->delta));
  else
    printf("%s-Gaussian differential privacy", rounded_up(text, 9, t->spent_mu));
  if (!t->renyi && t->spent_mu > 0 && tacit_gdp_epsilon(t->spent_mu, 1e-5, &epsilon, NULL) == TACIT_OK)
    printf(",\nthe same as (epsilon, delta) = (%s, 1e-5)", rounded_up(text, 6, epsilon));
  printf(".\n");
  if (t->unit.rows_per_unit)
    printf("It protects units of %zu row%s%s%s%s; neighbouring tables %s.\n", t->unit.rows_per_unit,
           t->unit.rows_per_unit > 1 ? "s" : "", rows_kind(&t->unit), t->unit.column ? " of each " : "",
           t->unit.column ? t->unit.column : "",
           t->unit.adjacency == TACIT_REPLACE_ONE ? "differ in one unit's rows (replace-one)"
                                                  : "have one unit more or less (add-remove)");
  if (t->limited && t->renyi)
    printf("A budget of mu = %s is in force; with releases that are not Gaussian it is (epsilon, delta) =\n"
           "(%s, %s). Later releases stay within it, whatever the earlier ones showed.\n",
           in_full(budget, t->budget_mu), rounded_up(text, 6, t->budget_epsilon),
           rounded_up(delta, 3, t->delta));
  else if (t->limited)
    printf("A budget of mu = %s is in force; mu = %s is left. Later releases stay within it, whatever the "
           "earlier\nones showed.\n",
           in_full(budget, t->budget_mu), rounded_down(text, 9, t->left_mu));
  else
    printf("No budget was set: releases are recorded, not limited.\n");
}

static void print_entry(void *user, const tacit_ledger_entry *e) {
  entries *all = user;
  char amount[2 * ROUNDED_SIZE + 5], first[ROUNDED_SIZE], delta[ROUNDED_SIZE];
  if (!strncmp(e->measure, "rdp", 3))
    snprintf(amount, sizeof amount, "(%s, %s)", rounded_up(first, 6, e->epsilon),
             rounded_up(delta, 3, e->delta));
  else
    in_full(amount, e->mu);
  fprintf(all->text, "%6llu  %-20s  %-7s %-10s %s%s%s\n        %s\n", (unsigned long long)e->sequence,
          *e->date ? e->date : "no date", e->kind, amount, e->label, *e->method ? ", " : "", e->method,
          e->hash);
}

static void print_statement(const tacit_ledger *ledger, const char *lines) {
  printf("Statement of privacy spending\n\nLedger %s, %llu entr%s. Its head is\n%s.\n",
         tacit_ledger_id(ledger), (unsigned long long)tacit_ledger_sequence(ledger),
         tacit_ledger_sequence(ledger) == 1 ? "y" : "ies", tacit_ledger_head(ledger));
  for (size_t i = 0; i < tacit_ledger_labels(ledger); i++) {
    tacit_ledger_total total = tacit_ledger_total_at(ledger, i);
    print_label(&total);
  }
  printf(
      "\nEach release was recorded before its noise was drawn. A release that was recorded and then failed "
      "is\n"
      "counted although nobody saw it. Amounts of mu add up as squares; totals are rounded up, what is left "
      "is\n"
      "rounded down. Not covered are releases made with --no-ledger or from another ledger.\n"
      "tacit ledger show --check POLICY ... tells whether this record is whole and has paid for a policy.\n"
      "\nEntries\n");
  fputs(lines, stdout);
}

/* One reading for all of it: somebody may be spending. */
static tacit_status export_text(tacit_ledger *ledger, tacit_error *error) {
  char *lines = NULL;
  size_t size = 0;
  entries all = {.text = open_memstream(&lines, &size)};
  if (!all.text) return cannot_state(error);
  tacit_status status = tacit_ledger_each(ledger, print_entry, &all, error);
  if (fclose(all.text) != 0 && status == TACIT_OK) status = cannot_state(error);
  if (status == TACIT_OK) print_statement(ledger, lines);
  free(lines);
  return status;
}

int run_ledger_export(int argc, char **argv) {
  bool json = false;
  size_t wait = WAIT_DEFAULT;
  const char *given = NULL;
  const option options[] = {
      {"wait", OPTION_COUNT, &wait, "S", "seconds to wait for a ledger in use (default 30)", NULL},
      {"json", OPTION_FLAG, &json, NULL, "print one JSON object", NULL},
  };
  int code = parse_options(
      &(command_line){.usage = "ledger export [L.db]",
                      .about =
                          "A statement of every budget and every spending, in plain language or as JSON.\n"
                          "Without L.db: your own ledger.",
                      .options = options,
                      .option_count = 2,
                      .arguments = &given,
                      .most = 1},
      argc, argv);
  if (code >= 0) return code;
  char *path = ledger_path(given, false);
  if (!path) return TACIT_REFUSED;
  tacit_error error;
  tacit_ledger *ledger = NULL;
  tacit_status status = tacit_ledger_open(path, TACIT_LEDGER_READ, wait_ms(wait), &ledger, &error);
  code = 0;
  if (status == TACIT_OK) status = json ? export_json(ledger, &code, &error) : export_text(ledger, &error);
  if (status != TACIT_OK)
    code = fail(status, &error);
  else if (!code)
    code = flushed(0);
  tacit_ledger_close(ledger);
  free(path);
  return code;
}
