/* tacit account: privacy arithmetic alone. */
#include "releases.h"

#include <stdio.h>
#include <string.h>

typedef struct figures {
  double mu, epsilon, delta, sigma;
  bool has_mu, has_epsilon, has_delta, has_sigma;
} figures;

static int print_figures(const figures *f, bool json) {
  const struct {
    const char *name;
    double value;
    bool has;
  } lines[] = {{"mu", f->mu, f->has_mu},
               {"epsilon", f->epsilon, f->has_epsilon},
               {"delta", f->delta, f->has_delta},
               {"sigma", f->sigma, f->has_sigma}};
  json_t *object = json ? json_object() : NULL;
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    if (!lines[i].has) continue;
    if (json)
      json_object_set_new(object, lines[i].name, json_real(lines[i].value));
    else
      printf("%-8s %.10g\n", lines[i].name, lines[i].value);
  }
  return json ? print_json(object) : flushed(0);
}

static int run_convert(int argc, char **argv) {
  figures f = {0};
  bool json = false;
  const option options[] = {
      {"mu", OPTION_NUMBER, &f.mu, "M", "mu of Gaussian differential privacy", &f.has_mu},
      {"epsilon", OPTION_NUMBER, &f.epsilon, "E", "epsilon", &f.has_epsilon},
      {"delta", OPTION_NUMBER, &f.delta, "D", "delta", &f.has_delta},
      {"json", OPTION_FLAG, &json, NULL, "print one JSON object", NULL},
  };
  int code = parse_options(
      &(command_line){
          .usage = "account convert --mu M --delta D | --mu M --epsilon E | --epsilon E --delta D",
          .about = "Gives the third of mu, epsilon and delta from the other two, rounded to the safe side.",
          .options = options,
          .option_count = 4},
      argc, argv);
  if (code >= 0) return code;
  if (f.has_mu + f.has_epsilon + f.has_delta != 2)
    return usage_error("give two of --mu, --epsilon and --delta");
  tacit_error error;
  tacit_status status = !f.has_epsilon ? tacit_gdp_epsilon(f.mu, f.delta, &f.epsilon, &error)
                        : !f.has_delta ? tacit_gdp_delta(f.mu, f.epsilon, &f.delta, &error)
                                       : tacit_gdp_mu(f.epsilon, f.delta, &f.mu, &error);
  if (status != TACIT_OK) return fail(status, &error);
  f.has_mu = f.has_epsilon = f.has_delta = true;
  if (*mu_warning(f.mu)) fprintf(stderr, "tacit: %s\n", mu_warning(f.mu));
  return print_figures(&f, json);
}

static int run_calibrate(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "objective")) return run_calibrate_objective(argc - 1, argv + 1);
  if (argc > 1 && !strcmp(argv[1], "sgd")) return run_calibrate_sgd(argc - 1, argv + 1);
  figures f = {.has_sigma = true};
  double sensitivity = 1;
  size_t steps = 1;
  bool json = false;
  const option options[] = {
      {"mu", OPTION_NUMBER, &f.mu, "M", "the guarantee of all steps together", &f.has_mu},
      {"sensitivity", OPTION_NUMBER, &sensitivity, "S", "how far one release can move (default 1)", NULL},
      {"steps", OPTION_COUNT, &steps, "T", "number of releases (default 1)", NULL},
      {"json", OPTION_FLAG, &json, NULL, "print one JSON object", NULL},
  };
  int code =
      parse_options(&(command_line){.usage = "account calibrate --mu M --sensitivity S --steps T | sgd ...",
                                    .about = "The smallest Gaussian noise for this guarantee.",
                                    .options = options,
                                    .option_count = 4},
                    argc, argv);
  if (code >= 0) return code;
  if (!f.has_mu) return usage_error("give --mu");
  tacit_error error;
  tacit_status status = tacit_gdp_sigma(f.mu, sensitivity, steps, &f.sigma, &error);
  return status == TACIT_OK ? print_figures(&f, json) : fail(status, &error);
}

int run_account(int argc, char **argv) {
  static const command parts[] = {
      {"convert", "between mu and (epsilon, delta)", run_convert},
      {"compose", "several releases together, alike or not", run_account_compose},
      {"calibrate", "the noise a guarantee needs", run_calibrate},
      {"objective", "the curve of objective perturbation", run_account_objective},
      {"published", "the papers' closed forms beside exact accounting", run_account_published},
      {"sgd", "many steps on random samples", run_account_sgd},
      {"tradeoff", "what a promise leaves to whoever guesses", run_account_tradeoff},
  };
  enum { PARTS = sizeof parts / sizeof *parts };
  for (size_t i = 0; argc > 1 && i < PARTS; i++)
    if (!strcmp(argv[1], parts[i].name)) return parts[i].run(argc - 1, argv + 1);
  bool help = argc > 1 && !strcmp(argv[1], "--help");
  fprintf(help ? stdout : stderr,
          "usage: tacit account convert|compose|calibrate|sgd|objective|published|tradeoff ...\n\n");
  for (size_t i = 0; i < PARTS; i++)
    fprintf(help ? stdout : stderr, "  %-10s %s\n", parts[i].name, parts[i].summary);
  return help ? flushed(0) : TACIT_USAGE;
}
