/* Gaussian descent on the SPO+ loss (Wang and Qin's Algorithm 2, sound form): noisy subgradients, public
   steps.

     minimise over B   mean of  max_w (c - 2 chat)'w + 2 chat'w*(c) - z*(c),   chat = centre + unit B x

   A subgradient in chat is 2 (w*(c) - w*(2 chat - c)). Each step releases the sum of these times rows, cut to
   integers and held to a radius (proofs/spo.md), with a share of mu^2 that grows from step to step; the last
   iterates are averaged by their shares. Rows whose scale is not known are whitened first. Every number below
   depends on public facts and on releases alone. */
#include "base/base.h"
#include "learn/spo.h"
#include "method/shares.h"

static tacit_status descend(tacit_decisions *s, double *share, tacit_error *error) {
  const tacit_choice *choice = &s->task->choice;
  double *rule = share + choice->steps, *mean = rule + s->cells, *gradient = mean + s->cells;
  double step = tacit_decisions_step(s, choice->step), weight = 0;
  for (size_t t = 0; t < choice->steps; t++) {
    const tacit_mechanism *planned = tacit_plan_next(&s->task->plan, TACIT_ALL_TARGETS);
    if (!planned) return tacit_gate_astray(error);
    TACIT_TRY(tacit_progress(s->task->context, "learning", (double)t / (double)choice->steps, error));
    TACIT_TRY(tacit_decisions_sum(s, rule, planned->clip, error));
    TACIT_TRY(tacit_release_sum(&s->task->gate, TACIT_ALL_TARGETS, TACIT_RELEASE_OUTER, s->sum, gradient,
                                NULL, error));
    for (size_t k = 0; k < s->cells; k++) rule[k] -= step * gradient[k];
    if (t + choice->average < choice->steps) continue;
    weight += share[t];
    for (size_t k = 0; k < s->cells; k++) mean[k] += share[t] * rule[k];
  }
  for (size_t k = 0; k < s->cells; k++) mean[k] /= weight;
  tacit_decisions_finish(s, mean);
  return TACIT_OK;
}

static tacit_status run(tacit_decisions *s, tacit_error *error) {
  const tacit_choice *choice = &s->task->choice;
  double *share = s->numbers;
  tacit_growing_shares(choice->steps, choice->growth, share);
  for (size_t t = 0; choice->wide && t < choice->steps; t++) share[t] *= 1 - TACIT_SPO_WHITEN_SHARE;
  TACIT_TRY(tacit_task_pay(s->task, error));
  if (choice->wide) TACIT_TRY(tacit_decisions_whiten(s, error));
  return descend(s, share, error);
}

tacit_status tacit_learn_spo_gaussian(tacit_task *task, tacit_error *error) {
  tacit_decisions s;
  size_t cells = task->schema->columns * task->schema->target_count;
  tacit_status status = tacit_decisions_open(&s, task, task->choice.steps + 3 * cells, error);
  if (status == TACIT_OK) status = run(&s, error);
  tacit_decisions_close(&s);
  return status;
}
