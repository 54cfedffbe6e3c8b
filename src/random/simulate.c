/* Random doubles for simulation and for public starting points: good to double precision, never for a
 * guarantee. */
#include "random/gaussian_table.h"
#include "random/random.h"

#include <math.h>

double tacit_uniform(tacit_stream *stream) {
  /* 52 bits and a half: the middle of one of 2^52 cells, so that neither 0 nor 1 can come out. */
  return ((double)(tacit_stream_bits(stream) >> 12) + 0.5) * 0x1p-52;
}

static double exponential(tacit_stream *stream) {
  return -log(tacit_uniform(stream));
}

/* |Z| given |Z| > a: the Rayleigh tail has density x e^(-x^2/2), so accept with probability a / x. */
static double normal_tail(tacit_stream *stream, double a) {
  double x;
  do x = sqrt(a * a + 2 * exponential(stream));
  while (tacit_uniform(stream) * x > a);
  return x;
}

double tacit_normal(tacit_stream *stream) {
  uint64_t word = tacit_stream_bits(stream);
  double t;
  const tacit_gaussian_row *row = tacit_gaussian_find(word & INT64_MAX, &t);
  double size = row ? row->hi + tacit_gaussian_rest(row, t) : normal_tail(stream, tacit_gaussian_tail_start);
  return word >> 63 ? -size : size;
}

double tacit_laplace(tacit_stream *stream) {
  double size = exponential(stream);
  return tacit_stream_bits(stream) >> 63 ? -size : size;
}

double tacit_student(tacit_stream *stream, int degrees) {
  /* A chi-square of two degrees is twice an exponential. */
  double z = tacit_normal(stream), chi_square = 0;
  for (int i = 0; i < degrees / 2; i++) chi_square += 2 * exponential(stream);
  if (degrees % 2) {
    double odd = tacit_normal(stream);
    chi_square += odd * odd;
  }
  return z / sqrt(chi_square / degrees);
}

int tacit_poisson(tacit_stream *stream, double mean) {
  /* As many waiting times as end before the mean. */
  int count = -1;
  for (double time = 0; time <= mean; count++) time += exponential(stream);
  return count;
}

void tacit_direction(tacit_stream *stream, size_t n, double *unit) {
  double square;
  do {
    square = 0;
    for (size_t i = 0; i < n; i++) {
      unit[i] = tacit_normal(stream);
      square += unit[i] * unit[i];
    }
  } while (n && !(square > 0));
  for (size_t i = 0; i < n; i++) unit[i] /= sqrt(square);
}

void tacit_shuffle(tacit_stream *stream, size_t n, size_t *items) {
  for (size_t left = n; left > 1; left--) {
    size_t chosen = tacit_stream_below(stream, left);
    size_t last = items[left - 1];
    items[left - 1] = items[chosen];
    items[chosen] = last;
  }
}
