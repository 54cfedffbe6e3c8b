/* How large a policy's file may be: the limits that its reader has, and the same count made before a learner
   pays, so that nothing is paid for that nobody can read. */
#ifndef TACIT_SRC_POLICY_SIZE_H
#define TACIT_SRC_POLICY_SIZE_H

#include "method/method.h"

enum {
  TACIT_POLICY_BYTES_MAX = 256 << 20,
  TACIT_POLICY_VALUES_MAX = 1 << 23, /* each takes some eighty bytes of memory, however short it is */
  TACIT_POLICY_FLAGS = JSON_INDENT(2) | JSON_REAL_PRECISION(17) /* how it is written */
};

/* All zero at first. */
typedef struct tacit_json_size {
  size_t bytes, values;
  bool quoted, escaped; /* where the text broke off */
} tacit_json_size;

/* Adds a piece of a text; what stands within quotes is one value. */
void tacit_json_count(tacit_json_size *size, const char *text, size_t length);

/* What the file of a fit will have at most, from its schema and region and the settings of its certificate,
   with `listed` releases, or as many as a method that chooses them on the way can have. */
tacit_status tacit_policy_size(const tacit_method *method, const tacit_facts *facts,
                               const tacit_certificate *certificate, size_t listed, tacit_json_size *size,
                               tacit_error *error) TACIT_CHECKED;

/* TACIT_REFUSED for a size that no reader takes. */
tacit_status tacit_policy_size_check(const tacit_json_size *size, tacit_error *error) TACIT_CHECKED;

#endif
