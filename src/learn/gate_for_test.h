/* A gate with a plan that a test makes by hand. */
#ifndef TACIT_SRC_GATE_FOR_TEST_H
#define TACIT_SRC_GATE_FOR_TEST_H

#include "learn/release.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct planned_gate {
  tacit_schema *schema;
  tacit_facts facts;
  tacit_release_plan plan;
  tacit_gate gate;
} planned_gate;

/* Nothing is planned yet, nor paid. A schema has as many targets, of one column each; units are one row. */
static inline void open_planned(planned_gate *p, size_t targets, double mu, uint64_t seed) {
  static const char *const SCHEMAS[] = {
      "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 1}, \"features\": []}",
      "{\"target\": [{\"name\": \"y\", \"min\": 0, \"max\": 1}, {\"name\": \"z\", \"min\": 0, \"max\": 1}], "
      "\"features\": []}"};
  const char *text = SCHEMAS[targets - 1];
  *p = (planned_gate){.schema = NULL};
  assert_int_equal(tacit_schema_parse(text, strlen(text), &p->schema, NULL), TACIT_OK);
  p->facts = (tacit_facts){.schema = p->schema, .rows = 100, .mu = mu, .adjacency = TACIT_REPLACE_ONE};
  assert_int_equal(tacit_plan_open(&p->plan, &p->facts, NULL), TACIT_OK);
  tacit_gate_open(&p->gate, &seed, NULL);
  assert_int_equal(tacit_certificate_new("test", &p->gate.certificate, NULL), TACIT_OK);
  p->gate.plan = &p->plan;
}

static inline void close_planned(planned_gate *p) {
  tacit_certificate_free(p->gate.certificate);
  tacit_plan_close(&p->plan);
  tacit_schema_free(p->schema);
}

/* A count of rows, to be planned. */
static inline tacit_mechanism a_count(size_t target) {
  return (tacit_mechanism){
      .kind = TACIT_RELEASE_COUNT, .target = target, .dimension = 1, .bits = TACIT_SCORE_BITS, .count = 1};
}

/* The target's next count, of a sum that does not matter. */
static inline tacit_status release_count(planned_gate *p, size_t target, double *count) {
  uint64_t sum = 7;
  return tacit_release_sum(&p->gate, target, TACIT_RELEASE_COUNT, &sum, count, NULL, NULL);
}

#endif
