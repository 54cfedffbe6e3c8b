/* How far a state has followed its steps, for who asks how sure it is (proofs/intervals.md). */
#ifndef TACIT_SRC_FOLLOWED_H
#define TACIT_SRC_FOLLOWED_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tacit_followed {
  double
      *taken; /* of each number: how much of its steps was taken, as a time: exp(-taken) of a unit is left */
  double *noise; /* the variance that the steps' noise leaves in it, */
  double *start; /* and what was unknown of it before, and came to be unknown on the way, */
  double *last;  /* up to this variance */
} tacit_followed;

bool tacit_followed_open(tacit_followed *followed, size_t numbers); /* false without memory */
void tacit_followed_close(tacit_followed *followed);
/* tacit_newton_gain (median_newton.h) for number k, noted down. */
double tacit_followed_gain(tacit_followed *followed, size_t k, double *V, double v, double gamma,
                           double trust);

/* Steps of these times against a true curvature, n x n, in units of the one that they were made for: a change
   u of what the steps see moves the state by T u, and L of what it was at first is left. False without
   memory. */
typedef struct tacit_flow {
  size_t n;
  double *T, *L; /* n x n */
  double *path;  /* n x n: column k is a direction that is followed by itself, for the time */
  double *time;  /* n, in units of its curvature */
  double *taken; /* n: as they are given */
} tacit_flow;
bool tacit_flow_open(tacit_flow *flow, size_t n);
void tacit_flow_close(tacit_flow *flow);
bool tacit_flow_turn(tacit_flow *flow, const double *curvature);
/* What steps have moved tells how far there may be to go: a state that has moved so far, with an error of
   covariance C, n x n with rows `stride` apart; what that says of the way that is left is added to C. False
   without memory. */
bool tacit_flow_ahead(const tacit_flow *flow, const double *moved, double *C, size_t stride);

#endif
