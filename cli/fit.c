/* tacit fit: from a table, a schema and two unit costs, or a region, to a policy file. */
#include "events.h"
#include "fitted.h"
#include "spo.h"
#include "table.h"
#include "tally.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct request {
  bool spo; /* it is `spo fit`: over a region */
  const char *table, *schema, *region, *out, *adjacency, *sign, *sql, *where, *from;
  tacit_start *start;
  tacit_secret_key *key;
  table_form form;
  event_tables events;
  numbers underage, overage, quantile;
  guarantee asked;
  bool json, no_ledger, force;
  size_t threads;
  wallet wallet;
  careful_payment careful;
  tacit_ranks ranks;
  const tacit_method *method;
  pairs of_method; /* options as they were given */
  tacit_learn_options learn;
  goal_list goals;
  double quantiles[NUMBERS_MAX];
} request;

static bool is_private(const request *r) {
  return tacit_method_promise(r->method) != TACIT_PROMISE_NOTHING;
}

/* What a guarantee and a method's name mean together; the method's options once the region is there. */
static int settle_method(request *r) {
  if (r->from && !strcmp(r->learn.method, "default"))
    r->learn.method = tacit_method_name(tacit_method_following());
  r->method = tacit_method_find(r->learn.method, r->region != NULL);
  if (!r->method)
    return usage_error("no method of this name%s; tacit %s --help lists them",
                       r->region ? " over a region" : "", r->spo ? "spo fit" : "fit");
  int code = set_guarantee(&r->asked, r->learn.method, tacit_method_promise(r->method));
  r->learn.mu = r->asked.mu;
  r->learn.epsilon = r->asked.epsilon;
  r->learn.delta = r->asked.delta;
  return code;
}

static int check_request(request *r) {
  int code = check_events(&r->events, r->sql ? r->sql : r->table);
  if (code >= 0) return code;
  if (!r->table && !r->sql && !r->events.events)
    return usage_error("too few arguments; usage: tacit fit TABLE --schema S.json ..., see tacit fit --help");
  if (r->sql && has_form(&r->form)) return usage_error("--separator and --decimal are for files, not --sql");
  if (r->wallet.result_rows && !r->sql) return usage_error("--result-rows goes with --sql");
  if (r->where && r->sql) return usage_error("with --sql the condition belongs into the query, behind WHERE");
  if (!r->schema)
    return usage_error(
        "--schema is needed: the public facts about the table; draft one with tacit schema draft %s "
        "--out s.json",
        r->table ? r->table : "TABLE");
  if (r->spo && !r->region) return usage_error("--region is needed: the decisions to choose from");
  if (r->region && (r->underage.count || r->overage.count || r->quantile.count))
    return usage_error(
        "over a region the costs are in the table: leave out --underage, --overage, --quantile");
  if (!r->out) return usage_error("--out is needed: where the policy goes");
  if (r->no_ledger && r->wallet.path) return usage_error("give --ledger or --no-ledger, not both");
  code = set_adjacency(r->adjacency, &r->learn.adjacency);
  return code >= 0 ? code : settle_method(r);
}

