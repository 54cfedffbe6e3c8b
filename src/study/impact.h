/* The demand that tacit impact supposes: y = base + slopes'x + e, x standard normal, e normal or Laplace's.
 */
#ifndef TACIT_SRC_IMPACT_H
#define TACIT_SRC_IMPACT_H

#include "random/random.h"

#include <tacit/study.h>

enum { TACIT_IMPACT_COLUMNS = TACIT_IMPACT_FEATURES + 1 };

typedef struct tacit_impact_demand {
  size_t columns;                     /* features and the intercept */
  double theta[TACIT_IMPACT_COLUMNS]; /* of the mean demand */
  double sd;                          /* of e */
  bool laplace;
  double radius; /* the features' norm is at most this: 4 sqrt(features) */
} tacit_impact_demand;

double tacit_impact_error_density(const tacit_impact_demand *demand, double u);
double tacit_impact_error_slope(const tacit_impact_demand *demand, double u); /* the density's derivative */
double tacit_impact_error_quantile(const tacit_impact_demand *demand, double r);
/* E max(m + spread Z + e, 0), Z standard normal. */
double tacit_impact_excess(const tacit_impact_demand *demand, double m, double spread);
/* E Lemma EC.7: Pr(y <= t), the convolution of the features' normal law with the errors'; and its inverse. */
double tacit_impact_cdf(const tacit_impact_demand *demand, double t);
double tacit_impact_quantile(const tacit_impact_demand *demand, double r);
double tacit_impact_draw(const tacit_impact_demand *demand, tacit_stream *stream, double *x);

/* E over x of one policy's order, the newsvendor's profit, the supplier's, and the newsvendor's cost
   (p - w) (y - q)+ + w (q - y)+. */
typedef struct tacit_impact_money {
  double order, newsvendor, supplier, cost;
} tacit_impact_money;
tacit_impact_money tacit_impact_value(const tacit_impact_demand *demand, const tacit_impact_options *prices,
                                      const double *theta);

#endif
