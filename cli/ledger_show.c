/* tacit ledger show: what each label spent and has left; with --check, whether the record is whole and has
   paid for the given policies. */
#include "ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 4096 };

typedef struct request {
  const char *arguments[ARGUMENTS_MAX + 1]; /* the ledger, then policies */
  size_t argument_count;
  const char *label;
  bool check, json;
  size_t wait;
} request;

/* The checks that were made: printed as lines for people, kept as a list for machines. */
typedef struct findings {
  bool holds, json;
  json_t *list;
} findings;

static void find(findings *f, bool holds, const char *what, const char *why) {
  f->holds = f->holds && holds;
  if (f->json)
    json_array_append_new(f->list,
                          json_pack("{s:b, s:s, s:s}", "holds", holds, "check", what, "reason", why));
  else
    printf("%s  %s%s%s\n", holds ? "holds" : "FAILS", what, *why ? ": " : "", why);
}

/* A policy that was asked about. */
typedef struct item {
  tacit_policy *policy;
  bool paid; /* by itself: it holds, and an entry of this ledger covers it */
  char why[sizeof(tacit_error)];
} item;

/* Why the ledger did not pay for a policy; NULL when it did. */
static const char *unpaid(tacit_ledger *ledger, const tacit_policy *policy, tacit_error *error) {
  const tacit_receipt *receipt = tacit_policy_receipt(policy);
  tacit_verdict verdict;
  if (!receipt) return "it carries no receipt: it is not private, or was made with --no-ledger";
  tacit_policy_verify(policy, &verdict);
  if (!verdict.holds) return "its own guarantee does not hold; see tacit verify";
  tacit_cost cost;
  if (tacit_policy_cost(policy, &cost, error) != TACIT_OK) return error->text;
  const tacit_schema *facts = tacit_policy_schema(policy);
  const tacit_unit unit =
      tacit_unit_of(facts, tacit_policy_adjacency(policy), tacit_policy_result_rows(policy));
  return tacit_ledger_check_payment(ledger, receipt, tacit_schema_hash(facts), tacit_policy_method(policy),
                                    &unit, &cost, error) == TACIT_OK
             ? NULL
             : error->text;
}

/* Two different releases cannot share one payment, and which of them it was for cannot be seen: neither
   stands, in whatever order they are given. A policy that this ledger did not pay for takes nothing away. */
static bool is_shared(const item *items, size_t count, size_t i) {
  const tacit_receipt *mine = tacit_policy_receipt(items[i].policy);
  char *own = tacit_policy_text(items[i].policy);
  bool shared = false;
  for (size_t j = 0; j < count && !shared; j++) {
    const tacit_receipt *receipt = items[j].paid && j != i ? tacit_policy_receipt(items[j].policy) : NULL;
    if (!receipt || receipt->sequence != mine->sequence) continue;
    char *other = tacit_policy_text(items[j].policy);
    shared = !own || !other || strcmp(own, other) != 0;
    free(other);
  }
  free(own);
  return shared;
}

static void check_policies(findings *f, tacit_ledger *ledger, const char *const *paths, size_t count) {
  item *items = calloc(count + 1, sizeof *items);
  if (!items) find(f, false, "policies were read", "not enough memory");
  for (size_t i = 0; items && i < count; i++) {
    tacit_error error = {""};
    const char *why = tacit_policy_read(paths[i], &items[i].policy, &error) == TACIT_OK
                          ? unpaid(ledger, items[i].policy, &error)
                          : error.text;
    items[i].paid = !why;
    snprintf(items[i].why, sizeof items[i].why, "%s", why ? why : "");
  }
  for (size_t i = 0; items && i < count; i++) {
    char what[512];
    bool shared = items[i].paid && is_shared(items, count, i);
    snprintf(what, sizeof what, "%s was paid for", paths[i]);
    find(f, items[i].paid && !shared, what,
         shared ? "its entry paid for another of these policies too, or for that one alone" : items[i].why);
  }
  for (size_t i = 0; items && i < count; i++) tacit_policy_free(items[i].policy);
  free(items);
}

/* One label's figures at the top level, several as a list. */
static json_t *totals_json(const tacit_ledger *ledger, const tacit_ledger_total *only) {
  size_t count = tacit_ledger_labels(ledger);
  if (only) return ledger_total_json(only);
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++) {
    tacit_ledger_total total = tacit_ledger_total_at(ledger, i);
    if (count == 1) {
      json_decref(list);
      return ledger_total_json(&total);
    }
    json_array_append_new(list, ledger_total_json(&total));
  }
  return json_pack("{s:o}", "labels", list);
}

