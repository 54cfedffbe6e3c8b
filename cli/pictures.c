/* The figures of the supply chain, and Wang and Qin's Figure 3. Columns are those of the reports, the
 * first 1. */
#include "draw.h"

const picture other_pictures[] = {
    {"impact", 1200, 480,
     "array name[3] = ['OP (simulated)', 'OP (Props 2-4)', 'tacit default (simulated)']\n"
     "set logscale x\n"
     "set xlabel 'n'\n"
     "set key bottom right\n"
     "set multiplot layout 1,2\n"
     "stats data u 3 nooutput\n"
     "set title sprintf('bias of the order, epsilon = %g (two standard errors)', STATS_min)\n"
     "plot for [m = 1:3] data u (strcol(1) eq name[m] && $3 == STATS_min ? $4 : NaN):6:(m == 2 ? "
     "0 : 2 * $7) w yerrorlines pt 7 lw 2 t name[m]\n"
     "set title 'supplier share of the profit'\n"
     "plot for [m = 1:3] data u (strcol(1) eq name[m] && $3 == STATS_min ? $4 : NaN):12 w lp pt 7 "
     "lw 2 t name[m], data u (strcol(1) eq 'no privacy (simulated)' ? $4 : NaN):12 w lp pt 6 lw 2 "
     "lc 'black' t 'no privacy'\n"
     "unset multiplot\n"},
    {"wang-figure3", 800, 500,
     "set logscale y\n"
     "set xlabel 'rows'\n"
     "set ylabel 'SPO loss'\n"
     "set key top right\n"
     "names = '\"without noise\" \"Algorithm 1\" \"Algorithm 2\" \"tacit, mu = 0.3\" \"tacit, mu "
     "= 0.5\" \"tacit, mu = 0.9\"'\n"
     "plot for [k=1:6] data using 2:(strcol(1) eq word(names, k) ? $3 : NaN) with linespoints "
     "title word(names, k)\n"},
    {NULL, 0, 0, NULL},
};
