/* The certificate: sensitivities of score sums from public facts alone, and the composition of a list of
 * releases. */
#include "privacy/certificate.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpfr.h>

static const uint64_t COUNT_MAX = UINT64_C(1) << 53;

static const char *const NAMES[] = {"scores",         "rows",      "moment",    "count",
                                    "outer",          "units",     "ramp",      "ramp scores",
                                    "sampled scores", "objective", "minimiser", "sign"};
enum { KINDS = sizeof NAMES / sizeof *NAMES };

const char *tacit_release_name(tacit_release_kind kind) {
  return NAMES[kind];
}

bool tacit_release_gaussian(tacit_release_kind kind) {
  return kind == TACIT_RELEASE_SCORES || kind == TACIT_RELEASE_ROWS || kind == TACIT_RELEASE_MOMENT ||
         kind == TACIT_RELEASE_COUNT || kind == TACIT_RELEASE_OUTER || kind == TACIT_RELEASE_UNITS ||
         kind == TACIT_RELEASE_RAMP || kind == TACIT_RELEASE_SLOPED;
}

bool tacit_release_by_name(const char *name, tacit_release_kind *kind) {
  for (size_t i = 0; i < KINDS; i++)
    if (!strcmp(name, NAMES[i])) {
      *kind = (tacit_release_kind)i;
      return true;
    }
  return false;
}

/* An objective: one row's largest gradient max(tau, 1 - tau) B, raised a little for tau on its grid. A
   minimiser: twice the distance gamma / lambda to the exact one, and the rounding of both to the grid
   (proofs/objective-perturbation.md). In units of the grid, rounded up. */
static tacit_status reach_of_objective(const tacit_mechanism *m, double *one, double *two,
                                       tacit_error *error) {
  static const double UP = 1 + 0x1p-30;
  bool minimiser = m->kind == TACIT_RELEASE_MINIMISER;
  if (!(m->bits >= 0 && m->bits <= 60 && m->clip > 0 && m->clip < TACIT_EXACT && m->lambda > 0 &&
        m->lambda < TACIT_EXACT && m->level > 0 && m->level < 1))
    return tacit_fail(error, TACIT_USAGE, "the objective's clip norm, lambda and grid do not fit together");
  *one = *two = ceil(ldexp(2 * m->clip / m->lambda, m->bits) * UP + sqrt((double)m->dimension) * UP);
  if (minimiser) return TACIT_OK;
  *one = ldexp(fmax(m->level, 1 - m->level) * m->clip * UP, m->bits);
  *two = 2 * *one;
  return TACIT_OK;
}

/* How far a target that moves a little moves its row's part: rows neither come nor go. */
static tacit_status reach_of_ramp(const tacit_mechanism *m, double *moved, tacit_error *error) {
  tacit_ramp_bound bound;
  TACIT_TRY(tacit_ramp_bound_set(&bound, m->width, m->change, error));
  *moved = m->kind == TACIT_RELEASE_RAMP ? (double)bound.steps
                                         : tacit_ramp_radius(&bound, m->clip, m->bits - TACIT_RAMP_BITS);
  bool fits = m->kind == TACIT_RELEASE_RAMP ? m->bits == TACIT_RAMP_BITS
                                            : m->bits >= TACIT_RAMP_BITS && m->bits <= 60 && *moved > 0;
  return fits ? TACIT_OK : tacit_fail(error, TACIT_USAGE, "a ramp's clip norm does not fit its grid");
}

static const double ROOT_2_UP = 0x1.6a09e667f3bcdp+0; /* the double above sqrt 2 */

/* The largest norm of one row's summand, and of the difference of two rows' summands (proofs/exact-sums.md).
 */
