/* Rows whose scale is not known, whitened: one private moment of theirs, and its inverse root. Descent then
   moves as fast along a feature that hardly varies within its bounds as along any other (proofs/spo.md). */
#include "base/base.h"
#include "learn/spo.h"
#include "num/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static tacit_rows_question rows_of(const tacit_spo_task *task) {
  size_t p = task->schema->columns;
  return (tacit_rows_question){.columns = p,
                               .stretch = 1,
                               .clip = tacit_spo_row_clip(p),
                               .bits = tacit_spo_row_bits(p),
                               .moment = true};
}

tacit_mechanism tacit_spo_whiten_mechanism(const tacit_spo_task *task) {
  const tacit_rows_question rows = rows_of(task);
  return tacit_budget_row_mechanism(&rows);
}

static tacit_status release(tacit_spo_task *task, tacit_budget *budget, double *moment, double *matrix,
                            tacit_error *error) {
  size_t p = task->schema->columns;
  double sigma;
  const tacit_question question = {.kind = TACIT_QUESTION_ROWS, .rows = rows_of(task)};
  TACIT_TRY(
      tacit_budget_row_sum(budget, task->asked, &question, TACIT_SPO_WHITEN_SHARE, moment, &sigma, error));
  for (size_t j = 0, at = 0; j < p; j++)
    for (size_t k = j; k < p; k++, at++) matrix[j * p + k] = matrix[k * p + j] = moment[at] / task->rows;
  return inverse_root(p, matrix, sigma / task->rows * sqrt((double)p), task->whitening, error);
}

tacit_status tacit_spo_whiten(tacit_spo_task *task, tacit_budget *budget, tacit_error *error) {
  size_t p = task->schema->columns;
  double *moment = tacit_alloc(p * (p + 1) / 2, sizeof *moment), *matrix = tacit_alloc(p * p, sizeof *matrix);
  task->whitening = tacit_alloc(p * p, sizeof(double));
  tacit_status status = moment && matrix && task->whitening ? TACIT_OK : tacit_no_memory(error);
  if (status == TACIT_OK) status = release(task, budget, moment, matrix, error);
  task->white = (tacit_row_image){
      .inputs = p, .columns = p, .cell_bits = TACIT_SPO_WHITE_BITS, .matrix = task->whitening};
  if (status == TACIT_OK) status = tacit_row_image_seal(&task->white, error);
  free(moment);
  free(matrix);
  return status;
}
