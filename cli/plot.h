/* Files of figures: tables as CSV, gnuplot scripts, and gnuplot itself where it is installed. Where an int is
   returned it is -1 to go on, or the exit code after a message. */
#ifndef TACIT_CLI_PLOT_H
#define TACIT_CLI_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Makes the folder if its parent is there. */
int plot_folder(const char *folder);

/* A text file being written; after a failed write the rest is skipped, and closing says so. */
typedef struct plot_file {
  FILE *file;
  char name[64];
} plot_file;
int plot_open(const char *folder, const char *name, plot_file *file);
/* One line of CSV, each number with as many digits as read back to the same one; NaN is an empty cell. */
void plot_line(const plot_file *file, size_t count, const double *values);
int plot_close(plot_file *file);

/* A picture that NAME.gp draws from NAME.csv: its size in pixels, and gnuplot's commands; `data` is there the
   file's name. */
typedef struct picture {
  const char *name;
  int width, height;
  const char *commands;
} picture;
int plot_script(const char *folder, const picture *p);
/* Runs gnuplot on NAME.gp inside the folder, silently and without a shell. False when gnuplot is not
   installed or fails: the script stays either way. */
bool plot_draw(const char *folder, const char *name);

#endif
