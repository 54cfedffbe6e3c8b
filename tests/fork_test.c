/* A child of a process that has learned with several threads learns too, with one: it does not wait for
   threads that only its parent has. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tacit/tacit.h>
#include <unistd.h>

enum { ROWS = 60000 };

/* The intercept of a seeded fit with two threads. */
static double learn(void) {
  static const char SCHEMA[] =
      "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 1}, \"features\": [{\"name\": \"x\", "
      "\"min\": 0, \"max\": 1}]}";
  static double x[ROWS], y[ROWS];
  for (int i = 0; i < ROWS; i++) {
    x[i] = (i * 37 % 101) / 101.0;
    y[i] = 0.5 * x[i] + (i * 29 % 89) / 200.0;
  }
  const char *const names[] = {"x", "y"};
  const double *const numbers[] = {x, y};
  const double quantile = 0.7;
  tacit_schema *schema;
  tacit_source *source;
  tacit_fit *fit;
  tacit_context context;
  tacit_learn_options options;
  tacit_context_init(&context);
  context.threads = 2;
  tacit_learn_options_init(&options);
  options.quantiles = &quantile;
  options.quantile_count = 1;
  options.mu = 1;
  options.seeded = true;
  assert(tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, NULL) == TACIT_OK);
  assert(tacit_source_columns(ROWS, 2, names, numbers, NULL, &source, NULL) == TACIT_OK);
  assert(tacit_learn(schema, source, &options, &context, &fit, NULL) == TACIT_OK);
  double intercept = tacit_fit_coefficients(fit)[0];
  tacit_fit_free(fit);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return intercept;
}

int main(void) {
  double first = learn();
  pid_t child = fork();
  assert(child >= 0);
  if (child == 0) {
    alarm(60); /* one that waits for ever is ended */
    _exit(learn() == first ? 0 : 1);
  }
  int status;
  assert(waitpid(child, &status, 0) == child);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    printf("FAILED: the child %s\n", WIFSIGNALED(status) ? "hung" : "learned something else");
    return EXIT_FAILURE;
  }
  assert(learn() == first); /* and the parent goes on */
  return EXIT_SUCCESS;
}
