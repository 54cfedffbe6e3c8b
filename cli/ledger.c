/* tacit ledger: finds the part, and sets budgets. */
#include "ledger.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *ledger_path(const char *given, bool make) {
  if (!given) return own_ledger(make);
  char *copy = strdup(given);
  if (!copy) fputs("tacit: not enough memory\n", stderr);
  return copy;
}

static const char *const ADJACENCY[] = {"replace-one", "add-remove"};

json_t *ledger_total_json(const tacit_ledger_total *total) {
  json_t *json = json_pack("{s:s, s:o, s:o, s:o, s:I, s:s}", "label", total->label, "budget_mu",
                           total->limited ? json_real(total->budget_mu) : json_null(), "spent_mu",
                           total->renyi ? json_null() : json_real(total->spent_mu), "left_mu",
                           total->limited ? json_real(total->left_mu) : json_null(), "releases",
                           (json_int_t)total->releases, "measure", total->renyi ? "rdp" : "gdp");
  if (total->renyi)
    json_object_update_new(
        json, json_pack("{s:o, s:o, s:f}", "budget_epsilon",
                        total->limited ? json_real(total->budget_epsilon) : json_null(), "spent_epsilon",
                        isfinite(total->spent_epsilon) ? json_real(total->spent_epsilon) : json_null(),
                        "delta", total->delta));
  json_object_set_new(json, "unit",
                      total->unit.rows_per_unit
                          ? json_pack("{s:s, s:I, s:s?}", "adjacency", ADJACENCY[total->unit.adjacency],
                                      "rows_per_unit", (json_int_t)total->unit.rows_per_unit, "column",
                                      total->unit.column)
                          : json_null());
  if (*total->per) json_object_set_new(json, "per", json_string(total->per));
  if (*total->period) json_object_set_new(json, "period", json_string(total->period));
  if (total->unit.result_rows) json_object_set_new(json_object_get(json, "unit"), "result_rows", json_true());
  if (total->unit.targets)
    json_object_set_new(json_object_get(json, "unit"), "private", json_string("target"));
  if (total->unit.change > 0)
    json_object_set_new(json_object_get(json, "unit"), "change", json_real(total->unit.change));
  return json;
}

void ledger_print_heading(void) {
  printf("%-24s %12s %12s %12s %9s\n", "label", "budget mu", "spent mu", "left mu", "releases");
}

void ledger_print_total(const tacit_ledger_total *total) {
  char budget[ROUNDED_SIZE] = "none", left[ROUNDED_SIZE] = "no limit", spent[ROUNDED_SIZE] = "see below",
       epsilon[ROUNDED_SIZE], of[ROUNDED_SIZE], delta[ROUNDED_SIZE];
  if (total->limited) {
    in_full(budget, total->budget_mu);
    rounded_down(left, 4, total->left_mu);
  }
  if (!total->renyi) rounded_up(spent, 4, total->spent_mu);
  char name[160];
  bool alike =
      strstr(total->label, " in ") || strstr(total->label, " per "); /* what a period's name looks like */
  snprintf(name, sizeof name, "%s%s%s%s%s", alike ? "\"" : "", total->label, alike ? "\"" : "",
           *total->period ? " in "
           : *total->per  ? " per "
                          : "",
           *total->period ? total->period : total->per);
  printf("%-24s %12s %12s %12s %9llu\n", name, budget, spent, left, (unsigned long long)total->releases);
  if (total->unit.rows_per_unit && !*total->period) /* a period's unit is the label's */
    printf("  for units of %zu row%s%s%s%s, %s\n", total->unit.rows_per_unit,
           total->unit.rows_per_unit > 1 ? "s" : "", rows_kind(&total->unit),
           total->unit.column ? " of each " : "", total->unit.column ? total->unit.column : "",
           ADJACENCY[total->unit.adjacency]);
  if (total->renyi && total->limited)
    printf("  with releases that are not Gaussian: epsilon = %s spent of %s, at delta = %s\n",
           rounded_up(epsilon, 6, total->spent_epsilon), rounded_up(of, 6, total->budget_epsilon),
           rounded_up(delta, 3, total->delta));
  else if (total->renyi)
    printf("  with releases that are not Gaussian: epsilon = %s spent, at delta = %s\n",
           rounded_up(epsilon, 6, total->spent_epsilon), rounded_up(delta, 3, total->delta));
}

typedef struct request {
  const char *path, *label;
  double mu, epsilon, delta;
  bool has_mu, has_epsilon, has_delta, change, json;
  size_t wait, rows_per_unit;
  const char *adjacency, *unit_column, *per;
} request;

