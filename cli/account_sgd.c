/* tacit account sgd, and account calibrate sgd: many steps, each on a random sample of the rows. */
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct request {
  tacit_sampled of;
  double epsilon, delta;
  bool has_sigma, has_rate, has_rows, has_batch, has_steps, has_epsilon, has_delta, json, compare;
  size_t rows, batch, steps;
  const char *sampling, *adjacency;
} request;

static int set_rate(request *r) {
  if (r->has_rate == (r->has_rows && r->has_batch) || r->has_rows != r->has_batch)
    return usage_error("give --rate, or --rows and --batch");
  if (r->has_rate) return -1;
  if (r->rows < 1 || r->batch < 1 || r->batch > r->rows)
    return usage_error("--batch must be at least 1 and at most --rows");
  /* rounded up: sampling more often never costs less */
  r->of.rate = (double)r->batch / (double)r->rows;
  if (r->batch < r->rows) r->of.rate = nextafter(r->of.rate, 1);
  return -1;
}

static int parse(request *r, bool calibrate, int argc, char **argv) {
  const option options[] = {
      {"rate", OPTION_NUMBER, &r->of.rate, "Q", "how likely a row is in one step's sample", &r->has_rate},
      {"rows", OPTION_COUNT, &r->rows, "N", "number of rows, with --batch instead of --rate", &r->has_rows},
      {"batch", OPTION_COUNT, &r->batch, "M", "rows in one step's sample", &r->has_batch},
      {"steps", OPTION_COUNT, &r->steps, "T", "number of steps", &r->has_steps},
      {"sampling", OPTION_TEXT, &r->sampling, "NAME", "poisson (each row by itself) or fixed (a fixed size)",
       NULL},
      {"adjacency", OPTION_TEXT, &r->adjacency, "NAME", "replace-one (default) or add-remove", NULL},
      {"epsilon", OPTION_NUMBER, &r->epsilon, "E", calibrate ? "the guarantee" : "give delta at this epsilon",
       &r->has_epsilon},
      {"delta", OPTION_NUMBER, &r->delta, "D", calibrate ? "the guarantee" : "give epsilon at this delta",
       &r->has_delta},
      {"json", OPTION_FLAG, &r->json, NULL, "print one JSON object", NULL},
      {"compare", OPTION_FLAG, &r->compare, NULL, "other accountants beside it in the JSON too", NULL},
      {"sigma", OPTION_NUMBER, &r->of.sigma, "S", "noise in multiples of one row's clip norm", &r->has_sigma},
  };
  enum { ALL = sizeof options / sizeof *options };
  int code = parse_options(
      &(command_line){
          .usage = calibrate
                       ? "account calibrate sgd --rate Q|--rows N --batch M --steps T --epsilon E --delta D"
                       : "account sgd --sigma S --rate Q|--rows N --batch M --steps T --delta D|--epsilon E",
          .about = calibrate ? "The smallest noise for this guarantee over all steps, in multiples of one "
                               "row's clip norm."
                             : "The guarantee of all steps together: bounds that enclose the exact one.",
          .options = options,
          .option_count = calibrate ? ALL - 2 : ALL},
      argc, argv);
  if (code >= 0) return code;
  if (!r->has_steps) return usage_error("give --steps");
  r->of.steps = r->steps;
  if (!r->sampling)
    return usage_error("give --sampling poisson or --sampling fixed: they do not cost the same");
  if (strcmp(r->sampling, "poisson") != 0 && strcmp(r->sampling, "fixed") != 0)
    return usage_error("--sampling is poisson or fixed");
  r->of.sampling = strcmp(r->sampling, "fixed") ? TACIT_SAMPLING_POISSON : TACIT_SAMPLING_FIXED;
  code = set_adjacency(r->adjacency, &r->of.adjacency);
  return code >= 0 ? code : set_rate(r);
}

void print_range(const char *name, tacit_interval x) {
  if (x.lower == x.upper)
    printf("%-8s %.10g\n", name, x.upper);
  else
    printf("%-8s between %.10g and %.10g\n", name, x.lower, x.upper);
}

static json_t *interval_json(tacit_interval epsilon, tacit_interval delta, const tacit_accountants *others) {
  json_t *object = json_pack("{s:f, s:f, s:f, s:f}", "epsilon_lower", epsilon.lower, "epsilon_upper",
                             epsilon.upper, "delta_lower", delta.lower, "delta_upper", delta.upper);
  if (others)
    json_object_set_new(object, "other_accountants",
                        json_pack("{s:f, s:f, s:f, s:f}", "rdp", others->rdp, "zcdp_without_sampling",
                                  others->zcdp, "moments_closed_form", others->moments,
                                  "advanced_closed_form", others->advanced));
  return object;
}

int run_account_sgd(int argc, char **argv) {
  request r = {.json = false};
  int code = parse(&r, false, argc, argv);
  if (code >= 0) return code;
  if (!r.has_sigma) return usage_error("give --sigma");
  if (r.has_epsilon == r.has_delta) return usage_error("give one of --epsilon and --delta");
  tacit_error error;
  tacit_interval epsilon = {r.epsilon, r.epsilon}, delta = {r.delta, r.delta};
  tacit_status status = r.has_epsilon ? tacit_sampled_delta(&r.of, r.epsilon, &delta, &error)
                                      : tacit_sampled_epsilon(&r.of, r.delta, &epsilon, &error);
  if (status != TACIT_OK) return fail(status, &error);
  tacit_accountants others;
  bool compared = delta.upper > 0 && delta.upper < 1 && (r.compare || !r.json);
  if (compared) status = tacit_sampled_compare(&r.of, delta.upper, &others, &error);
  if (status != TACIT_OK) return fail(status, &error);
  if (r.json) return print_json(interval_json(epsilon, delta, compared ? &others : NULL));
  print_range("epsilon", epsilon);
  print_range("delta", delta);
  if (!compared) return flushed(0);
  printf("\nother accountants, epsilon at delta %.4g:\n", delta.upper);
  printf("  %-44s %.6g\n  %-44s %.6g\n", "Renyi divergences, best order", others.rdp,
         "zCDP, which sampling does not help", others.zcdp);
  printf("  %-44s %.6g\n  %-44s %.6g\n", "moments accountant, closed form as published", others.moments,
         "advanced composition, closed form", others.advanced);
  return flushed(0);
}

int run_calibrate_sgd(int argc, char **argv) {
  request r = {.json = false};
  int code = parse(&r, true, argc, argv);
  if (code >= 0) return code;
  if (!r.has_epsilon || !r.has_delta) return usage_error("give --epsilon and --delta");
  tacit_error error;
  tacit_interval sigma, delta;
  r.of.sigma = 1;
  tacit_status status = tacit_sampled_sigma_bounds(&r.of, r.epsilon, r.delta, &sigma, &error);
  r.of.sigma = sigma.upper;
  if (status == TACIT_OK) status = tacit_sampled_delta(&r.of, r.epsilon, &delta, &error);
  if (status != TACIT_OK) return fail(status, &error);
  if (r.json) {
    json_t *object = interval_json((tacit_interval){r.epsilon, r.epsilon}, delta, NULL);
    json_object_set_new(object, "sigma", json_real(sigma.upper));
    json_object_set_new(object, "sigma_lower", json_real(sigma.lower));
    json_object_set_new(object, "sigma_upper", json_real(sigma.upper));
    return print_json(object);
  }
  printf("sigma    %.10g   (no less than %.10g would do)\n", sigma.upper, sigma.lower);
  print_range("delta", delta);
  return flushed(0);
}