static tacit_status reach_of(const tacit_mechanism *m, double *one, double *two, tacit_error *error) {
  double clip = tacit_clip_radius(m->clip, m->bits);
  tacit_score_bound bound;
  *one = *two = INFINITY;
  if (m->kind == TACIT_RELEASE_OBJECTIVE || m->kind == TACIT_RELEASE_MINIMISER)
    return reach_of_objective(m, one, two, error);
  if (m->kind == TACIT_RELEASE_RAMP || m->kind == TACIT_RELEASE_SLOPED) return reach_of_ramp(m, two, error);
  if (m->bits < 0 || m->bits > 60) return tacit_fail(error, TACIT_USAGE, "the grid must have 0 to 60 bits");
  if (m->kind != TACIT_RELEASE_COUNT && m->kind != TACIT_RELEASE_UNITS && !(clip >= 1 && clip < TACIT_EXACT))
    return tacit_fail(error, TACIT_USAGE, "the clip norm does not fit the grid");
  switch (m->kind) {
  case TACIT_RELEASE_SCORES:
  case TACIT_RELEASE_SAMPLED:
    TACIT_TRY(tacit_score_bound_set(&bound, m->level, m->clip, m->bits - TACIT_SCORE_BITS, error));
    *one = (double)bound.radius;
    *two = 2 * *one;
    break;
  case TACIT_RELEASE_ROWS:
  case TACIT_RELEASE_OUTER: /* proofs/spo.md */
    *one = clip;
    *two = 2 * clip;
    break;
  case TACIT_RELEASE_MOMENT: /* the products' grid is the square of the rows' */
    if (m->bits % 2) return tacit_fail(error, TACIT_USAGE, "a moment's grid has an even number of bits");
    *one = tacit_moment_radius(m->clip, m->bits / 2);
    *two = ceil(ROOT_2_UP * *one) + 1;
    break;
  case TACIT_RELEASE_COUNT:
    *one = *two = tacit_count_radius(m->bits);
    break;
  case TACIT_RELEASE_UNITS: /* a unit that is replaced goes from one bin to another */
    *one = tacit_count_radius(m->bits);
    *two = ceil(ROOT_2_UP * *one) + 1;
    break;
  case TACIT_RELEASE_RAMP: /* above */
  case TACIT_RELEASE_SLOPED:
  case TACIT_RELEASE_OBJECTIVE:
  case TACIT_RELEASE_MINIMISER:
  case TACIT_RELEASE_SIGN: /* not a sum; handled below */
    break;
  }
  return TACIT_OK;
}

/* The same for what a unit adds where that is clipped as a whole, from what one row may add: a sum, a number
   less its level, which cannot move further than the rows do, or a matrix, which is positive semidefinite up
   to what rounding takes off (proofs/units.md, "Clipped as a whole"). */
static tacit_status reach_of_unit(const tacit_mechanism *m, double rows, double *one, double *two,
                                  tacit_error *error) {
  static const double ROUNDED = 3; /* entries are off by less than 1.5, in each of two matrices */
  double row = *one, radius = tacit_unit_radius(row, m->unit);
  if (!(m->unit > 0 && m->unit <= rows && radius >= 1) || m->kind > TACIT_RELEASE_COUNT)
    return tacit_fail(error, TACIT_USAGE, "a unit's clip does not fit its rows and the grid");
  *one = radius;
  *two = 2 * radius;
  if (m->kind == TACIT_RELEASE_COUNT) *two = fmin(*two, rows * row);
  if (m->kind == TACIT_RELEASE_MOMENT)
    *two = ceil(ROOT_2_UP * radius) + 1 + ceil(ROUNDED * (sqrt(2 * (double)m->dimension) + 1));
  return TACIT_OK;
}

tacit_status tacit_mechanism_sensitivity(const tacit_mechanism *mechanism, tacit_adjacency adjacency,
                                         size_t rows_per_unit, double *sensitivity, tacit_error *error) {
  double one, two, rows = (double)rows_per_unit;
  if (mechanism->kind == TACIT_RELEASE_SIGN) { /* holds for any two tables (proofs/randomised-response.md) */
    *sensitivity = 1;
    return TACIT_OK;
  }
  TACIT_TRY(reach_of(mechanism, &one, &two, error));
  if (mechanism->unit != 0) TACIT_TRY(reach_of_unit(mechanism, rows, &one, &two, error));
  if (mechanism->unit != 0 || mechanism->kind == TACIT_RELEASE_UNITS) rows = 1;
  *sensitivity = rows * (adjacency == TACIT_REPLACE_ONE ? two : one);
  if (rows >= 1 && rows<TACIT_EXACT && * sensitivity> 0 && *sensitivity < TACIT_EXACT) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE, "rows_per_unit and clip_norm do not fit the grid together");
}

tacit_status tacit_certificate_new(const char *method, tacit_certificate **certificate, tacit_error *error) {
  *certificate = tacit_alloc(1, sizeof **certificate);
  if (!*certificate) return tacit_no_memory(error);
  (*certificate)->format = 2;
  snprintf((*certificate)->method, sizeof(*certificate)->method, "%s", method);
  return TACIT_OK;
}

tacit_status tacit_certificate_copy(const tacit_certificate *from, tacit_certificate **to,
                                    tacit_error *error) {
  TACIT_TRY(tacit_certificate_new(from->method, to, error));
  tacit_certificate *c = *to;
  *c = *from;
  c->mechanisms = tacit_alloc(from->mechanism_count, sizeof *c->mechanisms);
  c->settings = tacit_alloc(from->setting_count, sizeof *c->settings);
  c->mechanism_capacity = c->mechanism_count;
  c->setting_capacity = c->setting_count;
  if (!c->mechanisms || !c->settings) {
    tacit_certificate_free(c);
    *to = NULL;
    return tacit_no_memory(error);
  }
  if (from->mechanism_count)
    memcpy(c->mechanisms, from->mechanisms, from->mechanism_count * sizeof *c->mechanisms);
  if (from->setting_count) memcpy(c->settings, from->settings, from->setting_count * sizeof *c->settings);
  return TACIT_OK;
}

