/* What both kinds of rules share where they say how sure they are. */
#include "learn/uncertainty.h"

#include "base/base.h"
#include "num/gamma.h"
#include "num/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ROOT_PI = 1.7724538509055160;
static const double FLATTEST = 1e-3;  /* of the variances of whitened rows */
static const double SMOOTHEST = 0.25; /* smoothing leaves at least this part of a score's variance */

bool tacit_sources_open(tacit_sources *sources, size_t count, const tacit_task *task) {
  size_t numbers = tacit_rule_numbers(task->fit->columns, task->fit->spread != NULL);
  *sources = (tacit_sources){.count = count,
                             .numbers = numbers,
                             .covariance = tacit_alloc(count * (count + numbers), sizeof(double))};
  sources->carried = sources->covariance + count * count;
  return sources->covariance != NULL;
}

void tacit_sources_close(tacit_sources *sources) {
  free(sources->covariance);
}

tacit_status tacit_sources_give(const tacit_sources *sources, tacit_task *task, size_t target,
                                tacit_error *error) {
  size_t count = sources->count, numbers = sources->numbers;
  double *half = tacit_alloc(count * numbers, sizeof *half);
  double *out = task->fit->uncertainty + target * tacit_triangle(numbers);
  if (!half) return tacit_no_memory(error);
  for (size_t i = 0; i < count; i++)
    for (size_t l = 0; l < count; l++) {
      double c = sources->covariance[i * count + l];
      for (size_t j = 0; c != 0 && j < numbers; j++)
        half[i * numbers + j] += c * sources->carried[l * numbers + j];
    }
  for (size_t j = 0; j < numbers; j++)
    for (size_t k = 0; k <= j; k++) {
      double sum = 0;
      for (size_t i = 0; i < count; i++) sum += sources->carried[i * numbers + j] * half[i * numbers + k];
      *out++ = sum;
    }
  free(half);
  return TACIT_OK;
}

double tacit_score_variance(double tau, double h, double f) {
  double sharp = tau * (1 - tau);
  return fmax(SMOOTHEST * sharp, sharp - h * f / ROOT_PI);
}

double tacit_clip_scatter(double d, double B) {
  double inside = tacit_chi_square_cdf(d + 2, B * B), outside = 1 - tacit_chi_square_cdf(d, B * B);
  double gain = tacit_clip_gain(d, B);
  return (inside + B * B / d * outside) / (gain * gain);
}

/* W' S W. */
static void whiten(const tacit_newton *newton, const double *S, double *half, double *out) {
  size_t d = newton->d;
  memset(half, 0, d * d * sizeof *half);
  memset(out, 0, d * d * sizeof *out);
  for (size_t j = 0; j < d; j++)
    for (size_t l = 0; l < d; l++)
      for (size_t k = 0; k < d; k++) half[j * d + k] += S[j * d + l] * newton->W[l * d + k];
  for (size_t l = 0; l < d; l++)
    for (size_t j = 0; j < d; j++)
      for (size_t k = 0; k < d; k++) out[j * d + k] += newton->W[l * d + j] * half[l * d + k];
}

bool tacit_made_definite(size_t d, double *S, const double *cross, double *needed) {
  double *E = tacit_alloc(d * d + d, sizeof *E), *ev = E + d * d;
  if (!E) return false;
  memcpy(E, S, d * d * sizeof *S);
  bool right = tacit_eigen(d, E, ev);
  *needed = 0;
  for (size_t k = 0; right && k < d; k++) {
    double part = 0;
    ev[k] = fmax(ev[k], FLATTEST);
    for (size_t j = 0; j < d; j++) part += E[j * d + k] * cross[j];
    *needed += part * part / ev[k];
  }
  for (size_t j = 0; right && j < d; j++)
    for (size_t k = 0; k < d; k++) {
      S[j * d + k] = 0;
      for (size_t l = 0; l < d; l++) S[j * d + k] += E[j * d + l] * ev[l] * E[k * d + l];
    }
  free(E);
  return right;
}

bool tacit_weighed_rows(const tacit_scaled *scaled, double power, double *mean, double *S, double *factor) {
  const tacit_newton *newton = &scaled->newton;
  size_t d = newton->d;
  double *beta = tacit_alloc(2 * d + 2 * d * d, sizeof *beta), *weighed = beta + d, *C = weighed + d;
  if (!beta) return false;
  if (!d) { /* all rows are alike */
    free(beta);
    *factor = 0;
    return true;
  }
  tacit_scaled plain = *scaled;
  plain.S = scaled->S0;
  tacit_scaled_slopes(scaled, power, beta);
  *factor = tacit_scaled_tilt(&plain, beta, weighed, C);
  for (size_t k = 0; k < d; k++) {
    mean[k] = 0;
    for (size_t j = 0; j < d; j++) mean[k] += newton->W[j * d + k] * (weighed[j] - newton->mean[j]);
  }
  if (S) whiten(newton, C, C + d * d, S);
  free(beta);
  return true;
}

bool tacit_add_around(size_t n, const double *A, const double *B, double *C, size_t stride) {
  double *half = tacit_alloc(n * n, sizeof *half);
  if (!half) return false;
  for (size_t i = 0; i < n; i++)
    for (size_t l = 0; l < n; l++)
      for (size_t k = 0; A[i * n + l] != 0 && k < n; k++) half[i * n + k] += A[i * n + l] * B[l * n + k];
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      for (size_t k = 0; k < n; k++) C[i * stride + j] += half[i * n + k] * A[j * n + k];
  free(half);
  return true;
}
