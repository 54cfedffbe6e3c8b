/* Functions of dates and times, which are ISO text (schema/calendar.h). What is none has no value. */
#include "schema/calendar.h"
#include "schema/clock.h"
#include "source/expression.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool moment_of(const tacit_value *v, tacit_moment *m) {
  return (v->kind == TACIT_VALUE_TEXT || v->kind == TACIT_VALUE_CELL) &&
         tacit_moment_parse(v->text, v->length, m);
}

static int64_t days_of(const tacit_moment *m) {
  return tacit_days_of(m->year, m->month, m->day);
}

static tacit_value printed(const tacit_moment *m, tacit_evaluation *e) {
  char *text = tacit_scratch_take(&e->scratch, TACIT_MOMENT_TEXT);
  return text ? tacit_value_text(text, tacit_moment_print(m, text)) : tacit_value_null();
}

/* Parts of a moment, by the names that SQL has for them. */
typedef enum part {
  YEAR,
  QUARTER,
  MONTH,
  WEEK,
  DAY,
  HOUR,
  MINUTE,
  SECOND, /* up to here a moment can be cut to the part, and differences counted in it */
  DAY_OF_WEEK,
  ISO_DAY,
  DAY_OF_YEAR,
  YEAR_WEEK,
  EPOCH
} part;

static const struct {
  const char *name;
  part is;
} PARTS[] = {{"year", YEAR},
             {"quarter", QUARTER},
             {"month", MONTH},
             {"week", WEEK},
             {"weekofyear", WEEK},
             {"day", DAY},
             {"hour", HOUR},
             {"minute", MINUTE},
             {"second", SECOND},
             {"dow", DAY_OF_WEEK},
             {"dayofweek", DAY_OF_WEEK},
             {"weekday", DAY_OF_WEEK},
             {"isodow", ISO_DAY},
             {"doy", DAY_OF_YEAR},
             {"dayofyear", DAY_OF_YEAR},
             {"yearweek", YEAR_WEEK},
             {"epoch", EPOCH}};

static bool part_of(const tacit_value *v, part *p) {
  for (size_t i = 0; v->kind == TACIT_VALUE_TEXT && i < sizeof PARTS / sizeof *PARTS; i++)
    if (tacit_same_word(v->text, v->length, PARTS[i].name)) {
      *p = PARTS[i].is;
      return true;
    }
  return false;
}

static double extract(const tacit_moment *m, part p) {
  int64_t days = days_of(m);
  int week_year = 0, week = tacit_iso_week(days, &week_year);
  switch (p) {
  case YEAR:
    return m->year;
  case QUARTER:
    return (m->month + 2) / 3;
  case MONTH:
    return m->month;
  case WEEK:
    return week;
  case DAY:
    return m->day;
  case HOUR:
    return m->hour;
  case MINUTE:
    return m->minute;
  case SECOND:
    return m->second;
  case DAY_OF_WEEK:
    return tacit_weekday(days) % 7; /* Sunday is 0 */
  case ISO_DAY:
    return tacit_weekday(days);
  case DAY_OF_YEAR:
    return (double)(days - tacit_days_of(m->year, 1, 1) + 1);
  case YEAR_WEEK:
    return 100 * week_year + week;
  case EPOCH:
    return (double)days * 86400 + m->hour * 3600 + m->minute * 60 + m->second + m->nanosecond / 1e9;
  }
  return 0;
}

static tacit_value date_part(const tacit_value *v, size_t count, tacit_evaluation *e) {
  tacit_moment m;
  part p;
  (void)count;
  (void)e;
  return part_of(v, &p) && moment_of(v + 1, &m) ? tacit_value_number(extract(&m, p)) : tacit_value_null();
}

/* year(d) and so on: date_part of the function's own name. */
#define PART(name, is)                                                                                       \
  static tacit_value name(const tacit_value *v, size_t count, tacit_evaluation *e) {                         \
    tacit_moment m;                                                                                          \
    (void)count;                                                                                             \
    (void)e;                                                                                                 \
    return moment_of(v, &m) ? tacit_value_number(extract(&m, is)) : tacit_value_null();                      \
  }
PART(year, YEAR)
PART(quarter, QUARTER)
PART(month, MONTH)
PART(week, WEEK)
PART(day, DAY)
PART(hour, HOUR)
PART(minute, MINUTE)
PART(second, SECOND)
PART(day_of_week, DAY_OF_WEEK)
PART(iso_day, ISO_DAY)
PART(day_of_year, DAY_OF_YEAR)
PART(year_week, YEAR_WEEK)
PART(epoch, EPOCH)

static const char *const DAYS[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                   "Friday", "Saturday", "Sunday"};
static const char *const MONTHS[] = {"January", "February", "March",     "April",   "May",      "June",
                                     "July",    "August",   "September", "October", "November", "December"};

