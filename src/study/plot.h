/* A folder of figures: CSV files, a gnuplot script beside each, and PNG files where gnuplot is installed. */
#ifndef TACIT_SRC_PLOT_H
#define TACIT_SRC_PLOT_H

#include "base/base.h"

#include <stdio.h>

/* Makes the folder if its parent is there. */
tacit_status tacit_plot_folder(const char *folder, tacit_error *error) TACIT_CHECKED;

/* A text file being written; after a failed write the rest is skipped, and closing says so. */
typedef struct tacit_plot_file {
  FILE *file;
  char name[64];
} tacit_plot_file;
tacit_status tacit_plot_open(const char *folder, const char *name, tacit_plot_file *file,
                             tacit_error *error) TACIT_CHECKED;
/* One line of CSV, numbers with a point whatever the locale; NaN is an empty cell. */
void tacit_plot_line(const tacit_plot_file *file, size_t count, const double *values);
tacit_status tacit_plot_close(tacit_plot_file *file, tacit_error *error) TACIT_CHECKED;

/* Writes NAME.gp: a heading (size in pixels) that makes NAME.png from NAME.csv, then the commands. */
tacit_status tacit_plot_script(const char *folder, const char *name, int width, int height,
                               const char *commands, tacit_error *error) TACIT_CHECKED;
/* Runs gnuplot on NAME.gp inside the folder, silently and without a shell. False when gnuplot is not
   installed or fails: the script stays either way. */
bool tacit_plot_draw(const char *folder, const char *name);

#endif
