/* Quotes and line feeds of a piece, counted one by one. */
#include "source/csv_count.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t draw(uint64_t *state) { /* xorshift64* */
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 0x2545F4914F6CDD1D;
}

static void as_one_by_one(void **state) {
  (void)state;
  uint64_t random = 19;
  for (int trial = 0; trial < 5000; trial++) {
    size_t length = draw(&random) % 1200, begin = length ? draw(&random) % length : 0;
    size_t end = begin + (length > begin ? draw(&random) % (length - begin + 1) : 0);
    uint64_t quotes = 1 + draw(&random) % 400, lines = 1 + draw(&random) % 200; /* one among so many bytes */
    char *text = malloc(length + 1);
    assert_non_null(text);
    for (size_t i = 0; i < length; i++)
      text[i] = draw(&random) % quotes == 0 ? '"' : draw(&random) % lines == 0 ? '\n' : '1';
    tacit_csv_count want = {0}, got;
    for (size_t i = begin; i < end; i++) {
      size_t odd = want.quotes & 1;
      if (text[i] == '\n' && !want.lines[odd]++) want.first[odd] = i;
      want.quotes += text[i] == '"';
    }
    tacit_csv_count_piece(text, begin, end, &got);
    assert_int_equal(got.quotes, want.quotes);
    for (size_t odd = 0; odd < 2; odd++) {
      assert_int_equal(got.lines[odd], want.lines[odd]);
      if (want.lines[odd]) assert_int_equal(got.first[odd], want.first[odd]);
    }
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_one_by_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
