/* A cell's date and time of day as one number: seconds since 1970-01-01 00:00 on the clock that the cell
   shows, whatever zone it names. */
#ifndef TACIT_SRC_CLOCK_H
#define TACIT_SRC_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What tacit_moment_parse reads, for format NULL; else text in the format, with blanks around it. Parts of a
   second do not count. False for anything else, for days that no calendar has, and for 24:00. */
bool tacit_clock_read(const char *format, const char *text, size_t length, double *seconds);
/* The same from what columns of dates (days since 1970) and timestamps (units since 1970, so many in a
   second) hold. False beyond the years 1 to 9999. */
bool tacit_clock_of_days(int64_t days, double *seconds);
bool tacit_clock_of_units(int64_t units, int64_t per_second, double *seconds);

/* Whether a format is one: %Y, %m and %d once each, perhaps %H, perhaps with %M, perhaps with %S, and other
   characters between them, which stand for themselves (%% for %). */
bool tacit_clock_format(const char *format);

/* A moment in a format, NULL for ISO 8601, cut at `room` bytes with its end. */
void tacit_clock_print(const char *format, double seconds, char *text, size_t room);

#endif
