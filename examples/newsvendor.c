/* How an engineer calls tacit on data that is already in memory: learn a private order, check it, use it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/tacit.h>

static const char SCHEMA[] =
    "{\"target\": {\"name\": \"demand\", \"min\": 0, \"max\": 100},"
    " \"features\": [{\"name\": \"temperature\", \"min\": -15, \"max\": 40},"
    "                {\"name\": \"weekday\", \"levels\": [\"weekday\", \"weekend\"]}]}";
enum { ROWS = 600 };

static int stop(const char *what, const tacit_error *error) {
  fprintf(stderr, "%s: %s\n", what, error->text);
  return EXIT_FAILURE;
}

int main(void) {
  static double temperature[ROWS], demand[ROWS];
  static const char *weekday[ROWS];
  for (int i = 0; i < ROWS; i++) { /* stands for the records of a business */
    temperature[i] = (i * 37) % 45 - 10;
    weekday[i] = i % 7 >= 5 ? "weekend" : "weekday";
    demand[i] = 30 + 0.5 * temperature[i] + (i % 7 >= 5 ? 15 : 0) + (i * 29) % 11 - 5;
  }
  const char *const names[] = {"temperature", "weekday", "demand"};
  const double *const numbers[] = {temperature, NULL, demand};
  const char *const *const texts[] = {NULL, weekday, NULL};

  tacit_error error;
  tacit_schema *schema;
  if (tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, &error) != TACIT_OK) return stop("schema", &error);
  tacit_source *source;
  if (tacit_source_columns(ROWS, 3, names, numbers, texts, &source, &error) != TACIT_OK)
    return stop("source", &error);

  const tacit_goal goal = {.quantile = 0.75, .underage = 3, .overage = 1};
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.quantiles = &goal.quantile;
  options.quantile_count = 1;
  options.mu = 1;
  tacit_fit *fit;
  if (tacit_learn(schema, source, &options, NULL, &fit, &error) != TACIT_OK) return stop("learn", &error);
  tacit_policy *policy;
  if (tacit_policy_from_fit(schema, NULL, fit, &goal, &policy, &error) != TACIT_OK)
    return stop("policy", &error);

  tacit_verdict verdict;
  tacit_policy_verify(policy, &verdict);
  for (size_t j = 0; j < tacit_schema_columns(schema); j++)
    printf("%-18s %9.4f\n", tacit_schema_column_name(schema, j), tacit_policy_coefficient(policy, 0, j));
  printf("guarantee %s: %.3g-GDP\n", verdict.holds ? "holds" : "FAILS", verdict.mu);

  /* tomorrow: a cold weekday and a warm weekend; demand is not known yet */
  const double degrees[] = {-5, 25};
  const char *const days[] = {"weekday", "weekend"};
  const double *const tomorrow[] = {degrees, NULL};
  const char *const *const kinds[] = {NULL, days};
  tacit_source *rows;
  double *orders;
  size_t count;
  if (tacit_source_columns(2, 2, names, tomorrow, kinds, &rows, &error) != TACIT_OK ||
      tacit_policy_orders(policy, rows, &orders, &count, &error) != TACIT_OK)
    return stop("orders", &error);
  for (size_t i = 0; i < count; i++)
    printf("%5.1f degrees, %s: order %.1f\n", degrees[i], days[i], orders[i]);
  tacit_free(orders);
  tacit_source_free(rows);

  tacit_policy_free(policy);
  tacit_fit_free(fit);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return verdict.holds ? EXIT_SUCCESS : EXIT_FAILURE;
}