static int parse_request(request *r, int argc, char **argv) {
  const option shared[] = {
      {"schema", OPTION_TEXT, &r->schema, "S.json", "the public facts about the table (needed)", NULL},
      {"region", OPTION_TEXT, &r->region, "R.json",
       "learn to decide over this region: the targets are the costs of its coordinates", NULL},
      {"sql", OPTION_TEXT, &r->sql, "QUERY",
       "learn from SELECT ... FROM 'file.parquet' (or .json) [WHERE ...]; TABLE is then a DuckDB database or "
       "left out",
       NULL},
      {"where", OPTION_TEXT, &r->where, "CONDITION",
       "learn from the records that meet it: \"shop = 24 AND date >= '2018-06-01'\"; needs add-remove, or "
       "public features",
       NULL},
      {"result-rows", OPTION_FLAG, &r->wallet.result_rows, NULL,
       "with --sql: any SELECT; the promise is about rows of its result, not about records", NULL},
      {"underage", OPTION_NUMBERS, &r->underage, "B",
       "cost of a missing unit; several for several targets or quantiles", NULL},
      {"overage", OPTION_NUMBERS, &r->overage, "H", "cost of a unit left over", NULL},
      {"quantile", OPTION_NUMBERS, &r->quantile, "TAU",
       "instead of costs: the share of demand to cover; several are learned at once", NULL},
      {"mu", OPTION_NUMBER, &r->asked.mu, "M", "the guarantee, mu-GDP; 0.5 is a reasonable promise",
       &r->asked.has_mu},
      {"epsilon", OPTION_NUMBER, &r->asked.epsilon, "E", "the guarantee as (epsilon, delta), with --delta",
       &r->asked.has_epsilon},
      {"delta", OPTION_NUMBER, &r->asked.delta, "D", "see --epsilon", &r->asked.has_delta},
      {"adjacency", OPTION_TEXT, &r->adjacency, "A", "replace-one (default) or add-remove", NULL},
      {"nominal-rows", OPTION_COUNT, &r->learn.nominal_rows, "N", "public number of rows, for add-remove",
       NULL},
      {"out", OPTION_TEXT, &r->out, "P.json", "where the policy goes (needed)", NULL},
      {"force", OPTION_FLAG, &r->force, NULL,
       "replace what is at --out, also a private policy (or TACIT_FORCE=1 in the environment)", NULL},
      {"method", OPTION_TEXT, &r->learn.method, "NAME", "one of those below", NULL},
      {"from", OPTION_TEXT, &r->from, "LAST.json",
       "go on from this policy: learn from new records alone, and keep what it knows", NULL},
      {"period", OPTION_TEXT, &r->learn.period, "NAME",
       "which period the records are of, such as 2024-03: no unit has records in two of them", NULL},
      {"label", OPTION_TEXT, &r->wallet.label, "NAME", "whose budget pays (default: default)", NULL},
      {"ledger", OPTION_TEXT, &r->wallet.path, "L.db", "the ledger to spend from, instead of your own", NULL},
      {"no-ledger", OPTION_FLAG, &r->no_ledger, NULL, "keep no record of the spending", NULL},
      {"wait", OPTION_COUNT, &r->wallet.wait, "S", "seconds to wait for a ledger in use (default 30)", NULL},
      {"sign", OPTION_TEXT, &r->sign, "KEYFILE", "sign the policy with this secret key (tacit keys)", NULL},
      {"seed", OPTION_SEED, &r->learn.seed, "N", "reproducible noise: the policy is then not private",
       &r->learn.seeded},
      {"threads", OPTION_COUNT, &r->threads, "N", "threads; default one per core", NULL},
      EVENT_TABLES(r->events),
      TABLE_FORM(r->form),
      {"json", OPTION_FLAG, &r->json, NULL, "print one JSON object", NULL},
  };
  enum { SHARED = sizeof shared / sizeof *shared };
  option options[SHARED + METHOD_OPTIONS_MAX];
  memcpy(options, shared, sizeof shared);
  bool region = r->spo;
  for (int i = 1; i < argc; i++) region = region || !strncmp(argv[i], "--region", strlen("--region"));
  size_t own = method_options(&r->of_method, region, options + SHARED);
  const command_line line = {
      .usage = r->spo ? "spo fit TABLE --schema S.json --region R.json --mu M --out P.json"
                      : "fit TABLE --schema S.json --underage B --overage H --mu M --out P.json",
      .about = r->spo
                   ? "Learns a rule for decisions over a region from TABLE: costs are predicted from the "
                     "features for the\nsake of the decision that minimises them. The same as fit --region."
                   : "Learns a policy from TABLE (a CSV, Arrow, Parquet or JSON file, a packed table, or - "
                     "for CSV "
                     "on standard input)\n"
                     "under differential privacy. The policy file may leave the building; the table may not.",
      .options = options,
      .option_count = SHARED + own,
      .more = region ? explain_region_methods : explain_methods,
      .arguments = &r->table,
      .most = 1};
  int code = parse_options(&line, argc, argv);
  return code >= 0 ? code : check_request(r);
}

static void print_rule(const tacit_policy *policy, const tacit_region *region) {
  if (!region) {
    print_coefficients(policy);
    putchar('\n');
    return;
  }
  printf("a decision has %zu coordinates; each one's cost is predicted from %zu columns\n\n",
         tacit_region_dimension(region), tacit_schema_columns(tacit_policy_schema(policy)));
}

static int report(const request *r, const tacit_policy *policy, const tacit_source *source,
                  const tacit_fit *fit) {
  tacit_fit_counts counts = tacit_fit_count(fit);
  const char *note = tacit_fit_note(fit);
  if (r->json) {
    json_t *json =
        fitted_json(r->out, policy, &r->wallet, &counts, tally_json(source, tacit_policy_schema(policy)));
    json_object_set_new(json, "note", json_string(note));
    events_json(source, json_object_get(json, "data_holder_only"));
    if (r->learn.location_scale.intervals) json_object_set_new(json, "standard_errors", errors_json(policy));
    return print_json(json);
  }
  print_counts(&counts);
  if (*note) {
    printf("note: ");
    print_wrapped(note);
  }
  (void)fflush(stdout); /* what is odd stands before a long list of numbers */
  print_events(source);
  print_tally(source, tacit_policy_schema(policy));
  print_rule(policy, r->learn.region);
  print_promise(policy, &r->wallet);
  printf("\nwritten: %s\n", r->out);
  return flushed(0);
}

