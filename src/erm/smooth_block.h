/* The loops of the smoothed pass over one block of m rows. Columns are n or stride doubles apart. */
#ifndef TACIT_SRC_SMOOTH_BLOCK_H
#define TACIT_SRC_SMOOTH_BLOCK_H

#include <stddef.h>
#include <stdint.h>

enum { TACIT_SMOOTH_TILE = 4 };

/* r = y - X b */
void tacit_smooth_residuals(size_t m, size_t p, const double *x, size_t n, const double *y, const double *b,
                            double *r);
/* max |y|, numbers that are none left out */
double tacit_smooth_largest(size_t n, const double *y);
/* sum of |y| */
double tacit_smooth_size(size_t n, const double *y);
/* u = -r times scale */
void tacit_smooth_arguments(size_t m, const double *r, double scale, double *u);
/* sum of rho_tau(r) + h excess */
double tacit_smooth_losses(size_t m, double tau, double h, const double *r, const double *excess);
/* g += X' psi */
void tacit_smooth_gradient(size_t m, size_t p, const double *x, size_t n, const double *psi, double *g);
/* Which of the weights are more than cut: their places, in order, and how many they are. */
size_t tacit_smooth_select(size_t m, const double *w, double cut, uint32_t *places);
/* Which |u| are less than reach, or not a number; in the same way. */
size_t tacit_smooth_select_near(size_t m, const double *u, double reach, uint32_t *places);
/* z = w x in single precision: the moment serves as a metric for steps, whose end it does not change. */
void tacit_smooth_weigh(size_t m, const double *w, const double *x, float *z);
/* The same for some of the rows: z_k = w_k x_places[k]. */
void tacit_smooth_weigh_some(size_t m, const double *w, const double *x, const uint32_t *places, float *z);
/* The lower triangle of S += Z'Z in whole tiles; columns is a multiple of the tile. */
void tacit_smooth_moment(size_t m, size_t columns, const float *z, size_t stride, double *s, size_t side);

#endif