void tacit_certificate_free(tacit_certificate *certificate) {
  if (!certificate) return;
  free(certificate->mechanisms);
  free(certificate->settings);
  free(certificate);
}

static bool alike(const tacit_mechanism *a, const tacit_mechanism *b) {
  return a->kind == b->kind && a->target == b->target && a->dimension == b->dimension &&
         a->level == b->level && a->clip == b->clip && a->unit == b->unit && a->bits == b->bits &&
         a->sensitivity == b->sensitivity && a->sigma == b->sigma && a->sample == b->sample &&
         a->rate == b->rate && a->lambda == b->lambda && a->smoothness == b->smoothness &&
         a->width == b->width && a->change == b->change;
}

tacit_status tacit_certificate_add(tacit_certificate *certificate, const tacit_mechanism *mechanism,
                                   tacit_error *error) {
  size_t n = certificate->mechanism_count;
  if (mechanism->count > COUNT_MAX - certificate->releases)
    return tacit_fail(error, TACIT_BAD_INPUT, "more releases than can be counted");
  certificate->releases += mechanism->count;
  size_t last = n; /* of the same target: those of several may come in turn */
  while (last && certificate->mechanisms[last - 1].target != mechanism->target) last--;
  if (last && alike(&certificate->mechanisms[last - 1], mechanism)) {
    certificate->mechanisms[last - 1].count += mechanism->count;
    return TACIT_OK;
  }
  tacit_mechanism *list =
      tacit_grow(certificate->mechanisms, &certificate->mechanism_capacity, n + 1, sizeof *list);
  if (!list) return tacit_no_memory(error);
  list[n] = *mechanism;
  certificate->mechanisms = list;
  certificate->mechanism_count = n + 1;
  return TACIT_OK;
}

static tacit_status add_setting(tacit_certificate *certificate, const char *name, double number,
                                const char *text, tacit_error *error) {
  size_t n = certificate->setting_count;
  tacit_setting *list =
      tacit_grow(certificate->settings, &certificate->setting_capacity, n + 1, sizeof *list);
  if (!list) return tacit_no_memory(error);
  list[n] = (tacit_setting){.number = number};
  snprintf(list[n].name, sizeof list[n].name, "%s", name);
  snprintf(list[n].text, sizeof list[n].text, "%s", text);
  certificate->settings = list;
  certificate->setting_count = n + 1;
  return TACIT_OK;
}

tacit_status tacit_certificate_number(tacit_certificate *certificate, const char *name, double number,
                                      tacit_error *error) {
  return add_setting(certificate, name, number, "", error);
}

tacit_status tacit_certificate_text(tacit_certificate *certificate, const char *name, const char *text,
                                    tacit_error *error) {
  return add_setting(certificate, name, 0, text, error);
}

const tacit_setting *tacit_certificate_find(const tacit_certificate *certificate, const char *name) {
  for (size_t i = 0; i < certificate->setting_count; i++)
    if (!strcmp(certificate->settings[i].name, name)) return &certificate->settings[i];
  return NULL;
}

double tacit_certificate_mu(const tacit_certificate *certificate) {
  mpfr_t sum, term;
  mpfr_inits2(128, sum, term, (mpfr_ptr)0);
  mpfr_set_zero(sum, +1);
  for (size_t i = 0; i < certificate->mechanism_count; i++) {
    const tacit_mechanism *m = &certificate->mechanisms[i];
    bool sound = tacit_release_gaussian(m->kind) && m->sigma > 0 && isfinite(m->sigma) &&
                 m->sensitivity >= 0 && isfinite(m->sensitivity);
    mpfr_set_d(term, sound ? m->sensitivity : INFINITY, MPFR_RNDU);
    mpfr_div_d(term, term, sound ? m->sigma : 1, MPFR_RNDU);
    mpfr_sqr(term, term, MPFR_RNDU);
    mpfr_mul_ui(term, term, m->count, MPFR_RNDU);
    mpfr_add(sum, sum, term, MPFR_RNDU);
  }
  mpfr_sqrt(sum, sum, MPFR_RNDU);
  double mu = mpfr_get_d(sum, MPFR_RNDU);
  mpfr_clears(sum, term, (mpfr_ptr)0);
  return mu;
}

bool tacit_period_sound(const char *period) {
  static const char ALLOWED[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  size_t length = period ? strlen(period) : 0;
  return length > 0 && length <= TACIT_PERIOD_MAX && strspn(period, ALLOWED) == length;
}