static int parse_request(request *r, int argc, char **argv) {
  const option options[] = {
      {"label", OPTION_TEXT, &r->label, "NAME",
       "the population of records that the budget belongs to (default: " WALLET_LABEL ", as for fit)", NULL},
      {"mu", OPTION_NUMBER, &r->mu, "M", "the budget, mu-GDP", &r->has_mu},
      {"epsilon", OPTION_NUMBER, &r->epsilon, "E", "the budget as (epsilon, delta), with --delta",
       &r->has_epsilon},
      {"delta", OPTION_NUMBER, &r->delta, "D",
       "see --epsilon; with --mu, the delta that holds once a release is not Gaussian (1e-6)", &r->has_delta},
      {"adjacency", OPTION_TEXT, &r->adjacency, "A",
       "replace-one or add-remove: what all releases must promise (default: as the first does)", NULL},
      {"rows-per-unit", OPTION_COUNT, &r->rows_per_unit, "K", "likewise, the records of one unit", NULL},
      {"unit-column", OPTION_TEXT, &r->unit_column, "NAME", "likewise, the column that names the unit", NULL},
      {"per", OPTION_TEXT, &r->per, "PERIOD",
       "day, week, month, quarter or year: the budget is for each; no unit may have records in two of them",
       NULL},
      {"change", OPTION_FLAG, &r->change, NULL, "replace the label's budget; both stay on record", NULL},
      {"wait", OPTION_COUNT, &r->wait, "S", "seconds to wait for a ledger in use (default 30)", NULL},
      {"json", OPTION_FLAG, &r->json, NULL, "print one JSON object", NULL},
  };
  int code = parse_options(
      &(command_line){
          .usage = "ledger open [L.db] [--label NAME] --mu M | --epsilon E --delta D",
          .about = "Sets the budget of a population of records; makes the ledger if it is not there.\n"
                   "Without L.db it is your own ledger. Decide on a budget before looking at any release.",
          .options = options,
          .option_count = sizeof options / sizeof *options,
          .arguments = &r->path,
          .most = 1},
      argc, argv);
  if (code >= 0) return code;
  if (!r->label) r->label = WALLET_LABEL;
  if (r->has_epsilon && !r->has_delta) return usage_error("--epsilon and --delta go together");
  if ((r->adjacency != NULL) != (r->rows_per_unit > 0) || (r->unit_column && !r->adjacency))
    return usage_error("a unit is --adjacency and --rows-per-unit together, 1 or more");
  if (r->has_mu == r->has_epsilon) return usage_error("give the budget: --mu M, or --epsilon and --delta");
  return -1;
}

static int run_open(int argc, char **argv) {
  request r = {.wait = WAIT_DEFAULT};
  int code = parse_request(&r, argc, argv);
  if (code >= 0) return code;
  tacit_error error;
  tacit_ledger *ledger = NULL;
  tacit_ledger_total total;
  char date[32];
  date_now(date);
  /* mu keeps (epsilon, delta) while all releases are Gaussian; once one is not, the pair is (epsilon, 2
   * delta)
   */
  tacit_ledger_terms terms = {.label = r.label,
                              .mu = r.mu,
                              .delta = r.has_mu ? r.delta : 2 * r.delta,
                              .unit = {.rows_per_unit = r.rows_per_unit, .column = r.unit_column},
                              .change = r.change,
                              .per = r.per,
                              .date = date};
  code = set_adjacency(r.adjacency, &terms.unit.adjacency);
  if (code >= 0) return code;
  tacit_status status = r.has_mu ? TACIT_OK : tacit_gdp_mu(r.epsilon, r.delta, &terms.mu, &error);
  char *path = ledger_path(r.path, true);
  if (!path) return TACIT_REFUSED;
  if (status == TACIT_OK)
    status = tacit_ledger_open(path, TACIT_LEDGER_CREATE, wait_ms(r.wait), &ledger, &error);
  if (status == TACIT_OK) status = tacit_ledger_set(ledger, &terms, &error);
  if (status != TACIT_OK) {
    code = fail(status, &error);
  } else {
    tacit_ledger_total_of(ledger, r.label, &total);
    if (r.json) {
      code = print_json(ledger_total_json(&total));
    } else {
      double epsilon;
      char promised[ROUNDED_SIZE], delta[ROUNDED_SIZE];
      ledger_print_heading();
      ledger_print_total(&total);
      if (terms.delta > 0 && tacit_gdp_epsilon(terms.mu, terms.delta / 2, &epsilon, NULL) == TACIT_OK)
        printf("Once a release is not Gaussian, all of them keep (epsilon, delta) = (%s, %s) instead.\n",
               rounded_up(promised, 6, epsilon), rounded_up(delta, 3, terms.delta));
      code = flushed(0);
    }
  }
  tacit_ledger_close(ledger);
  free(path);
  return code;
}

int run_ledger(int argc, char **argv) {
  static const command parts[] = {
      {"open", "set the budget of a population of records", run_open},
      {"show", "what was spent and what is left; --check it, also against policies", run_ledger_show},
      {"export", "a statement of all of it", run_ledger_export},
      {"move", "go on with a ledger that was moved or restored", run_ledger_move},
  };
  enum { PARTS = sizeof parts / sizeof *parts };
  for (size_t i = 0; argc > 1 && i < PARTS; i++)
    if (!strcmp(argv[1], parts[i].name)) return parts[i].run(argc - 1, argv + 1);
  bool help = argc > 1 && !strcmp(argv[1], "--help");
  fprintf(help ? stdout : stderr, "usage: tacit ledger open|show|export|move ...\n\n");
  for (size_t i = 0; i < PARTS; i++)
    fprintf(help ? stdout : stderr, "  %-10s %s\n", parts[i].name, parts[i].summary);
  return help ? flushed(0) : TACIT_USAGE;
}
