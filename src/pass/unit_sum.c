/* What each unit adds to a sum, taken as a whole. */
#include "pass/unit_sum.h"

#include "num/clones.h"
#include "pass/narrow_block.h"

#include <math.h>

__extension__ typedef unsigned __int128 wide;

/* Takes off more than the roundings of a root, a quotient and two products in doubles add. */
#define INSIDE (1 - 0x1p-40)

tacit_unit_rule tacit_unit_rule_of(const tacit_unit_parts *units, size_t part, double reach) {
  tacit_unit_rule rule = {.bins = units->most > 0,
                          .level = llrint(ldexp(units->level[part], TACIT_SCORE_BITS))};
  if (!rule.bins) rule.radius = (int64_t)tacit_unit_radius(reach, units->clip[part]);
  if (!rule.bins && units->lean[part] != 0) {
    const tacit_unit_ends ends = tacit_unit_leaning((double)rule.radius, units->lean[part], units->leaving);
    rule.low = (int64_t)ends.low;
    rule.high = (int64_t)ends.high;
  }
  for (int i = 0; rule.bins && i < TACIT_UNIT_BINS - 1; i++)
    rule.edge[i] = (int64_t)tacit_unit_radius(reach, tacit_unit_edge(units->most, i));
  return rule;
}

/* The exact square of the norm: of a matrix, entries off the diagonal count twice. */
static wide square_of(const tacit_unit_rule *rule, size_t width, const int64_t *v) {
  wide once = 0, diagonal = 0;
  for (size_t j = 0; j < width; j++) {
    wide size = (wide)(v[j] < 0 ? -v[j] : v[j]);
    once += size * size;
  }
  for (size_t j = 0, at = 0; j < rule->side; at += rule->side - j++) {
    wide size = (wide)(v[at] < 0 ? -v[at] : v[at]);
    diagonal += size * size;
  }
  return rule->side ? 2 * once - diagonal : once;
}

static size_t bin_of(const tacit_unit_rule *rule, wide square) {
  size_t bin = 0;
  while (bin < TACIT_UNIT_BINS - 1 && square <= (wide)rule->edge[bin] * (wide)rule->edge[bin]) bin++;
  return bin;
}

/* Toward zero, a little too far; what rounding left longer all the same would be nothing. */
static void shorten(const tacit_unit_rule *rule, size_t width, wide square, int64_t *v) {
  wide most = (wide)rule->radius * (wide)rule->radius;
  double factor = (double)rule->radius / sqrt((double)square) * INSIDE;
  for (size_t j = 0; j < width; j++) v[j] = (int64_t)((double)v[j] * factor);
  if (square_of(rule, width, v) <= most) return;
  for (size_t j = 0; j < width; j++) v[j] = 0;
}

static int64_t within(int64_t v, int64_t least, int64_t most) {
  return v < least ? least : v > most ? most : v;
}

void tacit_unit_add(const tacit_unit_rule *rule, size_t width, int64_t *v, uint64_t *sum) {
  if (rule->low || rule->high) { /* of a number */
    *sum += (uint64_t)within(*v, -rule->low, rule->high);
    return;
  }
  wide square = square_of(rule, width, v);
  if (rule->bins) {
    sum[bin_of(rule, square)] += UINT64_C(1) << TACIT_SCORE_BITS;
    return;
  }
  if (square > (wide)rule->radius * (wide)rule->radius) shorten(rule, width, square, v);
  for (size_t j = 0; j < width; j++) sum[j] += (uint64_t)v[j];
}

tacit_block_units tacit_units_of_block(const tacit_design *design, size_t b) {
  const tacit_unit_runs *runs = design->units;
  return (tacit_block_units){runs->end + runs->first[b], runs->first[b + 1] - runs->first[b]};
}

/* Products below 2^36, and no more than 2^10 of them. */
static inline int64_t narrow_dot(const int16_t *score, const int16_t *cells, size_t rows) {
  int64_t total = 0;
  for (size_t i = 0; i < rows; i++) total += (int32_t)score[i] * (int32_t)cells[i];
  return total * TACIT_NARROW_STEP;
}

static inline int64_t wide_dot(const int32_t *score, const int32_t *cells, size_t rows) {
  int64_t total = 0;
  for (size_t i = 0; i < rows; i++) total += (int64_t)score[i] * cells[i];
  return total;
}

static inline int64_t column_dot(const tacit_row_scores *s, size_t first, size_t rows) {
  int64_t total = 0;
  for (size_t i = first; i < first + rows; i++)
    total +=
        (int64_t)s->column[i] * (s->narrow ? (int64_t)s->narrow[i] * TACIT_NARROW_STEP : (int64_t)s->wide[i]);
  return total;
}

TACIT_CLONES void tacit_unit_scores(const tacit_block_units *units, const tacit_unit_rule *rule,
                                    const tacit_block *block, size_t columns, const tacit_row_scores *scores,
                                    int64_t *v, uint64_t *sum) {
  for (size_t u = 0, first = 0; u < units->count; first = units->end[u++]) {
    size_t rows = units->end[u] - first;
    for (size_t j = 0; j < columns; j++)
      v[j] = scores->narrow
                 ? narrow_dot(scores->narrow + first, block->narrow + j * TACIT_BLOCK + first, rows)
                 : wide_dot(scores->wide + first, block->cells + j * TACIT_BLOCK + first, rows);
    if (scores->column) v[columns] = column_dot(scores, first, rows);
    tacit_unit_add(rule, columns + (scores->column != NULL), v, sum);
  }
}

void tacit_unit_numbers(const tacit_block_units *units, const tacit_unit_rule *rule, const int32_t *number,
                        uint64_t *sum) {
  for (size_t u = 0, first = 0; u < units->count; first = units->end[u++]) {
    int64_t total = 0;
    for (size_t i = first; i < units->end[u]; i++) total += number[i] - rule->level;
    tacit_unit_add(rule, 1, &total, sum);
  }
}
