/* tacit account objective, and account published: the noise of the papers' closed forms beside the exact one.
 */
#include "cli.h"

#include <stdio.h>
#include <string.h>

typedef struct request {
  tacit_objective objective;
  const char *adjacency;
  double epsilon, delta;
  bool has_lipschitz, has_smoothness, has_lambda, has_sigma, has_epsilon, has_delta, json;
} request;

static int parse(request *r, const char *usage, const char *about, int argc, char **argv) {
  tacit_objective *o = &r->objective;
  const option options[] = {
      {"lipschitz", OPTION_NUMBER, &o->lipschitz, "L",
       "bound of one record's gradient: max(tau, 1 - tau) B_x", &r->has_lipschitz},
      {"smoothness", OPTION_NUMBER, &o->smoothness, "B", "bound of one record's curvature: sup K B_x^2 / h",
       &r->has_smoothness},
      {"lambda", OPTION_NUMBER, &o->lambda, "LAMBDA", "as in sum of losses + (LAMBDA/2) |theta|^2",
       &r->has_lambda},
      {"sigma", OPTION_NUMBER, &o->sigma, "S", "standard deviation of each coordinate of b", &r->has_sigma},
      {"adjacency", OPTION_TEXT, &r->adjacency, "A", "replace-one (default) or add-remove", NULL},
      {"epsilon", OPTION_NUMBER, &r->epsilon, "E", "give delta at this epsilon", &r->has_epsilon},
      {"delta", OPTION_NUMBER, &r->delta, "D", "give epsilon at this delta", &r->has_delta},
      {"json", OPTION_FLAG, &r->json, NULL, "print one JSON object", NULL},
  };
  int code = parse_options(&(command_line){.usage = usage,
                                           .about = about,
                                           .options = options,
                                           .option_count = sizeof options / sizeof *options},
                           argc, argv);
  if (code >= 0) return code;
  if (!r->has_lipschitz || !r->has_smoothness) return usage_error("give --lipschitz and --smoothness");
  return set_adjacency(r->adjacency, &o->adjacency);
}

static int print_curve(const request *r, tacit_interval epsilon, tacit_interval delta) {
  if (r->json)
    return print_json(json_pack("{s:f, s:f, s:f, s:f}", "epsilon_lower", epsilon.lower, "epsilon_upper",
                                epsilon.upper, "delta_lower", delta.lower, "delta_upper", delta.upper));
  bool asked = r->has_epsilon;
  printf("%-8s %.10g\n%-8s at most %.10g; linear losses of this slope already have %.10g\n",
         asked ? "epsilon" : "delta", asked ? r->epsilon : r->delta, asked ? "delta" : "epsilon",
         asked ? delta.upper : epsilon.upper, asked ? delta.lower : epsilon.lower);
  return flushed(0);
}

int run_account_objective(int argc, char **argv) {
  request r = {.json = false};
  int code =
      parse(&r, "account objective --lipschitz L --smoothness B --lambda LAMBDA --sigma S --delta D",
            "The privacy curve of objective perturbation: an upper bound that is proved for all losses with\n"
            "these constants, and the value for linear ones, below which no bound can be proved.",
            argc, argv);
  if (code >= 0) return code;
  if (!r.has_lambda || !r.has_sigma)
    return usage_error("give --lambda and --sigma (tacit account calibrate objective finds the missing one)");
  if (r.has_epsilon == r.has_delta) return usage_error("give one of --epsilon and --delta");
  tacit_error error;
  tacit_interval epsilon = {r.epsilon, r.epsilon}, delta = {r.delta, r.delta};
  tacit_status status = r.has_epsilon ? tacit_objective_delta(&r.objective, r.epsilon, &delta, &error)
                                      : tacit_objective_epsilon(&r.objective, r.delta, &epsilon, &error);
  return status == TACIT_OK ? print_curve(&r, epsilon, delta) : fail(status, &error);
}

