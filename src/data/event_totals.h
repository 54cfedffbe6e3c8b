/* Adds up what customers bought, row by row of a public calendar, and holds each of them to public limits: at
   most so many rows, at most so much in one of them. One customer more or less then changes at most that many
   totals by at most that much each, exactly (proofs/transactions.md). */
#ifndef TACIT_SRC_EVENT_TOTALS_H
#define TACIT_SRC_EVENT_TOTALS_H

#include "source/source.h"

#include <tacit/data.h>

typedef struct tacit_event_totals tacit_event_totals;

typedef struct tacit_event_limits {
  size_t rows;        /* of one customer, at least 1 */
  double change;      /* in one of them, above 0 */
  bool decimal_comma; /* of names that are numbers */
} tacit_event_limits;

/* rows: of the calendar. TACIT_INTERNAL without entropy or memory. */
tacit_status tacit_event_totals_new(size_t rows, const tacit_event_limits *limits,
                                    tacit_event_totals **totals, tacit_error *error) TACIT_CHECKED;
void tacit_event_totals_free(tacit_event_totals *totals);

/* An event of the row whose key has this public hash. Quantities of one customer in one row are added up
   before they are cut: what is below 0 was brought back. */
tacit_status tacit_event_totals_add(tacit_event_totals *totals, const tacit_cell *customer, size_t row,
                                    uint64_t row_hash, double quantity, tacit_error *error) TACIT_CHECKED;
void tacit_event_totals_elsewhere(tacit_event_totals *totals);

/* After the last event: what each row's customers bought together, as a multiple of the grid. */
tacit_status tacit_event_totals_end(tacit_event_totals *totals, double *total,
                                    tacit_error *error) TACIT_CHECKED;
const tacit_event_counts *tacit_event_totals_counts(const tacit_event_totals *totals);

/* The grid of quantities: the power of two with change / grid in [2^24, 2^25). Whole numbers are on it while
   change is below 2^25. */
double tacit_event_grid(double change);

#endif
