/* The figures of Zhao, Zhou and Wang: smoothed losses, trade-off functions, errors and regrets against n, and
   box plots of regrets. */
#include "draw.h"

/* Columns of fig4 to fig6: 1 tau, 2 mu, 3 n, 4 the step, then log error, regret and its standard error, of
   Algorithm 1 and of tacit. */
#define CURVES(law)                                                                                          \
  "what = '" law "'\n"                                                                                       \
  "array tau[3] = [0.25, 0.5, 0.75]\n"                                                                       \
  "array mu[4] = [0, 0.9, 0.5, 0.3]\n"                                                                       \
  "array shade[4] = ['#000000', '#0072b2', '#e69f00', '#d55e00']\n"                                          \
  "array name[4] = ['no privacy', 'mu = 0.9', 'mu = 0.5', 'mu = 0.3']\n"                                     \
  "set multiplot layout 2,3 title what.' (solid: tacit, dashed: as published, at its best step)'\n"          \
  "set xrange [80:520]\n"                                                                                    \
  "set xtics 100\n"                                                                                          \
  "do for [row = 1:2] {\n"                                                                                   \
  "  if (row == 2) { set logscale y; set format y '%g' }\n"                                                  \
  "  do for [t = 1:3] {\n"                                                                                   \
  "    set title sprintf('tau = %g', tau[t])\n"                                                              \
  "    set xlabel 'n'\n"                                                                                     \
  "    set ylabel row == 1 ? 'mean log error' : 'mean regret'\n"                                             \
  "    if (row == 1 && t == 3) { set key top right } else { unset key }\n"                                   \
  "    plot for [m = 1:4] data u ($1 == tau[t] && $2 == mu[m] ? $3 : NaN):(row == 1 ? $8 : $9) \\\n"         \
  "           w lp pt 7 ps 0.7 lw 2 lc rgb shade[m] t name[m], \\\n"                                         \
  "         for [m = 1:4] data u ($1 == tau[t] && $2 == mu[m] ? $3 : NaN):(row == 1 ? $5 : $6) \\\n"         \
  "           w lp pt 6 ps 0.7 lw 1 dt 2 lc rgb shade[m] notitle\n"                                          \
  "  }\n"                                                                                                    \
  "}\n"                                                                                                      \
  "unset multiplot\n"

/* Columns of fig7 to fig9: the repetition, then for each tau and mu Algorithm 1's regret and tacit's. */
#define BOXES(law)                                                                                           \
  "what = '" law "'\n"                                                                                       \
  "array tau[3] = [0.25, 0.5, 0.75]\n"                                                                       \
  "set style data boxplot\n"                                                                                 \
  "set style boxplot outliers pointtype 7\n"                                                                 \
  "set style fill solid 0.35\n"                                                                              \
  "set pointsize 0.25\n"                                                                                     \
  "set boxwidth 0.34\n"                                                                                      \
  "set logscale y\n"                                                                                         \
  "set format y '%g'\n"                                                                                      \
  "set xrange [0.4:4.6]\n"                                                                                   \
  "set yrange [1e-4:3]\n"                                                                                    \
  "set xlabel 'mu'\n"                                                                                        \
  "set xtics ('none' 1, '0.9' 2, '0.5' 3, '0.3' 4)\n"                                                        \
  "set multiplot layout 1,3 title what.': regret at n = 400'\n"                                              \
  "do for [t = 1:3] {\n"                                                                                     \
  "  set title sprintf('tau = %g', tau[t])\n"                                                                \
  "  if (t == 1) { set key bottom right; set ylabel 'regret' } else { unset key; unset ylabel }\n"           \
  "  plot for [m = 1:4] data u (m - 0.2):(column(8 * (t - 1) + 2 * m)) lc rgb '#d55e00' \\\n"                \
  "         t (m == 1 ? 'as published, best step' : ''), \\\n"                                               \
  "       for [m = 1:4] data u (m + 0.2):(column(8 * (t - 1) + 2 * m + 1)) lc rgb '#0072b2' \\\n"            \
  "         t (m == 1 ? 'tacit' : '')\n"                                                                     \
  "}\n"                                                                                                      \
  "unset multiplot\n"

const picture zhao_pictures[] = {
    {"fig2", 800, 520,
     "set title 'Check loss and two smooth relatives (tau = 0.7, Gaussian, bandwidth 0.6)'\n"
     "set xlabel 'demand minus order'\n"
     "set ylabel 'loss'\n"
     "set key top center\n"
     "plot data u 1:2 w l lw 2 lc rgb '#000000' t 'check loss', \\\n"
     "     data u 1:3 w l lw 2 dt 2 lc rgb '#d55e00' t 'Horowitz', \\\n"
     "     data u 1:4 w l lw 2 lc rgb '#0072b2' t 'convolution'\n"},
    {"fig3", 640, 640,
     "set title 'Trade-off functions G_{/Symbol m} of Gaussian differential privacy'\n"
     "set xlabel 'type I error'\n"
     "set ylabel 'type II error'\n"
     "set size square\n"
     "set xrange [0:1]\n"
     "set yrange [0:1]\n"
     "set key top right\n"
     "plot data u 1:2 w l lw 2 lc rgb '#0072b2' t 'mu = 0.3', \\\n"
     "     data u 1:3 w l lw 2 lc rgb '#009e73' t 'mu = 0.5', \\\n"
     "     data u 1:4 w l lw 2 lc rgb '#e69f00' t 'mu = 0.9', \\\n"
     "     data u 1:5 w l lw 2 lc rgb '#d55e00' t 'mu = 3', \\\n"
     "     data u 1:6 w l lw 2 lc rgb '#cc79a7' t 'mu = 6'\n"},
    {"fig4", 1200, 760, CURVES("N(0,1)")},
    {"fig5", 1200, 760, CURVES("t3")},
    {"fig6", 1200, 760, CURVES("0.9N(0,1)+0.1N(0,100)")},
    {"fig7", 1200, 480, BOXES("N(0,1)")},
    {"fig8", 1200, 480, BOXES("t3")},
    {"fig9", 1200, 480, BOXES("0.9N(0,1)+0.1N(0,100)")},
    {NULL, 0, 0, NULL},
};
