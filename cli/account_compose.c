/* tacit account compose: several releases together, alike or not. */
#include "releases.h"

#include <math.h>
#include <stdio.h>

typedef struct request {
  numbers mu;
  pairs texts;
  double epsilon, delta;
  bool has_epsilon, has_delta, json;
  const char *adjacency;
  releases list;
  tacit_bundle bundle;
} request;

static int parse(request *r, int argc, char **argv) {
  const option options[] = {
      {"mu", OPTION_NUMBERS, &r->mu, "M", "one Gaussian release; repeat for each", NULL},
      {"release", OPTION_PAIRS, &r->texts, "R", "one of any kind, see below; repeat for each", NULL},
      {"delta", OPTION_NUMBER, &r->delta, "D", "give epsilon at this delta", &r->has_delta},
      {"epsilon", OPTION_NUMBER, &r->epsilon, "E", "give delta at this epsilon", &r->has_epsilon},
      {"adjacency", OPTION_TEXT, &r->adjacency, "NAME",
       "of sampled steps: replace-one (default) or add-remove", NULL},
      {"json", OPTION_FLAG, &r->json, NULL, "print one JSON object", NULL},
  };
  int code = parse_options(
      &(command_line){
          .usage = "account compose --mu A --mu B ... | --release R ... --delta D",
          .about =
              "The guarantee of several releases together, however each was chosen from the ones before.",
          .options = options,
          .option_count = sizeof options / sizeof *options,
          .more = releases_help},
      argc, argv);
  if (code >= 0) return code;
  if (!r->mu.count && !r->texts.count) return usage_error("give --mu or --release at least once");
  if (r->has_epsilon && r->has_delta) return usage_error("give one of --epsilon and --delta");
  return set_adjacency(r->adjacency, &r->bundle.adjacency);
}

/* All Gaussian: mu, and epsilon or delta beside it. */
static int gaussian(const request *r) {
  double all[NUMBERS_MAX + RELEASES_MAX], mu, epsilon = r->epsilon, delta = r->delta;
  size_t count = 0;
  for (size_t i = 0; i < r->mu.count; i++) all[count++] = r->mu.value[i];
  for (size_t i = 0; i < r->list.count; i++)
    all[count++] = r->list.list[i].mu * sqrt((double)r->list.list[i].times) *
                   (r->list.list[i].times > 1 ? 1 + 0x1p-50 : 1);
  tacit_error error;
  tacit_status status = tacit_gdp_compose(count, all, &mu, &error);
  if (status == TACIT_OK && r->has_delta) status = tacit_gdp_epsilon(mu, delta, &epsilon, &error);
  if (status == TACIT_OK && r->has_epsilon) status = tacit_gdp_delta(mu, epsilon, &delta, &error);
  if (status != TACIT_OK) return fail(status, &error);
  if (*mu_warning(mu)) fprintf(stderr, "tacit: %s\n", mu_warning(mu));
  bool pair = r->has_delta || r->has_epsilon;
  if (r->json) {
    json_t *object = json_pack("{s:f}", "mu", mu);
    if (pair) json_object_set_new(object, "epsilon", json_real(epsilon));
    if (pair) json_object_set_new(object, "delta", json_real(delta));
    return print_json(object);
  }
  printf("%-8s %.10g\n", "mu", mu);
  if (pair) printf("%-8s %.10g\n%-8s %.10g\n", "epsilon", epsilon, "delta", delta);
  return flushed(0);
}

static json_t *number_json(double x) {
  return isfinite(x) ? json_real(x) : json_null();
}

static int print_unlike(const request *r, tacit_interval epsilon, tacit_interval delta,
                        const tacit_pair_bounds *closed) {
  if (r->json) {
    json_t *object =
        json_pack("{s:o, s:o, s:f, s:f}", "epsilon_lower", number_json(epsilon.lower), "epsilon_upper",
                  number_json(epsilon.upper), "delta_lower", delta.lower, "delta_upper", delta.upper);
    if (closed)
      json_object_set_new(object, "closed_forms",
                          json_pack("{s:o, s:o, s:o}", "sum", number_json(closed->sum), "advanced",
                                    number_json(closed->advanced), "wang_qin_lemma_3",
                                    number_json(closed->wang_qin)));
    return print_json(object);
  }
  print_range("epsilon", epsilon);
  print_range("delta", delta);
  if (closed)
    printf("\nclosed forms, epsilon at delta %.4g:\n  %-44s %.6g\n  %-44s %.6g\n  %-44s %.6g\n", delta.upper,
           "sum of all epsilons", closed->sum, "advanced composition", closed->advanced,
           "Wang and Qin, Lemma 3", closed->wang_qin);
  return flushed(0);
}

int run_account_compose(int argc, char **argv) {
  static request r; /* room for many numbers */
  r = (request){.json = false};
  int code = parse(&r, argc, argv);
  if (code < 0) code = releases_from(&r.list, &r.texts);
  if (code >= 0) return code;
  if (releases_gaussian(&r.list)) return gaussian(&r);
  for (size_t i = 0; i < r.mu.count && code < 0; i++) code = releases_add_gaussian(&r.list, r.mu.value[i]);
  if (code >= 0) return code;
  if (!r.has_epsilon && !r.has_delta) return usage_error("give --delta or --epsilon: these have no mu");
  r.bundle.releases = r.list.list;
  r.bundle.count = r.list.count;
  tacit_interval epsilon = {r.epsilon, r.epsilon}, delta = {r.delta, r.delta};
  tacit_pair_bounds closed;
  tacit_error error;
  tacit_status status = r.has_delta ? tacit_bundle_epsilon(&r.bundle, r.delta, &epsilon, &error)
                                    : tacit_bundle_delta(&r.bundle, r.epsilon, &delta, &error);
  if (status != TACIT_OK) return fail(status, &error);
  bool comparable = delta.upper > 0 && delta.upper < 1 &&
                    tacit_bundle_closed_forms(&r.bundle, delta.upper, &closed, &error) == TACIT_OK;
  return print_unlike(&r, epsilon, delta, comparable ? &closed : NULL);
}
