/* What `fit` is made of: the asked guarantee, the method and its options, and what is said of a policy. */
#ifndef TACIT_CLI_FITTED_H
#define TACIT_CLI_FITTED_H

#include "cli.h"

/* As the options fill it: --mu, --epsilon, --delta. */
typedef struct guarantee {
  double mu, epsilon, delta;
  bool has_mu, has_epsilon, has_delta;
} guarantee;

/* Settles what is asked: mu, given or the largest that the pair allows, for a Gaussian method; the pair
   itself for one that is not; nothing without privacy. What does not apply is 0. Returns -1 to go on, or the
   exit code. */
int set_guarantee(guarantee *g, const char *method, tacit_promise may);

/* The options that methods have, over a region or not, to be given to set_method_options as they come; how
   many there are. methods.c. */
enum { METHOD_OPTIONS_MAX = 40 };
size_t method_options(pairs *given, bool region, option *options);
/* What --help says about methods and their options. */
void explain_methods(void);
void explain_region_methods(void);
/* Returns -1 to go on, or the exit code. */
int set_method_options(tacit_learn_options *learn, const tacit_method *method, const pairs *given);

/* The rule, goal by goal. */
void print_coefficients(const tacit_policy *policy);
/* A target's coefficients with their standard errors; false, and nothing printed, where these are not known.
 */
bool print_errors(const tacit_policy *policy, size_t target);
/* The same as JSON, from targets to columns: null where it was not asked for or is not known. */
json_t *errors_json(const tacit_policy *policy);
void print_counts(const tacit_fit_counts *counts);
/* The statement, the same as (epsilon, delta), an attacker's beliefs, the ledger's line. */
void print_promise(const tacit_policy *policy, const wallet *w);
/* Takes the reference to the cells' counts. */
json_t *fitted_json(const char *out, const tacit_policy *policy, const wallet *w,
                    const tacit_fit_counts *counts, json_t *cells);

#endif
