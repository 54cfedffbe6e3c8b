/* Which steps of a run sample a row: told again from the stream that the samples came from. */
#include "neighbours/neighbours.h"

#include <math.h>
#include <stdlib.h>

/* The stream of the mechanism's run as a step finds it. Runs of several targets are begun one after the
   other. */
static tacit_stream stream_before(const gate *g, const tacit_mechanism *m, size_t step) {
  size_t in_run = step % (size_t)m->count;
  if (in_run) return g->seen->streams[step - 1];
  tacit_noise_source source;
  tacit_stream stream;
  tacit_noise_source_seeded(&source, g->problem->learn.seed);
  for (size_t run = 0; run <= step / (size_t)m->count; run++)
    if (tacit_stream_begin(&source, &stream, NULL) != TACIT_OK) abort();
  return stream;
}

static bool tossed(tacit_stream *stream, double rate, size_t row) {
  uint64_t threshold = (uint64_t)ldexp(rate, 32), word = 0;
  for (size_t pair = 0; pair <= row / 2; pair++) word = tacit_stream_bits(stream);
  return (row % 2 ? word >> 32 : word & UINT32_MAX) < threshold;
}

/* One step's draws from the first of `slots` places on; the order stays for the next step. */
static bool drawn(tacit_stream *stream, size_t batch, size_t slots, size_t *order, size_t row) {
  bool has = false;
  for (size_t k = 0; k < batch; k++) {
    size_t at = k + (size_t)tacit_stream_below(stream, slots - k), slot = order[at];
    order[at] = order[k];
    order[k] = slot;
    has = has || slot == row;
  }
  return has;
}

bool sample_has_row(const gate *g, const tacit_mechanism *m, size_t step, size_t row) {
  tacit_stream stream;
  if (m->sample == TACIT_SAMPLE_POISSON) {
    stream = stream_before(g, m, step);
    return tossed(&stream, m->rate, row);
  }
  /* the order depends on all steps before, of all runs: memory is theirs together, but each begins anew */
  size_t batch = g->problem->learn.sgd.batch ? g->problem->learn.sgd.batch : 1, slots = g->rows;
  size_t *order = malloc(slots * sizeof *order);
  bool has = false;
  for (size_t i = 0; i < slots; i++) order[i] = i;
  for (size_t s = step - step % (size_t)m->count; s <= step; s++) {
    stream = stream_before(g, m, s);
    if (batch == 1)
      has = tacit_stream_below(&stream, slots) == row;
    else
      has = drawn(&stream, batch, slots, order, row);
  }
  free(order);
  return has;
}
