/* The policy: what is released. Decisions from it, and the recomputation of its promise from the file alone.
 */
#ifndef TACIT_POLICY_H
#define TACIT_POLICY_H

#include <tacit/method.h>
#include <tacit/source.h>

TACIT_BEGIN

typedef struct tacit_policy tacit_policy;

/* What a target is ordered for. Costs are 0 where only a quantile was asked for. */
typedef struct tacit_goal {
  double quantile, underage, overage;
} tacit_goal;

/* Makes a policy with a linear rule from what was learned: coefficients of the encoded columns (targets x
   columns), the certificate, one goal for each target. Everything is copied. A fit may have more than
   coefficients: tacit_policy_from_fit takes all of it. */
TACIT_API tacit_status tacit_policy_new(const tacit_schema *schema, const double *coefficients,
                                        const tacit_certificate *certificate, const tacit_goal *goals,
                                        tacit_policy **policy, tacit_error *error) TACIT_CHECKED;
/* From a fit with all that it has, over the region it was learned for or, with NULL, with a goal for each
   quantile that was learned: one for each target, or several of a single one. */
TACIT_API tacit_status tacit_policy_from_fit(const tacit_schema *schema, const tacit_region *region,
                                             const tacit_fit *fit, const tacit_goal *goals,
                                             tacit_policy **policy, tacit_error *error) TACIT_CHECKED;
/* Reads a policy file (docs/formats/policy.md). A file with coefficients but no certificate can be read and
   ordered with; it never verifies. */
TACIT_API tacit_status tacit_policy_read(const char *path, tacit_policy **policy,
                                         tacit_error *error) TACIT_CHECKED;
TACIT_API tacit_status tacit_policy_parse(const char *json, size_t length, tacit_policy **policy,
                                          tacit_error *error) TACIT_CHECKED;
/* Whether a policy can be written there: asked before anything is spent. */
TACIT_API tacit_status tacit_policy_check_path(const char *path, tacit_error *error) TACIT_CHECKED;
/* Writes to a temporary file beside path, then renames: there is never half a policy. */
TACIT_API tacit_status tacit_policy_write(const tacit_policy *policy, const char *path,
                                          tacit_error *error) TACIT_CHECKED;
/* The same JSON as text, to be given to tacit_free; NULL without memory. */
TACIT_API char *tacit_policy_text(const tacit_policy *policy);
TACIT_API void tacit_policy_free(tacit_policy *policy);

TACIT_API const tacit_schema *tacit_policy_schema(const tacit_policy *policy);
/* Its goals: one for each target, or several quantiles of a single target, ascending; over a region one for
   each cost. Everything that a policy tells is counted by them. A goal's name is its target's; one of several
   quantiles has the quantile behind it, as in demand@0.9. */
TACIT_API size_t tacit_policy_goal_count(const tacit_policy *policy);
TACIT_API tacit_goal tacit_policy_goal(const tacit_policy *policy, size_t goal);
TACIT_API const char *tacit_policy_goal_name(const tacit_policy *policy, size_t goal);
TACIT_API size_t tacit_policy_goal_target(const tacit_policy *policy, size_t goal); /* of the schema's */
TACIT_API bool tacit_policy_private(const tacit_policy *policy);
/* The claimed guarantee: mu, or where that is 0 the pair (epsilon, delta); all 0 without one. */
TACIT_API double tacit_policy_mu(const tacit_policy *policy);
TACIT_API double tacit_policy_epsilon(const tacit_policy *policy);
TACIT_API double tacit_policy_delta(const tacit_policy *policy);
TACIT_API tacit_adjacency tacit_policy_adjacency(const tacit_policy *policy); /* as claimed */
/* Whether its unit is a row of a query's result (tacit_source_sql), not a record. */
TACIT_API bool tacit_policy_result_rows(const tacit_policy *policy);
/* How many rows it was learned from, where that is public; else 0. */
TACIT_API size_t tacit_policy_rows(const tacit_policy *policy);
TACIT_API const char *tacit_policy_method(const tacit_policy *policy);
/* The receipt of the ledger that paid for the policy, NULL without one; it goes into the file. */
TACIT_API void tacit_policy_set_receipt(tacit_policy *policy, const tacit_receipt *receipt);
TACIT_API const tacit_receipt *tacit_policy_receipt(const tacit_policy *policy);
/* Coefficient of an encoded column in the user's own units. */
TACIT_API double tacit_policy_coefficient(const tacit_policy *policy, size_t goal, size_t column);
/* Whether orders have a spread: the rule is then "linear-with-spread", not "linear". To the dot product with
   the coefficients it adds tacit_policy_spreads times the spread, whose logarithm is a dot product of its own
   with the numbers of tacit_policy_log_spread, in the user's own units and held to public bounds
   (docs/formats/policy.md). Both are 0 for a linear rule. */
TACIT_API bool tacit_policy_has_spread(const tacit_policy *policy);
TACIT_API double tacit_policy_log_spread(const tacit_policy *policy, size_t goal, size_t column);
TACIT_API double tacit_policy_spreads(const tacit_policy *policy, size_t goal);
/* Whether the policy says how sure a goal's rule is (docs/intervals.md): asked for when it was learned, and
   known. */
