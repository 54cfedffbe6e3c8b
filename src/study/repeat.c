/* What the studies share: streams by purpose, repetitions on several threads, and summaries. */
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seeds of the learner come from a stream, so its streams share nothing with these. */
tacit_status tacit_study_stream(uint64_t seed, tacit_purpose purpose, uint32_t group, uint32_t repetition,
                                tacit_stream *stream, tacit_error *error) {
  tacit_noise_source source;
  tacit_noise_source_seeded(&source, seed);
  source.releases = (uint64_t)purpose << 48 | (uint64_t)(uint16_t)group << 32 | repetition;
  return tacit_stream_begin(&source, stream, error);
}

enum { BATCH = 32 }; /* repetitions between two looks at the caller's wishes */

static tacit_status repeat_batch(size_t begin, size_t end, tacit_repetition work, void *self, int threads,
                                 tacit_error *error) {
  tacit_status status[BATCH] = {TACIT_OK};
  tacit_error text[BATCH];
  (void)threads; /* without OpenMP there is one */
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (size_t r = begin; r < end; r++) status[r - begin] = work(self, r, &text[r - begin]);
  for (size_t i = 0; i < end - begin; i++)
    if (status[i] != TACIT_OK) return tacit_fail(error, status[i], "%s", text[i].text);
  return TACIT_OK;
}

tacit_part tacit_part_of(const char *what, size_t at, size_t count) {
  return (tacit_part){what, (double)at / (double)count, (double)(at + 1) / (double)count};
}

tacit_status tacit_repeat(size_t count, tacit_repetition work, void *self, tacit_part part,
                          const tacit_context *context, tacit_error *error) {
  for (size_t begin = 0; begin < count; begin += BATCH) {
    double done = part.from + (part.to - part.from) * (double)begin / (double)count;
    TACIT_TRY(tacit_progress(context, part.what, done, error));
    size_t end = count - begin < BATCH ? count : begin + BATCH;
    TACIT_TRY(repeat_batch(begin, end, work, self, tacit_threads(context), error));
  }
  return TACIT_OK;
}

void tacit_summarise(size_t count, const double *values, size_t stride, double *mean, double *se) {
  double sum = 0, square = 0, n = (double)count;
  for (size_t i = 0; i < count; i++) sum += values[i * stride];
  *mean = count ? sum / n : NAN;
  for (size_t i = 0; i < count; i++) square += (values[i * stride] - *mean) * (values[i * stride] - *mean);
  *se = count > 1 ? sqrt(square / (n - 1) / n) : NAN;
}

void tacit_number_text(char *text, double value) {
  char digits[TACIT_NUMBER_TEXT_MAX];
  for (int count = 15; count <= 17; count++) {
    snprintf(digits, sizeof digits, "%.*g", count, value);
    if (strtod(digits, NULL) == value) break; /* reads back as it was: 0.9, not 0.90000000000000002 */
  }
  for (char *c = digits; *c; c++)
    if (*c == ',') *c = '.'; /* the caller's locale may write a comma */
  memcpy(text, digits, sizeof digits);
}
