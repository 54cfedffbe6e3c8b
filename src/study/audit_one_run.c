/* Many canaries in one run, each of which is itself or its opposite by the toss of a coin, and guesses about
   the coins.

   Under (epsilon, delta) the number of right guesses among those made is at most a binomial one with chance
   e^epsilon / (1 + e^epsilon), up to a term for delta (Steinke, Nasr, Jagielski 2023, Theorem 5.2). */
#include "base/base.h"
#include "num/beta.h"
#include "privacy/gdp.h"
#include "study/audit.h"

#include <math.h>
#include <stdlib.h>

static const double ALPHA = 0.001;

static double binomial(double n, double k, double q) {
  return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(q) + (n - k) * log1p(-q));
}

double tacit_audit_one_run_chance(size_t canaries, size_t guesses, size_t right, double epsilon,
                                  double delta) {
  double q = 1 / (1 + exp(-epsilon)), r = (double)guesses, v = (double)right;
  if (right == 0 || !(q < 1)) return 1;
  double tail = tacit_beta_cdf(v, r - v + 1, q), between = 0, steepest = 0;
  for (size_t i = 1; i <= right; i++) {
    between += binomial(r, v - (double)i, q);
    steepest = fmax(steepest, between / (double)i);
  }
  return fmin(1, tail + 2 * (double)canaries * delta * steepest);
}

/* The largest epsilon under which so many right guesses would be as rare as alpha. */
static double epsilon_lower(size_t canaries, size_t guesses, size_t right, double delta) {
  double lo = 0, hi = 50;
  if (tacit_audit_one_run_chance(canaries, guesses, right, 0, delta) > ALPHA) return 0;
  for (int i = 0; i < 100; i++) {
    double middle = (lo + hi) / 2;
    *(tacit_audit_one_run_chance(canaries, guesses, right, middle, delta) <= ALPHA ? &lo : &hi) = middle;
  }
  return lo;
}

typedef struct coin {
  double evidence;
  bool up;
} coin;

static int by_certainty(const void *a, const void *b) {
  double x = fabs(((const coin *)a)->evidence), y = fabs(((const coin *)b)->evidence);
  return (x < y) - (x > y);
}

/* +-clip on an axis for each canary. */
static tacit_status toss(const tacit_audit *audit, tacit_gate *gate, const tacit_mechanism *m, coin *coins,
                         uint64_t *sum, tacit_error *error) {
  tacit_stream stream;
  TACIT_TRY(tacit_stream_begin(&gate->noise, &stream, error));
  for (size_t i = 0; i < m->dimension; i++) {
    coins[i].up = tacit_stream_bits(&stream) & 1;
    int64_t row = (int64_t)ldexp(m->clip, m->bits);
    int64_t other = audit->options->adjacency == TACIT_ADD_REMOVE ? 0 : -row;
    sum[i] = (uint64_t)(coins[i].up ? row : other);
  }
  tacit_stream_end(&stream);
  return TACIT_OK;
}

/* A plain Gaussian release of one sum with an axis for each canary; a fault may scale its noise. */
static tacit_status release(const tacit_audit *audit, size_t canaries, coin *coins, uint64_t *sum,
                            double *out, tacit_error *error) {
  const tacit_audit_options *o = audit->options;
  tacit_audit_gate open;
  const tacit_mechanism m = {
      .kind = TACIT_RELEASE_ROWS, .dimension = canaries, .clip = 2, .bits = TACIT_CELL_BITS};
  tacit_status status = tacit_audit_gate_open(audit, o->seeded ? &o->seed : NULL, &open, error);
  if (status == TACIT_OK) status = toss(audit, &open.gate, &m, coins, sum, error);
  if (status == TACIT_OK) status = tacit_plan_share(&open.plan, m, 1, 1, error);
  if (status == TACIT_OK) {
    if (audit->fault) open.plan.list->mechanisms[0].sigma *= audit->fault->noise;
    status = tacit_release_sum(&open.gate, 0, m.kind, sum, out, NULL, error);
  }
  double middle = o->adjacency == TACIT_ADD_REMOVE ? m.clip / 2 : 0;
  for (size_t i = 0; i < canaries; i++) coins[i].evidence = out[i] - middle;
  tacit_audit_gate_close(&open);
  return status;
}

tacit_status tacit_audit_one_run(const tacit_audit *audit, tacit_audit_result *result, tacit_error *error) {
  enum { PART = 10 }; /* one canary in so many is guessed about: those that are surest */
  bool plain = audit->method->run == tacit_audit_run_gaussian;
  const tacit_audit_fault *f = audit->fault;
  if (!plain || (f && (f->forgets || f->constant || f->unclipped)))
    return tacit_fail(
        error, TACIT_USAGE,
        "the audit in one run knows the method gaussian, without a fault or with its noise spoiled");
  size_t canaries = audit->runs;
  coin *coins = tacit_alloc(canaries, sizeof *coins);
  uint64_t *sum = tacit_alloc(canaries, sizeof *sum);
  double *out = tacit_alloc(canaries, sizeof *out);
  tacit_status status =
      coins && sum && out ? release(audit, canaries, coins, sum, out, error) : tacit_no_memory(error);
  if (status == TACIT_OK) {
    qsort(coins, canaries, sizeof *coins, by_certainty);
    result->guesses = canaries / PART;
    for (size_t i = 0; i < result->guesses; i++) result->right += coins[i].up == (coins[i].evidence > 0);
    for (size_t d = 0; d < TACIT_AUDIT_DELTAS; d++)
      result->epsilon[d].lower =
          epsilon_lower(canaries, result->guesses, result->right, result->epsilon[d].delta);
    result->trained = 0;
    result->mu_lower = 0;
    if (result->epsilon[0].lower > 0)
      status = tacit_gdp_mu(result->epsilon[0].lower, result->epsilon[0].delta, &result->mu_lower, error);
  }
  free(coins);
  free(sum);
  free(out);
  return status;
}