static tacit_value day_name(const tacit_value *v, size_t count, tacit_evaluation *e) {
  tacit_moment m;
  (void)count;
  (void)e;
  if (!moment_of(v, &m)) return tacit_value_null();
  const char *name = DAYS[tacit_weekday(days_of(&m)) - 1];
  return tacit_value_text(name, strlen(name));
}

static tacit_value month_name(const tacit_value *v, size_t count, tacit_evaluation *e) {
  tacit_moment m;
  (void)count;
  (void)e;
  if (!moment_of(v, &m)) return tacit_value_null();
  const char *name = MONTHS[m.month - 1];
  return tacit_value_text(name, strlen(name));
}

static tacit_value last_day(const tacit_value *v, size_t count, tacit_evaluation *e) {
  tacit_moment m;
  (void)count;
  if (!moment_of(v, &m)) return tacit_value_null();
  m.day = tacit_month_length(m.year, m.month);
  m.hour = m.minute = m.second = m.nanosecond = 0;
  return printed(&m, e);
}

/* The first moment of the part that m lies in. False where no calendar has it. */
static bool cut(tacit_moment *m, part p) {
  if (p == WEEK) {
    int64_t monday = days_of(m) - tacit_weekday(days_of(m)) + 1;
    if (monday < tacit_days_of(1, 1, 1)) return false;
    tacit_date_of(monday, &m->year, &m->month, &m->day);
  }
  if (p == YEAR) m->month = 1;
  if (p == QUARTER) m->month = (m->month - 1) / 3 * 3 + 1;
  if (p <= MONTH) m->day = 1;
  if (p <= DAY) m->hour = 0;
  if (p <= HOUR) m->minute = 0;
  if (p <= MINUTE) m->second = 0;
  m->nanosecond = 0;
  return p <= SECOND;
}

static tacit_value date_trunc(const tacit_value *v, size_t count, tacit_evaluation *e) {
  tacit_moment m;
  part p;
  (void)count;
  return part_of(v, &p) && moment_of(v + 1, &m) && cut(&m, p) ? printed(&m, e) : tacit_value_null();
}

/* How many times a part begins between the first moment and the second. */
static double index_of(const tacit_moment *m, part p) {
  double days = (double)days_of(m);
  switch (p) {
  case YEAR:
    return m->year;
  case QUARTER:
    return m->year * 4 + (m->month - 1) / 3;
  case MONTH:
    return m->year * 12 + m->month;
  case WEEK:
    return floor((days + 3) / 7); /* days since Monday, 1969-12-29 */
  case DAY:
    return days;
  case HOUR:
    return days * 24 + m->hour;
  case MINUTE:
    return (days * 24 + m->hour) * 60 + m->minute;
  default:
    return ((days * 24 + m->hour) * 60 + m->minute) * 60 + m->second;
  }
}

static tacit_value date_diff(const tacit_value *v, size_t count, tacit_evaluation *e) {
  tacit_moment from, to;
  part p;
  (void)count;
  (void)e;
  if (!part_of(v, &p) || p > SECOND || !moment_of(v + 1, &from) || !moment_of(v + 2, &to))
    return tacit_value_null();
  return tacit_value_number(index_of(&to, p) - index_of(&from, p));
}

static tacit_value make_date(const tacit_value *v, size_t count, tacit_evaluation *e) {
  double field[3];
  (void)count;
  for (size_t i = 0; i < 3; i++)
    if (!tacit_value_as_number(v + i, &field[i]) || !(fabs(field[i]) < 1e6)) return tacit_value_null();
  tacit_moment m = {.year = (int)field[0], .month = (int)field[1], .day = (int)field[2]};
  return tacit_date_exists(m.year, m.month, m.day) ? printed(&m, e) : tacit_value_null();
}

/* One specifier of strftime; false for one that is not known. */
static bool format(char specifier, const tacit_moment *m, char out[16]) {
  int64_t days = days_of(m);
  int week_year, week = tacit_iso_week(days, &week_year), weekday = tacit_weekday(days);
  const char *day_word = DAYS[weekday - 1], *month_word = MONTHS[m->month - 1];
  switch (specifier) {
  case 'Y':
    return snprintf(out, 16, "%04d", m->year);
  case 'G':
    return snprintf(out, 16, "%04d", week_year);
  case 'y':
    return snprintf(out, 16, "%02d", m->year % 100);
  case 'm':
    return snprintf(out, 16, "%02d", m->month);
  case 'd':
    return snprintf(out, 16, "%02d", m->day);
  case 'H':
    return snprintf(out, 16, "%02d", m->hour);
  case 'M':
    return snprintf(out, 16, "%02d", m->minute);
  case 'S':
    return snprintf(out, 16, "%02d", m->second);
  case 'j':
    return snprintf(out, 16, "%03d", (int)extract(m, DAY_OF_YEAR));
  case 'V':
    return snprintf(out, 16, "%02d", week);
  case 'u':
    return snprintf(out, 16, "%d", weekday);
  case 'w':
    return snprintf(out, 16, "%d", weekday % 7);
  case 'a':
    return snprintf(out, 16, "%.3s", day_word);
  case 'A':
    return snprintf(out, 16, "%s", day_word);
  case 'b':
    return snprintf(out, 16, "%.3s", month_word);
  case 'B':
    return snprintf(out, 16, "%s", month_word);
  case '%':
    return snprintf(out, 16, "%%");
  default:
    return false;
  }
}