TACIT_API bool tacit_policy_has_uncertainty(const tacit_policy *policy, size_t goal);
/* Standard errors in the user's own units: of the coefficients, and for a rule with a spread of the numbers
   of its logarithm and, last, of how many spreads there are. errors has columns, or 2 columns + 1 numbers.
   False where they are not known, or without memory. */
TACIT_API bool tacit_policy_standard_errors(const tacit_policy *policy, size_t goal, double *errors);
/* Where the order for an encoded row may lie that ever more rows and no noise would give, with this
   probability: level in (0, 1). False where it is not known. */
TACIT_API bool tacit_policy_interval(const tacit_policy *policy, size_t goal, const double *x, double level,
                                     double *lower, double *upper);
/* The order for an encoded row, in the target's own units: what the rule gives, held to the target's bounds.
   Orders of several quantiles are sorted, so that a higher one never orders less. */
TACIT_API double tacit_policy_decide(const tacit_policy *policy, size_t goal, const double *x);
/* A quantile of a policy for one target: one that it has, or one between two of them, for which orders are
   interpolated along the normal quantile, the weight being above 0. TACIT_USAGE for any other. */
typedef struct tacit_pick {
  size_t below, above; /* goals */
  double weight;       /* of the goal above */
} tacit_pick;
TACIT_API tacit_status tacit_policy_pick(const tacit_policy *policy, double quantile, tacit_pick *pick,
                                         tacit_error *error) TACIT_CHECKED;
TACIT_API double tacit_policy_decide_picked(const tacit_policy *policy, const tacit_pick *pick,
                                            const double *x);
/* Orders for all records of a source, which is read to its end: *orders gets rows x goals numbers, to be
   given to tacit_free, NaN where a record's lagged demand is not known. An order reveals the features it was
   computed from; the policy's promise does not cover it. */
TACIT_API tacit_status tacit_policy_orders(const tacit_policy *policy, tacit_source *source, double **orders,
                                           size_t *rows, tacit_error *error) TACIT_CHECKED;
/* Two sentences: what is promised, and what is not. */
TACIT_API void tacit_policy_statement(const tacit_policy *policy, char text[1024]);

/* What `verify` found, check by check. */
enum { TACIT_CHECKS_MAX = 16 };
typedef struct tacit_verdict {
  bool holds; /* every check holds */
  size_t count;
  struct {
    bool holds;
    char text[240];
  } checks[TACIT_CHECKS_MAX];
  double mu; /* recomputed from the mechanisms; +inf when it cannot be, or when they are not Gaussian: then */
  double epsilon, delta; /* delta is recomputed at the claimed epsilon, +inf when it cannot be; else 0 */
} tacit_verdict;
/* Everything that can be is computed again (docs/formats/policy.md). A policy that was read holds only if its
   bytes are those that tacit_policy_text gives for it, or tacit_policy_write. */
TACIT_API void tacit_policy_verify(const tacit_policy *policy, tacit_verdict *verdict);

/* Which policy this one goes on from: the hash of its bytes (tacit_policy_hash), and which period its records
   are of; NULL without one. */
TACIT_API const char *tacit_policy_before(const tacit_policy *policy);
TACIT_API const char *tacit_policy_period(const tacit_policy *policy);
/* SHA-256 of the bytes that tacit_policy_write writes, as 64 hexadecimal digits. */
TACIT_API tacit_status tacit_policy_hash(const tacit_policy *policy, char hash[65],
                                         tacit_error *error) TACIT_CHECKED;
/* The policy as the beginning of a fit: tacit_learn_options has it as `from`, and it is to be given to
   tacit_start_free. TACIT_REFUSED for one that does not verify, or has no state; one whose noise came from a
   seed is for fits with such noise alone. */
TACIT_API tacit_status tacit_policy_start(const tacit_policy *policy, tacit_start **start,
                                          tacit_error *error) TACIT_CHECKED;
/* Adds to a verdict whether a policy goes on from that one, and whether that holds. */
TACIT_API void tacit_policy_verify_link(const tacit_policy *policy, const tacit_policy *before,
                                        tacit_verdict *verdict);

/* What a ledger must have been paid for a policy that verifies, recomputed from its list of releases: mu, or
   the claimed epsilon, the delta there and the Renyi divergences; and which release it is, where the receipt
   says one. For tacit_ledger_check_payment. TACIT_CHECK_FAILED for a list that is not the method's. */
TACIT_API tacit_status tacit_policy_cost(const tacit_policy *policy, tacit_cost *cost,
                                         tacit_error *error) TACIT_CHECKED;

/* A policy that decides over a region: tacit_policy_region is then not NULL, and tacit_policy_decide gives
   the predicted cost of a coordinate. Everything is copied. */
TACIT_API tacit_status tacit_spo_policy_new(const tacit_schema *schema, const tacit_region *region,
                                            const double *coefficients, const tacit_certificate *certificate,
                                            tacit_policy **policy, tacit_error *error) TACIT_CHECKED;
TACIT_API const tacit_region *
tacit_policy_region(const tacit_policy *policy); /* NULL: it orders quantities */
/* The decision w (as many entries as the region has coordinates) for an encoded row x. work has
   tacit_region_work + the region's dimension doubles. */
TACIT_API tacit_status tacit_spo_decide(const tacit_policy *policy, const double *x, double *work, double *w,
                                        tacit_error *error) TACIT_CHECKED;

TACIT_END

#endif
