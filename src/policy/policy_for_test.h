/* A certificate as noisy-gd writes it, for tests that need no learner. */
#ifndef TACIT_SRC_POLICY_FOR_TEST_H
#define TACIT_SRC_POLICY_FOR_TEST_H

#include "method/shares.h"
#include "policy/policy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Two releases with equal shares that give exactly the claimed guarantee at tau = 0.6, from 100 rows. */
static tacit_certificate *noisy_gd_certificate(size_t columns, double mu) {
  static const struct {
    const char *name;
    double number;
    const char *text;
  } inputs[] = {{"steps", 2, NULL},   {"clip_norm", 2, NULL},    {"growth", 1, NULL},
                {"average", 2, NULL}, {"kernel", 0, "gaussian"}, {"start", 0, "zero"},
                {"whiten", 0, "no"},  {"step_size", 0.4, NULL},  {"bandwidth", 7, NULL}};
  tacit_certificate *c;
  assert_int_equal(tacit_certificate_new("noisy-gd", &c, NULL), TACIT_OK);
  c->private = true;
  c->noise = TACIT_NOISE_OS;
  c->rows_per_unit = 1;
  c->rows = 100;
  c->mu = mu;
  tacit_mechanism m = {
      .kind = TACIT_RELEASE_SCORES, .dimension = columns, .level = 0.6, .clip = 2, .bits = 33, .count = 2};
  assert_int_equal(tacit_mechanism_sensitivity(&m, TACIT_REPLACE_ONE, 1, &m.sensitivity, NULL), TACIT_OK);
  m.sigma = tacit_share_sigma(m.sensitivity, mu, 0.5);
  assert_int_equal(tacit_certificate_add(c, &m, NULL), TACIT_OK);
  for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
    assert_int_equal(inputs[i].text ? tacit_certificate_text(c, inputs[i].name, inputs[i].text, NULL)
                                    : tacit_certificate_number(c, inputs[i].name, inputs[i].number, NULL),
                     TACIT_OK);
  return c;
}

#endif
