/* Chooses how runs of number cells are read. */
#include "source/number_run.h"

/* Where there is no way, every cell is read by tacit_number_plain. */
static size_t run_none(const char *p, const tacit_number_text *text, tacit_decimals *column, size_t count,
                       size_t row, const char **behind) {
  (void)p;
  (void)text;
  (void)column;
  (void)count;
  (void)row;
  (void)behind;
  return 0;
}

tacit_number_run *tacit_number_run_best(void) {
  tacit_number_run *run = tacit_number_run_avx2();
  if (!run) run = tacit_number_run_sse2();
  return run ? run : run_none;
}
