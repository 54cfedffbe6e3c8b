/* Two neighbouring tables that can be told apart as well as a promise allows: harmless rows, and one canary
   whose contribution sits at the clip radius with a score of full size, against its opposite. */
#include "num/normal.h"
#include "study/audit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Every feature has a public scale, so that a clip norm is a constant; its limit is 8 scales, the target's
 * is 64. */
static const char SCHEMA[] = "{\"target\": {\"name\": \"y\", \"center\": %d, \"scale\": 1},"
                             " \"features\": [{\"name\": \"z1\", \"center\": 0, \"scale\": 1}, {\"name\": "
                             "\"z2\", \"center\": 0, \"scale\": 1}]%s}";
static const double FARTHEST = 64;

/* The target is then the first of two costs, and a decision lies in the unit disc. */
static const char COSTS[] =
    "{\"target\": [{\"name\": \"y\", \"center\": 0, \"scale\": 1}, {\"name\": \"c\", \"center\": 0, "
    "\"scale\": "
    "1}], \"features\": [{\"name\": \"z1\", \"center\": 0, \"scale\": 1}, {\"name\": \"z2\", \"center\": 0, "
    "\"scale\": 1}]}";
static const char DISC[] = "{\"kind\": \"ball\", \"dimension\": 2, \"radius\": 1}";

static bool over_a_region(const tacit_audit *audit) {
  return audit->method->learner && tacit_method_needs_region(audit->method->learner);
}

tacit_status tacit_audit_read_schema(const tacit_audit *audit, tacit_schema **schema, tacit_error *error) {
  char text[sizeof SCHEMA + 256];
  snprintf(text, sizeof text, SCHEMA, audit->method->bought ? TACIT_AUDIT_MIDDLE : 0,
           audit->method->facts ? audit->method->facts : "");
  if (over_a_region(audit)) return tacit_schema_parse(COSTS, strlen(COSTS), schema, error);
  return tacit_schema_parse(text, strlen(text), schema, error);
}

/* A point of the Kronecker sequence with this step, as a normal quantile: rows without any randomness. */
static double spread(size_t i, double step) {
  double t = ((double)i + 0.5) * step;
  return tacit_normal_quantile(t - floor(t));
}

/* Rows in pairs with opposite costs, and the last one with none: at the start their sum is zero, and what is
   left is the canary. */
static void pair_costs(tacit_audit_table *t) {
  for (size_t i = 0; i + 1 < TACIT_AUDIT_ROWS; i++)
    for (size_t j = 0; j < 4; j++) {
      double same = t->column[j][i - i % 2], opposite = i % 2 ? -same : same;
      t->column[j][i] = j < 2 ? same : i + 2 < TACIT_AUDIT_ROWS ? opposite : 0;
    }
}

/* Whose the records are, and the canary's once for each of its own. A fault names each of them apart. */
static void share_out(const tacit_audit *audit, tacit_audit_table *t) {
  size_t unit = audit->method->unit, last = TACIT_AUDIT_ROWS - 1;
  bool scattered = audit->fault && audit->fault->scattered;
  for (size_t i = 0; i < TACIT_AUDIT_ROWS; i++) t->column[3][i] = (double)(scattered ? i : (last - i) / unit);
  for (size_t k = 1; k < unit; k++)
    for (size_t j = 0; j < 3; j++) t->column[j][last - k] = t->column[j][last];
}

tacit_status tacit_audit_make_tables(tacit_audit *audit, tacit_error *error) {
  double demand = audit->method->demand > 0 ? audit->method->demand : FARTHEST;
  TACIT_TRY(tacit_audit_read_schema(audit, &audit->schema, error));
  if (over_a_region(audit)) TACIT_TRY(tacit_region_parse(DISC, strlen(DISC), &audit->region, error));
  for (int k = 0; k < 2; k++) {
    tacit_audit_table *t = &audit->table[k];
    t->rows = TACIT_AUDIT_ROWS;
    for (size_t i = 0; i + 1 < TACIT_AUDIT_ROWS; i++) {
      t->column[0][i] = spread(i, 0.6180339887498949); /* the golden ratio, and square roots */
      t->column[1][i] = spread(i, 0.4142135623730951);
      t->column[2][i] = spread(i, 0.7320508075688772);
      t->column[3][i] = spread(i, 0.6457513110645906);
    }
    if (over_a_region(audit)) pair_costs(t);
    /* At the median a demand beyond every order scores -1/2, one below every order +1/2: with the same row
       these are opposite contributions of full size. */
    t->column[0][TACIT_AUDIT_ROWS - 1] = t->column[1][TACIT_AUDIT_ROWS - 1] = audit->method->canary;
    t->column[2][TACIT_AUDIT_ROWS - 1] = k || audit->method->mirror ? demand : -demand;
    for (size_t j = 0; j < 2 && audit->method->mirror && !k; j++) t->column[j][TACIT_AUDIT_ROWS - 1] *= -1;
    for (size_t i = TACIT_AUDIT_ROWS - audit->method->canaries; i < TACIT_AUDIT_ROWS; i++) {
      t->column[0][i] = t->column[1][i] = audit->method->canary;
      t->column[2][i] = (k ? 0.5 : -0.5) * audit->method->change;
    }
    t->column[3][TACIT_AUDIT_ROWS - 1] = 0; /* a cost and its opposite have opposite best decisions */
    if (audit->method->unit) share_out(audit, t);
  }
  if (audit->method->bought) return tacit_audit_make_events(audit, error);
  if (audit->options->adjacency == TACIT_ADD_REMOVE)
    audit->table[0].rows -= audit->method->unit ? audit->method->unit : 1;
  return TACIT_OK;
}
