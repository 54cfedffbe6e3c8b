/* Two neighbouring tables that can be told apart as well as a promise allows: harmless rows, and one canary
   whose contribution sits at the clip radius with a score of full size, against its opposite. */
#include "num/normal.h"
#include "study/audit.h"

#include <math.h>
#include <string.h>

/* Every feature has a public scale, so that a clip norm is a constant; its limit is 8 scales, the target's
 * is 64. */
static const char SCHEMA[] = "{\"target\": {\"name\": \"y\", \"center\": 0, \"scale\": 1},"
                             " \"features\": [{\"name\": \"z1\", \"center\": 0, \"scale\": 1}, {\"name\": "
                             "\"z2\", \"center\": 0, \"scale\": 1}]}";
/* For decisions the demand is a cost, and the second feature a second one. */
static const char COSTS[] = "{\"target\": [{\"name\": \"y\", \"center\": 0, \"scale\": 1}, {\"name\": \"w\", "
                            "\"center\": 0, \"scale\": 1}],"
                            " \"features\": [{\"name\": \"z1\", \"center\": 0, \"scale\": 1}, {\"name\": "
                            "\"z2\", \"center\": 0, \"scale\": 1}]}";
static const double FARTHEST = 64;

/* A point of the Kronecker sequence with this step, as a normal quantile: rows without any randomness. */
static double spread(size_t i, double step) {
  double t = ((double)i + 0.5) * step;
  return tacit_normal_quantile(t - floor(t));
}

tacit_status tacit_audit_make_tables(tacit_audit *audit, tacit_error *error) {
  const char *text = audit->method->region ? COSTS : SCHEMA;
  TACIT_TRY(tacit_schema_parse(text, strlen(text), &audit->schema, error));
  for (int k = 0; k < 2; k++) {
    tacit_audit_table *t = &audit->table[k];
    t->rows = TACIT_AUDIT_ROWS;
    for (size_t i = 0; i + 1 < TACIT_AUDIT_ROWS; i++) {
      t->column[0][i] = spread(i, 0.6180339887498949); /* the golden ratio, and square roots */
      t->column[1][i] = spread(i, 0.4142135623730951);
      t->column[2][i] = spread(i, 0.7320508075688772);
    }
    /* At the median a demand beyond every order scores -1/2, one below every order +1/2: with the same row
       these are opposite contributions of full size. */
    t->column[0][TACIT_AUDIT_ROWS - 1] = t->column[1][TACIT_AUDIT_ROWS - 1] = audit->method->canary;
    t->column[2][TACIT_AUDIT_ROWS - 1] = k ? FARTHEST : -FARTHEST;
  }
  if (audit->options->adjacency == TACIT_ADD_REMOVE) audit->table[0].rows--;
  return TACIT_OK;
}
