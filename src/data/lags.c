/* Keeps the targets of the last `reach` records in a ring. */
#include "data/lags.h"

#include "base/base.h"

#include <assert.h>
#include <string.h>

tacit_status tacit_lags_open(tacit_lags *lags, size_t reach, size_t targets, tacit_error *error) {
  *lags = (tacit_lags){.reach = reach, .targets = targets};
  lags->past = tacit_alloc(reach, targets * sizeof *lags->past);
  return lags->past ? TACIT_OK : tacit_no_memory(error);
}

void tacit_lags_push(tacit_lags *lags, const double *targets) {
  if (lags->reach == 0) return;
  memcpy(lags->past + lags->seen % lags->reach * lags->targets, targets, lags->targets * sizeof *targets);
  lags->seen++;
}

bool tacit_lags_full(const tacit_lags *lags) {
  return lags->seen >= lags->reach;
}

double tacit_lags_get(const tacit_lags *lags, size_t lag, size_t target) {
  assert(lag >= 1 && lag <= lags->reach && tacit_lags_full(lags));
  return lags->past[(lags->seen - lag) % lags->reach * lags->targets + target];
}

void tacit_lags_close(tacit_lags *lags) {
  tacit_free_wiped(lags->past, lags->reach * lags->targets * sizeof *lags->past);
  *lags = (tacit_lags){0};
}
