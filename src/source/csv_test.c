/* What the CSV reader takes, what it refuses and in which words, and that nothing depends on where reads end.
 */
#include "source/csv_for_test.h"

static const struct {
  const char *text, *expected;
} table[] = {
    /* taken */
    {"a,b\n1,2\n", "[a][b]\n[1][2]\n"},
    {"a,b\n1,2", "[a][b]\n[1][2]\n"},
    {"a,b\r\n1,2\r\n", "[a][b]\n[1][2]\n"},
    {"a,b\r\n1,2\n3,4\r\n", "[a][b]\n[1][2]\n[3][4]\n"},
    {"a,b", "[a][b]\n"},
    {"a,b\n", "[a][b]\n"},
    {"\xEF\xBB\xBF"
     "a,b\n1,2\n",
     "[a][b]\n[1][2]\n"},
    {"\xEF\xBB\xBF\"a\",b\n1,2\n", "[a][b]\n[1][2]\n"},
    {"a,b\n\"x,y\",\"p\nq\"\n", "[a][b]\n[x,y][p\nq]\n"},
    {"a,b\n\"x\ry\",\"p\r\nq\"\r\n", "[a][b]\n[x\ry][p\r\nq]\n"},
    {"a,b\n\"x\"\"y\",\"\"\"\"\n", "[a][b]\n[x\"y][\"]\n"},
    {"a,b\n\"\"\"\"\"\",\"\"\n", "[a][b]\n[\"\"][]\n"},
    {"a,b\n\"1\",\"2\"", "[a][b]\n[1][2]\n"},
    {"a,b\n,\n", "[a][b]\n[][]\n"},
    {"a,b\n1,", "[a][b]\n[1][]\n"},
    {" a , b\n 1 ,\t2\n", "[ a ][ b]\n[ 1 ][\t2]\n"},
    {"\"a \"\"q\"\" \",\"b c\"\n1,2\n", "[a \"q\" ][b c]\n[1][2]\n"},
    /* an open quote in the header swallows records, which no message may then quote as a name */
    {"y,x,\"note\n5,1,secret\n7,2,\"\n3,1,a\"b\n",
     "!3 header, column 3: a line end inside a name; is a quote opened and not closed?"},
    {",b\n1,2\n", "[][b]\n[1][2]\n"},
    {"\xC3\xA4,\xE2\x82\xAC\n1,2\n", "[\xC3\xA4][\xE2\x82\xAC]\n[1][2]\n"},
    /* empty lines */
    {"a\n1\n\n3\n", "[a]\n[1]\n[]\n[3]\n"},
    {"a\n1\n\n", "[a]\n[1]\n[]\n"},
    {"a\n\r\n1\n", "[a]\n[]\n[1]\n"},
    {"a\n\r\n1",
     "[a]\n[]\n!3 the last line has no line end, and in a file with one column an empty last cell would then "
     "not be seen; have the program that writes the file end every line, whatever it holds"},
    {"a,b\n1,2\n\n", "[a][b]\n[1][2]\n"},
    {"a,b\n1,2\n\r\n\n\r\n", "[a][b]\n[1][2]\n"},
    {"a,b\n\n", "[a][b]\n"},
    {"a,b\n1,2\n\n3,4\n", "[a][b]\n[1][2]\n!3 record 2: an empty line, expected 2 cells; remove the line"},
    {"a,b\n\n\n3,4\n", "[a][b]\n!3 record 1: an empty line, expected 2 cells; remove the line"},
    {"a,b\n1,2\n\n\r", "[a][b]\n[1][2]\n!3 record 2: an empty line, expected 2 cells; remove the line"},
    /* refused: header */
    {"", "!3 the file is empty; it needs a header line and records"},
    {"\xEF\xBB\xBF", "!3 the file is empty; it needs a header line and records"},
    {"\n1\n", "!3 the first line is empty; it must hold the column names"},
    {"a,b,a\n", "!3 header: duplicate column name in columns 1 and 3; rename one of them"},
    {"x,,\"\"\n", "!3 header: duplicate column name in columns 2 and 3; rename one of them"},
    {"a,\"b\nc,d\n1,2\n", "!3 header, column 2: a quote is opened and never closed"},
    {"a,b\rc,d\r", "!3 header, column 2: a carriage return without a line feed; end lines with LF or CRLF"},
    {"a,b\"c\n", "!3 header, column 2: a quote inside an unquoted cell; put the whole cell in quotes"},
    /* refused: records */
    {"a,b\n1,2\n3\n", "[a][b]\n[1][2]\n!3 record 2: cells found 1, expected 2 as in the header; a comma "
                      "inside a cell needs quotes"},
    {"a,b\n1,2,3\n",
     "[a][b]\n!3 record 1: cells found 3, expected 2 as in the header; a comma inside a cell needs quotes"},
    {"a,b\n1,2\n\"\"\n", "[a][b]\n[1][2]\n!3 record 2: cells found 1, expected 2 as in the header; a comma "
                         "inside a cell needs quotes"},
    {"a\n1,2\n",
     "[a]\n!3 record 1: cells found 2, expected 1 as in the header; a comma inside a cell needs quotes"},
    {"a,b\n1,2\n1,\"x\"y\n",
     "[a][b]\n[1][2]\n!3 record 2, column \"b\": text after a closing quote; write a quote inside a quoted "
     "cell twice"},
    {"a,b\n\"x\" ,2\n", "[a][b]\n!3 record 1, column \"a\": text after a closing quote; write a quote inside "
                        "a quoted cell twice"},
    {"a,b\n1,x\"y\"\n",
     "[a][b]\n!3 record 1, column \"b\": a quote inside an unquoted cell; put the whole cell in quotes"},
    {"a,b\n1, \"y\"\n",
     "[a][b]\n!3 record 1, column \"b\": a quote inside an unquoted cell; put the whole cell in quotes"},
    {"a,b\n1,2\n\"3,4\n5,6\n",
     "[a][b]\n[1][2]\n!3 record 2, column \"a\": a quote is opened and never closed"},
    {"a,b\n1,\"", "[a][b]\n!3 record 1, column \"b\": a quote is opened and never closed"},
    {"a,b\n1,\"\"\"", "[a][b]\n!3 record 1, column \"b\": a quote is opened and never closed"},
    {"a,b\n1,2\r3,4\n",
     "[a][b]\n!3 record 1, column \"b\": a carriage return without a line feed; end lines with LF or CRLF"},
    {"a,b\n1,2\r",
     "[a][b]\n!3 record 1, column \"b\": a carriage return without a line feed; end lines with LF or CRLF"},
    {"a,b\n1,2,3\"4\n",
     "[a][b]\n!3 record 1, cell 3: a quote inside an unquoted cell; put the whole cell in quotes"},
};

