/* The parts of an eigenproblem whose work grows with the cube of its size; for eigen.c. */
#ifndef TACIT_SRC_EIGEN_PARTS_H
#define TACIT_SRC_EIGEN_PARTS_H

#include <stdbool.h>
#include <stddef.h>

/* Vectors as rows of Q', in slices of columns that stay in the cache: entry (k, j) of n x n. */
enum { TACIT_EIGEN_SLICE = 32 };
static inline size_t tacit_eigen_at(size_t n, size_t k, size_t j) {
  return (j / TACIT_EIGEN_SLICE * n + k) * TACIT_EIGEN_SLICE + j % TACIT_EIGEN_SLICE;
}
static inline size_t tacit_eigen_entries(size_t n) {
  return (n + TACIT_EIGEN_SLICE - 1) / TACIT_EIGEN_SLICE * TACIT_EIGEN_SLICE * n;
}

typedef struct tacit_tridiagonal {
  double *d, *e;
  double *length; /* the squared lengths of the reflections' vectors v, */
  double *room;   /* 3 n */
} tacit_tridiagonal;

/* A <- H A H for H = I - 2 v v' / v'v, n - 2 times, until it is tridiagonal. Each v takes the place of a row
   of A behind its diagonal. */
void tacit_eigen_reflect(size_t n, double *a, tacit_tridiagonal to);
/* The transposed product of the reflections; false without memory. */
bool tacit_eigen_collect(size_t n, const double *a, const double *length, double *q, int threads);

typedef struct tacit_rotation {
  double c, s;
} tacit_rotation;
/* Of rows lo and lo + 1, lo + 1 and lo + 2, ..., hi - 1 and hi, by the rotations from `first` on. */
typedef struct tacit_sweep {
  size_t lo, hi, first;
} tacit_sweep;
typedef struct tacit_rotations {
  tacit_rotation *turn;
  tacit_sweep *sweep;
  size_t turns, sweeps, most;
} tacit_rotations;
/* Applies what waits to the rows of q, in order; nothing waits any more. */
void tacit_eigen_rotate(size_t n, double *q, tacit_rotations *waiting, int threads);

#endif
