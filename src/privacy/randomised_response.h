/* Many randomised responses: each tells one bit about the table truly with probability e^eps0 / (1 + e^eps0).
   Whatever the bit is, and however later ones are chosen from earlier answers, together they are dominated by
   a binomial pair, so their guarantee is exact (proofs/randomised-response.md). It needs no sensitivity: it
   holds for any two tables, whoever differs in them. */
#ifndef TACIT_SRC_RANDOMISED_RESPONSE_H
#define TACIT_SRC_RANDOMISED_RESPONSE_H

#include "base/base.h"

#include <tacit/privacy.h>

#define TACIT_RESPONSE_EPSILON_MAX 30.0            /* of one response: the answer is as good as the truth */
#define TACIT_RESPONSES_MAX ((uint64_t)1000000000) /* responses */

/* delta at epsilon >= 0 of `steps` responses at epsilon0 in (0, TACIT_RESPONSE_EPSILON_MAX], from above. */
tacit_status tacit_response_delta(double epsilon0, uint64_t steps, double epsilon, double *delta,
                                  tacit_error *error) TACIT_CHECKED;
/* The smallest epsilon at which that delta is at most the given one, in [0, 1); 0 gives steps * epsilon0. */
tacit_status tacit_response_epsilon(double epsilon0, uint64_t steps, double delta, double *epsilon,
                                    tacit_error *error) TACIT_CHECKED;
/* The largest epsilon0 whose delta at epsilon is at most delta. TACIT_USAGE where there is none. */
tacit_status tacit_response_calibrate(double epsilon, double delta, uint64_t steps, double *epsilon0,
                                      tacit_error *error) TACIT_CHECKED;
/* Upper bounds on the Renyi divergences of all responses at tacit_rdp_orders, for a ledger. */
tacit_status tacit_response_rdp(double epsilon0, uint64_t steps, double rdp[TACIT_RDP_ORDERS],
                                tacit_error *error) TACIT_CHECKED;

/* A response is true when 64 uniform bits, as a number, are below this: floor(2^64 e^eps0 / (1 + e^eps0)).
   Its odds are at most e^eps0 to 1 and at least 1 to 1, exactly. */
uint64_t tacit_response_threshold(double epsilon0);

#endif
