/* What the learners that predict for a decision's sake share: a table of features and costs, a region, and
   the exact sum that descent releases.

   d coordinates of a decision, as many costs · p encoded columns · c costs of a row in their own units ·
   B the rule, d x p, in common units: prediction = centre + unit B x · w*(c) the best decision for costs c.
 */
#ifndef TACIT_SRC_LEARN_SPO_H
#define TACIT_SRC_LEARN_SPO_H

#include "learn/budget.h"
#include "learn/learn.h"
#include "loss/region.h"
#include "method/spo_recipe.h"

#include <tacit/spo.h>

typedef struct tacit_spo_task {
  const tacit_schema *schema;
  const tacit_region *region;
  const tacit_spo_options *options;
  const tacit_context *context;
  tacit_learn_options promise; /* the same wishes in the other learners' words */
  tacit_rows *asked;           /* encoded rows and costs */
  double *whitening;           /* p x p: what whitens rows; NULL: they are as encoded, */
  tacit_row_image white;       /* and how they are seen then */
  double rows;                 /* the public number of rows */
  double unit;                 /* a typical spread of the costs: public, the same for all of them */
  double width;                /* of the decision's widest coordinate: public */
  tacit_fit *fit;
} tacit_spo_task;

/* tacit_spo_learn for the audit and tests: the probe sees every release, and the certificate says that the
   fit is not private. */
tacit_status tacit_spo_learn_probed(const tacit_schema *schema, tacit_source *source,
                                    const tacit_region *region, const tacit_spo_options *options,
                                    const tacit_context *context, const tacit_release_probe *probe,
                                    tacit_fit **fit, tacit_error *error) TACIT_CHECKED;

/* Pays for the planned releases, all of them, before the first noise bit (tacit_learn_spend). */
tacit_status tacit_spo_spend(const tacit_spo_task *task, const tacit_certificate *planned,
                             tacit_error *error) TACIT_CHECKED;
/* Whitens the rows, from a private moment of theirs, whose release is the second
   function's, to be filled with TACIT_SPO_WHITEN_SHARE. */
tacit_status tacit_spo_whiten(tacit_spo_task *task, tacit_budget *budget, tacit_error *error) TACIT_CHECKED;
tacit_mechanism tacit_spo_whiten_mechanism(const tacit_spo_task *task);
/* The rule as coefficients of the encoded columns, into the fit. */
void tacit_spo_finish(const tacit_spo_task *task, const double *rule);

/* The sum over rows that descent releases, d x columns, at this rule and held to this radius
 * (pass/decision_sum.h).
 */
tacit_status tacit_spo_sum(const tacit_spo_task *task, const double *rule, double radius, uint64_t *sum,
                           tacit_error *error) TACIT_CHECKED;

/* The learners; each in its file. */
tacit_status tacit_spo_gaussian(tacit_spo_task *task, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_spo_exponential(tacit_spo_task *task, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_spo_least_squares(tacit_spo_task *task, tacit_error *error) TACIT_CHECKED;
/* Without privacy: least squares, and SPO+ by subgradient descent from there. */
tacit_status tacit_spo_least_squares_exact(tacit_spo_task *task, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_spo_learn_plus(tacit_spo_task *task, tacit_error *error) TACIT_CHECKED;

#endif
