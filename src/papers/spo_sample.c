/* Rows of features and costs: what they cost at best, and what a rule costs on them. */
#include "papers/spo_sample.h"

#include "base/base.h"

#include <stdlib.h>

void tacit_spo_sample_free(tacit_spo_sample *sample) {
  if (!sample) return;
  free(sample->x);
  free(sample);
}

tacit_status tacit_spo_sample_new(const tacit_region *region, size_t rows, size_t p,
                                  tacit_spo_sample **sample, tacit_error *error) {
  size_t d = region->dimension;
  tacit_spo_sample *made = tacit_alloc(1, sizeof *made);
  *sample = NULL;
  if (!made) return tacit_no_memory(error);
  *made = (tacit_spo_sample){.region = region, .rows = rows, .p = p, .d = d};
  made->x = tacit_alloc(rows * (p + 2 * d + 1), sizeof *made->x);
  if (!made->x) {
    free(made);
    return tacit_no_memory(error);
  }
  made->c = made->x + rows * p;
  made->best = made->c + rows * d;
  made->best_cost = made->best + rows * d;
  *sample = made;
  return TACIT_OK;
}

tacit_status tacit_spo_sample_finish(tacit_spo_sample *s, tacit_error *error) {
  double *work = tacit_alloc(tacit_region_work(s->region), sizeof *work);
  tacit_status status = work ? TACIT_OK : tacit_no_memory(error);
  for (size_t i = 0; i < s->rows && status == TACIT_OK; i++)
    status = tacit_region_minimise(s->region, s->c + i * s->d, NULL, work, s->best + i * s->d,
                                   &s->best_cost[i], error);
  free(work);
  return status;
}

static void predict(const tacit_spo_sample *s, const double *rule, size_t i, double *chat) {
  const double *x = s->x + i * s->p;
  for (size_t j = 0; j < s->d; j++) {
    double sum = 0;
    for (size_t k = 0; k < s->p; k++) sum += rule[j * s->p + k] * x[k];
    chat[j] = sum;
  }
}

/* The mean over rows of SPO, or of SPO+ with the given smoothing where smoothing >= 0. */
static tacit_status mean(const tacit_spo_sample *s, double smoothing, const double *rule, double *loss,
                         tacit_error *error) {
  double *chat = tacit_alloc(s->d + tacit_spo_work(s->region), sizeof *chat), sum = 0;
  tacit_status status = chat ? TACIT_OK : tacit_no_memory(error);
  for (size_t i = 0; i < s->rows && status == TACIT_OK; i++) {
    const tacit_spo_forecast row = {s->c + i * s->d, s->best + i * s->d, chat};
    double one = 0;
    predict(s, rule, i, chat);
    status = smoothing < 0 ? tacit_spo_loss(s->region, row.c, s->best_cost[i], chat, chat + s->d, &one, error)
                           : tacit_spo_plus(s->region, smoothing, &row, chat + s->d, &one, NULL, error);
    sum += one;
  }
  free(chat);
  *loss = sum / (double)s->rows;
  return status;
}

tacit_status tacit_spo_sample_loss(const tacit_spo_sample *s, const double *rule, double *loss,
                                   double *best_cost, tacit_error *error) {
  double sum = 0;
  for (size_t i = 0; i < s->rows; i++) sum += s->best_cost[i];
  *best_cost = sum / (double)s->rows;
  return mean(s, -1, rule, loss, error);
}

tacit_status tacit_spo_sample_plus(const tacit_spo_sample *s, double smoothing, const double *rule,
                                   double *loss, tacit_error *error) {
  return mean(s, smoothing, rule, loss, error);
}
