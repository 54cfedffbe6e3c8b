/* CSV files as a system gives them: too large, broken off, missing, on standard input. */
#include "source/csv_for_test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* text into memory, without its NUL. */
static void place(char *at, const char *text) {
  while (*text) *at++ = *text++;
}

static void records_have_a_largest_size(void **state) {
  (void)state;
  const size_t size = ((size_t)64 << 20) + 16;
  char *text = malloc(size);
  memset(text, 'x', size);
  place(text, "a,b\n1,\"");
  char *got = dump_text(text, size);
  assert_string_equal(
      got, "[a][b]\n!3 record 1, column \"b\": the record is longer than 64 MiB; is a quote left open?");
  free(got);
  /* The longest record that is taken: with its line feed just 64 MiB. */
  size_t longest = 4 + ((size_t)64 << 20);
  place(text + 4, "1,x");
  text[longest - 1] = '\n';
  place(text + longest, "3,4");
  got = dump_text(text, longest + 3);
  assert_string_equal(got + strlen(got) - 8, "\n[3][4]\n");
  free(got);
  free(text);
}

static void headers_have_a_largest_size(void **state) {
  (void)state;
  dump file = {0};
  for (int j = 0; j < 70000; j++) {
    char name[16];
    put(&file, name, (size_t)snprintf(name, sizeof name, "c%d,", j));
  }
  char *got = dump_text(file.text, file.length);
  assert_string_equal(got, "!3 the header has 70001 columns, more than 65536");
  free(got);
  free(file.text);
}

static void read_errors_are_not_the_tables_fault(void **state) {
  (void)state;
  static const char text[] = "a,b\n1,2\n3,4\n5,6\n";
  char *got = dump_drip(text, sizeof text - 1, 1, 8, 2);
  assert_string_equal(got, "!5 the disk is gone");
  free(got);
  got = dump_drip(text, sizeof text - 1, 1, 8, 9);
  assert_string_equal(got, "[a][b]\n[1][2]\n!5 the disk is gone");
  free(got);
}

static void opens(const char *path, tacit_status expected, const char *words) {
  tacit_source *source = (tacit_source *)1;
  tacit_error error = {""};
  assert_int_equal(tacit_source_csv(path, &source, &error), expected);
  if (expected) {
    assert_null(source);
    assert_non_null(strstr(error.text, words));
  }
  tacit_source_free(source);
}

static void files_that_cannot_be_read(void **state) {
  (void)state;
  char folder[] = "csv_test_XXXXXX";
  assert_non_null(mkdtemp(folder));
  char path[64];
  snprintf(path, sizeof path, "%s/t.csv", folder);
  opens(path, TACIT_BAD_INPUT, "no such file");
  opens(folder, TACIT_BAD_INPUT, "is a directory");
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fclose(file);
  opens(path, TACIT_BAD_INPUT, "the file is empty");
  char below[80];
  snprintf(below, sizeof below, "%s/x", path);
  opens(below, TACIT_BAD_INPUT, "no such file");
  file = fopen(path, "w");
  fputs("a,b\n1,2\n", file);
  fclose(file);
  opens(path, TACIT_OK, "");
  if (geteuid() != 0) { /* the superuser may read everything */
    chmod(path, 0);
    opens(path, TACIT_BAD_INPUT, "no permission");
  }
  unlink(path);
  rmdir(folder);
}

static void standard_input_is_a_table_too(void **state) {
  (void)state;
  int ends[2], kept = dup(STDIN_FILENO);
  assert_int_equal(pipe(ends), 0);
  static const char text[] = "a,b\n1,2\n3,4";
  assert_int_equal(write(ends[1], text, sizeof text - 1), sizeof text - 1);
  close(ends[1]);
  dup2(ends[0], STDIN_FILENO);
  close(ends[0]);
  tacit_source *source;
  tacit_error error;
  dump out = {0};
  tacit_status status = tacit_source_csv("-", &source, &error);
  dump_source(status, source, &error, &out);
  assert_string_equal(out.text, "[a][b]\n[1][2]\n[3][4]\n");
  free(out.text);
  assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0); /* it stays open: it is not ours */
  if (kept >= 0) {
    dup2(kept, STDIN_FILENO);
    close(kept);
  }
}

static void finding_columns(void **state) {
  (void)state;
  tacit_source *source;
  tacit_error error;
  assert_int_equal(tacit_source_csv_text("a, b\n", 5, &source, &error), TACIT_OK);
  size_t column;
  assert_int_equal(tacit_source_find(source, " b", &column, &error), TACIT_OK);
  assert_int_equal(column, 1);
  assert_int_equal(tacit_source_find(source, "b", &column, &error), TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "no column \"b\""));
  tacit_source_free(source);
  tacit_source_free(NULL);
}
int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(records_have_a_largest_size),          cmocka_unit_test(headers_have_a_largest_size),
      cmocka_unit_test(read_errors_are_not_the_tables_fault), cmocka_unit_test(files_that_cannot_be_read),
      cmocka_unit_test(standard_input_is_a_table_too),        cmocka_unit_test(finding_columns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
