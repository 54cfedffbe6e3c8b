/* Random records and random queries over them, for the search of rowwise_test. */
#ifndef TACIT_SRC_QUERY_FOR_TEST_H
#define TACIT_SRC_QUERY_FOR_TEST_H

#include "source/duckdb_for_test.h"

enum { SHARED = 6 }; /* records 0 to 5 are in both tables */

static inline size_t draw(uint64_t *seed, size_t below) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (size_t)(*seed >> 33) % below;
}

#define ANY(seed, list) (list)[draw(seed, sizeof(list) / sizeof *(list))]

/* A record as DuckDB selects it: numbers of several widths, text, truth, date, time, decimal. */
static inline void random_record(uint64_t seed, long id, FILE *out) {
  static const char *const NUMBERS[] = {"'nan'", "'nan'", "'inf'", "'-inf'", "-0.0",
                                        "0",     "3",     "6",     "1e300",  "NULL"};
  static const char *const WHOLE[] = {"0", "1", "-1", "5", "100", "NULL"};
  static const char *const LONG[] = {"0",   "1", "-1", "5", "100", "144115188075855872", "9007199254740993",
                                     "NULL"};
  static const char *const TEXTS[] = {"'a'", "'b'", "'c'", "'ab'", "''", "'7'", "NULL"};
  static const char *const DATES[] = {"'2024-02-29'", "'1999-12-31'", "'2030-01-01'", "NULL"};
  fprintf(out, "SELECT %ld::INTEGER AS id, ", id);
  fprintf(out, "%s::DOUBLE AS x, ", ANY(&seed, NUMBERS));
  const char *f = ANY(&seed, NUMBERS);
  fprintf(out, "%s::FLOAT AS f, ", !strcmp(f, "1e300") ? "2.5" : f);
  fprintf(out, "%s::BIGINT AS i, ", ANY(&seed, LONG));
  fprintf(out, "%s::TINYINT AS j, ", ANY(&seed, WHOLE));
  fprintf(out, "%s::VARCHAR AS s, ", ANY(&seed, TEXTS));
  fprintf(out, "%s::VARCHAR AS e, ", ANY(&seed, TEXTS));
  fprintf(out, "%s AS b, ", draw(&seed, 2) ? "true" : "false");
  fprintf(out, "%s::DATE AS d, ", ANY(&seed, DATES));
  fprintf(out, "%s::TIMESTAMP AS t, ", ANY(&seed, DATES));
  fprintf(out, "%s::DECIMAL(9, 2) AS m", ANY(&seed, WHOLE));
}

/* An expression of a kind: N number, B truth, T text, D date. In a pattern such a capital stands for another.
 */
static inline void random_expression(uint64_t *seed, char kind, int depth, FILE *out) {
  static const char *const LEAVES[4][8] = {
      {"x", "x", "f", "i", "j", "m", "5", "2.5"},
      {"b", "x > 5", "f < 5", "x = x", "x <> 3", "i > 0", "s = 'b'", "e < 'b'"},
      {"s", "s", "e", "'b'", "'ab'", "s", "e", "''"},
      {"d", "t", "d", "t", "DATE '2024-02-29'", "d", "t", "d"}};
  static const char *const NUMBERS[] = {"N + N",
                                        "N - N",
                                        "N * N",
                                        "abs(N)",
                                        "least(N, N)",
                                        "greatest(N, N)",
                                        "round(N, 1)",
                                        "CASE WHEN B THEN 10 ELSE 0 END",
                                        "CASE WHEN B THEN N ELSE N END",
                                        "coalesce(N, N)",
                                        "length(T)",
                                        "year(D)",
                                        "TRY_CAST(T AS DOUBLE)",
                                        "if(B, N, N)"};
  static const char *const TRUTHS[] = {"N < N",
                                       "N <= N",
                                       "N > N",
                                       "N >= N",
                                       "N = N",
                                       "N <> N",
                                       "N IS NULL",
                                       "T IS NOT NULL",
                                       "N BETWEEN N AND N",
                                       "N IN (3, 6, N)",
                                       "N NOT IN (3, N)",
                                       "NOT (B)",
                                       "(B) AND (B)",
                                       "(B) OR (B)",
                                       "isnan(x)",
                                       "T = T",
                                       "T < T",
                                       "T LIKE 'a^'",
                                       "T IN ('a', T)",
                                       "D > D",
                                       "D IS NULL",
                                       "N IS DISTINCT FROM N"};
  static const char *const TEXTS[] = {"upper(T)",   "T || T",         "CASE WHEN B THEN T ELSE T END",
                                      "left(T, 1)", "coalesce(T, T)", "dayname(D)",
                                      "N || T",     "D || T"};
  size_t row = kind == 'N' ? 0 : kind == 'B' ? 1 : kind == 'T' ? 2 : 3;
  if (depth == 0 || row == 3 || draw(seed, 4) == 0) {
    fputs(LEAVES[row][draw(seed, 8)], out);
    return;
  }
  const char *pattern = row == 0 ? ANY(seed, NUMBERS) : row == 1 ? ANY(seed, TRUTHS) : ANY(seed, TEXTS);
  for (const char *p = pattern; *p; p++) {
    bool alone = (p == pattern || !strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", p[-1])) &&
                 !(p[1] && strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", p[1]));
    if (alone && strchr("NBTD", *p)) {
      fputc('(', out);
      random_expression(seed, *p, depth - 1, out);
      fputc(')', out);
    } else {
      fputc(*p == '^' ? '%' : *p, out);
    }
  }
}

/* A query over what `table` names, to be freed. */
static inline char *random_query(uint64_t seed, const char *table) {
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  assert(out);
  fputs("SELECT id", out);
  for (size_t k = 0, n = 1 + draw(&seed, 3); k < n; k++) {
    fputs(", ", out);
    random_expression(&seed, "NNBT"[draw(&seed, 4)], (int)draw(&seed, 4), out);
    fprintf(out, " AS v%zu", k);
  }
  fprintf(out, " FROM %s", table);
  if (draw(&seed, 2)) {
    fputs(" WHERE ", out);
    random_expression(&seed, 'B', (int)draw(&seed, 4), out);
  }
  fclose(out);
  return text;
}

#endif
