/* A restaurant that never was: two years of daily demand for lamb with a week, a year, holidays and weather.

     demand ~ Poisson(M),  M = base(weekday) · trend · season · holiday · weather · evening
     evening is log-normal with mean one: what makes one Friday unlike another, so that counts are
   overdispersed */
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char tacit_restaurant_schema[] =
    "{\n"
    "  \"target\": {\"name\": \"demand\", \"min\": 0, \"max\": 100},\n"
    "  \"features\": [\n"
    "    {\"name\": \"weekday\", \"levels\": [\"MON\", \"TUE\", \"WED\", \"THU\", \"FRI\", \"SAT\", "
    "\"SUN\"]},\n"
    "    {\"name\": \"is_holiday\", \"min\": 0, \"max\": 1, \"missing\": 0},\n"
    "    {\"name\": \"temperature\", \"min\": -15, \"max\": 40, \"missing\": 10},\n"
    "    {\"name\": \"rain\", \"min\": 0, \"max\": 40, \"missing\": 0}\n"
    "  ]\n"
    "}\n";

static const char *const WEEKDAY[7] = {"MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"};
static const double BASE[7] = {24, 25, 27, 31, 45, 49, 34}; /* portions on an ordinary day */
enum { FIRST_YEAR = 2022, FIRST_WEEKDAY = 5 };              /* 1 January 2022 was a Saturday */
static const double YEAR = 365.25, TWO_PI = 6.283185307179586477;
static const double EVENING = 0.14; /* spread of the log of what no column explains */
static const double TREND = 0.10;   /* growth over two years */
static const double MOST = 100;     /* seats, and the schema's bound */
static const double WARMEST = 40, COLDEST = -15, WETTEST = 40; /* the schema's bounds */

typedef struct date {
  int year, month, day; /* month and day from 1 */
} date;

static int month_length(int year, int month) {
  static const int length[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return length[month - 1] + (leap && month == 2);
}

static void tomorrow(date *d) {
  if (d->day++ < month_length(d->year, d->month)) return;
  d->day = 1;
  if (d->month++ < 12) return;
  d->month = 1;
  d->year++;
}

static int day_of_year(date d) {
  int day = d.day;
  for (int month = 1; month < d.month; month++) day += month_length(d.year, month);
  return day;
}

/* The day of the year of Easter Sunday (Gauss, in the form for 1900 to 2099, which the calendar repeats well
   enough beyond). */
static int easter(int year) {
  int a = year % 19, b = year % 4, c = year % 7, d = (19 * a + 24) % 30, e = (2 * b + 4 * c + 6 * d + 5) % 7;
  int march = 22 + d + e;
  if (march == 57) march = 50; /* 26 April becomes the 19th */
  if (march == 56 && d == 28 && a > 10) march = 49;
  return day_of_year((date){year, 2, month_length(year, 2)}) + march;
}

static bool is_holiday(date d) {
  static const int fixed[][2] = {{1, 1},   {1, 6},   {5, 1},   {10, 3}, {11, 1},
                                 {12, 24}, {12, 25}, {12, 26}, {12, 31}};
  static const int after_easter[] = {-2, 0, 1, 39, 50, 60}; /* Good Friday to Corpus Christi */
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    if (d.month == fixed[i][0] && d.day == fixed[i][1]) return true;
  int from_easter = day_of_year(d) - easter(d.year);
  for (size_t i = 0; i < sizeof after_easter / sizeof *after_easter; i++)
    if (from_easter == after_easter[i]) return true;
  return false;
}

/* Christmas Eve and the summer break's Monday and Tuesday. */
static bool is_closed(date d, int weekday) {
  return (d.month == 12 && d.day == 24) || (d.month == 8 && d.day >= 8 && d.day <= 14 && weekday < 2);
}

typedef struct weather {
  double anomaly; /* of the temperature, which lasts for some days */
  bool wet;
  double temperature, rain;
} weather;

static void next_weather(weather *w, date d, tacit_stream *stream) {
  double season = -cos(TWO_PI * (day_of_year(d) - 15) / YEAR); /* coldest in the middle of January */
  w->anomaly = 0.8 * w->anomaly + 2.2 * tacit_normal(stream);
  w->wet = tacit_uniform(stream) < (w->wet ? 0.62 : 0.33); /* wet days follow wet days */
  double amount = -5 * log(tacit_uniform(stream));
  w->temperature = fmin(fmax(10.5 + 9 * season + w->anomaly - (w->wet ? 1 : 0), COLDEST), WARMEST);
  w->rain = w->wet ? fmin(amount, WETTEST) : 0;
}

static int demand(date d, size_t day, int weekday, const weather *w, tacit_stream *stream) {
  double mean = BASE[weekday] * exp(EVENING * tacit_normal(stream) - 0.5 * EVENING * EVENING);
  mean *= 1 + TREND * (double)day / TACIT_RESTAURANT_DAYS;
  mean *= 1 + 0.08 * cos(TWO_PI * (day_of_year(d) - 350) / YEAR); /* lamb is for the winter */
  mean *= is_holiday(d) ? (weekday >= 4 ? 1.1 : 1.35) : 1;
  mean *= 1 - 0.006 * fmax(w->temperature - 18, 0) - 0.004 * fmin(w->rain, 25);
  int served = tacit_poisson(stream, mean);
  return is_closed(d, weekday) ? 0 : served < (int)MOST ? served : (int)MOST;
}

tacit_status tacit_simulate_restaurant(size_t rows, tacit_stream *stream, tacit_writer writer, void *user) {
  static const char header[] = "date,weekday,is_holiday,temperature,rain,demand\n";
  TACIT_TRY(writer(user, header, sizeof header - 1));
  date d = {FIRST_YEAR, 1, 1};
  weather w = {0};
  for (size_t day = 0; day < rows; day++, tomorrow(&d)) {
    int weekday = (int)((day + FIRST_WEEKDAY) % 7);
    next_weather(&w, d, stream);
    /* tenths as whole numbers: a point, whatever the locale */
    long t = lround(10 * w.temperature), r = lround(10 * w.rain);
    char line[96];
    int length = snprintf(line, sizeof line, "%04d-%02d-%02d,%s,%d,%s%ld.%ld,%ld.%ld,%d\n", d.year, d.month,
                          d.day, WEEKDAY[weekday], is_holiday(d), t < 0 ? "-" : "", labs(t) / 10,
                          labs(t) % 10, r / 10, r % 10, demand(d, day, weekday, &w, stream));
    TACIT_TRY(writer(user, line, (size_t)length));
  }
  return TACIT_OK;
}
