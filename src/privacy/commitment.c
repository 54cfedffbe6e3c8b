/* Which release a payment is for: a hash of everything public that is fixed before the first noise bit. */
#include "privacy/commitment.h"

#include "base/base.h"
#include "privacy/field_hash.h"

#include <stdlib.h>
#include <string.h>

static const char DOMAIN[] = "tacit-commitment-1";
static const char *const ADJACENCY[] = {"replace-one", "add-remove"};
static const char *const NOISE[] = {"none", "seeded", "operating system"};
static const char *const SAMPLES[] = {"all", "poisson", "fixed"};

static int by_name(const void *a, const void *b) {
  return strcmp((*(const tacit_setting *const *)a)->name, (*(const tacit_setting *const *)b)->name);
}

/* Targets may take turns in one list and follow each other in another: what counts is each one's own order,
   which is that of the list. */
static int by_target(const void *a, const void *b) {
  const tacit_mechanism *m = *(const tacit_mechanism *const *)a, *n = *(const tacit_mechanism *const *)b;
  if (m->target != n->target) return m->target < n->target ? -1 : 1;
  return m < n ? -1 : m > n;
}

static void add_setting(tacit_field_hash *hash, const tacit_setting *s) {
  tacit_field_hash_text(hash, s->name);
  tacit_field_hash_text(hash, s->text);
  tacit_field_hash_number(hash, s->text[0] ? 0 : s->number);
}

static void add_mechanism(tacit_field_hash *hash, const tacit_mechanism *m) {
  tacit_field_hash_text(hash, tacit_release_name(m->kind));
  if (m->target == TACIT_ALL_TARGETS)
    tacit_field_hash_text(hash, "*");
  else
    tacit_field_hash_count(hash, m->target + 1);
  tacit_field_hash_count(hash, m->dimension);
  tacit_field_hash_count(hash, (uint64_t)m->bits);
  tacit_field_hash_count(hash, m->count);
  tacit_field_hash_text(hash, SAMPLES[m->sample]);
  const double numbers[] = {m->level, m->clip, m->sensitivity, m->sigma, m->rate, m->lambda, m->smoothness};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) tacit_field_hash_number(hash, numbers[i]);
  if (m->kind != TACIT_RELEASE_RAMP && m->kind != TACIT_RELEASE_SLOPED) return;
  tacit_field_hash_number(hash, m->width);
  tacit_field_hash_number(hash, m->change);
}

/* The method, whose data, and what is promised. */
static void add_head(tacit_field_hash *hash, const tacit_certificate *c, const char *schema_hash) {
  tacit_field_hash_text(hash, c->method);
  tacit_field_hash_text(hash, schema_hash);
  tacit_field_hash_text(hash, c->region_hash);
  tacit_field_hash_text(hash, ADJACENCY[c->adjacency]);
  tacit_field_hash_count(hash, c->rows_per_unit);
  tacit_field_hash_text(hash, c->result_rows   ? "result rows"
                              : c->engine_rows ? "records in an engine"
                                               : "records");
  tacit_field_hash_count(hash, c->rows);
  tacit_field_hash_number(hash, c->mu);
  tacit_field_hash_number(hash, c->epsilon);
  tacit_field_hash_number(hash, c->delta);
  tacit_field_hash_text(hash, NOISE[c->noise]);
}

static tacit_status add_settings(tacit_field_hash *hash, const tacit_certificate *c, tacit_error *error) {
  const tacit_setting **sorted = tacit_alloc(c->setting_count + 1, sizeof *sorted);
  if (!sorted) return tacit_no_memory(error);
  for (size_t i = 0; i < c->setting_count; i++) sorted[i] = &c->settings[i];
  qsort(sorted, c->setting_count, sizeof *sorted, by_name);
  tacit_field_hash_count(hash, c->setting_count);
  for (size_t i = 0; i < c->setting_count; i++) add_setting(hash, sorted[i]);
  free(sorted);
  return TACIT_OK;
}

static tacit_status add_releases(tacit_field_hash *hash, const tacit_certificate *c, tacit_error *error) {
  const tacit_mechanism **sorted = tacit_alloc(c->mechanism_count + 1, sizeof *sorted);
  if (!sorted) return tacit_no_memory(error);
  for (size_t i = 0; i < c->mechanism_count; i++) sorted[i] = &c->mechanisms[i];
  qsort(sorted, c->mechanism_count, sizeof *sorted, by_target);
  tacit_field_hash_count(hash, c->mechanism_count);
  for (size_t i = 0; i < c->mechanism_count; i++) add_mechanism(hash, sorted[i]);
  free(sorted);
  return TACIT_OK;
}

tacit_status tacit_commitment(const tacit_committed *committed, char commitment[65], tacit_error *error) {
  const tacit_certificate *c = committed->certificate;
  tacit_field_hash hash;
  tacit_field_hash_begin(&hash);
  tacit_field_hash_text(&hash, DOMAIN);
  add_head(&hash, c, committed->schema_hash);
  tacit_field_hash_count(&hash, committed->goal_count);
  for (size_t i = 0; i < committed->goal_count; i++) tacit_field_hash_number(&hash, committed->goals[i]);
  TACIT_TRY(add_settings(&hash, c, error));
  if (committed->follow)
    tacit_field_hash_text(&hash, "releases follow");
  else
    TACIT_TRY(add_releases(&hash, committed->releases, error));
  if (c->before[0]) {
    tacit_field_hash_text(&hash, "goes on from");
    tacit_field_hash_text(&hash, c->before);
  }
  if (c->period[0]) {
    tacit_field_hash_text(&hash, "period");
    tacit_field_hash_text(&hash, c->period);
  }
  tacit_field_hash_end(&hash, commitment);
  return TACIT_OK;
}
