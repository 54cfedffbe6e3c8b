/* Reports: a table that grows row by row, its notes, and further tables of points for its figures. */
#ifndef TACIT_SRC_REPORT_H
#define TACIT_SRC_REPORT_H

#include "base/base.h"

#include <tacit/study.h>

/* columns: texts + numbers names, which are copied. *report is to be freed also after an error. */
tacit_status tacit_report_new(const char *name, size_t texts, size_t numbers, const char *const *columns,
                              tacit_report **report, tacit_error *error) TACIT_CHECKED;
/* One more table of numbers behind the report's last; *table is the report's own. */
tacit_status tacit_report_table(tacit_report *report, const char *name, size_t numbers,
                                const char *const *columns, tacit_report **table,
                                tacit_error *error) TACIT_CHECKED;
/* texts is not looked at where the table has none. */
tacit_status tacit_report_add(tacit_report *report, const char *const *texts, const double *numbers,
                              tacit_error *error) TACIT_CHECKED;
/* Adds to the notes; what does not fit is cut off. */
void tacit_report_note(tacit_report *report, const char *format, ...) TACIT_PRINTF(2, 3);

#endif
