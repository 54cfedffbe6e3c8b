/* The Renyi divergences of a list of releases: what a ledger is told of a release that is not Gaussian, and
   what `ledger show --check` recomputes from the policy. Divergences of releases chosen adaptively add up. */
#include "privacy/certificate.h"
#include "privacy/randomised_response.h"

#include <math.h>

static tacit_status rdp_of(const tacit_mechanism *m, tacit_adjacency adjacency, double rdp[TACIT_RDP_ORDERS],
                           tacit_error *error) {
  if (m->kind == TACIT_RELEASE_SIGN) return tacit_response_rdp(m->level, m->count, rdp, error);
  if (m->kind == TACIT_RELEASE_SAMPLED && m->sample != TACIT_SAMPLE_ALL) {
    const tacit_sampled sampled = tacit_mechanism_sampled(m, adjacency);
    return tacit_sampled_rdp(&sampled, rdp, error);
  }
  if (m->kind == TACIT_RELEASE_OBJECTIVE && m->count == 1) {
    const tacit_objective curve = {m->sensitivity, m->smoothness, m->lambda, m->sigma,
                                   TACIT_ADD_REMOVE}; /* the sensitivity already is the reach */
    return tacit_objective_rdp(&curve, rdp, error);
  }
  double mu = m->sensitivity / m->sigma;
  bool gaussian = tacit_release_gaussian(m->kind) || m->kind == TACIT_RELEASE_MINIMISER;
  if (!gaussian || !(m->sigma > 0 && mu >= 0 && mu <= TACIT_MU_MAX))
    return tacit_fail(error, TACIT_USAGE, "a release of this kind and noise has no Renyi divergence");
  for (size_t i = 0; i < TACIT_RDP_ORDERS; i++) rdp[i] = tacit_rdp_orders[i] * mu * mu / 2 * (double)m->count;
  return TACIT_OK;
}

tacit_status tacit_certificate_rdp(const tacit_certificate *c, double rdp[TACIT_RDP_ORDERS],
                                   tacit_error *error) {
  static const double UP = 1 + 0x1p-50; /* more than the rounding of what is added */
  for (size_t i = 0; i < TACIT_RDP_ORDERS; i++) rdp[i] = 0;
  for (size_t k = 0; k < c->mechanism_count; k++) {
    double more[TACIT_RDP_ORDERS];
    TACIT_TRY(rdp_of(&c->mechanisms[k], c->adjacency, more, error));
    for (size_t i = 0; i < TACIT_RDP_ORDERS; i++) rdp[i] = (rdp[i] + more[i]) * UP;
  }
  return TACIT_OK;
}
