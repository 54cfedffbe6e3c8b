/* Paying: the last refusals, then the ledger, then the gate opens. */
#include "base/base.h"
#include "learn/ranks.h"
#include "learn/task.h"
#include "privacy/commitment.h"

#include <math.h>

/* As JSON writes it, at most: a quote becomes two bytes, a control character, of which names have none, six.
 */
static double written(const char *name) {
  double bytes = 2;
  for (; *name; name++) bytes += *name == '"' || *name == '\\' ? 2 : 1;
  return bytes;
}

/* Whether the policy will be one that can be read again: about so many bytes and values of coefficients, of a
   spread and of releases, with the schema and the region beside them. */
static tacit_status check_size(const tacit_task *task, tacit_error *error) {
  static const double BYTES = 180e6, VALUES = 7e6, COEFFICIENT = 50, RELEASE = 300, RELEASE_VALUES = 14;
  enum { ON_THE_WAY = 100 }; /* releases of a target, at most */
  const tacit_schema *schema = task->schema;
  double targets = (double)schema->target_count, columns = 0, names = 0, longest = 0;
  for (size_t j = 0; j < schema->columns; j++) columns += COEFFICIENT + written(schema->column_names[j]);
  for (size_t t = 0; t < schema->target_count; t++) {
    names += written(schema->targets[t].name);
    longest = fmax(longest, written(schema->targets[t].name));
  }
  double releases =
      task->method->on_the_way ? targets * ON_THE_WAY : (double)task->plan.list->mechanism_count;
  double rules = task->method->spread ? 2 * targets : targets; /* a spread is about as long as the rest */
  double bytes = rules * columns + 2 * names + releases * (RELEASE + longest);
  double values = rules * (double)(schema->columns + 1) + releases * RELEASE_VALUES;
  if (bytes <= BYTES && values <= VALUES) return TACIT_OK;
  return tacit_fail(
      error, TACIT_REFUSED,
      "the policy would be larger than a policy file can be; use fewer targets, shorter names of "
      "columns and levels, or fewer steps");
}

tacit_status tacit_task_pay(tacit_task *task, tacit_error *error) {
  TACIT_TRY(check_size(task, error));
  const tacit_certificate *c = task->fit->certificate, *planned = task->plan.list;
  const tacit_learn_options *o = task->options;
  tacit_cost cost = {.mu = c->mu, .epsilon = c->epsilon, .delta = c->delta};
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