static tacit_value format_moment(const tacit_value *v, size_t count, tacit_evaluation *e) {
  enum { TEXT = 256 };
  tacit_moment m;
  size_t length = 0;
  (void)count;
  if (!moment_of(v, &m) || v[1].kind == TACIT_VALUE_NUMBER) return tacit_value_null();
  char *text = tacit_scratch_take(&e->scratch, TEXT), word[16];
  if (!text) return tacit_value_null();
  for (const char *p = v[1].text, *end = p + v[1].length; p < end; p++) {
    size_t more = 1;
    word[0] = *p;
    if (*p == '%') {
      if (++p == end || !format(*p, &m, word)) return tacit_value_null();
      more = strlen(word);
    }
    if (length + more > TEXT) return tacit_value_null();
    memcpy(text + length, word, more);
    length += more;
  }
  return tacit_value_text(text, length);
}

/* A text in the form that the second argument says, as a moment. */
static bool read_moment(const tacit_value *v, tacit_evaluation *e, tacit_moment *m) {
  tacit_value text = tacit_value_as_text(v, &e->scratch);
  char *format = v[1].kind == TACIT_VALUE_TEXT ? tacit_scratch_take(&e->scratch, v[1].length + 1) : NULL;
  double seconds;
  if (format) {
    memcpy(format, v[1].text, v[1].length);
    format[v[1].length] = 0;
  }
  if (!format || !tacit_clock_format(format)) {
    e->trouble = "strptime needs a format of %Y, %m and %d, perhaps with %H, %M and %S, such as '%d.%m.%Y'";
    return false;
  }
  if (text.kind == TACIT_VALUE_NULL || !tacit_clock_read(format, text.text, text.length, &seconds))
    return false;
  int64_t whole = (int64_t)seconds, rest = (whole % 86400 + 86400) % 86400;
  *m =
      (tacit_moment){.hour = (int)(rest / 3600), .minute = (int)(rest / 60 % 60), .second = (int)(rest % 60)};
  tacit_date_of((whole - rest) / 86400, &m->year, &m->month, &m->day);
  return true;
}

static tacit_value try_strptime(const tacit_value *v, size_t count, tacit_evaluation *e) {
  tacit_moment m;
  (void)count;
  return read_moment(v, e, &m) ? printed(&m, e) : tacit_value_null();
}

static tacit_value strptime_or_stop(const tacit_value *v, size_t count, tacit_evaluation *e) {
  tacit_value value = try_strptime(v, count, e);
  if (value.kind == TACIT_VALUE_NULL && !e->trouble)
    e->trouble = "strptime has no value for it; try_strptime gives an empty cell there";
  return value;
}

const tacit_function tacit_date_functions[] = {
    {"year", 1, 1, .body = year},
    {"quarter", 1, 1, .body = quarter},
    {"month", 1, 1, .body = month},
    {"week", 1, 1, .body = week},
    {"weekofyear", 1, 1, .body = week},
    {"day", 1, 1, .body = day},
    {"hour", 1, 1, .body = hour},
    {"minute", 1, 1, .body = minute},
    {"second", 1, 1, .body = second},
    {"dayofweek", 1, 1, .body = day_of_week},
    {"weekday", 1, 1, .body = day_of_week},
    {"isodow", 1, 1, .body = iso_day},
    {"dayofyear", 1, 1, .body = day_of_year},
    {"yearweek", 1, 1, .body = year_week},
    {"epoch", 1, 1, .body = epoch},
    {"dayname", 1, 1, .body = day_name},
    {"monthname", 1, 1, .body = month_name},
    {"last_day", 1, 1, .body = last_day},
    {"date_part", 2, 2, .body = date_part},
    {"datepart", 2, 2, .body = date_part},
    {"date_trunc", 2, 2, .body = date_trunc},
    {"datetrunc", 2, 2, .body = date_trunc},
    {"date_diff", 3, 3, .body = date_diff},
    {"datediff", 3, 3, .body = date_diff},
    {"make_date", 3, 3, .body = make_date},
    {"strftime", 2, 2, .body = format_moment},
    {"strptime", 2, 2, .body = strptime_or_stop},
    {"try_strptime", 2, 2, .body = try_strptime},
    {.name = NULL},
};
