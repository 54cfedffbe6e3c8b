/* tacit spo fit: from a table of features and costs, a schema and a region to a policy file. */
#include "fitted.h"
#include "spo.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct request {
  const char *table, *schema, *region, *out, *adjacency, *sign;
  guarantee asked;
  bool json, no_ledger;
  size_t threads;
  wallet wallet;
  tacit_secret_key *key; /* NULL: not signed */
  tacit_spo_options learn;
} request;

static bool is_baseline(const char *method) {
  return !strcmp(method, "spo-plus") || !strcmp(method, "least-squares-exact");
}

static int settle_guarantee(request *r) {
  const char *method = r->learn.method;
  int code = set_guarantee(&r->asked, method,
                           is_baseline(method)             ? PROMISE_NOTHING
                           : strcmp(method, "exponential") ? PROMISE_GAUSSIAN
                                                           : PROMISE_PAIR);
  r->learn.mu = r->asked.mu;
  r->learn.epsilon = r->asked.epsilon;
  r->learn.delta = r->asked.delta;
  return code;
}

static int parse_request(request *r, int argc, char **argv) {
  const option options[] = {
      {"schema", OPTION_TEXT, &r->schema, "S.json",
       "public facts about the table; its targets are the costs (needed)", NULL},
      {"region", OPTION_TEXT, &r->region, "R.json", "the decisions to choose from (needed)", NULL},
      {"mu", OPTION_NUMBER, &r->asked.mu, "M", "the guarantee, mu-GDP; 0.5 is a reasonable promise",
       &r->asked.has_mu},
      {"epsilon", OPTION_NUMBER, &r->asked.epsilon, "E", "the guarantee as (epsilon, delta), with --delta",
       &r->asked.has_epsilon},
      {"delta", OPTION_NUMBER, &r->asked.delta, "D", "see --epsilon", &r->asked.has_delta},
      {"adjacency", OPTION_TEXT, &r->adjacency, "A", "replace-one (default) or add-remove", NULL},
      {"nominal-rows", OPTION_COUNT, &r->learn.nominal_rows, "N", "public number of rows, for add-remove",
       NULL},
      {"out", OPTION_TEXT, &r->out, "P.json", "where the policy goes (needed)", NULL},
      {"method", OPTION_TEXT, &r->learn.method, "NAME",
       "default (gaussian), exponential, least-squares; not private: spo-plus, least-squares-exact", NULL},
      {"steps", OPTION_COUNT, &r->learn.steps, "T", "steps of descent", NULL},
      {"step-size", OPTION_NUMBER, &r->learn.step_size, "ETA", "step size, in spreads of the costs", NULL},
      {"growth", OPTION_NUMBER, &r->learn.growth, "G", "growth of the budget's share from step to step",
       NULL},
      {"average", OPTION_COUNT, &r->learn.average, "K", "average the last K iterates; 1: the last alone",
       NULL},
      {"clip-norm", OPTION_NUMBER, &r->learn.clip_norm, "B", "limit of a row's weight, over the schema's",
       NULL},
      {"label", OPTION_TEXT, &r->wallet.label, "NAME", "whose budget pays (default: default)", NULL},
      {"ledger", OPTION_TEXT, &r->wallet.path, "L.db", "the ledger to spend from, instead of your own", NULL},
      {"no-ledger", OPTION_FLAG, &r->no_ledger, NULL, "keep no record of the spending", NULL},
      {"wait", OPTION_COUNT, &r->wallet.wait, "S", "seconds to wait for a ledger in use (default 30)", NULL},
      {"sign", OPTION_TEXT, &r->sign, "KEYFILE", "sign the policy with this secret key (tacit keys)", NULL},
      {"seed", OPTION_SEED, &r->learn.seed, "N", "reproducible noise: the policy is then not private",
       &r->learn.seeded},
      {"threads", OPTION_COUNT, &r->threads, "N", "threads; default one per core", NULL},
      {"json", OPTION_FLAG, &r->json, NULL, "print one JSON object", NULL},
  };
  int code = parse_options(
      "spo fit TABLE --schema S.json --region R.json --mu M --out P.json",
      "Learns a rule for decisions over a region from TABLE (a CSV file, or - for standard input):\n"
      "costs are predicted from the features for the sake of the decision that minimises them.\n"
      "The policy file may leave the building; the table may not.",
      options, sizeof options / sizeof *options, argc, argv, &r->table, 1, 1, NULL);
  if (code >= 0) return code;
  if (!r->schema) return usage_error("--schema is needed: the public facts about the table");
  if (!r->region) return usage_error("--region is needed: the decisions to choose from");
  if (!r->out) return usage_error("--out is needed: where the policy goes");
  if (r->no_ledger && r->wallet.path) return usage_error("give --ledger or --no-ledger, not both");
  code = set_adjacency(r->adjacency, &r->learn.adjacency);
  return code >= 0 ? code : settle_guarantee(r);
}

