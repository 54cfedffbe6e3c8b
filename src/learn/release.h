/* The only way out of this room for anything computed from rows: an exact sum plus exact noise, recorded.
   (proofs/exact-noise.md, proofs/composition.md) */
#ifndef TACIT_SRC_RELEASE_H
#define TACIT_SRC_RELEASE_H

#include "method/plan.h"
#include "question/question.h"
#include "random/random.h"

/* What stands at the gate to watch every release, or to spoil it. For the audit (src/study/audit_learner.c)
   and for tests: no option sets it, and what is learned through it is marked as not private. With several
   ranks it stands at the first one's gate and sees the sums of all. Either function may be NULL. */
typedef struct tacit_release_probe {
  /* Before the noise: exact integers on the mechanism's grid, `dimension` of them. For a bit 0 or 1; for the
     linear term of an objective zeros. The mechanism's sigma may be changed: the noise is drawn with it. */
  tacit_status (*before)(void *self, tacit_mechanism *mechanism, const uint64_t *exact, tacit_error *error);
  /* The same with its noise, as the learner will get it unless it is changed here. The stream is the one that
     the noise came from: the next samples of a run of releases come from it too. */
  tacit_status (*after)(void *self, const tacit_mechanism *mechanism, uint64_t *noisy, tacit_stream *stream,
                        tacit_error *error);
  void *self;
} tacit_release_probe;

/* Releases leave in the order of a plan, once they are paid for; none that it does not have. */
typedef struct tacit_gate {
  tacit_noise_source noise;
  tacit_release_plan *plan;
  tacit_certificate *certificate;   /* every release is added here before its noise is drawn */
  const tacit_release_probe *probe; /* NULL but for the audit and tests */
  bool paid;
} tacit_gate;

/* The noise is the operating system's, or from a seed (not NULL). Plan and certificate are entered by the
   caller. */
void tacit_gate_open(tacit_gate *gate, const uint64_t *seed, const tacit_ranks *ranks);
/* A learner that is about to release what was not planned, or not paid for: TACIT_INTERNAL. */
tacit_status tacit_gate_astray(tacit_error *error) TACIT_CHECKED;

/* The noise of entry j: sigma, and sigma / sqrt 2, rounded up, for the off-diagonals of a moment. */
double tacit_release_sigma(const tacit_mechanism *mechanism, size_t j);

/* The target's next release, which must be of this kind: out[j] = (sum[j] + round(sigma_j Z_j)) 2^-bits, the
   sum taken modulo 2^64 as a signed integer. sigma_j is the plan's sigma, and sigma / sqrt 2 for the
   off-diagonals of a moment (upper triangle by rows). sum is overwritten by the noisy one; *sigma (may be
   NULL) gets the noise's scale in encoded units. */
tacit_status tacit_release_sum(tacit_gate *gate, size_t target, tacit_release_kind kind, uint64_t *sum,
                               double *out, double *sigma, tacit_error *error) TACIT_CHECKED;

/* Whether the exact answer to a question may be used as it is, without noise: where the schema says that
   features are public, what is the same whatever the targets are. TACIT_INTERNAL for all else: this is the
   only way around the noise (proofs/public-features.md). */
tacit_status tacit_gate_public(const tacit_gate *gate, const tacit_question *question,
                               tacit_error *error) TACIT_CHECKED;

/* The linear term of a perturbed objective: noise[j] = round(sigma Z_j) in units of the release's grid. It is
   itself never released; what is computed with it is (proofs/objective-perturbation.md). */
tacit_status tacit_release_linear(tacit_gate *gate, size_t target, int64_t *noise,
                                  tacit_error *error) TACIT_CHECKED;

/* Many releases alike from one stream, whose samples and noise it gives: all that the target's next item has.
   Then for each of them noise is added to the sum (grid units, dimension entries). End the stream when all
   are made. */
tacit_status tacit_release_run_begin(tacit_gate *gate, size_t target, tacit_mechanism *run,
                                     tacit_stream *stream, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_release_run_step(const tacit_gate *gate, const tacit_mechanism *run, tacit_stream *stream,
                                    int64_t *sum, tacit_error *error) TACIT_CHECKED;

/* One bit of the table by randomised response: *out is `truth` with probability e^level / (1 + e^level), in
   exact arithmetic on uniform bits, rounded towards a coin (proofs/randomised-response.md). */
tacit_status tacit_release_sign(tacit_gate *gate, size_t target, bool truth, bool *out,
                                tacit_error *error) TACIT_CHECKED;

/* A point of the unit sphere, from public randomness: the same on every rank. */
tacit_status tacit_gate_direction(tacit_gate *gate, size_t columns, double *direction,
                                  tacit_error *error) TACIT_CHECKED;

#endif
