/* A .json file that is one array: where it begins and ends. */
#include "data/read.h"
#include "source/duckdb_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <tacit/data.h>

/* last: it needs the others */
#include <cmocka.h>

/* However many blanks follow it, the last bracket is seen, and so is a comma. */
static void arrays_end_with_their_bracket(void **state) {
  (void)state;
  static char text[20000];
  for (size_t blanks = 0; blanks < 13000; blanks += blanks % 4096 < 4093 ? 4093 : 1)
    for (size_t closed = 0; closed < 2; closed++) {
      size_t length = (size_t)sprintf(text, "[{\"a\": 1}%s", closed ? "]" : ",");
      memset(text + length, ' ', blanks);
      write_text("blanks.json", text, length + blanks);
      tacit_source *source;
      tacit_error error;
      assert_int_equal(tacit_source_open("blanks.json", &source, &error),
                       closed ? TACIT_OK : TACIT_BAD_INPUT);
      tacit_source_free(source);
    }
}

/* However many blanks stand in front, a bracket begins an array, and nothing may follow that. */
static void arrays_begin_behind_blanks(void **state) {
  (void)state;
  static char text[10000];
  for (size_t blanks = 4094; blanks <= 8194; blanks += blanks == 4098 ? 4092 : 1)
    for (size_t alone = 0; alone < 2; alone++) {
      memset(text, '\n', blanks);
      size_t length =
          (size_t)sprintf(text + blanks, "[{\"a\": 1}, {\"a\": 2}]%s", alone ? "" : "\n{\"a\": 3}");
      write_text("front.json", text, blanks + length);
      tacit_source *source;
      tacit_error error;
      tacit_status status = tacit_source_open("front.json", &source, &error);
      if (status != (alone ? TACIT_OK : TACIT_BAD_INPUT)) fail_msg("%zu blanks: %d", blanks, status);
      if (!alone) continue;
      char *rows = rows_of(source, &error);
      assert_string_equal(rows, "1|\n2|\n");
      free(rows);
    }
}

/* Brackets and quotes within texts are no ends; a mark before an array is passed over. */
static void arrays_are_read_whole(void **state) {
  (void)state;
  static const char TEXT[] = "\xef\xbb\xbf[{\"a\": \"]\\\"[{\"}, {\"a\": \"\\\\\"}, {\"a\": [[1], {}]}]\n";
  tacit_source *source;
  tacit_error error;
  write_text("texts.json", TEXT, strlen(TEXT));
  if (tacit_source_open("texts.json", &source, &error) != TACIT_OK) fail_msg("%s", error.text);
  char *rows = rows_of(source, &error);
  assert_string_equal(rows, "]\"[{|\n\\|\n[[1],{}]|\n");
  free(rows);
}

int main(void) {
  if (!duckdb_begin()) return 77;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrays_end_with_their_bracket),
      cmocka_unit_test(arrays_begin_behind_blanks),
      cmocka_unit_test(arrays_are_read_whole),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  duckdb_end();
  return failed;
}
