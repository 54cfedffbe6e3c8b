/* Reports: a table that grows row by row, its notes, and its files. */
#ifndef TACIT_SRC_REPORT_H
#define TACIT_SRC_REPORT_H

#include "base/base.h"

#include <tacit/study.h>

/* columns: texts + numbers names, which are copied. *report is to be freed also after an error. */
tacit_status tacit_report_new(const char *name, size_t texts, size_t numbers, const char *const *columns,
                              tacit_report **report, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_report_add(tacit_report *report, const char *const *texts, const double *numbers,
                              tacit_error *error) TACIT_CHECKED;
/* Adds to the notes; what does not fit is cut off. */
void tacit_report_note(tacit_report *report, const char *format, ...) TACIT_PRINTF(2, 3);

/* NAME.csv of the table, NAME.gp with the commands, and NAME.png where gnuplot is installed; a line of the
   notes says so. Does nothing when folder is NULL. */
tacit_status tacit_report_write(tacit_report *report, const char *folder, int width, int height,
                                const char *commands, tacit_error *error) TACIT_CHECKED;

#endif
