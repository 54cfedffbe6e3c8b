/* The losses of predict-then-optimize (Wang and Qin's section 3; Elmachtoub and Grigas 2022).

     c, chat   the cost as it came, as predicted          w*(c), z*(c)   a cheapest decision, its cost
     SPO       max over w in W*(chat) of c'w - z*(c)
     SPO+      max over w in S of (c - 2 chat)'w + 2 chat'w*(c) - z*(c), convex in chat and at least SPO
     smoothed  (smoothing / 2) ||w||^2 is subtracted inside that maximum

   In chat the gradient of SPO+, smoothed or not, is 2 (w*(c) - w_s), where w_s attains the maximum: a
   minimiser of (2 chat - c)'w, or with smoothing the projection of (c - 2 chat) / smoothing. Its norm is at
   most twice the region's diameter (proofs/regions.md). */
#ifndef TACIT_SRC_SPO_H
#define TACIT_SRC_SPO_H

#include "loss/region.h"

/* Doubles of workspace for the functions below; one per thread. */
size_t tacit_spo_work(const tacit_region *region);

/* SPO with ties in W*(chat) decided against us, as its definition says. best_cost = z*(c). */
tacit_status tacit_spo_loss(const tacit_region *region, const double *c, double best_cost, const double *chat,
                            double *work, double *loss, tacit_error *error) TACIT_CHECKED;

/* A cost as it came and as it was predicted. best = w*(c), as tacit_region_minimise gives it with against
   NULL; it does not change with chat, so callers keep it. */
typedef struct tacit_spo_forecast {
  const double *c, *best, *chat;
} tacit_spo_forecast;

/* SPO+ and its gradient in chat, d numbers; loss or gradient may be NULL. smoothing >= 0; 0 is SPO+ itself
   with a subgradient. */
tacit_status tacit_spo_plus(const tacit_region *region, double smoothing, const tacit_spo_forecast *forecast,
                            double *work, double *loss, double *gradient, tacit_error *error) TACIT_CHECKED;

#endif