/* Whether the policy can be written, asked while nothing is spent yet. */
static int check_out(const char *out) {
  char folder[4096];
  const char *slash = strrchr(out, '/');
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - out + 1) : 1, slash ? out : ".");
  if (access(folder, W_OK | X_OK) == 0) return -1;
  fprintf(stderr, "tacit: cannot write %s: %s; choose another --out\n", out, strerror(errno));
  return TACIT_INTERNAL;
}

/* Whether the policy would replace what it is learned from; each rank may read a file of its own. */
static bool replaces_input(const request *r) {
  bool found = is_input(r->out, r->schema) || is_input(r->out, r->region) || is_input(r->out, r->sign) ||
               is_input(r->out, r->from) || is_queried(r->out, r->sql) ||
               is_input(r->out, r->events.events) || is_input(r->out, r->events.calendar);
  for (tacit_ranks one = r->ranks; r->table && !found && one.rank < one.count; one.rank++) {
    bool own;
    char *path = ranks_path(&one, r->table, &own);
    found = !path || is_input(r->out, path);
    free(path);
  }
  return found;
}

/* Only a private release spends: one without noise, or with noise from a seed, must not be released at all.
 */
static int open_wallet(request *r, const tacit_schema *schema) {
  if (r->ranks.rank > 0) return -1; /* rank 0 spends for all */
  if (r->no_ledger || r->learn.seeded || !is_private(r)) return -1;
  r->wallet.out = r->out;
  r->wallet.period = r->learn.period;
  r->method = tacit_method_for(r->learn.method, r->region != NULL, schema);
  int code = wallet_open(&r->wallet, r->learn.mu, tacit_method_name(r->method), schema, r->learn.adjacency);
  r->careful = (careful_payment){NULL, schema, &r->wallet.payment};
  r->learn.spend = pay_if_read;
  r->learn.spend_user = &r->careful;
  return code;
}

static int failed(const request *r, tacit_status status, const tacit_error *error) {
  tacit_error named = *error;
  if (r->ranks.count > 1)
    snprintf(named.text, sizeof named.text, "rank %zu: %.450s", r->ranks.rank, error->text);
  int code = fail(status, &named);
  wallet_regret(&r->wallet);
  return code;
}

/* Where another fit has left a private policy since --out was looked at, this one, paid for as well, goes
 * beside it. */
static tacit_status write_kept(request *r, const tacit_policy *policy, tacit_error *error) {
  static char beside[4096];
  bool is_policy;
  const char *asked = r->out;
  for (int i = 2; !r->force && i < 100 && is_kept(r->out, &is_policy); i++) {
    if ((size_t)snprintf(beside, sizeof beside, "%s.%d", asked, i) >= sizeof beside) break;
    r->out = beside;
  }
  if (r->out != asked)
    fprintf(stderr, "tacit: another policy has come to %s meanwhile: this one is at %s\n", asked, r->out);
  return tacit_policy_write(policy, r->out, error);
}

static int learn_and_write(request *r, tacit_schema *schema, tacit_source *source) {
  tacit_error error;
  tacit_context context;
  tacit_fit *fit = NULL;
  tacit_policy *policy = NULL;
  cli_context(&context, r->threads);
  r->careful.source = source;
  if (r->ranks.count > 1) context.ranks = &r->ranks;
  if (r->ranks.rank > 0) context.progress = NULL;
  tacit_status status = tacit_learn(schema, source, &r->learn, &context, &fit, &error);
  progress_done();
  if (status == TACIT_OK && r->ranks.rank > 0) { /* rank 0 has the same, and writes it */
    tacit_fit_free(fit);
    return 0;
  }
  if (status == TACIT_OK)
    status = tacit_policy_from_fit(schema, r->learn.region, fit, r->goals.goals, &policy, &error);
  if (status == TACIT_OK) tacit_policy_set_receipt(policy, &r->wallet.payment.receipt);
  if (status == TACIT_OK && r->key) status = tacit_policy_sign(policy, r->key, &error);
  if (status == TACIT_OK) status = write_kept(r, policy, &error);
  int code = status == TACIT_OK ? report(r, policy, source, fit) : failed(r, status, &error);
  tacit_policy_free(policy);
  tacit_fit_free(fit);
  return code;
}

