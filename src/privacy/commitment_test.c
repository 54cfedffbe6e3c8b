/* A commitment is the one that the format page describes, changes with everything that a release is made of,
   and with nothing else. */
#include "privacy/commitment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char SCHEMA[] = "5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e";

static tacit_mechanism scores(size_t target, double sigma) {
  return (tacit_mechanism){.kind = TACIT_RELEASE_SCORES,
                           .target = target,
                           .dimension = 3,
                           .level = 0.6,
                           .clip = 2,
                           .bits = 33,
                           .sensitivity = 1024,
                           .sigma = sigma,
                           .count = 1};
}

static tacit_certificate *make(const char *method) {
  tacit_certificate *c;
  assert_int_equal(tacit_certificate_new(method, &c, NULL), TACIT_OK);
  c->private = true;
  c->noise = TACIT_NOISE_OS;
  c->rows_per_unit = 1;
  c->rows = 100;
  c->mu = 0.5;
  assert_int_equal(tacit_certificate_number(c, "steps", 2, NULL), TACIT_OK);
  assert_int_equal(tacit_certificate_text(c, "update", "Z eq. (7)", NULL), TACIT_OK);
  assert_int_equal(tacit_certificate_number(c, "clip_norm", 2, NULL), TACIT_OK);
  return c;
}

static void add(tacit_certificate *c, tacit_mechanism m) {
  assert_int_equal(tacit_certificate_add(c, &m, NULL), TACIT_OK);
}

static const double GOALS[] = {0.6, 0.7};
static const char *hash_of(const tacit_certificate *c, const char *schema, const double *goals,
                           size_t count) {
  static char hashes[4][65];
  static int next;
  char *hash = hashes[next++ % 4];
  const tacit_committed what = {c, c, !strcmp(c->method, "median-newton"), schema, goals, count};
  assert_int_equal(tacit_commitment(&what, hash, NULL), TACIT_OK);
  assert_int_equal(strlen(hash), 64);
  return hash;
}

/* Computed from the description in docs/formats/ledger.md by another program. */
static void it_is_the_documented_one(void **state) {
  (void)state;
  tacit_certificate *c = make("noisy-gd");
  add(c, scores(0, 4096));
  add(c, scores(TACIT_ALL_TARGETS, 2048));
  assert_string_equal(hash_of(c, SCHEMA, GOALS, 2),
                      "2c47e307de7730ce0d30ca9ca0d8f09fa5b379824294f8d248ceca8cbc357655");
  tacit_certificate_free(c);
  c = make("median-newton");
  assert_string_equal(hash_of(c, SCHEMA, GOALS, 1),
                      "756221697702e9deaa451ba37a9b3502ea7795b1cc2cda7c66757a5eb77ba81c");
  tacit_certificate_free(c);
}

static void everything_counts(void **state) {
  (void)state;
  enum { CHANGES = 29 };
  char seen[CHANGES][65];
  for (int change = 0; change < CHANGES; change++) {
    tacit_certificate *c = make(change == 1 ? "gradient" : "noisy-gd");
    tacit_mechanism m = scores(0, 4096);
    double goals[] = {0.6, 0.7};
    const char *schema = change == 2 ? "other" : SCHEMA;
    size_t count = change == 3 ? 1 : 2;
    switch (change) {
    case 4:
      goals[1] = 0.70000000000000007;
      break;
    case 5:
      memset(c->region_hash, 'a', 64);
      break;
    case 6:
      c->adjacency = TACIT_ADD_REMOVE;
      break;
    case 7:
      c->rows_per_unit = 2;
      break;
    case 8:
      c->result_rows = true;
      break;
    case 9:
      c->rows = 101;
      break;
    case 10:
      c->mu = 0.4;
      break;
    case 11:
      c->epsilon = 1;
      break;
    case 12:
      c->delta = 1e-6;
      break;
    case 13:
      c->noise = TACIT_NOISE_SEEDED;
      break;
    case 14:
      c->settings[0].number = 3;
      break;
    case 15:
      c->settings[1].text[0] = 'Y';
      break;
    case 16:
      c->settings[2].name[0] = 'C';
      break;
    case 17:
      c->setting_count--;
      break;
    case 18:
      m.kind = TACIT_RELEASE_ROWS;
      break;
    case 19:
      m.target = 1;
      break;
    case 20:
      m.dimension = 4;
      break;
    case 21:
      m.level = 0.61;
      break;
    case 22:
      m.clip = 3;
      break;
    case 23:
      m.bits = 32;
      break;
    case 24:
      m.sensitivity = 1025;
      break;
    case 25:
      m.sigma = 4095;
      break;
    case 26:
      m.count = 2;
      break;
    case 27:
      m.sample = TACIT_SAMPLE_FIXED;
      break;
    case 28:
      m.lambda = 1;
      break;
    default:
      break;
    }
    add(c, m);
    memcpy(seen[change], hash_of(c, schema, goals, count), 65);
    for (int before = 0; before < change; before++)
      if (!strcmp(seen[before], seen[change]))
        fail_msg("changes %d and %d give one commitment", before, change);
    tacit_certificate_free(c);
  }
}

/* A file may list its inputs in any order, and targets that were learned in turn one after the other. */
static void order_does_not_count(void **state) {
  (void)state;
  tacit_certificate *c = make("noisy-gd"), *d = make("noisy-gd");
  tacit_setting first = d->settings[0];
  d->settings[0] = d->settings[2];
  d->settings[2] = first;
  for (size_t t = 0; t < 2; t++)
    for (int step = 0; step < 3; step++) add(c, scores(t, 1000 + step));
  for (int step = 0; step < 3; step++)
    for (size_t t = 0; t < 2; t++) add(d, scores(t, 1000 + step));
  assert_string_equal(hash_of(c, SCHEMA, GOALS, 2), hash_of(d, SCHEMA, GOALS, 2));
  d->mechanisms[0].sigma = 1001; /* one target's own steps in another order */
  d->mechanisms[2].sigma = 1000;
  assert_string_not_equal(hash_of(c, SCHEMA, GOALS, 2), hash_of(d, SCHEMA, GOALS, 2));
  tacit_certificate_free(c);
  tacit_certificate_free(d);
}

/* The default learner's releases are not known yet when it pays; its inputs are. */
static void releases_that_follow_do_not_count(void **state) {
  (void)state;
  tacit_certificate *c = make("median-newton");
  const tacit_committed before = {c, NULL, true, SCHEMA, GOALS, 1};
  char hash[65];
  assert_int_equal(tacit_commitment(&before, hash, NULL), TACIT_OK);
  add(c, scores(0, 4096));
  assert_string_equal(hash_of(c, SCHEMA, GOALS, 1), hash);
  c->settings[0].number = 3;
  assert_string_not_equal(hash_of(c, SCHEMA, GOALS, 1), hash);
  tacit_certificate_free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_the_documented_one),
      cmocka_unit_test(everything_counts),
      cmocka_unit_test(order_does_not_count),
      cmocka_unit_test(releases_that_follow_do_not_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
