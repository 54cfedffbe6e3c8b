/* The exact sampler against a definition in 600 bits: every answer m must satisfy
   Q((m + 1/2) / sigma) < p < Q((m - 1/2) / sigma) for the p that its bits spell. */
#include "random/gaussian_hard.h"
#include "random/gaussian_table.h"
#include "random/random.h"

#include <fenv.h>
#include <math.h>
#include <mpfr.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { PRECISION = 600, WORDS = 8 }; /* p to 512 bits */

static const double sigmas[] = {0.3, 1, 7.5, 0x1p20, 0x1p39, 0x1.23456789abcdep39, 0x1p50, TACIT_SIGMA_MAX};
enum { SIGMAS = sizeof sigmas / sizeof *sigmas };

static void begin(tacit_stream *stream, uint64_t seed) {
  tacit_noise_source source;
  tacit_noise_source_seeded(&source, seed);
  assert_int_equal(tacit_stream_begin(&source, stream, NULL), TACIT_OK);
}

typedef struct script {
  unsigned char bytes[8 * WORDS];
} script;

static void set_script(tacit_stream *stream, script *to, const uint64_t *words, size_t count) {
  for (size_t i = 0; i < 8 * count; i++) to->bytes[i] = (unsigned char)(words[i / 8] >> i % 8 * 8);
  stream->script = to->bytes;
  stream->script_length = 8 * count;
}

/* Q((m + 1/2) / sigma), m possibly -1. */
static void boundary(mpfr_t q, int64_t m, double sigma) {
  mpfr_t root;
  mpfr_init2(root, PRECISION);
  mpfr_set_sj(q, m, MPFR_RNDN);
  mpfr_add_d(q, q, 0.5, MPFR_RNDN);
  mpfr_div_d(q, q, sigma, MPFR_RNDN);
  mpfr_sqrt_ui(root, 2, MPFR_RNDN);
  mpfr_div(q, q, root, MPFR_RNDN);
  mpfr_erfc(q, q, MPFR_RNDN);
  mpfr_div_2ui(q, q, 1, MPFR_RNDN);
  mpfr_clear(root);
}

/* Whether answer is right for the bits that a copy of the stream, made before the draw, still holds. */
static bool is_right(tacit_stream before, double sigma, int64_t answer) {
  mpfr_t p, q, part;
  mpfr_inits2(PRECISION, p, q, part, (mpfr_ptr)0);
  uint64_t word = tacit_stream_bits(&before);
  bool negative = word >> 63;
  mpfr_set_uj_2exp(p, word & INT64_MAX, -64, MPFR_RNDN);
  for (int i = 2; i <= WORDS; i++) {
    mpfr_set_uj_2exp(part, tacit_stream_bits(&before), -64 * i, MPFR_RNDN);
    mpfr_add(p, p, part, MPFR_RNDN);
  }
  int64_t size = negative ? -answer : answer;
  bool right = size >= 0;
  if (right) {
    boundary(q, size, sigma);
    right = mpfr_less_p(q, p);
    boundary(q, size - 1, sigma);
    right = right && (size == 0 || mpfr_less_p(p, q));
  }
  mpfr_clears(p, q, part, (mpfr_ptr)0);
  return right;
}

/* Draws with the tail integer k and what follows, and checks. */
static void check_tail(tacit_stream *stream, uint64_t word, uint64_t follow, double sigma) {
  uint64_t words[4] = {word, follow, follow, follow};
  script bytes;
  set_script(stream, &bytes, words, follow == 0 || follow == UINT64_MAX ? 4 : 1);
  tacit_stream before = *stream;
  assert_true(is_right(before, sigma, tacit_gaussian_integer(stream, sigma)));
  stream->script_length = 0;
}

static void random_draws_are_right(void **state) {
  (void)state;
  tacit_stream stream;
  begin(&stream, 11);
  for (int i = 0; i < SIGMAS; i++) {
    for (int draw = 0, n = getenv("TACIT_QUICK") ? 25 : 500; draw < n; draw++) {
      tacit_stream before = stream;
      assert_true(is_right(before, sigmas[i], tacit_gaussian_integer(&stream, sigmas[i])));
    }
  }
  tacit_stream_end(&stream);
}