/* One file for each rank, or a part of one packed table. */
static tacit_status open_table(const request *r, const tacit_schema *schema, tacit_source **source,
                               tacit_error *error) {
  bool own;
  if (r->sql && r->ranks.count > 1) {
    snprintf(error->text, sizeof error->text,
             "--sql runs in one process: start it without mpirun, or give each rank a file of its own");
    return TACIT_USAGE;
  }
  if (r->events.events) return open_events(&r->events, &r->form, r->where, schema, source, error);
  if (r->sql) return tacit_source_sql(r->table, r->sql, r->wallet.result_rows, source, error);
  char *path = ranks_path(&r->ranks, r->table, &own);
  if (!path) {
    snprintf(error->text, sizeof error->text, "not enough memory");
    return TACIT_INTERNAL;
  }
  bool whole = own || r->ranks.count == 1;
  tacit_status status = whole ? open_as(path, &r->form, schema, source, error)
                              : tacit_source_open_part(path, r->ranks.rank, r->ranks.count, source, error);
  free(path);
  return status == TACIT_OK ? keep_where(r->where, source, error) : status;
}

/* What is ordered for; nothing over a region. */
static int settle_goals(request *r, const tacit_schema *schema) {
  size_t targets = tacit_schema_targets(schema);
  if (r->learn.region) return -1;
  int code = schema_goals(schema, r->underage.count || r->overage.count || r->quantile.count, &r->goals);
  if (code < 0 && !r->goals.count)
    code = set_goals(&r->underage, &r->overage, &r->quantile, targets, &r->goals);
  for (size_t g = 0; code < 0 && g < r->goals.count; g++) r->quantiles[g] = r->goals.goals[g].quantile;
  r->learn.quantiles = r->quantiles;
  r->learn.quantile_count = r->goals.count;
  return code;
}

/* The policy to go on from, which must hold by itself. */
static tacit_status read_start(request *r, tacit_error *error) {
  tacit_policy *last = NULL;
  tacit_status status = tacit_policy_read(r->from, &last, error);
  if (status == TACIT_OK) status = tacit_policy_start(last, &r->start, error);
  tacit_policy_free(last);
  r->learn.from = r->start;
  return status;
}

static int fit_table(request *r) {
  int code = -1;
  if (r->ranks.rank == 0 && replaces_input(r))
    return usage_error("--out would replace a file that is read; give the policy a name of its own");
  tacit_error error;
  tacit_schema *schema = NULL;
  tacit_region *region = NULL;
  tacit_source *source = NULL;
  tacit_status status = tacit_schema_read(r->schema, &schema, &error);
  if (status == TACIT_OK && r->region) status = tacit_region_read(r->region, &region, &error);
  r->learn.region = region;
  if (status == TACIT_OK && r->from) status = read_start(r, &error);
  if (status == TACIT_OK) code = settle_goals(r, schema);
  if (status == TACIT_OK && code < 0) code = set_method_options(&r->learn, r->method, &r->of_method);
  if (status == TACIT_OK && code < 0 && r->ranks.rank == 0) status = tacit_policy_check_path(r->out, &error);
  if (status == TACIT_OK && code < 0 && r->sign && r->ranks.rank == 0)
    status = tacit_secret_key_read(r->sign, &r->key, &error);
  if (status == TACIT_OK && code < 0) status = open_table(r, schema, &source, &error);
  if (status != TACIT_OK) code = failed(r, status, &error);
  if (code < 0 && r->ranks.rank == 0) code = check_out(r->out);
  if (code < 0 && r->ranks.rank == 0) code = r->force ? -1 : check_kept(r->out);
  if (code < 0) code = open_wallet(r, schema);
  if (code < 0 && r->ranks.rank == 0 && !region) warn_of_sales(schema);
  if (code < 0) code = learn_and_write(r, schema, source);
  tacit_secret_key_free(r->key);
  tacit_start_free(r->start);
  wallet_close(&r->wallet);
  tacit_source_free(source);
  tacit_region_free(region);
  tacit_schema_free(schema);
  return code;
}

static int fit(bool spo, int argc, char **argv) {
  request r = {.spo = spo, .wallet = {.wait = WAIT_DEFAULT}};
  tacit_learn_options_init(&r.learn);
  int code = parse_request(&r, argc, argv);
  if (code >= 0) return code;
  code = ranks_open(&r.ranks);
  if (code < 0) code = fit_table(&r);
  return ranks_close(code);
}

int run_fit(int argc, char **argv) {
  return fit(false, argc, argv);
}

int run_spo_fit(int argc, char **argv) {
  return fit(true, argc, argv);
}
