/* tacit audit: attack a learner's promise, and report what the attack proves. */
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tacit/papers.h>

static json_t *number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

static int print_machines(const tacit_audit_result *r) {
  json_t *epsilons = json_array();
  for (size_t d = 0; d < TACIT_AUDIT_DELTAS; d++)
    json_array_append_new(epsilons,
                          json_pack("{s:f, s:o, s:f}", "delta", r->epsilon[d].delta, "epsilon_promised",
                                    number(r->epsilon[d].promised), "epsilon_lower", r->epsilon[d].lower));
  json_t *object =
      json_pack("{s:s, s:o, s:o, s:f, s:o, s:o, s:f, s:b, s:o, s:I, s:I, s:I}", "method", r->method, "plant",
                *r->plant ? json_string(r->plant) : json_null(), "mu_promised", number(r->mu_promised),
                "mu_lower", r->mu_lower, "mu_lower_transcript", number(r->mu_lower_transcript),
                "mu_lower_coefficients", number(r->mu_lower_coefficients), "confidence", r->confidence,
                "caught", r->caught, "at_delta", epsilons, "runs", (json_int_t)r->runs, "trained",
                (json_int_t)r->trained, "releases", (json_int_t)r->releases);
  if (r->guesses)
    json_object_set_new(object, "one_run",
                        json_pack("{s:I, s:I, s:I}", "canaries", (json_int_t)r->runs, "guesses",
                                  (json_int_t)r->guesses, "right", (json_int_t)r->right));
  return print_json(object);
}

static int print_people(const tacit_audit_result *r) {
  printf("%s%s%s", r->method, *r->plant ? " with the fault " : "", r->plant);
  if (r->guesses)
    printf(": one run with %zu canaries, %zu of %zu guesses right\n\n", r->runs, r->right, r->guesses);
  else
    printf(": %zu runs on each of two neighbouring tables, %zu of them to choose the test\n\n", r->runs,
           r->trained);
  printf("%-34s %10s %10s\n", "", "promised", "at least");
  if (isfinite(r->mu_promised)) printf("%-34s %10.4g %10.4g\n", "mu", r->mu_promised, r->mu_lower);
  if (isfinite(r->mu_lower_transcript))
    printf("%-34s %10s %10.4g\n", "  seen in the noisy sums", "", r->mu_lower_transcript);
  if (isfinite(r->mu_lower_coefficients))
    printf("%-34s %10s %10.4g\n", "  seen in the coefficients", "", r->mu_lower_coefficients);
  for (size_t d = 0; d < TACIT_AUDIT_DELTAS; d++) {
    char name[48], promised[24] = "-";
    snprintf(name, sizeof name, "epsilon at delta = %g", r->epsilon[d].delta);
    if (isfinite(r->epsilon[d].promised)) snprintf(promised, sizeof promised, "%.4g", r->epsilon[d].promised);
    printf("%-34s %10s %10.4g\n", name, promised, r->epsilon[d].lower);
  }
  printf("\n%s (confidence %.1f %%)\n",
         r->caught ? "CAUGHT: the promise is broken" : "no attack went beyond the promise",
         100 * r->confidence);
  return flushed(0);
}

static void describe(char *about, size_t size) {
  size_t used =
      (size_t)snprintf(about, size,
                       "Runs a method on two tables that differ in one record, guesses from what is released "
                       "which one it was, and\nbounds the guarantee from below by how often that is right. "
                       "Exit code 1 when a bound lies above the promise.\n\nmethods:");
  for (size_t i = 0; tacit_audit_method_name(i) && used < size; i++)
    used += (size_t)snprintf(about + used, size - used, " %s", tacit_audit_method_name(i));
  if (used < size) used += (size_t)snprintf(about + used, size - used, "\nfaults that can be planted:\n");
  for (size_t i = 0; tacit_audit_fault_name(i) && used < size; i++)
    used += (size_t)snprintf(about + used, size - used, "  %-20s %s\n", tacit_audit_fault_name(i),
                             tacit_audit_fault_about(i));
  if (used < size)
    used += (size_t)snprintf(about + used, size - used, "methods that are broken as published, likewise:\n");
  for (size_t i = 0; tacit_audit_published_name(i) && used < size; i++)
    used += (size_t)snprintf(about + used, size - used, "  %-20s %s\n", tacit_audit_published_name(i),
                             tacit_audit_published_about(i));
}

static bool is_one_of(const char *name, const char *(*list)(size_t index)) {
  size_t i = 0;
  while (list(i) && strcmp(name, list(i)) != 0) i++;
  return list(i) != NULL;
}

/* A published method takes the place of the one that is named, which must be one all the same. */
static tacit_status attack(const tacit_audit_options *audit, const tacit_context *context,
                           tacit_audit_result *result, tacit_error *error) {
  bool published = audit->plant && is_one_of(audit->plant, tacit_audit_published_name);
  return published && is_one_of(audit->method, tacit_audit_method_name)
             ? tacit_audit_published(audit, context, result, error)
             : tacit_audit_learner(audit, context, result, error);
}

int run_audit(int argc, char **argv) {
  tacit_audit_options audit;
  tacit_audit_options_init(&audit);
  bool json = false;
  size_t threads = 0;
  const char *adjacency = NULL;
  const option options[] = {
      {"method", OPTION_TEXT, &audit.method, "NAME", "what to attack (default: default)", NULL},
      {"mu", OPTION_NUMBER, &audit.mu, "M", "the promise (default 1)", NULL},
      {"epsilon", OPTION_NUMBER, &audit.epsilon, "E", "the promise of a method that has an (epsilon, delta)",
       NULL},
      {"delta", OPTION_NUMBER, &audit.delta, "D", "its delta, and the first that is reported (default 1e-5)",
       NULL},
      {"adjacency", OPTION_TEXT, &adjacency, "A", "replace-one (default) or add-remove", NULL},
      {"runs", OPTION_COUNT, &audit.runs, "R",
       "runs on each table, or canaries (default: a few seconds' worth)", NULL},
      {"one-run", OPTION_FLAG, &audit.one_run, NULL, "many canaries in one run of the plain Gaussian release",
       NULL},
      {"plant", OPTION_TEXT, &audit.plant, "FAULT", "break the promise on purpose, to see it caught", NULL},
      {"seed", OPTION_SEED, &audit.seed, "N", "reproducible noise, in place of the operating system's",
       &audit.seeded},
      {"threads", OPTION_COUNT, &threads, "N", "threads; default one per core", NULL},
      {"json", OPTION_FLAG, &json, NULL, "print one JSON object", NULL},
  };
  char about[2048];
  describe(about, sizeof about);
  int code = parse_options(
      &(command_line){.usage = "audit --method NAME --mu M [--runs R] [--plant FAULT] [--seed N]",
                      .about = about,
                      .options = options,
                      .option_count = sizeof options / sizeof *options},
      argc, argv);
  if (code >= 0) return code;
  code = set_adjacency(adjacency, &audit.adjacency);
  if (code >= 0) return code;
  tacit_error error;
  tacit_context context;
  tacit_audit_result result;
  cli_context(&context, threads);
  tacit_status status = attack(&audit, &context, &result, &error);
  progress_done();
  if (status != TACIT_OK) return fail(status, &error);
  code = json ? print_machines(&result) : print_people(&result);
  return code ? code : result.caught ? TACIT_CHECK_FAILED : TACIT_OK;
}
