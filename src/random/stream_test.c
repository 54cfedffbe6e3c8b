/* Streams: known answers, independence of releases, exact uniform integers, and what happens without entropy.
 */
#include "random/random.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static bool entropy_fails;

/* Stands in for the C library's: the program's own definition wins. */
int getentropy(void *buffer, size_t length) {
  if (entropy_fails) {
    errno = ENOSYS;
    return -1;
  }
  return getrandom(buffer, length, 0) == (ssize_t)length ? 0 : -1;
}

static void begin_seeded(tacit_stream *stream, uint64_t seed, uint64_t release) {
  tacit_noise_source source;
  tacit_noise_source_seeded(&source, seed);
  source.releases = release;
  assert_int_equal(tacit_stream_begin(&source, stream, NULL), TACIT_OK);
  assert_int_equal(source.releases, release + 1);
}

/* RFC 8439, appendix A.1, test vector 2: key 0, nonce 0, counter 1. */
static void bits_are_chacha20(void **state) {
  (void)state;
  static const unsigned char expected[64] = {
      0x9f, 0x07, 0xe7, 0xbe, 0x55, 0x51, 0x38, 0x7a, 0x98, 0xba, 0x97, 0x7c, 0x73, 0x2d, 0x08, 0x0d,
      0xcb, 0x0f, 0x29, 0xa0, 0x48, 0xe3, 0x65, 0x69, 0x12, 0xc6, 0x53, 0x3e, 0x32, 0xee, 0x7a, 0xed,
      0x29, 0xb7, 0x21, 0x76, 0x9c, 0xe6, 0x4e, 0x43, 0xd5, 0x71, 0x33, 0xb0, 0x74, 0xd8, 0x39, 0xd5,
      0x31, 0xed, 0x1f, 0x28, 0x51, 0x0a, 0xfb, 0x45, 0xac, 0xe1, 0x0a, 0x1f, 0x4b, 0x79, 0x4d, 0x6f};
  tacit_stream stream;
  begin_seeded(&stream, 0, 0);
  memset(stream.key, 0, sizeof stream.key);
  stream.block = 1;
  stream.used = sizeof stream.buffer;
  for (int i = 0; i < 8; i++) {
    uint64_t word = tacit_stream_bits(&stream);
    for (int byte = 0; byte < 8; byte++) assert_int_equal(word >> 8 * byte & 255, expected[8 * i + byte]);
  }
  tacit_stream_end(&stream);
}

/* Words 0, 1, 127, 128 (the second buffer) and 999 of BLAKE2b -> ChaCha20, from an independent program. */
static void seeded_bits_never_change(void **state) {
  (void)state;
  static const struct {
    uint64_t seed, release, words[5];
  } known[] = {
      {0,
       0,
       {0x3b98d150a11d0fde, 0x4a8b6aa5018027a5, 0x187506fbf180f09f, 0x991a7decaa432c5e, 0xaf8bbf4bfd477b73}},
      {1,
       0,
       {0x36eac4a83274bb4a, 0xfc5ca1dd1b201770, 0xcdc24b24827007ff, 0xa25e2ac32ffc1ca6, 0x9ba9f566243b2ccd}},
      {1,
       1,
       {0xaed9272287644ead, 0x8888a418c4b73754, 0xe4a253f8712aab1b, 0xf654ff008a19ad71, 0xadc14d51ee01a0e9}},
      {UINT64_MAX,
       5,
       {0x445c62241b63ec38, 0x59c4de6f6a9aa902, 0x333366468d7e77b5, 0xa5b2a59947dc714e, 0x0c63ece2bc3f14fa}},
  };
  static const int places[] = {0, 1, 127, 128, 999};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    tacit_stream stream;
    begin_seeded(&stream, known[i].seed, known[i].release);
    for (int place = 0, found = 0; found < 5; place++) {
      uint64_t word = tacit_stream_bits(&stream);
      if (place == places[found]) assert_true(word == known[i].words[found++]);
    }
    tacit_stream_end(&stream);
  }
}

