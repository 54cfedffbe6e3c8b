/* What the schema says about scales: whether all are known, and a public whitening of the encoded columns
 * from the schema's second moment (Zhao's eq. 6), and the grid it needs.
 */
#include "base/base.h"
#include "num/linalg.h"
#include "schema/schema.h"

#include <math.h>

bool tacit_schema_scales_known(const tacit_schema *schema) {
  for (size_t f = 0; f < schema->feature_count; f++) {
    const tacit_feature *feature = &schema->features[f];
    bool scaled = feature->kind == TACIT_FEATURE_NUMBER || feature->kind == TACIT_FEATURE_LAG;
    if (!scaled || feature->scale.limit != TACIT_SCALE_LIMIT) return false;
  }
  return true;
}

/* The largest entry of root * x over all rows x that the schema allows. */
static double reach(const tacit_schema *schema, const double *root) {
  double largest = 0;
  for (size_t i = 0; i < schema->columns; i++) {
    double sum = fabs(root[i * schema->columns]);
    for (size_t f = 0; f < schema->feature_count; f++) {
      const tacit_feature *feature = &schema->features[f];
      for (size_t j = feature->first; j < feature->first + feature->width; j++)
        sum += fabs(root[i * schema->columns + j]) * tacit_feature_limit(feature);
    }
    largest = fmax(largest, sum);
  }
  return largest;
}

tacit_status tacit_schema_whitening(const tacit_schema *schema, double *root, int *cell_bits,
                                    tacit_error *error) {
  if (!schema->second_moment)
    return tacit_fail(
        error, TACIT_REFUSED,
        "whitening (Zhao's eq. 6) needs a public second moment: add \"second_moment\" to the schema");
  if (!tacit_inverse_root(schema->columns, schema->second_moment, root))
    return tacit_fail(error, TACIT_BAD_INPUT, "\"second_moment\" in the schema is not positive definite");
  double largest = reach(schema, root);
  if (!(largest <= TACIT_CELL_MAX)) /* coefficients could leave the range of numbers, too */
    return tacit_fail(
        error, TACIT_REFUSED,
        "whitening by \"second_moment\" could make a value of a row as large as %.2g, more than "
        "%d: widen the moment's smallest directions, or narrow the bounds of their columns",
        largest, TACIT_CELL_MAX);
  *cell_bits = TACIT_CELL_BITS;
  while (*cell_bits > 0 && ldexp(largest, *cell_bits) > TACIT_CELL_MAX) --*cell_bits;
  return TACIT_OK;
}
