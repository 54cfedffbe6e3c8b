/* Demand whose law is known, for studies of costs in tiers and of days that sold out:

     demand = 100 + 10 z1 - 5 z2 + 20 e,   z1, z2, z3 standard normal, e too or skewed (exponential less 1)

   What a rule costs is exact in e, and a mean over fixed rows of features. */
#ifndef TACIT_SRC_PAPERS_DEMAND_STUDY_H
#define TACIT_SRC_PAPERS_DEMAND_STUDY_H

#include "schema/tiers.h"
#include "study/study.h"

enum { TACIT_DEMAND_FEATURES = 3 };
#define TACIT_DEMAND_SPREAD 20.0
#define TACIT_DEMAND_KNOWN                                                                                   \
  "\"features\": [{\"name\": \"z1\", \"center\": 0, \"scale\": 1}, {\"name\": \"z2\", \"center\": 0, "       \
  "\"scale\": 1}, {\"name\": \"z3\", \"center\": 0, \"scale\": 1}]"

double tacit_demand_centre(const double z[TACIT_DEMAND_FEATURES]);
/* Features and demand of so many rows, column by column: (features + 1) x rows. */
void tacit_demand_draw(tacit_stream *stream, bool skewed, size_t rows, double *columns);
/* The chance that demand lies more than so far above its centre. */
double tacit_demand_exceeds(bool skewed, double above);

/* What a unit costs, by tiers, and with it what the best order costs. */
typedef struct tacit_demand_cost {
  const tacit_tiers *tiers;
  bool skewed;
  double best, least; /* how far the best order lies above the centre, and what it costs */
} tacit_demand_cost;
void tacit_demand_cost_set(tacit_demand_cost *cost, const tacit_tiers *tiers, bool skewed);
/* By how many percent a rule costs more than the best order does. */
double tacit_demand_excess(const tacit_demand_cost *cost, const tacit_rule *rule, const tacit_scale *scale);

#endif