static void real_streams_all_differ(void **state) {
  (void)state;
  enum { STREAMS = 100 };
  uint64_t first[STREAMS];
  tacit_noise_source source;
  tacit_noise_source_os(&source);
  for (int i = 0; i < STREAMS; i++) {
    tacit_stream stream;
    assert_int_equal(tacit_stream_begin(&source, &stream, NULL), TACIT_OK);
    first[i] = tacit_stream_bits(&stream);
    tacit_stream_end(&stream);
    for (int j = 0; j < i; j++) assert_true(first[i] != first[j]); /* false alarm: 100^2 / 2^65 < 1e-15 */
  }
  assert_int_equal(source.releases, STREAMS);
}

static bool stops_the_program(tacit_stream *stream) {
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    signal(SIGABRT, SIG_DFL);
    tacit_stream_bits(stream);
    _exit(0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void without_entropy_there_is_no_stream(void **state) {
  (void)state;
  tacit_noise_source source;
  tacit_stream stream;
  tacit_error error = {""};
  tacit_noise_source_os(&source);
  entropy_fails = true;
  assert_int_equal(tacit_stream_begin(&source, &stream, &error), TACIT_INTERNAL);
  entropy_fails = false;
  assert_non_null(strstr(error.text, "entropy"));
  assert_int_equal(source.releases, 0);
  assert_true(stops_the_program(&stream));
}

static void an_ended_stream_is_wiped_and_useless(void **state) {
  (void)state;
  static const unsigned char zeros[sizeof(tacit_stream)];
  tacit_stream stream;
  begin_seeded(&stream, 3, 0);
  assert_false(stops_the_program(&stream));
  tacit_stream_end(&stream);
  assert_memory_equal(&stream, zeros, sizeof zeros);
  assert_true(stops_the_program(&stream));
}

static void a_script_goes_first_even_in_part(void **state) {
  (void)state;
  tacit_stream plain, scripted;
  begin_seeded(&plain, 4, 0);
  begin_seeded(&scripted, 4, 0);
  static const unsigned char script[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  scripted.script = script;
  scripted.script_length = sizeof script;
  assert_true(tacit_stream_bits(&scripted) == 0x0807060504030201);
  uint64_t first = tacit_stream_bits(&plain), second = tacit_stream_bits(&plain);
  assert_true(tacit_stream_bits(&scripted) == (first << 32 | 0x0c0b0a09));
  assert_true(tacit_stream_bits(&scripted) == (first >> 32 | second << 32));
  /* Out of step with the buffer, every byte still comes once and in order. */
  uint64_t before = second;
  for (int i = 0; i < 500; i++) {
    uint64_t next = tacit_stream_bits(&plain);
    assert_true(tacit_stream_bits(&scripted) == (before >> 32 | next << 32));
    before = next;
  }
  tacit_stream_end(&plain);
  tacit_stream_end(&scripted);
}

static void below_refuses_what_would_tilt_it(void **state) {
  (void)state;
  /* 2^64 mod 3 = 1: only the word 0 is refused. 2^64 mod (2^63 + 1) = 2^63 - 1: nearly half are. */
  uint64_t words[] = {0, 5, 0, INT64_MAX - 1, INT64_MAX, 7};
  unsigned char script[sizeof words];
  for (size_t i = 0; i < sizeof script; i++) script[i] = (unsigned char)(words[i / 8] >> i % 8 * 8);
  tacit_stream stream;
  begin_seeded(&stream, 5, 0);
  stream.script = script;
  stream.script_length = sizeof script;
  assert_int_equal(tacit_stream_below(&stream, 3), 2);
  assert_true(tacit_stream_below(&stream, (UINT64_C(1) << 63) + 1) == INT64_MAX);
  assert_int_equal(tacit_stream_below(&stream, 1), 0);
  assert_int_equal(stream.script_length, 0);
  for (int i = 0; i < 1000; i++) assert_true(tacit_stream_below(&stream, 7) < 7);
  tacit_stream_end(&stream);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bits_are_chacha20),
      cmocka_unit_test(seeded_bits_never_change),
      cmocka_unit_test(real_streams_all_differ),
      cmocka_unit_test(without_entropy_there_is_no_stream),
      cmocka_unit_test(an_ended_stream_is_wiped_and_useless),
      cmocka_unit_test(a_script_goes_first_even_in_part),
      cmocka_unit_test(below_refuses_what_would_tilt_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
