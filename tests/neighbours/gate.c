/* The probe at the release gate: keeps a run's releases, or answers another run with them and compares. */
#include "neighbours/neighbours.h"

#include "base/base.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

void tally_note(tally *found, const problem *p, const char *format, ...) {
  char words[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  found->differ++;
  if (found->first[0]) return;
  snprintf(found->first, sizeof found->first, "problem %llu, %s: %s", (unsigned long long)p->seed,
           method_names[p->method], words);
}

void tally_ratio(tally *found, const problem *p, tacit_release_kind kind, double ratio) {
  found->seen[kind]++;
  found->releases++;
  found->largest[kind] = fmax(found->largest[kind], ratio);
  if (ratio <= 1) return;
  found->above[kind]++;
  if (!found->first[0])
    snprintf(found->first, sizeof found->first, "problem %llu, %s: %s moved %.9g times the stated distance",
             (unsigned long long)p->seed, method_names[p->method], tacit_release_name(kind), ratio);
}

void transcript_free(transcript *t) {
  free(t->mechanisms);
  free(t->streams);
  free(t->exact);
  free(t->noisy);
  *t = (transcript){0};
}

tacit_status gate_spend(void *user, const tacit_cost *cost, tacit_error *error) {
  gate *g = user;
  (void)error;
  g->spent++;
  g->cost = *cost;
  g->first = g->at;
  return TACIT_OK;
}

static tacit_status watch_exact(void *self, tacit_mechanism *m, const uint64_t *exact, tacit_error *error) {
  gate *g = self;
  transcript *t = g->seen;
  size_t values = t->value_count + m->dimension;
  void *mechanisms = tacit_grow(t->mechanisms, &t->mechanism_capacity, t->count + 1, sizeof *t->mechanisms);
  if (mechanisms) t->mechanisms = mechanisms;
  void *all_exact = tacit_grow(t->exact, &t->exact_capacity, values, sizeof *t->exact);
  if (all_exact) t->exact = all_exact;
  void *all_noisy = tacit_grow(t->noisy, &t->noisy_capacity, values, sizeof *t->noisy);
  if (all_noisy) t->noisy = all_noisy;
  if (!mechanisms || !all_exact || !all_noisy) return tacit_no_memory(error);
  t->mechanisms[t->count] = *m;
  memcpy(t->exact + t->value_count, exact, m->dimension * sizeof *exact);
  return TACIT_OK;
}

static tacit_status watch_noisy(void *self, const tacit_mechanism *m, uint64_t *noisy, tacit_stream *stream,
                                tacit_error *error) {
  gate *g = self;
  transcript *t = g->seen;
  memcpy(t->noisy + t->value_count, noisy, m->dimension * sizeof *noisy);
  t->value_count += m->dimension;
  t->count++;
  g->at++;
  if (m->kind != TACIT_RELEASE_SAMPLED) return TACIT_OK;
  void *streams = tacit_grow(t->streams, &t->stream_capacity, t->stream_count + 1, sizeof *t->streams);
  if (!streams) return tacit_no_memory(error);
  t->streams = streams;
  t->streams[t->stream_count++] = *stream;
  return TACIT_OK;
}

bool same_mechanism(const tacit_mechanism *a, const tacit_mechanism *b) {
  return a->kind == b->kind && a->target == b->target && a->dimension == b->dimension &&
         a->level == b->level && a->clip == b->clip && a->unit == b->unit && a->bits == b->bits &&
         a->sensitivity == b->sensitivity && a->sigma == b->sigma && a->count == b->count &&
         a->sample == b->sample && a->rate == b->rate && a->lambda == b->lambda &&
         a->smoothness == b->smoothness && a->width == b->width && a->change == b->change;
}

/* |difference| over the stated sensitivity, decided in integers: at most 1 if and only if the squares, twice
   those off a moment's diagonal, where noise is smaller by the root of two, sum to at most its square. */
static double distance_ratio(const tacit_mechanism *m, const uint64_t *one, const uint64_t *two,
                             double stated) {
  const uint64_t far = UINT64_C(1) << 55;
  wide square = 0, most = (wide)stated * (wide)stated;
  for (size_t j = 0; j < m->dimension; j++) {
    uint64_t d = two[j] - one[j], size = (int64_t)d < 0 ? 0 - d : d;
    bool off_diagonal = tacit_release_sigma(m, j) < m->sigma;
    if (size >= far) return INFINITY;
    square += (wide)size * size * (off_diagonal ? 2 : 1);
  }
  double ratio = sqrt((double)square) / stated;
  return square <= most ? fmin(1, ratio) : fmax(ratio, 1 + 0x1p-52);
}

/* In a step whose sample does not have the record nothing moves at all. */
static void check_sample(gate *g, const tacit_mechanism *m, double ratio) {
  size_t step = g->stream_at;
  size_t row = g->fault == ANOTHER_SAMPLE ? (g->row + 1) % g->rows : g->row;
  if (sample_has_row(g, m, step, row))
    g->tally->in_sample++;
  else if (ratio > 0)
    tally_note(g->tally, g->problem, "a step without the record moved");
}

/* Whether it is a count of units that are held to what most of them can add to each side. The first counts of
   a fit have units held to an eighth of the rows that most have (method/newton_plan.h). */
static bool leans(gate *g, const tacit_mechanism *m) {
  double tau = g->problem->quantiles[0];
  if (m->kind != TACIT_RELEASE_COUNT || !g->problem->leaning) return false;
  if (g->unit == 0) g->unit = m->unit;
  return m->unit > 0 &&
         m->unit == 8 * g->unit * (g->problem->adjacency == TACIT_ADD_REMOVE ? fmax(tau, 1 - tau) : 0.5);
}

/* Scores whose rows have their spread as one more column. */
static bool has_spread(const problem *p, const tacit_mechanism *m) {
  return p->method == BY_LOCATION_SCALE && m->kind == TACIT_RELEASE_SCORES &&
         m->dimension == p->schema->columns;
}

static tacit_status replay_exact(void *self, tacit_mechanism *m, const uint64_t *exact, tacit_error *error) {
  gate *g = self;
  const transcript *t = g->seen;
  if (g->at >= t->count || !same_mechanism(m, &t->mechanisms[g->at]))
    return tacit_fail(error, TACIT_INTERNAL, "release %zu is another one", g->at + 1);
  if (m->kind == TACIT_RELEASE_OBJECTIVE) return TACIT_OK; /* objective.c has looked at it */
  bool short_of =
      g->fault == STATED_TOO_SMALL && m->kind != TACIT_RELEASE_SIGN; /* a bit has no less than one */
  double stated = g->problem->times * (short_of ? floor(0.99 * m->sensitivity) : m->sensitivity);
  if (!(stated == floor(stated)))
    return tacit_fail(error, TACIT_INTERNAL, "release %zu: the stated distance is no integer", g->at + 1);
  double ratio = distance_ratio(m, t->exact + g->value_at, exact, stated), part = ratio * stated / m->sigma;
  g->square += part * part;
  tally_ratio(g->tally, g->problem, m->kind, ratio);
  double *sold = &g->tally->sold[m->kind][g->problem->times > 1];
  if (g->problem->sold && (m->change > 0 || g->problem->method != BY_BOUNDED_CHANGE))
    *sold = fmax(*sold, ratio);
  bool limited = m->change == 0 || g->problem->schema->change > 0; /* a ramp that moves by less than all */
  if (g->problem->schema->features_public && limited)
    g->tally->open[m->kind] = fmax(g->tally->open[m->kind], ratio);
  if (has_spread(g->problem, m)) g->tally->scaled = fmax(g->tally->scaled, ratio);
  double *whole = &g->tally->of_whole[m->kind][g->problem->adjacency];
  if (m->unit > 0 || m->kind == TACIT_RELEASE_UNITS) *whole = fmax(*whole, ratio);
  double *leaning = &g->tally->leaning[g->problem->adjacency];
  if (leans(g, m)) *leaning = fmax(*leaning, ratio);
  if (m->kind == TACIT_RELEASE_SAMPLED) check_sample(g, m, ratio);
  if (m->kind == TACIT_RELEASE_SIGN) g->tally->flipped += ratio > 0;
  return TACIT_OK;
}

/* The next sample is the first run's too. How many bits a step takes depends on the number of rows alone. */
static void go_on_from(gate *g, tacit_stream *stream) {
  const tacit_stream *seen = &g->seen->streams[g->stream_at++];
  bool same = stream->block == seen->block && stream->used == seen->used;
  if (!same && g->problem->adjacency == TACIT_REPLACE_ONE)
    tally_note(g->tally, g->problem, "a sample took more bits");
  *stream = *seen;
}

static tacit_status replay_noisy(void *self, const tacit_mechanism *m, uint64_t *noisy, tacit_stream *stream,
                                 tacit_error *error) {
  gate *g = self;
  const transcript *t = g->seen;
  (void)error;
  bool linear = m->kind == TACIT_RELEASE_OBJECTIVE && g->linear;
  const uint64_t *answer =
      linear ? (const uint64_t *)g->linear + m->target * m->dimension : t->noisy + g->value_at;
  if (g->fault != NOT_FORCED) memcpy(noisy, answer, m->dimension * sizeof *noisy);
  if (m->kind == TACIT_RELEASE_SAMPLED) go_on_from(g, stream);
  g->value_at += m->dimension;
  g->at++;
  return TACIT_OK;
}

tacit_release_probe gate_watch(gate *g) {
  return (tacit_release_probe){watch_exact, watch_noisy, g};
}

tacit_release_probe gate_replay(gate *g) {
  return (tacit_release_probe){replay_exact, replay_noisy, g};
}