/* Every octave and segment is visited: its two edges and its middle, with the bits after k at both extremes,
   so that an answer given on k alone must hold for all of k's interval. */
static void edges_of_the_table_are_right(void **state) {
  (void)state;
  tacit_stream stream;
  begin(&stream, 12);
  int visit = 0;
  uint64_t stride = getenv("TACIT_QUICK") ? 16 : 1; /* for tools that make everything fifty times slower */
  for (int octave = 0; octave < TACIT_GAUSSIAN_OCTAVES; octave++) {
    uint64_t start = UINT64_C(1) << (62 - octave), width = start / TACIT_GAUSSIAN_SEGMENTS;
    for (uint64_t segment = 0; segment < TACIT_GAUSSIAN_SEGMENTS; segment += stride) {
      uint64_t edge = start + segment * width;
      const uint64_t k[] = {edge, edge + width - 1, edge + width / 2, edge + width / 2 - 1};
      for (int i = 0; i < 4; i++, visit++)
        check_tail(&stream, k[i], visit % 2 ? 0 : UINT64_MAX, sigmas[visit / 2 % SIGMAS]);
    }
  }
  tacit_stream_end(&stream);
}

static void ends_of_the_range_are_right(void **state) {
  (void)state;
  tacit_stream stream;
  begin(&stream, 13);
  const uint64_t end = UINT64_C(1) << (63 - TACIT_GAUSSIAN_OCTAVES); /* the table's first k */
  const uint64_t k[] = {0, 1, 2, 3, 1000, end - 2, end - 1, end, end + 1, INT64_MAX - 1, INT64_MAX};
  const uint64_t follow[] = {0, UINT64_MAX, 0x0123456789abcdef};
  for (size_t i = 0; i < sizeof k / sizeof *k; i += getenv("TACIT_QUICK") ? 5 : 1) {
    for (int j = 0; j < (getenv("TACIT_QUICK") ? 1 : 3); j++) {
      for (int s = 0; s < SIGMAS; s += getenv("TACIT_QUICK") ? 3 : 1) {
        check_tail(&stream, k[i], follow[j], sigmas[s]);
        check_tail(&stream, k[i] | UINT64_C(1) << 63, follow[j], sigmas[s]);
      }
    }
  }
  tacit_stream_end(&stream);
}

/* p a hair to either side of a rounding boundary: the sampler must read on until the bits differ, and no
   further, and then fall to the right side. */
static void boundaries_are_decided_by_the_last_bit(void **state) {
  (void)state;
  tacit_stream stream, chooser;
  begin(&stream, 14);
  begin(&chooser, 15);
  mpfr_t q;
  mpz_t bits;
  mpfr_init2(q, PRECISION);
  mpz_init(bits);
  for (int i = 0, n = getenv("TACIT_QUICK") ? 40 : 400; i < n; i++) {
    double sigma = sigmas[i % SIGMAS];
    int64_t m = (int64_t)tacit_stream_below(&chooser, (uint64_t)(6 * sigma) + 1);
    int depth = 2 + i % 5; /* the word in which p and q first differ */
    bool beyond = i / 2 % 2;
    boundary(q, m, sigma);
    mpfr_mul_2ui(q, q, 64 * (unsigned long)depth, MPFR_RNDN);
    mpfr_get_z(bits, q, MPFR_RNDD);
    /* p = ...bits 000 (below q: z is beyond the boundary) or ...bits+2 000. */
    if (!beyond) mpz_add_ui(bits, bits, 2);
    uint64_t words[WORDS] = {0};
    for (int w = depth - 1; w >= 0; w--) {
      words[w] = mpz_get_ui(bits);
      mpz_fdiv_q_2exp(bits, bits, 64);
    }
    script bytes;
    set_script(&stream, &bytes, words, WORDS);
    tacit_stream before = stream;
    uint64_t hard = tacit_gaussian_hard_count();
    int64_t answer = tacit_gaussian_integer(&stream, sigma);
    assert_int_equal(answer, beyond ? m + 1 : m);
    assert_int_equal(tacit_gaussian_hard_count(), hard + 1);
    assert_true(is_right(before, sigma, answer));
    /* Below q by up to one unit of the last word: one more word may be needed, by chance 2^-64 never two. */
    assert_in_range(WORDS - (int)stream.script_length / 8, depth, depth + 1);
    stream.script_length = 0;
  }
  mpfr_clear(q);
  mpz_clear(bits);
  tacit_stream_end(&stream);
  tacit_stream_end(&chooser);
}

