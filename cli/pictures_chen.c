/* The figures of Chen and Chua and of their companion. Columns are those of the reports, the first one 1. */
#include "draw.h"

/* Risks and errors alike. */
#define METHODS                                                                                              \
  "set logscale xy\n"                                                                                        \
  "set xlabel 'n'\n"                                                                                         \
  "set key outside right\n"                                                                                  \
  "set style fill transparent solid 0.15 noborder\n"                                                         \
  "array name[9] = ['ridge (no privacy)', 'OP', 'SGP (DP-SGD)', 'EmpSGD', 'Moreau SGD', "                    \
  "'Phased-ERM', 'Phased-SGD', 'tacit default', 'tacit objective']\n"                                        \
  "array shade[9] = ['#000000', '#0072b2', '#d55e00', '#e69f00', '#009e73', '#cc79a7', "                     \
  "'#999999', '#56b4e9', '#332288']\n"                                                                       \
  "stats data u 2 nooutput\n"                                                                                \
  "set multiplot layout 1,(STATS_max > STATS_min ? 2 : 1)\n"                                                 \
  "do for [e in (STATS_max > STATS_min ? sprintf('%g %g', STATS_min, STATS_max) : "                          \
  "sprintf('%g', STATS_min))] {\n"                                                                           \
  "  set title 'epsilon = '.e.' (bands: one standard deviation)'\n"                                          \
  "  plot for [m = 1:9] data u (strcol(1) eq name[m] && $2 == real(e) ? $3 : NaN):($4 - $6 > 0 "             \
  "? $4 - $6 : $4 / 10):($4 + $6) w filledcurves lc rgb shade[m] notitle, \\\n"                              \
  "       for [m = 1:9] data u (strcol(1) eq name[m] && $2 == real(e) ? $3 : NaN):4 w lp pt 7 "              \
  "ps 0.7 lw 2 lc rgb shade[m] t name[m]\n"                                                                  \
  "}\n"                                                                                                      \
  "unset multiplot\n"

const picture chen_pictures[] = {
    {"chen-risk", 1300, 520, METHODS},
    {"chen-error", 1300, 520, METHODS},
    {"chen-time", 900, 520,
     "set logscale y\n"
     "set ylabel 'seconds'\n"
     "set style data histogram\n"
     "set style fill solid 0.6\n"
     "set xtics rotate by -30\n"
     "plot data u 4:xtic(1) t 'here', data u 5 t 'in the paper'\n"},
    {"chen-noise", 1200, 460,
     "array at[3] = [1e-2, 1e-4, 1e-6]\n"
     "set logscale xy\n"
     "set xlabel 'epsilon'\n"
     "set ylabel 'sigma / L'\n"
     "set multiplot layout 1,3\n"
     "do for [k = 1:3] {\n"
     "  set title sprintf('delta = %g', at[k])\n"
     "  plot for [c = 4:6] data u (abs($2 / at[k] - 1) < 1e-9 && strcol(1)[1:2] eq 'GP' ? $3 : "
     "NaN):(column(c)) w lp pt 7 lw 2 t word('advanced moments exact', c - 3)\n"
     "}\n"
     "unset multiplot\n"},
    /* curves: u, then one column for each of them in the order of the table, the loss itself last */
    {"chen-smoothing", 1300, 760,
     "curves = 'chen-smoothing-curves.csv'\n"
     "set xlabel 'demand minus order'\n"
     "set key top center\n"
     "set multiplot layout 2,3\n"
     "set title 'Chen and Chua, Fig. 1(a)'\n"
     "plot curves u 1:16 w l lw 2 lc 0 t 'loss', for [k = 2:4] curves u 1:k w l lw 1.5 t "
     "columnhead(k)\n"
     "set title 'Chen and Chua, Fig. 1(b)'\n"
     "plot curves u 1:16 w l lw 2 lc 0 t 'loss', for [k = 5:8] curves u 1:k w l lw 1.5 t "
     "columnhead(k)\n"
     "set title 'Chen and Chua, Fig. 2'\n"
     "plot curves u 1:16 w l lw 2 lc 0 t 'loss', for [k = 9:10] curves u 1:k w l lw 1.5 t "
     "columnhead(k)\n"
     "set title 'Chen and Chua, Fig. 3'\n"
     "plot for [k = 11:12] curves u 1:k w l lw 1.5 t columnhead(k)\n"
     "set title 'companion, Fig. EC.3'\n"
     "plot curves u 1:16 w l lw 2 lc 0 t 'loss', curves u 1:13 w l lw 1.5 t columnhead(13)\n"
     "set title 'companion, Fig. EC.4'\n"
     "plot curves u 1:16 w l lw 2 lc 0 t 'loss', for [k = 14:15] curves u 1:k w l lw 1.5 t "
     "columnhead(k)\n"
     "unset multiplot\n"},
    {"chen-products", 800, 520,
     "set logscale xy\n"
     "set xlabel 'products'\n"
     "set ylabel 'relative excess risk'\n"
     "set key left\n"
     "plot data u 2:8 w lp pt 7 lw 2 t 'tacit, mu / sqrt(S)', data u 2:9 w lp pt 7 lw 2 t 'tacit, "
     "advanced composition', data u 2:10 w lp pt 6 dt 2 t 'OP, advanced composition'\n"},
    {"chen-batch", 1100, 480,
     "array name[5] = ['m = 25', 'm = n^(1/3)', 'm = n^(1/2)', 'm = n^(2/3)', 'm = n']\n"
     "set logscale xy\n"
     "set xlabel 'n'\n"
     "set key left bottom\n"
     "set multiplot layout 1,2\n"
     "set title 'relative excess risk (one standard error)'\n"
     "plot for [k = 1:5] data u (strcol(1) eq name[k] ? $2 : NaN):8:9 w yerrorlines pt 7 lw 2 t "
     "name[k] noenhanced\n"
     "set title 'noise of one step times sqrt(n)'\n"
     "plot for [k = 1:5] data u (strcol(1) eq name[k] ? $2 : NaN):7 w lp pt 7 lw 2 t name[k] "
     "noenhanced\n"
     "unset multiplot\n"},
    {"chen-output", 800, 520,
     "array name[3] = ['no noise', 'as published', 'exact noise']\n"
     "set logscale x\n"
     "set xlabel 'n'\n"
     "set ylabel 'mean distance from q*'\n"
     "set key center right\n"
     "plot for [m = 1:3] data u (strcol(1) eq name[m] ? $2 : NaN):5:6 w yerrorlines pt 7 lw 2 t "
     "name[m]\n"},
    {"chen-discrete", 800, 520,
     "set logscale xy\n"
     "set xlabel 'n'\n"
     "set ylabel 'relative excess loss'\n"
     "plot data u 2:4:5 w yerrorlines lw 2 pt 7 lc rgb '#0072b2' t 'OP (standard error)', \\\n"
     "     data u 2:6 w lp dt 2 lc rgb '#d55e00' t 'Theorem EC.1'\n"},
    {NULL, 0, 0, NULL},
};