static void takes_and_refuses(void **state) {
  (void)state;
  for (size_t i = 0; i < LENGTH(table); i++) {
    char *got = dump_text(table[i].text, strlen(table[i].text));
    assert_string_equal(got, table[i].expected);
    free(got);
  }
}

static void nul_bytes_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t length;
    const char *expected;
  } nul[] = {
      {"a,\0b\n", 5, "!3 header, column 2: a NUL byte; save the file as UTF-8 text"},
      {"a,b\n1,2\n\0,4\n", 12,
       "[a][b]\n[1][2]\n!3 record 2, column \"a\": a NUL byte; save the file as UTF-8 text"},
      {"a,b\n1,\"2\0\"\n", 11, "[a][b]\n!3 record 1, column \"b\": a NUL byte; save the file as UTF-8 text"},
      {"a,b\n1,\"2\"\0\n", 11, "[a][b]\n!3 record 1, column \"b\": a NUL byte; save the file as UTF-8 text"},
      {"a,b\n1,2\0", 8, "[a][b]\n!3 record 1, column \"b\": a NUL byte; save the file as UTF-8 text"},
  };
  for (size_t i = 0; i < LENGTH(nul); i++) {
    char *got = dump_text(nul[i].text, nul[i].length);
    assert_string_equal(got, nul[i].expected);
    free(got);
  }
}

static void nothing_depends_on_where_reads_end(void **state) {
  (void)state;
  for (size_t i = 0; i < LENGTH(table); i++) {
    size_t length = strlen(table[i].text);
    for (size_t buffer = 1; buffer <= 64; buffer++)
      for (size_t most = 1; most <= 16; most += 3) {
        char *got = dump_drip(table[i].text, length, most, buffer, 0);
        assert_string_equal(got, table[i].expected);
        free(got);
      }
  }
}

