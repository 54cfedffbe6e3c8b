/* The market that tacit impact supposes: demand y = base + slopes'x + e, x standard normal, e normal or
   Laplace's, and what an order earns under it. */
#ifndef TACIT_SRC_IMPACT_H
#define TACIT_SRC_IMPACT_H

#include "data/sample.h"
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
/* The companion's Lemma EC.7: Pr(y <= t), the convolution of the features' normal law with the errors'; and
 * its inverse. */
double tacit_impact_cdf(const tacit_impact_demand *demand, double t);
double tacit_impact_quantile(const tacit_impact_demand *demand, double r);
/* Half the target's range: 8 standard deviations of demand. */
double tacit_impact_half(const tacit_impact_demand *demand);
double tacit_impact_draw(const tacit_impact_demand *demand, tacit_stream *stream, double *x);

/* What is known before anybody learns. */
typedef struct tacit_impact_market {
  const tacit_impact_options *prices;
  tacit_impact_demand demand;
  double tau;                        /* (p - w) / p */
  double best[TACIT_IMPACT_COLUMNS]; /* theta*, the best rule */
  double constant;                   /* the best order without features, F_y^-1(tau) */
} tacit_impact_market;
void tacit_impact_market_init(tacit_impact_market *market, const tacit_impact_options *options);

/* E over x of one policy's order, the newsvendor's profit, the supplier's, and the newsvendor's cost
   (p - w) (y - q)+ + w (q - y)+. */
typedef struct tacit_impact_money {
  double order, newsvendor, supplier, cost;
} tacit_impact_money;
tacit_impact_money tacit_impact_value(const tacit_impact_market *market, const double *theta);
/* The same from mean demand, mean order and the demand that is missed. */
tacit_impact_money tacit_impact_earned(const tacit_impact_options *prices, double demand, double order,
                                       double missed);

/* What a learner gave, in units of demand: theta'x + k exp(g'x), the spread as in loss/rule.h. */
typedef struct tacit_impact_order {
  double theta[TACIT_IMPACT_COLUMNS];
  double spread[TACIT_IMPACT_COLUMNS + 1]; /* g, then k; k = 0 where the order is linear */
} tacit_impact_order;

bool tacit_impact_is_linear(const tacit_impact_market *market, const tacit_impact_order *order);

/* Rows of features, drawn once, on which orders with a spread are valued: no integral is exact for them. */
enum { TACIT_IMPACT_POINTS = 4000 };
typedef struct tacit_impact_points {
  double x[TACIT_IMPACT_POINTS][TACIT_IMPACT_COLUMNS];
} tacit_impact_points;

tacit_status tacit_impact_points_draw(const tacit_impact_market *market, tacit_impact_points *points,
                                      tacit_error *error) TACIT_CHECKED;
/* As tacit_impact_value: the best rule's, exactly, and how the two differ on the points. */
tacit_impact_money tacit_impact_value_at(const tacit_impact_market *market, const tacit_impact_points *points,
                                         const tacit_impact_order *order);
/* The variance of an order given its features, over these orders. */
double tacit_impact_variance_at(const tacit_impact_market *market, const tacit_impact_points *points,
                                size_t count, const tacit_impact_order *orders);

/* A published method to stand beside the default learner: what its authors expect of it, and its runs. */
typedef struct tacit_impact_rival {
  const char *expected, *simulated; /* the names of its lines */
  void *self;
  /* At this guarantee and number of rows: the mean of its coefficients and the variance of an order as its
     authors expand them, and in a few words whether the expansion's conditions hold. The runs that follow
     are of this setting. */
  const char *(*expect)(void *self, double epsilon, size_t rows, double *theta, double *variance);
  /* Leaves its coefficients in theta, which come zeroed. */
  tacit_status (*run)(const void *self, const tacit_sample *rows, tacit_stream *noise, double *theta,
                      tacit_error *error);
  void (*note)(const void *self, tacit_report *report); /* adds to the notes, at the last setting */
} tacit_impact_rival;

/* TACIT_USAGE for an option out of its range. */
tacit_status tacit_impact_check(const tacit_impact_options *options, tacit_error *error) TACIT_CHECKED;
/* tacit_impact on this market, beside a rival; NULL: none. */
tacit_status tacit_impact_beside(const tacit_impact_market *market, const tacit_impact_rival *rival,
                                 const tacit_context *context, tacit_report **report,
                                 tacit_error *error) TACIT_CHECKED;
/* What is supposed of the market and what features are worth in it, for the notes; rows is the last number
   learned from. */
void tacit_impact_note(tacit_report *report, const tacit_impact_market *market, size_t rows,
                       size_t repetitions);

#endif
