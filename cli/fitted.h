/* What `fit` and `spo fit` share: the asked guarantee, and what they say of a policy they made. */
#ifndef TACIT_CLI_FITTED_H
#define TACIT_CLI_FITTED_H

#include "cli.h"

/* As the options fill it: --mu, --epsilon, --delta. */
typedef struct guarantee {
  double mu, epsilon, delta;
  bool has_mu, has_epsilon, has_delta;
} guarantee;

/* What a method can promise. */
typedef enum promise { PROMISE_NOTHING, PROMISE_GAUSSIAN, PROMISE_PAIR } promise;

/* Settles what is asked: mu, given or the largest that the pair allows, for a Gaussian method; the pair
   itself for one that is not; nothing without privacy. What does not apply is 0. Returns -1 to go on, or the
   exit code. */
int set_guarantee(guarantee *g, const char *method, promise may);

void print_counts(const tacit_fit_counts *counts);
/* The statement, the same as (epsilon, delta), an attacker's beliefs, the ledger's line. */
void print_promise(const tacit_policy *policy, const wallet *w);
json_t *fitted_json(const char *out, const tacit_policy *policy, const wallet *w,
                    const tacit_fit_counts *counts);

#endif