/* k a few units of the error bound from a boundary, where the table stops deciding: an error bound that is
   too small shows here first (half of it fails). */
static void the_table_decides_only_what_it_knows(void **state) {
  (void)state;
  tacit_stream stream, chooser;
  begin(&stream, 21);
  begin(&chooser, 22);
  mpfr_t q;
  mpfr_init2(q, PRECISION);
  uint64_t hard = tacit_gaussian_hard_count();
  const int DRAWS = getenv("TACIT_QUICK") ? 400 : 4000;
  for (int i = 0; i < DRAWS; i++) {
    double sigma =
        sigmas[4 + i % 3]; /* 2^39 and above: spacing of boundaries and error are in sight of each other */
    double z = 0x1p-40 * (double)tacit_stream_below(&chooser, UINT64_C(5) << 40);
    int64_t m = (int64_t)(z * sigma);
    boundary(q, m, sigma);
    mpfr_mul_2ui(q, q, 64, MPFR_RNDN);
    /* One unit of k is 2^-64 / phi(z) of z; the error of z is about 2^-56. */
    uint64_t reach = (uint64_t)(0x1p8 * exp(-z * z / 2)) + 1;
    uint64_t k = mpfr_get_uj(q, MPFR_RNDD) - reach + tacit_stream_below(&chooser, 2 * reach + 1);
    check_tail(&stream, k & INT64_MAX, tacit_stream_bits(&chooser) | 1, sigma);
  }
  assert_in_range(tacit_gaussian_hard_count() - hard, DRAWS / 10, DRAWS * 9 / 10); /* both paths were tried */
  mpfr_clear(q);
  tacit_stream_end(&stream);
  tacit_stream_end(&chooser);
}

/* The hard path needs no help from the table, and agrees with it. */
static void the_two_paths_agree(void **state) {
  (void)state;
  tacit_stream stream;
  begin(&stream, 16);
  for (int i = 0; i < SIGMAS; i++) {
    for (int draw = 0, n = getenv("TACIT_QUICK") ? 8 : 150; draw < n; draw++) {
      tacit_stream alone = stream;
      int64_t answer = tacit_gaussian_integer(&stream, sigmas[i]);
      uint64_t tail = tacit_stream_bits(&alone) & INT64_MAX;
      assert_int_equal(tacit_gaussian_hard(&alone, tail, sigmas[i], NULL), llabs(answer));
    }
  }
  tacit_stream_end(&stream);
}

/* sigma = 2^39 needs the hard path about 2^-16 of the time (proofs/exact-noise.md): 15 of a million, and more
   than 60 has probability below 1e-15. */
static void the_hard_path_is_rare(void **state) {
  (void)state;
  tacit_stream stream;
  begin(&stream, 17);
  uint64_t hard = tacit_gaussian_hard_count();
  for (int i = 0; i < 1000000; i++) tacit_gaussian_integer(&stream, 0x1p39);
  assert_in_range(tacit_gaussian_hard_count() - hard, 1, 60);
  assert_true(tacit_gaussian_proved_error > 0 && tacit_gaussian_proved_error <= TACIT_GAUSSIAN_ERROR);
  tacit_stream_end(&stream);
}

