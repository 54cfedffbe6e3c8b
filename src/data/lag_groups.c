/* Counts lags that cross from one series into another.

   A lag without a panel counts records. Where a column of levels tells series apart (shops, products), it may
   take another one's demand, and nothing would show it. Which columns do is guessed, for a word to the data
   holder: series lie in blocks, one behind the other, or side by side, several records to a date. A weekday
   does neither. */
#include "data/lag_groups.h"

#include "base/base.h"
#include "data/encoder.h"

#include <stdlib.h>
#include <string.h>

/* Of one feature with levels. */
typedef struct watched {
  size_t feature;
  size_t *past;   /* the levels of the last `reach` records, in a ring */
  bool *met;      /* by level */
  size_t levels;  /* how many were met */
  size_t changes; /* records whose level is not that of the one above: */
  size_t ties;    /* with the same date, */
  size_t back;    /* or with an earlier one */
  size_t crossed; /* rows that take a lag from a record with another level */
} watched;

struct tacit_lag_groups {
  watched *columns;
  size_t count, seen;
  size_t dates; /* the input of the first column of dates; TACIT_NO_COLUMN without one */
  double last;  /* date */
};

tacit_status tacit_lag_groups_open(tacit_encoder *encoder, tacit_error *error) {
  const tacit_schema *schema = encoder->schema;
  if (encoder->lags.reach == 0) return TACIT_OK;
  tacit_lag_groups *g = encoder->groups = tacit_alloc(1, sizeof *g);
  if (!g) return tacit_no_memory(error);
  g->dates = TACIT_NO_COLUMN;
  g->columns = tacit_alloc(schema->feature_count, sizeof *g->columns);
  if (!g->columns) return tacit_no_memory(error);
  for (size_t f = 0; f < schema->feature_count; f++) {
    tacit_reads reads = tacit_feature_reads(&schema->features[f]);
    if (reads == TACIT_READS_MOMENT && g->dates == TACIT_NO_COLUMN) g->dates = encoder->features[f];
    if (reads != TACIT_READS_LEVEL) continue;
    watched *w = &g->columns[g->count++];
    *w = (watched){.feature = f,
                   .past = tacit_alloc(encoder->lags.reach, sizeof *w->past),
                   .met = tacit_alloc(schema->features[f].level_count, sizeof *w->met)};
    if (!w->past || !w->met) return tacit_no_memory(error);
  }
  return TACIT_OK;
}

static bool crosses(const tacit_encoder *encoder, const watched *w, size_t level) {
  const tacit_schema *schema = encoder->schema;
  for (size_t f = 0; f < schema->feature_count; f++) {
    size_t lag = schema->features[f].lag;
    if (lag && w->past[(encoder->groups->seen - lag) % encoder->lags.reach] != level) return true;
  }
  return false;
}

static void see_column(const tacit_encoder *encoder, watched *w, bool has_row) {
  const tacit_lag_groups *g = encoder->groups;
  size_t level = tacit_level_of(&encoder->levels[w->feature], &encoder->cells[encoder->features[w->feature]]);
  const tacit_input *date = g->dates == TACIT_NO_COLUMN ? NULL : &encoder->inputs[g->dates];
  bool dated = date && date->kind == TACIT_NUMBER;
  if (g->seen && w->past[(g->seen - 1) % encoder->lags.reach] != level) {
    w->changes++;
    w->ties += dated && date->value == g->last;
    w->back += dated && date->value < g->last;
  }
  w->crossed += has_row && crosses(encoder, w, level);
  w->levels += !w->met[level];
  w->met[level] = true;
  w->past[g->seen % encoder->lags.reach] = level;
}

void tacit_lag_groups_see(tacit_encoder *encoder, bool has_row) {
  tacit_lag_groups *g = encoder->groups;
  if (!g) return;
  for (size_t k = 0; k < g->count; k++) see_column(encoder, &g->columns[k], has_row);
  if (g->dates != TACIT_NO_COLUMN && encoder->inputs[g->dates].kind == TACIT_NUMBER)
    g->last = encoder->inputs[g->dates].value;
  g->seen++;
}

static bool tells_series_apart(const tacit_lag_groups *g, const watched *w) {
  bool blocks = w->changes && w->changes + 1 == w->levels, dated = g->dates != TACIT_NO_COLUMN;
  return dated ? w->back + w->ties > w->changes / 2 : blocks;
}

void tacit_lag_groups_close(tacit_encoder *encoder) {
  tacit_lag_groups *g = encoder->groups;
  for (size_t k = 0; g && k < g->count; k++) {
    watched *w = &g->columns[k];
    if (tells_series_apart(g, w)) encoder->tally[w->feature].crossed += w->crossed;
    tacit_free_wiped(w->past, encoder->lags.reach * sizeof *w->past);
    free(w->met);
  }
  if (g) free(g->columns);
  tacit_free_wiped(g, g ? sizeof *g : 0);
}