static int report(const request *r, const tacit_policy *policy, const tacit_region *region,
                  const tacit_fit_counts *counts) {
  if (r->json) return print_json(fitted_json(r->out, policy, &r->wallet, counts));
  print_counts(counts);
  printf("a decision has %zu coordinates; each one's cost is predicted from %zu columns\n\n",
         tacit_region_dimension(region), tacit_schema_columns(tacit_policy_schema(policy)));
  print_promise(policy, &r->wallet);
  printf("\nwritten: %s\n", r->out);
  return flushed(0);
}

/* Only a private release spends: one without noise, or with noise from a seed, must not be released at all.
 */
static int open_wallet(request *r, const tacit_schema *schema) {
  if (r->no_ledger || r->learn.seeded || is_baseline(r->learn.method)) return -1;
  const char *method = tacit_spo_method(r->learn.method);
  r->wallet.out = r->out;
  int code =
      wallet_open(&r->wallet, r->learn.mu, method ? method : r->learn.method, schema, r->learn.adjacency);
  r->learn.spend = tacit_ledger_pay;
  r->learn.spend_user = &r->wallet.payment;
  return code;
}

static int learn_and_write(request *r, const tacit_schema *schema, const tacit_region *region,
                           tacit_source *source) {
  tacit_error error;
  tacit_context context;
  tacit_fit *fit = NULL;
  tacit_policy *policy = NULL;
  cli_context(&context, r->threads);
  tacit_status status = tacit_spo_learn(schema, source, region, &r->learn, &context, &fit, &error);
  progress_done();
  if (status == TACIT_OK)
    status = tacit_spo_policy_new(schema, region, tacit_fit_coefficients(fit), tacit_fit_certificate(fit),
                                  &policy, &error);
  if (status == TACIT_OK) tacit_policy_set_receipt(policy, &r->wallet.payment.receipt);
  if (status == TACIT_OK && r->key) status = tacit_policy_sign(policy, r->key, &error);
  if (status == TACIT_OK) status = tacit_policy_write(policy, r->out, &error);
  tacit_fit_counts counts = {0};
  if (fit) counts = tacit_fit_count(fit);
  int code = status == TACIT_OK ? report(r, policy, region, &counts) : fail(status, &error);
  if (status != TACIT_OK) wallet_regret(&r->wallet);
  tacit_policy_free(policy);
  tacit_fit_free(fit);
  return code;
}

int run_spo_fit(int argc, char **argv) {
  request r = {.wallet = {.wait = WAIT_DEFAULT}};
  tacit_spo_options_init(&r.learn);
  int code = parse_request(&r, argc, argv);
  if (code >= 0) return code;
  tacit_error error;
  tacit_schema *schema = NULL;
  tacit_region *region = NULL;
  tacit_source *source = NULL;
  tacit_status status = tacit_schema_read(r.schema, &schema, &error);
  if (status == TACIT_OK) status = tacit_region_read(r.region, &region, &error);
  if (status == TACIT_OK) status = tacit_policy_check_path(r.out, &error);
  if (status == TACIT_OK && r.sign) status = tacit_secret_key_read(r.sign, &r.key, &error);
  if (status == TACIT_OK) status = tacit_source_open(r.table, &source, &error);
  code = status == TACIT_OK ? open_wallet(&r, schema) : fail(status, &error);
  if (code < 0) code = learn_and_write(&r, schema, region, source);
  tacit_secret_key_free(r.key);
  wallet_close(&r.wallet);
  tacit_source_free(source);
  tacit_region_free(region);
  tacit_schema_free(schema);
  return code;
}