static void rounding_modes_change_nothing(void **state) {
  (void)state;
  static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  tacit_stream stream;
  begin(&stream, 18);
  for (int i = 0; i < SIGMAS; i++) {
    for (int draw = 0, n = getenv("TACIT_QUICK") ? 8 : 150; draw < n; draw++) {
      tacit_stream before = stream;
      int64_t answer = tacit_gaussian_integer(&stream, sigmas[i]);
      for (int mode = 0; mode < 3; mode++) {
        tacit_stream again = before;
        fesetround(modes[mode]);
        int64_t other = tacit_gaussian_integer(&again, sigmas[i]);
        fesetround(FE_TONEAREST);
        assert_int_equal(other, answer);
      }
    }
  }
  tacit_stream_end(&stream);
}

static void extreme_scales(void **state) {
  (void)state;
  tacit_stream stream;
  begin(&stream, 19);
  tacit_stream before = stream;
  assert_int_equal(tacit_gaussian_integer(&stream, 0), 0);
  assert_memory_equal(&before, &stream, sizeof stream); /* no noise, no bits */
  const double small[] = {0x1p-1074, 0x1p-1022, 1e-300, 1e-5};
  for (int i = 0; i < 4; i++) {
    for (int draw = 0, n = getenv("TACIT_QUICK") ? 1 : 20; draw < n; draw++)
      assert_int_equal(tacit_gaussian_integer(&stream, small[i]), 0);
    check_tail(&stream, 0, UINT64_MAX, small[i]); /* the tail, too */
  }
  /* 40 words of zeros: |Z| beyond 59, where the answer is still the right one. */
  static const unsigned char zeros[320];
  stream.script = zeros;
  stream.script_length = sizeof zeros;
  int64_t far = tacit_gaussian_integer(&stream, 1000);
  assert_in_range(far, 59000, 60000); /* Q(59) = 2^-2518, Q(60) = 2^-2604 */
  /* Beyond 64 bits the answer is reduced, not refused: twice sigma, and p below, by 2^64. */
  before = stream;
  tacit_stream twice = stream;
  uint64_t tail = UINT64_C(1) << 50;
  uint64_t once = tacit_gaussian_hard(&before, tail, 0x1p60, NULL);
  uint64_t doubled = tacit_gaussian_hard(&twice, tail, 0x1p62, NULL);
  assert_in_range(once, UINT64_C(3) << 60, UINT64_C(4) << 60); /* z(2^-14) = 3.84 */
  uint64_t difference = doubled - 4 * once;                    /* rounding: at most 2 either way */
  assert_true(difference + 2 <= 4);
  tacit_stream_end(&stream);
}

static bool stops_the_program(tacit_stream *stream, double sigma) {
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    signal(SIGABRT, SIG_DFL);
    tacit_gaussian_integer(stream, sigma);
    _exit(0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void scales_that_make_no_sense_stop_the_program(void **state) {
  (void)state;
  tacit_stream stream;
  begin(&stream, 20);
  assert_false(stops_the_program(&stream, TACIT_SIGMA_MAX));
  assert_true(stops_the_program(&stream, -1));
  assert_true(stops_the_program(&stream, nan("")));
  assert_true(stops_the_program(&stream, nextafter(TACIT_SIGMA_MAX, INFINITY)));
  tacit_stream_end(&stream);
}

static int free_caches(void **state) {
  (void)state;
  mpfr_free_cache();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_draws_are_right),
      cmocka_unit_test(edges_of_the_table_are_right),
      cmocka_unit_test(ends_of_the_range_are_right),
      cmocka_unit_test(boundaries_are_decided_by_the_last_bit),
      cmocka_unit_test(the_table_decides_only_what_it_knows),
      cmocka_unit_test(the_two_paths_agree),
      cmocka_unit_test(the_hard_path_is_rare),
      cmocka_unit_test(rounding_modes_change_nothing),
      cmocka_unit_test(extreme_scales),
      cmocka_unit_test(scales_that_make_no_sense_stop_the_program),
  };
  return cmocka_run_group_tests(tests, NULL, free_caches);
}
