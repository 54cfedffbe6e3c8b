/* For tests: a report's cells by name, and whether two reports are the same. Include it after cmocka.h. */
#ifndef TACIT_SRC_REPORT_FOR_TEST_H
#define TACIT_SRC_REPORT_FOR_TEST_H

#include <math.h>
#include <string.h>
#include <tacit/study.h>

static inline double cell(const tacit_report *r, size_t row, const char *column) {
  for (size_t k = r->texts; k < r->texts + r->numbers; k++)
    if (!strcmp(r->columns[k], column)) return r->number[row * r->numbers + k - r->texts];
  fail_msg("%s has no column %s", r->name, column);
  return NAN;
}

static inline void assert_same_report(const tacit_report *a, const tacit_report *b) {
  assert_true(a->rows > 0 && a->rows == b->rows && a->numbers == b->numbers);
  for (size_t k = 0; k < a->rows * a->numbers; k++)
    assert_true(a->number[k] == b->number[k] || (isnan(a->number[k]) && isnan(b->number[k])));
  assert_string_equal(a->notes, b->notes);
}

#endif
