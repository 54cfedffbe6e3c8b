/* The curves of Z Figs 2 and 3, which need no data. */
#ifndef TACIT_SRC_PAPERS_ZHAO_CURVES_H
#define TACIT_SRC_PAPERS_ZHAO_CURVES_H

#include "base/base.h"

/* fig2: check loss, Horowitz's and the convolution-smoothed one. fig3: trade-off functions. CSV and script
 * each. */
tacit_status tacit_zhao_curves(const char *folder, tacit_error *error) TACIT_CHECKED;

#endif
