/* tacit verify: recompute a policy's guarantee from the file alone. */
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_check(tacit_verdict *verdict, bool holds, const char *text) {
  verdict->holds = verdict->holds && holds;
  if (verdict->count == TACIT_CHECKS_MAX) return;
  verdict->checks[verdict->count].holds = holds;
  snprintf(verdict->checks[verdict->count++].text, sizeof verdict->checks[0].text, "%s", text);
}

/* A key that was asked for is one more check. */
static void check_key(const tacit_policy *policy, const char *wanted, tacit_verdict *verdict) {
  const char *signer = tacit_policy_signer(policy);
  bool same = signer && !strcmp(signer, wanted);
  add_check(verdict, same,
            same     ? "it was signed with the key that was asked for"
            : signer ? "it was signed with another key than the one that was asked for"
                     : "nobody signed it");
}

/* The policies before the last one, each with the one before it. *last is the first of all in the end. */
static tacit_status check_chain(const char *const *paths, size_t count, tacit_policy **last,
                                tacit_verdict *verdict, tacit_error *error) {
  char text[sizeof verdict->checks[0].text];
  for (size_t i = 0; i < count; i++) {
    tacit_policy *before;
    tacit_verdict link = {.holds = true};
    tacit_status status = tacit_policy_read(paths[i], &before, error);
    if (status != TACIT_OK) return status;
    tacit_policy_verify_link(*last, before, &link);
    tacit_policy_free(*last);
    *last = before;
    snprintf(text, sizeof text, "of the policy %zu back: %.150s", i + 1, link.checks[0].text);
    if (!link.holds) add_check(verdict, false, text);
    if (!link.holds) return TACIT_OK;
  }
  bool whole = !tacit_policy_before(*last);
  snprintf(text, sizeof text,
           "%zu policies before it go on from each other and hold by themselves; the first %s", count + 1,
           whole ? "began from nothing" : "goes on from one that was not given");
  if (count) add_check(verdict, true, text);
  return TACIT_OK;
}

static int print_people(const tacit_policy *policy, const tacit_verdict *verdict, bool known) {
  char statement[1024], vouched[400];
  const char *signer = tacit_policy_signer(policy);
  if (signer)
    snprintf(vouched, sizeof vouched, "Whoever holds the key %s vouches that the noise was drawn%s.", signer,
             known ? "" : "; compare it with a key that you know (--public-key)");
  else
    snprintf(vouched, sizeof vouched,
             "Nobody signed the file: that the noise was drawn is claimed, not proved.");
  for (size_t i = 0; i < verdict->count; i++)
    printf("%s  %s\n", verdict->checks[i].holds ? "holds" : "FAILS", verdict->checks[i].text);
  tacit_policy_statement(policy, statement);
  putchar('\n');
  if (verdict->holds) {
    print_wrapped("The guarantee holds as claimed. What the file cannot show: that the noise was really "
                  "drawn, and that "
                  "the schema was written without looking at the rows.");
    print_wrapped(vouched);
    putchar('\n');
    print_wrapped(statement);
  } else {
    print_wrapped("The guarantee does NOT hold.");
  }
  return flushed(verdict->holds ? 0 : TACIT_CHECK_FAILED);
}

static int print_machines(const tacit_policy *policy, const tacit_verdict *verdict) {
  json_t *checks = json_array();
  for (size_t i = 0; i < verdict->count; i++)
    json_array_append_new(
        checks, json_pack("{s:b, s:s}", "holds", verdict->checks[i].holds, "check", verdict->checks[i].text));
  const char *signer = tacit_policy_signer(policy);
  int code =
      print_json(json_pack("{s:b, s:o, s:f, s:f, s:o, s:f, s:s?, s:o}", "holds", verdict->holds, "mu",
                           isfinite(verdict->mu) ? json_real(verdict->mu) : json_null(), "mu_claimed",
                           tacit_policy_mu(policy), "epsilon", verdict->epsilon, "delta",
                           isfinite(verdict->delta) ? json_real(verdict->delta) : json_null(),
                           "delta_claimed", tacit_policy_delta(policy), "signer", signer, "checks", checks));
  return code ? code : verdict->holds ? 0 : TACIT_CHECK_FAILED;
}

enum { CHAIN_MAX = 1000 };

int run_verify(int argc, char **argv) {
  bool json = false;
  static const char *path[CHAIN_MAX];
  const char *key_path = NULL, *from = NULL;
  size_t found = 0;
  const option options[] = {
      {"from", OPTION_TEXT, &from, "LAST.json",
       "the policy that it goes on from; it must hold, too. Behind it those before, back to the first", NULL},
      {"public-key", OPTION_TEXT, &key_path, "K", "the key it must be signed with (tacit keys)", NULL},
      {"json", OPTION_FLAG, &json, NULL, "print one JSON object", NULL},
  };
  int code = parse_options(
      &(command_line){
          .usage = "verify POLICY [--from LAST.json [EARLIER.json ...]]",
          .about = "Recomputes sensitivities from schema, quantile and unit, and the guarantee from them.\n"
                   "Exit code 0 only if it holds and the policy claims real noise.",
          .options = options,
          .option_count = 3,
          .arguments = path,
          .least = 1,
          .most = CHAIN_MAX,
          .found = &found},
      argc, argv);
  if (code >= 0) return code;
  if (found > 1 && !from)
    return usage_error("one policy is verified at a time; with --from LAST.json others are those before it");
  tacit_error error;
  tacit_policy *policy = NULL, *before = NULL;
  tacit_verdict verdict;
  char key[TACIT_KEY_TEXT];
  tacit_status status = key_path ? tacit_public_key_read(key_path, key, &error) : TACIT_OK;
  if (status == TACIT_OK) status = tacit_policy_read(path[0], &policy, &error);
  if (status == TACIT_OK && from) status = tacit_policy_read(from, &before, &error);
  if (status != TACIT_OK) {
    tacit_policy_free(policy);
    return fail(status, &error);
  }
  tacit_policy_verify(policy, &verdict);
  if (from) tacit_policy_verify_link(policy, before, &verdict);
  if (from) status = check_chain(path + 1, found - 1, &before, &verdict, &error);
  if (status != TACIT_OK) {
    tacit_policy_free(policy);
    tacit_policy_free(before);
    return fail(status, &error);
  }
  if (key_path) check_key(policy, key, &verdict);
  code = json ? print_machines(policy, &verdict) : print_people(policy, &verdict, key_path != NULL);
  tacit_policy_free(policy);
  tacit_policy_free(before);
  return code;
}
