/* Runs of number cells: whatever a run reader takes is what the careful reader reads there, and it takes what
   data frames write. */
#include "source/number_run.h"

#include "source/source.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CELLS = 7, ROW = 5 };

static uint64_t draw(uint64_t *state) { /* xorshift64* */
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 0x2545F4914F6CDD1D;
}

/* All that run here. */
static size_t readers(tacit_number_run *list[2]) {
  size_t n = 0;
  if (tacit_number_run_sse2()) list[n++] = tacit_number_run_sse2();
  if (tacit_number_run_avx2()) list[n++] = tacit_number_run_avx2();
  return n;
}

static void check(const char *text, size_t length, size_t at, size_t count, size_t least) {
  tacit_number_run *list[2];
  size_t n = readers(list);
  char *copy = malloc(length); /* of its very size, for the sanitizers */
  assert_non_null(copy);
  memcpy(copy, text, length);
  const tacit_number_text all = {copy, copy + length};
  for (size_t k = 0; k < n; k++) {
    tacit_decimals column[CELLS];
    memset(column, 0, sizeof column);
    const char *behind = NULL, *p = copy + at;
    size_t got = list[k](p, &all, column, count, ROW, &behind);
    assert_true(got >= least && got <= count);
    for (size_t j = 0; j < got; j++) {
      const char *end = p;
      double number, out[TACIT_TILE];
      while (*end != ',' && *end != '\n' && *end != '\r') end++;
      assert_int_equal(tacit_cell_read_number(&(tacit_cell){.text = p, .length = (size_t)(end - p)}, &number),
                       TACIT_NUMBER);
      tacit_decimals_round(&column[j], ROW + 1, out);
      assert_memory_equal(&out[ROW], &number, sizeof number);
      if (j + 1 == got)
        assert_ptr_equal(behind, end);
      else
        assert_int_equal(*end, ',');
      p = end + 1;
    }
  }
  free(copy);
}

static const char PAD[] = "0123456789,0123456789,0123456789,0123456789,0123456789,0123456789,012\n";

static void what_data_frames_write(void **state) {
  (void)state;
  uint64_t random = 3;
  for (int trial = 0; trial < 50000; trial++) {
    char text[1024];
    size_t n = (size_t)sprintf(text, "%s", PAD), at = n, count = 1 + draw(&random) % CELLS;
    for (size_t j = 0; j < count; j++) {
      double value = ((double)(draw(&random) >> 11) * 0x1p-52 - 1) * pow(10, (double)(draw(&random) % 7) - 1);
      int digits = trial % 2 ? 17 : 1 + (int)(draw(&random) % 17);
      char cell[64];
      snprintf(cell, sizeof cell, "%.*g", digits, value);
      if (strchr(cell, 'e') || strlen(cell) > 21) snprintf(cell, sizeof cell, "%d", (int)value);
      n += (size_t)sprintf(text + n, "%s%s", cell, j + 1 < count ? "," : trial % 3 ? "\n" : "\r\n");
    }
    n += (size_t)sprintf(text + n, "%s", PAD);
    check(text, n, at, count, count);
  }
}

/* Bytes that cells are made of, in any order. */
static void any_cells(void **state) {
  (void)state;
  static const char bytes[] = "00112345678999..--,,,\n\n\r+ e\"/:*\x80\xFF";
  uint64_t random = 17;
  for (int trial = 0; trial < 100000; trial++) {
    char text[512];
    size_t n = (size_t)sprintf(text, "%s", PAD), at = n, wild = draw(&random) % 8;
    for (size_t i = draw(&random) % 120; i > 0; i--) {
      size_t from = draw(&random) % 8 < wild ? sizeof bytes - 1 : 14;
      text[n++] = draw(&random) % 20 == 0 ? ',' : bytes[draw(&random) % from];
    }
    n += (size_t)sprintf(text + n, "\n%s", PAD);
    check(text, n, at, 1 + draw(&random) % CELLS, 0);
  }
}

/* Every distance from either end of the text; nothing outside it is looked at. */
static void near_the_ends(void **state) {
  (void)state;
  for (size_t length = 1; length < 140; length++)
    for (size_t at = 0; at < length; at += 11) {
      char text[160];
      for (size_t i = 0; i < length; i++) text[i] = "1234567.9,-"[i % 11];
      check(text, length, at, CELLS, 0);
    }
}

static void shapes(void **state) {
  (void)state;
  static const struct {
    const char *cell;
    bool taken;
  } cases[] = {{"0", true},
               {"-0", true},
               {"-0.0", true},
               {"5.", true},
               {".5", true},
               {"-.5", true},
               {"007", true},
               {"9999999999999999999", true},
               {"999.9999999999999999", true},
               {"0.0012345678901234567", true},
               {"-0.00123456789012345678", true},
               {"0.0000123456789012345678", false},
               {"10000000000000000000", false},
               {"12345678901234567890123", false},
               {"1234567890123456789012345678901234567890", false},
               {"", false},
               {"-", false},
               {".", false},
               {"-.", false},
               {"1.2.3", false},
               {"--1", false},
               {"1-", false},
               {"+1", false},
               {"1e5", false},
               {" 1", false},
               {"1 ", false},
               {"\"1\"", false},
               {"1/", false},
               {"1:", false},
               {"nan", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (size_t place = 0; place < 3; place++) {
      char text[512];
      int n = sprintf(text, "%s", PAD), at = n;
      for (size_t j = 0; j < 3; j++)
        n += sprintf(text + n, "%s%c", j == place ? cases[i].cell : "1.25", j < 2 ? ',' : '\n');
      n += sprintf(text + n, "%s", PAD);
      tacit_number_run *list[2];
      for (size_t k = readers(list); k-- > 0;) {
        tacit_decimals column[3];
        const char *behind;
        const tacit_number_text all = {text, text + n};
        memset(column, 0, sizeof column);
        size_t got = list[k](text + at, &all, column, 3, ROW, &behind);
        assert_int_equal(got, cases[i].taken ? 3 : place);
      }
      check(text, (size_t)n, (size_t)at, 3, 0);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_data_frames_write),
      cmocka_unit_test(any_cells),
      cmocka_unit_test(near_the_ends),
      cmocka_unit_test(shapes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
