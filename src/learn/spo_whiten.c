/* Rows whose scale is not known, whitened: one private moment of theirs, and its inverse root. Descent then
   moves as fast along a feature that hardly varies within its bounds as along any other (proofs/spo.md). */
#include "base/base.h"
#include "learn/spo.h"
#include "num/linalg.h"

#include <math.h>
#include <stdlib.h>

/* M^(-1/2), with eigenvalues not below the noise's own length. */
static tacit_status inverse_root(size_t p, double *vectors, double least, double *root, tacit_error *error) {
  double *values = tacit_alloc(p, sizeof *values);
  bool known = values && tacit_eigen(p, vectors, values);
  for (size_t e = 0; e < p && known; e++) {
    double scale = 1 / sqrt(fmax(values[e], least));
    for (size_t j = 0; j < p; j++)
      for (size_t k = 0; k < p; k++) root[j * p + k] += vectors[j * p + e] * vectors[k * p + e] * scale;
  }
  free(values);
  return known ? TACIT_OK
               : tacit_fail(error, TACIT_INTERNAL, "the eigenvalues of a moment could not be found");
}

static tacit_status release(tacit_decisions *s, double *moment, double *matrix, tacit_error *error) {
  size_t p = s->p;
  double sigma, rows = s->task->facts.rows;
  const tacit_question question = {.kind = TACIT_QUESTION_ROWS,
                                   .rows = {.columns = p,
                                            .stretch = 1,
                                            .clip = tacit_spo_row_clip(p),
                                            .bits = tacit_spo_row_bits(p),
                                            .moment = true}};
  TACIT_TRY(tacit_private_rows(s->task, TACIT_ALL_TARGETS, &question, moment, &sigma, error));
  for (size_t j = 0, at = 0; j < p; j++)
    for (size_t k = j; k < p; k++, at++) matrix[j * p + k] = matrix[k * p + j] = moment[at] / rows;
  return inverse_root(p, matrix, sigma / rows * sqrt((double)p), s->whitening, error);
}

tacit_status tacit_decisions_whiten(tacit_decisions *s, tacit_error *error) {
  size_t p = s->p;
  double *moment = tacit_alloc(p * (p + 1) / 2, sizeof *moment), *matrix = tacit_alloc(p * p, sizeof *matrix);
  s->whitening = tacit_alloc(p * p, sizeof(double));
  tacit_status status = moment && matrix && s->whitening ? TACIT_OK : tacit_no_memory(error);
  if (status == TACIT_OK) status = release(s, moment, matrix, error);
  s->white =
      (tacit_row_image){.inputs = p, .columns = p, .cell_bits = TACIT_SPO_WHITE_BITS, .matrix = s->whitening};
  if (status == TACIT_OK) status = tacit_row_image_seal(&s->white, error);
  free(moment);
  free(matrix);
  return status;
}
