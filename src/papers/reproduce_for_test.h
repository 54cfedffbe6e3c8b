/* For tests: a reproduction that must succeed, and its cells by name. Include it after cmocka.h. */
#ifndef TACIT_SRC_PAPERS_REPRODUCE_FOR_TEST_H
#define TACIT_SRC_PAPERS_REPRODUCE_FOR_TEST_H

#include "study/report_for_test.h"

#include <tacit/papers.h>

static inline tacit_report *reproduce(const char *name, const tacit_reproduce_options *options, int threads) {
  tacit_report *report = NULL;
  tacit_error error = {""};
  tacit_context context;
  tacit_context_init(&context);
  context.threads = threads;
  if (tacit_reproduce(name, options, &context, &report, &error) != TACIT_OK)
    fail_msg("%s: %s", name, error.text);
  assert_string_equal(report->name, name);
  assert_true(strlen(report->notes) > 200 && strlen(report->notes) < sizeof report->notes - 1);
  return report;
}

#endif
