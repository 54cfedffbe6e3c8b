/* Reads the public second moment of the encoded columns and refuses it unless it is symmetric positive
 * definite. */
#include "schema/fields.h"
#include "schema/parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pivot below this share of its diagonal entry is lost in the entries' own rounding: the matrix cannot be
   told from a singular one, and its inverse root would be noise. */
static const double SMALLEST_PIVOT = 1e-12;

static tacit_status read_entries(double *moment, size_t p, const json_t *matrix, tacit_error *error) {
  if (!json_is_array(matrix) || json_array_size(matrix) != p)
    return tacit_fail(
        error, TACIT_BAD_INPUT,
        "\"second_moment\" must be an array of %zu rows: one for each encoded column, the intercept "
        "first",
        p);
  for (size_t i = 0; i < p; i++) {
    const json_t *row = json_array_get(matrix, i);
    if (!json_is_array(row) || json_array_size(row) != p)
      return tacit_fail(error, TACIT_BAD_INPUT, "\"second_moment\"[%zu] must be an array of %zu numbers", i,
                        p);
    for (size_t j = 0; j < p; j++) {
      const json_t *entry = json_array_get(row, j);
      double number = json_number_value(entry);
      if (!json_is_number(entry) || !isfinite(number))
        return tacit_fail(error, TACIT_BAD_INPUT, "\"second_moment\"[%zu][%zu] must be a number", i, j);
      moment[i * p + j] = number;
    }
    for (size_t j = 0; j < i; j++) {
      if (moment[i * p + j] != moment[j * p + i])
        return tacit_fail(error, TACIT_BAD_INPUT,
                          "\"second_moment\" is not symmetric: [%zu][%zu] and [%zu][%zu] differ", i, j, j, i);
    }
  }
  return TACIT_OK;
}

/* Cholesky by rows, in place of a copy: L L' = moment. False at the first pivot that is not safely positive.
 */
static bool factor(double *l, size_t p) {
  for (size_t i = 0; i < p; i++) {
    double diagonal = l[i * p + i];
    double rest = diagonal;
    for (size_t j = 0; j < i; j++) {
      double sum = l[i * p + j];
      for (size_t k = 0; k < j; k++) sum -= l[i * p + k] * l[j * p + k];
      l[i * p + j] = sum / l[j * p + j];
      rest -= l[i * p + j] * l[i * p + j];
    }
    if (!(diagonal > 0) || !(rest > SMALLEST_PIVOT * diagonal)) return false; /* also when rest is NaN */
    l[i * p + i] = sqrt(rest);
  }
  return true;
}

tacit_status tacit_schema_parse_second_moment(tacit_schema *schema, const json_t *matrix,
                                              tacit_error *error) {
  size_t p = schema->columns;
  schema->second_moment = tacit_alloc(p * p, sizeof *schema->second_moment);
  if (!schema->second_moment) return tacit_no_memory(error);
  TACIT_TRY(read_entries(schema->second_moment, p, matrix, error));
  double *copy = tacit_alloc(p * p, sizeof *copy);
  if (!copy) return tacit_no_memory(error);
  memcpy(copy, schema->second_moment, p * p * sizeof *copy);
  bool definite = factor(copy, p);
  free(copy);
  if (definite) return TACIT_OK;
  return tacit_fail(
      error, TACIT_BAD_INPUT,
      "\"second_moment\" is not positive definite, or too close to singular; leave it out if unsure");
}
