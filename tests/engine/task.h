/* What an engine's test learns: a method, a schema and options, to the text of a policy. */
#ifndef TACIT_TESTS_ENGINE_TASK_H
#define TACIT_TESTS_ENGINE_TASK_H

#include <tacit/tacit.h>

enum { ROWS = 5300 };

/* What is learned: a policy's text, or an estimate's. */
typedef struct task {
  const char *schema, *method, *region;
  const char *start;
  size_t steps;
  bool add_remove, estimate, spread; /* an estimate of a rule that has one */
  bool high;                         /* the first quantile is, not the second */
} task;

/* *text, to be freed, is the policy, or what private evaluation found; *paid how often it was paid for. */
tacit_status learn(const task *t, const tacit_schema *schema, tacit_source *source, char **text, int *paid,
                   tacit_error *error);

#endif
