/* Chen and Chua's Figs 1 to 3 and the companion's Figs EC.3 and EC.4: smoothed losses and how far they are
 * from the loss itself. */
#include "loss/check.h"
#include "loss/envelope.h"
#include "papers/chen/chen.h"

#include <math.h>
#include <string.h>

static const double TAU = 0.7; /* Chen and Chua's Fig. 2; the companion states none */
enum { POINTS = 400, REACH = 4 };

typedef enum shape { CONVOLUTION, MOREAU, HELLINGER, PIECEWISE, SHARP, PIECES } shape;
typedef struct curve {
  const char *figure, *name;
  shape shape;
  tacit_kernel kernel;
  double h;
} curve;

/* The papers print no bandwidths with their figures; these are ours. The phi of the companion's Fig. EC.4 is
   Hellinger's with beta = 1. The loss of Chen and Chua's Fig. 3 has slopes -1, -0.2, 0.5, 1.5 with kinks at
   -1.5, 0 and 1.5. */
static const curve CURVES[] = {
    {"Chen and Chua, Fig. 1(a)", "Gaussian h = 0.25", CONVOLUTION, TACIT_KERNEL_GAUSSIAN, 0.25},
    {"Chen and Chua, Fig. 1(a)", "Gaussian h = 0.5", CONVOLUTION, TACIT_KERNEL_GAUSSIAN, 0.5},
    {"Chen and Chua, Fig. 1(a)", "Gaussian h = 1", CONVOLUTION, TACIT_KERNEL_GAUSSIAN, 1},
    {"Chen and Chua, Fig. 1(b)", "Gaussian h = 1", CONVOLUTION, TACIT_KERNEL_GAUSSIAN, 1},
    {"Chen and Chua, Fig. 1(b)", "logistic h = 1", CONVOLUTION, TACIT_KERNEL_LOGISTIC, 1},
    {"Chen and Chua, Fig. 1(b)", "uniform h = 1", CONVOLUTION, TACIT_KERNEL_UNIFORM, 1},
    {"Chen and Chua, Fig. 1(b)", "Epanechnikov h = 1", CONVOLUTION, TACIT_KERNEL_EPANECHNIKOV, 1},
    {"Chen and Chua, Fig. 2", "Gaussian h = 1", CONVOLUTION, TACIT_KERNEL_GAUSSIAN, 1},
    {"Chen and Chua, Fig. 2", "Moreau h = 1", MOREAU, 0, 1},
    {"Chen and Chua, Fig. 3", "four pieces", PIECES, 0, 0},
    {"Chen and Chua, Fig. 3", "four pieces h = 0.5", PIECEWISE, 0, 0.5},
    {"companion, Fig. EC.3", "Moreau h = 2", MOREAU, 0, 2},
    {"companion, Fig. EC.4", "Gaussian h = 1", CONVOLUTION, TACIT_KERNEL_GAUSSIAN, 1},
    {"companion, Fig. EC.4", "Hellinger h = 1", HELLINGER, 0, 1},
    {"all", "the loss", SHARP, 0, 0},
};
enum { COUNT = sizeof CURVES / sizeof *CURVES, KINKS = 3 };
static const double AT[KINKS] = {-1.5, 0, 1.5}, SLOPES[KINKS + 1] = {-1, -0.2, 0.5, 1.5};

static double pieces(double u) {
  double value = SLOPES[0] * (u - AT[0]);
  for (int k = 0; k < KINKS; k++) value += (SLOPES[k + 1] - SLOPES[k]) * fmax(0, u - AT[k]);
  return value;
}

static double loss(const curve *c, double u) {
  switch (c->shape) {
  case CONVOLUTION:
    return tacit_smooth_loss(c->kernel, TAU, c->h, u);
  case MOREAU:
    return tacit_moreau_loss(TAU, c->h, u);
  case HELLINGER:
    return tacit_general_moreau_loss(TACIT_PHI_HELLINGER, 1, TAU, c->h, u);
  case PIECEWISE:
    return tacit_piecewise_smooth(KINKS, AT, SLOPES, 0, c->h, u);
  case PIECES:
    return pieces(u);
  case SHARP:
    break;
  }
  return tacit_check_loss(TAU, u);
}

static double point(int i) {
  return REACH * (2.0 * i / POINTS - 1);
}

static double gap(const curve *c, double u) {
  return loss(c, u) - (c->shape == PIECEWISE || c->shape == PIECES ? pieces(u) : tacit_check_loss(TAU, u));
}

static const char *const COLUMNS[] = {"figure",   "curve",     "bandwidth",  "gap_at_0",
                                      "gap_at_2", "least_gap", "largest_gap"};

static tacit_status add_row(const curve *c, tacit_report *report, tacit_error *error) {
  double least = INFINITY, largest = -INFINITY;
  for (int i = 0; i <= POINTS; i++) {
    double g = gap(c, point(i));
    least = fmin(least, g);
    largest = fmax(largest, g);
  }
  const char *const texts[] = {c->figure, c->name};
  const double line[] = {c->h, gap(c, 0), gap(c, 2), least, largest};
  return tacit_report_add(report, texts, line, error);
}

/* A table of points: u, then one column for each curve in the order of the report, the loss itself last. */
static tacit_status add_curves(tacit_report *report, tacit_error *error) {
  tacit_report *table;
  const char *names[1 + COUNT] = {"u"};
  for (int k = 0; k < COUNT; k++) names[1 + k] = CURVES[k].name;
  TACIT_TRY(tacit_report_table(report, "chen-smoothing-curves", 1 + COUNT, names, &table, error));
  for (int i = 0; i <= POINTS; i++) {
    double line[1 + COUNT] = {point(i)};
    for (int k = 0; k < COUNT; k++) line[1 + k] = loss(&CURVES[k], line[0]);
    TACIT_TRY(tacit_report_add(table, NULL, line, error));
  }
  return TACIT_OK;
}

tacit_status tacit_reproduce_chen_smoothing(const tacit_reproduce_options *options,
                                            const tacit_context *context, tacit_report **report,
                                            tacit_error *error) {
  (void)options;
  (void)context;
  TACIT_TRY(
      tacit_report_new("chen-smoothing", 2, sizeof COLUMNS / sizeof *COLUMNS - 2, COLUMNS, report, error));
  for (int k = 0; k < COUNT - 1; k++) TACIT_TRY(add_row(&CURVES[k], *report, error));
  tacit_report_note(*report, "Smoothed losses less the loss itself, tau = 0.7, on [-4, 4]. Convolution is "
                             "above the loss, by at most kappa_1 h / 2 and at 0; away from 0 its gap falls "
                             "as the kernel's tail does. The Moreau envelope is below it, by tau^2 h / 2 "
                             "and more the farther out; with Hellinger's phi it is above, at a larger gap "
                             "(companion, EC.2.2). The table chen-smoothing-curves has every curve. The "
                             "papers print no bandwidths; these are ours.");
  return add_curves(*report, error);
}