static void raw_records_are_as_in_the_file(void **state) {
  (void)state;
  static const char *const lines[] = {"1,2", "\"a\"\"b\",\" c \"", ",", "\"x\ny\",\"\"", "5,6"};
  for (int crlf = 0; crlf < 2; crlf++) {
    dump file = {0};
    put(&file, "\xEF\xBB\xBFp,q\n", 7);
    for (size_t i = 0; i < LENGTH(lines); i++) {
      put(&file, lines[i], strlen(lines[i]));
      if (i + 1 < LENGTH(lines)) put(&file, crlf ? "\r\n" : "\n", crlf ? 2 : 1);
    }
    tacit_source *source;
    tacit_error error;
    assert_int_equal(tacit_csv_over(drip_over(file.text, file.length, 3, 0), 2, &source, &error), TACIT_OK);
    size_t length;
    assert_memory_equal(tacit_source_text(source, &length), "p,q", 3);
    assert_int_equal(length, 3);
    tacit_cell cells[2];
    bool more;
    for (size_t i = 0; i < LENGTH(lines); i++) {
      assert_int_equal(source->next(source, cells, &more, &error), TACIT_OK);
      assert_true(more);
      assert_int_equal(source->record, i + 1);
      const char *text = tacit_source_text(source, &length);
      assert_int_equal(length, strlen(lines[i]));
      assert_memory_equal(text, lines[i], length);
    }
    for (int again = 0; again < 2; again++) {
      assert_int_equal(source->next(source, cells, &more, &error), TACIT_OK);
      assert_false(more);
      assert_int_equal(source->record, LENGTH(lines));
      assert_null(tacit_source_text(source, &length));
    }
    tacit_source_free(source);
    free(file.text);
  }
}

/* A random table written with every liberty the format allows must come back as it was. */
static void random_tables_come_back(void **state) {
  (void)state;
  static const char alphabet[] = "ab0.,\"\"\n\r \xC3\xA4";
  uint64_t random = 7;
  for (int trial = 0; trial < 3000; trial++) {
    size_t columns = 1 + draw(&random) % 5, rows = draw(&random) % 6;
    dump file = {0}, expected = {0};
    for (size_t i = 0; i <= rows; i++) {
      for (size_t j = 0; j < columns; j++) {
        char cell[12];
        size_t n = draw(&random) % 10;
        bool quote = draw(&random) % 3 == 0;
        for (size_t k = 0; k < n; k++) {
          cell[k] = alphabet[draw(&random) % (sizeof alphabet - 1)];
          if (i == 0 && cell[k] == '\n') cell[k] = ' '; /* no name has a line end */
          quote |= strchr(",\"\n\r", cell[k]) != NULL;
        }
        if (i == 0) cell[n++] = (char)('A' + j); /* names differ */
        if (j) put(&file, ",", 1);
        if (quote) put(&file, "\"", 1);
        for (size_t k = 0; k < n; k++) {
          if (cell[k] == '"') put(&file, "\"", 1);
          put(&file, &cell[k], 1);
        }
        if (quote) put(&file, "\"", 1);
        put(&expected, "[", 1);
        put(&expected, cell, n);
        put(&expected, "]", 1);
      }
      put(&expected, "\n", 1);
      if (draw(&random) % 2) put(&file, "\r", 1);
      put(&file, "\n", 1);
    }
    char *got = dump_text(file.text, file.length);
    assert_string_equal(got, expected.text);
    free(got);
    got = dump_drip(file.text, file.length, 1 + draw(&random) % 7, 1 + draw(&random) % 40, 0);
    assert_string_equal(got, expected.text);
    free(got);
    free(file.text);
    free(expected.text);
  }
}

/* Mutated files: no crash (sanitizers look on), and the same outcome in one piece and in many. */
static void mutated_files_are_harmless(void **state) {
  (void)state;
  static const char seed[] = "name,\"x \"\"q\"\"\",y\r\n1,\"a,b\",3\n\"4\n5\",,6\r\n7,\"\",\"9\"\n\n";
  static const char noise[] = "\",\n\r\0a ";
  uint64_t random = 11;
  for (int trial = 0; trial < 20000; trial++) {
    char text[128];
    size_t length = sizeof seed - 1;
    memcpy(text, seed, length);
    for (size_t change = 1 + draw(&random) % 6; change > 0; change--) {
      size_t at = draw(&random) % length;
      switch (draw(&random) % 4) {
      case 0:
        text[at] = noise[draw(&random) % (sizeof noise - 1)];
        break;
      case 1:
        text[at] = (char)draw(&random);
        break;
      case 2:
        memmove(text + at, text + at + 1, length - at - 1);
        length--;
        break;
      default:
        memmove(text + at + 1, text + at, length - at);
        text[at] = noise[draw(&random) % (sizeof noise - 1)];
        length++;
      }
    }
    char *whole = dump_text(text, length);
    char *pieces = dump_drip(text, length, 1 + draw(&random) % 5, 1 + draw(&random) % 30, 0);
    assert_string_equal(whole, pieces);
    free(whole);
    free(pieces);
  }
}
int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(takes_and_refuses),
      cmocka_unit_test(nul_bytes_are_refused),
      cmocka_unit_test(nothing_depends_on_where_reads_end),
      cmocka_unit_test(raw_records_are_as_in_the_file),
      cmocka_unit_test(random_tables_come_back),
      cmocka_unit_test(mutated_files_are_harmless),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
