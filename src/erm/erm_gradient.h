/* Smoothed ERM of many columns without second derivatives. */
#ifndef TACIT_SRC_ERM_GRADIENT_H
#define TACIT_SRC_ERM_GRADIENT_H

#include "erm/smooth_whiten.h"

typedef struct tacit_gradient_fit {
  const tacit_smooth_pass *pass;
  const tacit_smooth_metric *metric; /* with its moment */
  double h, largest;                 /* the bandwidth; max |y| */
  double enough;                     /* the gradient's norm to go to; or, if near is above 0, */
  double near;                       /* until a step moves the fitted values by less in the quadratic mean */
  const tacit_context *context;
} tacit_gradient_fit;

/* From b to the minimiser of F, by steps whose curvature is learned on the way. *settled: it got there; where
   it did not, b is no worse than it was. */
tacit_status tacit_erm_by_gradients(const tacit_gradient_fit *fit, double *b, bool *settled,
                                    tacit_error *error) TACIT_CHECKED;

#endif
