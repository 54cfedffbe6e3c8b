/* What steps learn of the curvature as they go: a matrix that turns the step of a guessed curvature into that
   of the one which the steps have seen (the BFGS update). It knows released numbers only. */
#ifndef TACIT_SRC_SECANT_H
#define TACIT_SRC_SECANT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tacit_secant {
  size_t d;
  double *H;       /* d x d, symmetric, positive definite; the identity at first */
  double *x, *u;   /* where the last step began, and the guessed curvature's step there */
  double *dx, *du; /* how both changed since */
  double noise, level;
  bool begun;
} tacit_secant;

bool tacit_secant_open(tacit_secant *secant, size_t d); /* false without memory */
void tacit_secant_close(tacit_secant *secant);
void tacit_secant_begin(tacit_secant *secant); /* as it was when it was opened */
/* At x the guess asks for a step of -u, known up to noise of this standard deviation in each entry. H learns
   from how u changed since the last call, if that is no matter of noise; at another level it starts anew. */
void tacit_secant_learn(tacit_secant *secant, const double *x, const double *u, double noise, double level);
void tacit_secant_turn(const tacit_secant *secant, const double *u, double *out); /* H u */

#endif
