/* How much of epsilon each of several objectives may have: found by the accountant of unlike releases, for
   lambda and bandwidth as the theorem ties them (proofs/objective-perturbation.md, "Several targets"). */
#include "method/objective_recipe.h"
#include "privacy/objective.h"

#include <math.h>

/* Shares are multiples of this part of an equal one, so that rounding elsewhere does not change them. */
enum { PARTS = 1024 };
/* Of the offset and the reach, for the rounding of what they are computed from. */
static const double UP = 1 + 0x1p-20;

/* Does every target's (epsilon_t, delta/S) leave all of them within (epsilon, delta)? */
static tacit_status fits(const tacit_objective_facts *f, double epsilon, double delta, size_t targets,
                         bool *fits_in, tacit_error *error) {
  tacit_objective_noise noise;
  tacit_bundled list[2];
  tacit_interval reached;
  /* a bandwidth that makes smoothness / lambda = epsilon_t / 2, with lambda 1 */
  double bandwidth = f->steepest * f->clip * f->clip / (f->epsilon / 2);
  *fits_in = false;
  TACIT_TRY(tacit_objective_noise_find(f, 1, bandwidth, &noise, error));
  tacit_bundled_init(&list[0], TACIT_BUNDLED_OBJECTIVE);
  tacit_bundled_init(&list[1], TACIT_BUNDLED_GAUSSIAN);
  list[0].offset = log1p(f->epsilon / 2) * UP;
  list[0].reach =
      (f->adjacency == TACIT_REPLACE_ONE ? 2 : 1) * fmax(f->tau, 1 - f->tau) * f->clip / noise.sigma * UP;
  list[0].times = targets;
  list[1].mu = noise.mu * sqrt((double)targets) * UP;
  const tacit_bundle bundle = {list, 2, f->adjacency};
  /* where the accountant has no number, nothing more than equal shares is given out */
  tacit_status status = tacit_bundle_delta(&bundle, epsilon * (1 - 0x1p-40), &reached, error);
  if (status == TACIT_INTERNAL) return status;
  *fits_in = status == TACIT_OK && reached.upper <= delta * (1 - 0x1p-20);
  return TACIT_OK;
}

tacit_status tacit_objective_share(double epsilon, double delta, size_t targets, tacit_adjacency adjacency,
                                   double *share, tacit_error *error) {
  double S = (double)targets;
  size_t low = 0, high = PARTS * (targets - 1); /* low fits, by basic composition */
  while (low < high) {
    size_t middle = (low + high + 1) / 2;
    bool good = false;
    /* tau and clip do not matter: the noise is proportional to both */
    const tacit_objective_facts f = {.rows = 1000,
                                     .columns = 1,
                                     .epsilon = epsilon / S * (1 + (double)middle / PARTS),
                                     .delta = delta / S,
                                     .tau = 0.5,
                                     .clip = 1,
                                     .steepest = 1,
                                     .theta_bound = 1,
                                     .adjacency = adjacency};
    TACIT_TRY(fits(&f, epsilon, delta, targets, &good, error));
    if (good)
      low = middle;
    else
      high = middle - 1;
  }
  *share = epsilon / S * (1 + (double)low / PARTS);
  return TACIT_OK;
}