static void print_totals(const tacit_ledger *ledger, const char *path, const tacit_ledger_total *only) {
  printf("ledger %s\n\n", path);
  ledger_print_heading();
  if (only) ledger_print_total(only);
  for (size_t i = 0; !only && i < tacit_ledger_labels(ledger); i++) {
    tacit_ledger_total total = tacit_ledger_total_at(ledger, i);
    ledger_print_total(&total);
  }
  puts("amounts of mu add up in squares: of a budget of 1, 0.6 leaves 0.8");
}

/* ledger is NULL when it could not be believed. */
static int report(const request *r, const tacit_ledger *ledger, const char *path, const findings *f) {
  tacit_ledger_total total, *only = NULL;
  if (ledger && r->label) {
    if (!tacit_ledger_total_of(ledger, r->label, &total))
      return usage_error("the ledger has no label \"%s\"; without --label it lists them", r->label);
    only = &total;
  }
  int code = 0;
  if (r->json) {
    json_t *object = ledger ? totals_json(ledger, only) : json_object();
    if (r->check) {
      json_object_set_new(object, "holds", json_boolean(f->holds));
      json_object_set(object, "checks", f->list);
    }
    code = print_json(object);
  } else if (ledger) {
    if (r->check) printf("\n");
    print_totals(ledger, path, only);
    code = flushed(0);
  }
  return code ? code : f->holds ? 0 : flushed(TACIT_CHECK_FAILED);
}

static int show(const request *r, const char *path) {
  tacit_error error = {""};
  tacit_ledger *ledger = NULL;
  findings f = {.holds = true, .json = r->json, .list = json_array()};
  const char *what = "the record is whole: its file, its amounts and its hash chain";
  tacit_status status = tacit_ledger_open(path, TACIT_LEDGER_READ, wait_ms(r->wait), &ledger, &error);
  int code = 0;
  if (status == TACIT_OK && r->check) status = tacit_ledger_check(ledger, &error);
  /* with --check a ledger that is there but cannot be believed is a finding, not a failure to look */
  bool finding = r->check && status == TACIT_BAD_INPUT && access(path, R_OK) == 0;
  if (status != TACIT_OK && !finding) {
    code = fail(status, &error);
  } else {
    if (r->check) find(&f, status == TACIT_OK, what, error.text);
    if (status == TACIT_OK && r->check)
      check_policies(&f, ledger, r->arguments + 1, r->argument_count ? r->argument_count - 1 : 0);
    code = report(r, status == TACIT_OK ? ledger : NULL, path, &f);
  }
  json_decref(f.list);
  tacit_ledger_close(ledger);
  return code;
}

/* As policies are, and ledgers are not. */
static bool is_json(const char *path) {
  FILE *file = fopen(path, "r");
  int first = file ? fgetc(file) : EOF;
  if (file) fclose(file);
  return first == '{';
}

int run_ledger_show(int argc, char **argv) {
  static request r; /* large for a stack */
  r.wait = WAIT_DEFAULT;
  const option options[] = {
      {"label", OPTION_TEXT, &r.label, "NAME", "this label alone", NULL},
      {"check", OPTION_FLAG, &r.check, NULL, "check the record, and that it paid for the policies given",
       NULL},
      {"wait", OPTION_COUNT, &r.wait, "S", "seconds to wait for a ledger in use (default 30)", NULL},
      {"json", OPTION_FLAG, &r.json, NULL, "print one JSON object", NULL},
  };
  int code = parse_options(
      &(command_line){
          .usage = "ledger show [L.db] [--label NAME] [--check [POLICY ...]]",
          .about = "What each population of records has spent and has left. Without L.db: your own ledger.\n"
                   "With --check, exit code 1 if the record was changed, cut or rolled back.",
          .options = options,
          .option_count = 4,
          .arguments = r.arguments,
          .most = ARGUMENTS_MAX,
          .found = &r.argument_count},
      argc, argv);
  if (code >= 0) return code;
  if (r.argument_count > 1 && !r.check) return usage_error("policies go with --check");
  if (r.argument_count && r.check && is_json(r.arguments[0])) { /* a policy: the ledger is one's own */
    memmove(r.arguments + 1, r.arguments, r.argument_count * sizeof *r.arguments);
    r.arguments[0] = NULL;
    r.argument_count++;
  }
  char *path = ledger_path(r.argument_count ? r.arguments[0] : NULL, false);
  if (!path) return TACIT_REFUSED;
  code = show(&r, path);
  free(path);
  return code;
}