int run_calibrate_objective(int argc, char **argv) {
  request r = {.json = false};
  int code = parse(
      &r, "account calibrate objective --lipschitz L --smoothness B --epsilon E --delta D --lambda LAMBDA",
      "The smallest sigma for this guarantee when --lambda is given, the smallest lambda when --sigma is.",
      argc, argv);
  if (code >= 0) return code;
  if (!r.has_epsilon || !r.has_delta) return usage_error("give --epsilon and --delta");
  if (r.has_lambda == r.has_sigma) return usage_error("give one of --lambda and --sigma: the other is found");
  tacit_error error;
  tacit_objective *o = &r.objective;
  tacit_status status = r.has_lambda ? tacit_objective_sigma(o, r.epsilon, r.delta, &o->sigma, &error)
                                     : tacit_objective_lambda(o, r.epsilon, r.delta, &o->lambda, &error);
  if (status != TACIT_OK) return fail(status, &error);
  if (r.json)
    return print_json(json_pack("{s:f, s:f, s:f, s:f}", "sigma", o->sigma, "lambda", o->lambda, "epsilon",
                                r.epsilon, "delta", r.delta));
  printf("%-8s %.10g\n%-8s %.10g\n", "sigma", o->sigma, "lambda", o->lambda);
  return flushed(0);
}

static json_t *published_json(const tacit_closed_form *p) {
  json_t *row = json_pack("{s:s, s:s, s:f}", "name", p->name, "formula", p->formula, "sigma", p->sigma);
  static const char *const names[] = {"replace_one", "add_remove"};
  for (int a = 0; a < 2; a++)
    json_object_set_new(row, names[a],
                        json_pack("{s:f, s:f, s:f}", "exact_sigma", p->exact_sigma[a], "ratio", p->ratio[a],
                                  "certified_delta", p->certified_delta[a]));
  return row;
}

int run_account_published(int argc, char **argv) {
  double epsilon = 0, delta = 0;
  bool has_epsilon = false, has_delta = false, json = false;
  size_t rows = 1000;
  const option options[] = {
      {"epsilon", OPTION_NUMBER, &epsilon, "E", "the guarantee", &has_epsilon},
      {"delta", OPTION_NUMBER, &delta, "D", "the guarantee", &has_delta},
      {"rows", OPTION_COUNT, &rows, "N", "rows of the table: GP and SGP take N^2 steps (default 1000)", NULL},
      {"json", OPTION_FLAG, &json, NULL, "print one JSON object", NULL},
  };
  int code = parse_options(
      &(command_line){
          .usage = "account published --epsilon E --delta D",
          .about =
              "The noise that C and E prescribe by closed forms, in units of one record's largest gradient,\n"
              "beside what exact accounting needs, and the delta that theirs is certified to at epsilon.",
          .options = options,
          .option_count = 4},
      argc, argv);
  if (code >= 0) return code;
  if (!has_epsilon || !has_delta) return usage_error("give --epsilon and --delta");
  tacit_error error;
  tacit_closed_form forms[TACIT_CLOSED_FORMS];
  tacit_status status = tacit_closed_forms(epsilon, delta, rows, forms, &error);
  if (status != TACIT_OK) return fail(status, &error);
  if (json) {
    json_t *list = json_array();
    for (size_t i = 0; i < TACIT_CLOSED_FORMS; i++) json_array_append_new(list, published_json(&forms[i]));
    return print_json(json_pack("{s:f, s:f, s:I, s:o}", "epsilon", epsilon, "delta", delta, "rows",
                                (json_int_t)rows, "published", list));
  }
  printf("asked: epsilon %g, delta %g\n\n%-26s %10s | %10s %6s %12s | %10s %6s %12s\n", epsilon, delta, "",
         "published", "exact", "ratio", "its delta", "exact", "ratio", "its delta");
  printf("%-26s %10s | %30s | %30s\n", "", "sigma / L", "replace-one", "add-remove");
  for (size_t i = 0; i < TACIT_CLOSED_FORMS; i++) {
    printf("%-26s %10.5g", forms[i].name, forms[i].sigma);
    for (int a = 0; a < 2; a++)
      printf(" | %10.5g %6.3f %12.3g", forms[i].exact_sigma[a], forms[i].ratio[a],
             forms[i].certified_delta[a]);
    putchar('\n');
  }
  return flushed(0);
}
