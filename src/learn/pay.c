/* Paying: the last refusals, then the ledger, then the gate opens. */
#include "base/base.h"
#include "learn/ranks.h"
#include "learn/task.h"
#include "method/policy_size.h"
#include "privacy/commitment.h"

#include <string.h>

/* Whether the policy will be one that can be read again. */
static tacit_status check_size(const tacit_task *task, tacit_error *error) {
  tacit_json_size size;
  TACIT_TRY(tacit_policy_size(task->method, &task->facts, task->fit->certificate,
                              task->plan.list->mechanism_count, &size, error));
  return tacit_policy_size_check(&size, error);
}

tacit_status tacit_task_pay(tacit_task *task, tacit_error *error) {
  TACIT_TRY(check_size(task, error));
  const tacit_certificate *c = task->fit->certificate, *planned = task->plan.list;
  const tacit_learn_options *o = task->options;
  tacit_cost cost = {.mu = c->mu, .epsilon = c->epsilon, .delta = c->delta};
  memcpy(cost.period, c->period, sizeof cost.period);
  const tacit_committed committed = {.certificate = c,
                                     .releases = planned,
                                     .follow = task->method->on_the_way,
                                     .schema_hash = task->schema->hash,
                                     .goals = o->quantiles,
                                     .goal_count = o->quantile_count};
  tacit_status status = TACIT_OK;
  const tacit_ranks *ranks = task->context ? task->context->ranks : NULL;
  bool spends = o->spend && tacit_ranks_first(ranks);
  if (spends || ranks) status = tacit_commitment(&committed, cost.commitment, error);
  TACIT_TRY(tacit_ranks_same(ranks, status, cost.commitment, error)); /* what each of them will release */
  if (spends) {
    if (cost.mu == 0) status = tacit_certificate_rdp(planned, cost.rdp, error);
    for (size_t i = 0; i < TACIT_RDP_ORDERS; i++) cost.rdp[i] *= TACIT_RDP_HEADROOM;
    if (status == TACIT_OK) status = o->spend(o->spend_user, &cost, error);
  }
  status = tacit_ranks_share(ranks, status, NULL, 0, error);
  task->gate.paid = status == TACIT_OK;
  return status;
}
