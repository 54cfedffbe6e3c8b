/* What one policy hands on to the next. */
#include "method/state.h"

#include "base/base.h"
#include "method/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Encoded units: nothing that was learned lies further out, and squares of it stay numbers. */
static const double LARGEST = 1e9, SPREAD_LEAST = 1e-9;

tacit_status tacit_state_new(size_t columns, tacit_state **state, tacit_error *error) {
  *state = tacit_alloc(1, sizeof **state);
  if (!*state) return tacit_no_memory(error);
  (*state)->columns = columns;
  (*state)->centre = tacit_alloc(columns, sizeof(double));
  (*state)->covariance = tacit_alloc(tacit_triangle(columns), sizeof(double));
  if ((*state)->centre && (*state)->covariance) return TACIT_OK;
  tacit_state_free(*state);
  *state = NULL;
  return tacit_no_memory(error);
}

tacit_status tacit_state_copy(const tacit_state *from, tacit_state **to, tacit_error *error) {
  TACIT_TRY(tacit_state_new(from->columns, to, error));
  tacit_state own = **to;
  **to = *from;
  (*to)->centre = own.centre;
  (*to)->covariance = own.covariance;
  memcpy(own.centre, from->centre, from->columns * sizeof(double));
  memcpy(own.covariance, from->covariance, tacit_triangle(from->columns) * sizeof(double));
  return TACIT_OK;
}

void tacit_state_free(tacit_state *state) {
  if (!state) return;
  free(state->centre);
  free(state->covariance);
  free(state);
}

void tacit_start_free(tacit_start *start) {
  if (!start) return;
  tacit_state_free(start->state);
  free(start);
}

/* Of two numbers no covariance is larger than their standard deviations. */
static bool covariance_sound(const tacit_state *state) {
  const double *at = state->covariance;
  for (size_t j = 0; j < state->columns; j++)
    for (size_t k = 0; k <= j; k++, at++) {
      double own = state->covariance[tacit_triangle(j) + j], other = state->covariance[tacit_triangle(k) + k];
      bool right = own >= 0 && own <= LARGEST && fabs(*at) <= sqrt(own) * sqrt(other) * (1 + 1e-6);
      if (!right) return false;
    }
  return true;
}

bool tacit_state_sound(const tacit_state *state) {
  bool sound = state->spread >= SPREAD_LEAST && state->spread <= LARGEST && state->spread_variance >= 0 &&
               state->spread_variance <= LARGEST;
  for (size_t k = 0; k < 2; k++)
    sound = sound && fabs(state->tail[k]) <= LARGEST && state->tail_variance[k] >= 0 &&
            state->tail_variance[k] <= LARGEST;
  for (size_t j = 0; sound && j < state->columns; j++) sound = fabs(state->centre[j]) <= LARGEST;
  return sound && covariance_sound(state);
}
