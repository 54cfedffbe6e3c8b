/* Four bakeries that never were: two years of what each would have sold of three products on each day, as a
   till's export has it: dates, true and false, an empty cell here and there.

     demand ~ Poisson(M),  M = size(shop, weekday) · product · trend · holiday · promotion · weather · day
     day is log-normal with mean one and a spread of the shop's own

   Effects multiply, each shop has a week of its own, and demand by the harbour scatters most. */
#include "schema/calendar.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Public holidays, for the schema and for the rows. */
#define HOLIDAYS                                                                                             \
  "\"2023-01-01\", \"2023-04-07\", \"2023-04-10\", \"2023-05-01\", \"2023-05-18\", \"2023-05-29\",\n"        \
  "                  \"2023-10-03\", \"2023-12-25\", \"2023-12-26\", \"2024-01-01\", \"2024-03-29\", "       \
  "\"2024-04-01\",\n"                                                                                        \
  "                  \"2024-05-01\", \"2024-05-09\", \"2024-05-20\", \"2024-10-03\", \"2024-12-25\", "       \
  "\"2024-12-26\",\n"                                                                                        \
  "                  \"2025-01-01\", \"2025-04-18\", \"2025-04-21\", \"2025-05-01\", \"2025-05-29\", "       \
  "\"2025-06-09\",\n"                                                                                        \
  "                  \"2025-10-03\", \"2025-12-25\", \"2025-12-26\""

const char tacit_shops_schema[] =
    "{\n"
    "  \"target\": {\"name\": \"demand\", \"min\": 0, \"max\": 300, \"transform\": \"log\"},\n"
    "  \"features\": [\n"
    "    {\"name\": \"date\", \"date\": [\"weekday\", \"trend\"], \"start\": \"2023-01-01\", \"end\": "
    "\"2025-12-31\",\n"
    "     \"holidays\": [" HOLIDAYS "]},\n"
    "    {\"name\": \"shop\", \"levels\": [\"Harbour\", \"Market\", \"Station\", \"University\"]},\n"
    "    {\"name\": \"product\", \"levels\": [\"bread\", \"cake\", \"croissant\"]},\n"
    "    {\"name\": \"promotion\", \"flag\": true},\n"
    "    {\"name\": \"temperature\", \"min\": -15, \"max\": 40, \"missing\": 10},\n"
    "    {\"interaction\": [\"shop\", \"weekday\"]}\n"
    "  ]\n"
    "}\n";

enum { SHOPS = 4, PRODUCTS = 3, WEEK = 7, FIRST_YEAR = 2023 };
static const struct {
  const char *name;
  double week[WEEK]; /* its customers from Monday to Sunday, of an average shop's on an average day */
  double spread;     /* of the logarithm of what no column explains */
  double holiday;    /* how much more or less comes on one */
  double degree;     /* and with each degree above 10 */
} SHOP[SHOPS] = {
    {"Harbour", {0.70, 0.70, 0.75, 0.85, 1.05, 1.50, 1.60}, 0.32, 1.35, 0.020},
    {"Market", {0.95, 1.05, 1.55, 1.10, 1.40, 2.05, 0.55}, 0.20, 0.50, 0.004},
    {"Station", {1.95, 1.90, 1.90, 1.95, 2.10, 0.85, 0.60}, 0.12, 0.45, 0},
    {"University", {0.95, 1.00, 1.00, 0.95, 0.70, 0.30, 0.20}, 0.25, 0.30, -0.004},
};
static const struct {
  const char *name;
  double base;      /* pieces on an average day */
  double promotion; /* how much more sells in a week of promotion */
} PRODUCT[PRODUCTS] = {{"bread", 42, 1.25}, {"cake", 11, 1.60}, {"croissant", 27, 1.40}};
static const double GROWTH = 0.08 / 365.25; /* a day */
static const double ON_PROMOTION = 0.12;    /* of the weeks */
static const double NOT_MEASURED = 0.01;    /* of the days: the cell of the temperature is empty */
static const double MOST = 300;             /* the schema's bound */
static const double TWO_PI = 6.283185307179586477;

/* What all rows of a day share. */
typedef struct today {
  int64_t days; /* since 1970 */
  char date[TACIT_MOMENT_TEXT];
  double anomaly; /* of the temperature, which lasts for some days */
  long tenths;    /* the temperature */
  bool measured, holiday;
  bool promotion[SHOPS][PRODUCTS]; /* from Monday to Sunday */
} today;

static void next_day(today *t, size_t day, tacit_stream *stream) {
  tacit_moment date = {0};
  t->days = tacit_days_of(FIRST_YEAR, 1, 1) + (int64_t)day;
  tacit_date_of(t->days, &date.year, &date.month, &date.day);
  tacit_moment_print(&date, t->date);
  double season = -cos(TWO_PI * (double)(t->days - tacit_days_of(date.year, 1, 15)) / 365.25);
  t->anomaly = 0.8 * t->anomaly + 2.2 * tacit_normal(stream);
  t->tenths = lround(10 * fmin(fmax(10.5 + 9 * season + t->anomaly, -15), 40));
  t->measured = tacit_uniform(stream) >= NOT_MEASURED;
  t->holiday = strstr(HOLIDAYS, t->date) != NULL;
  if (day && tacit_weekday(t->days) != 1) return;
  for (size_t s = 0; s < SHOPS; s++)
    for (size_t p = 0; p < PRODUCTS; p++) t->promotion[s][p] = tacit_uniform(stream) < ON_PROMOTION;
}

static int demand(const today *t, size_t day, size_t s, size_t p, tacit_stream *stream) {
  double mean = PRODUCT[p].base * SHOP[s].week[tacit_weekday(t->days) - 1];
  mean *= exp(SHOP[s].spread * tacit_normal(stream) - 0.5 * SHOP[s].spread * SHOP[s].spread);
  mean *= exp(GROWTH * (double)day + SHOP[s].degree * (0.1 * (double)t->tenths - 10));
  if (t->holiday) mean *= SHOP[s].holiday;
  if (t->promotion[s][p]) mean *= PRODUCT[p].promotion;
  return tacit_poisson(stream, fmin(mean, 0.75 * MOST));
}

tacit_status tacit_simulate_shops(size_t rows, tacit_stream *stream, tacit_writer writer, void *user) {
  static const char header[] = "date,shop,product,promotion,temperature,demand\n";
  TACIT_TRY(writer(user, header, sizeof header - 1));
  today t = {0};
  for (size_t row = 0; row < rows; row++) {
    size_t day = row / (SHOPS * PRODUCTS), s = row / PRODUCTS % SHOPS, p = row % PRODUCTS;
    if (row % (SHOPS * PRODUCTS) == 0) next_day(&t, day, stream);
    char line[160], degrees[32] = "";
    /* tenths as whole numbers: a point, whatever the locale */
    if (t.measured)
      snprintf(degrees, sizeof degrees, "%s%ld.%ld", t.tenths < 0 ? "-" : "", labs(t.tenths) / 10,
               labs(t.tenths) % 10);
    int length = snprintf(line, sizeof line, "%s,%s,%s,%s,%s,%d\n", t.date, SHOP[s].name, PRODUCT[p].name,
                          t.promotion[s][p] ? "true" : "false", degrees, demand(&t, day, s, p, stream));
    TACIT_TRY(writer(user, line, (size_t)length));
  }
  return TACIT_OK;
}
