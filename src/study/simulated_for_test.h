/* Simulated rows as text in memory. Include after <cmocka.h>. */
#ifndef TACIT_SRC_STUDY_SIMULATED_FOR_TEST_H
#define TACIT_SRC_STUDY_SIMULATED_FOR_TEST_H

#include "base/base.h"

#include <string.h>
#include <tacit/study.h>

typedef struct text {
  char *bytes;
  size_t length, capacity;
  size_t room; /* bytes until the disk is full */
} text;

static inline tacit_status append(void *user, const char *bytes, size_t length) {
  text *t = user;
  if (length > t->room - t->length) return TACIT_INTERNAL;
  t->bytes = tacit_grow(t->bytes, &t->capacity, t->length + length + 1, 1);
  assert_non_null(t->bytes);
  memcpy(t->bytes + t->length, bytes, length);
  t->length += length;
  t->bytes[t->length] = 0;
  return TACIT_OK;
}

static inline text simulated(const char *name, size_t rows, uint64_t seed) {
  text t = {.room = SIZE_MAX};
  assert_int_equal(tacit_simulate(name, rows, seed, append, &t, NULL), TACIT_OK);
  return t;
}

#endif
