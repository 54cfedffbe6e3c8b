/* The curves of Zhao, Zhou and Wang's Figs 2 and 3, which need no data. */
#ifndef TACIT_SRC_PAPERS_ZHAO_CURVES_H
#define TACIT_SRC_PAPERS_ZHAO_CURVES_H

#include "study/report.h"

/* Adds the tables fig2 (check loss, Horowitz's and the convolution-smoothed one) and fig3 (trade-off
   functions) to the report. */
tacit_status tacit_zhao_curves(tacit_report *report, tacit_error *error) TACIT_CHECKED;

#endif
