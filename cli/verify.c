/* tacit verify: recompute a policy's guarantee from the file alone. */
#include "cli.h"

#include <math.h>
#include <stdio.h>

static int print_people(const tacit_policy *policy, const tacit_verdict *verdict) {
  char statement[1024];
  for (size_t i = 0; i < verdict->count; i++)
    printf("%s  %s\n", verdict->checks[i].holds ? "holds" : "FAILS", verdict->checks[i].text);
  tacit_policy_statement(policy, statement);
  putchar('\n');
  if (verdict->holds) {
    print_wrapped("The guarantee holds as claimed. What the file cannot show: that the noise was really "
                  "drawn, and that "
                  "the schema was written without looking at the rows.");
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
  int code = print_json(json_pack("{s:b, s:o, s:f, s:f, s:o, s:f, s:o}", "holds", verdict->holds, "mu",
                                  isfinite(verdict->mu) ? json_real(verdict->mu) : json_null(), "mu_claimed",
                                  tacit_policy_mu(policy), "epsilon", verdict->epsilon, "delta",
                                  isfinite(verdict->delta) ? json_real(verdict->delta) : json_null(),
                                  "delta_claimed", tacit_policy_delta(policy), "checks", checks));
  return code ? code : verdict->holds ? 0 : TACIT_CHECK_FAILED;
}

int run_verify(int argc, char **argv) {
  bool json = false;
  const char *path;
  const option options[] = {{"json", OPTION_FLAG, &json, NULL, "print one JSON object", NULL}};
  int code =
      parse_options("verify POLICY",
                    "Recomputes sensitivities from schema, quantile and unit, and the guarantee from them.\n"
                    "Exit code 0 only if it holds and the policy claims real noise.",
                    options, 1, argc, argv, &path, 1, 1, NULL);
  if (code >= 0) return code;
  tacit_error error;
  tacit_policy *policy = NULL;
  tacit_verdict verdict;
  tacit_status status = tacit_policy_read(path, &policy, &error);
  if (status != TACIT_OK) return fail(status, &error);
  tacit_policy_verify(policy, &verdict);
  code = json ? print_machines(policy, &verdict) : print_people(policy, &verdict);
  tacit_policy_free(policy);
  return code;
}
