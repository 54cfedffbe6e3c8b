/* What of a cell a feature is made of: how it is read, and a moment's weekday, month, hour and so on. */
#include "schema/calendar.h"
#include "schema/parse.h"

#include <assert.h>
#include <math.h>

static const double DAY = 86400, HOUR = 3600;

const char *tacit_part_name(tacit_cell_part part) {
  static const char *const NAMES[] = {
      [TACIT_PART_CELL] = "",           [TACIT_PART_FLAG] = "flag",
      [TACIT_PART_WEEKDAY] = "weekday", [TACIT_PART_MONTH] = "month",
      [TACIT_PART_WEEK] = "week",       [TACIT_PART_HOUR] = "hour",
      [TACIT_PART_HOLIDAY] = "holiday", [TACIT_PART_DAY_OF_YEAR] = "day-of-year",
      [TACIT_PART_TREND] = "trend",
  };
  return NAMES[part];
}

tacit_reads tacit_feature_reads(const tacit_feature *feature) {
  if (feature->kind == TACIT_FEATURE_LAG || feature->factor_count > 0) return TACIT_READS_NOTHING;
  if (feature->part == TACIT_PART_FLAG) return TACIT_READS_FLAG;
  if (feature->part != TACIT_PART_CELL) return TACIT_READS_MOMENT;
  return feature->kind == TACIT_FEATURE_CATEGORY ? TACIT_READS_LEVEL : TACIT_READS_NUMBER;
}

double tacit_feature_limit(const tacit_feature *feature) {
  bool scaled = feature->kind == TACIT_FEATURE_NUMBER || feature->kind == TACIT_FEATURE_LAG ||
                feature->kind == TACIT_FEATURE_PRODUCT;
  return scaled ? feature->scale.limit : 1;
}

static bool is_holiday(const tacit_feature *feature, int64_t day) {
  size_t low = 0, high = feature->holiday_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (feature->holidays[middle] == day) return true;
    if (feature->holidays[middle] < day)
      low = middle + 1;
    else
      high = middle;
  }
  return false;
}

static int month_of(int64_t day) {
  int year, month, of_month;
  tacit_date_of(day, &year, &month, &of_month);
  return month;
}

static int week_of(int64_t day) {
  int year;
  return tacit_iso_week(day, &year);
}

static int day_of_year(int64_t day) {
  int year, month, of_month;
  tacit_date_of(day, &year, &month, &of_month);
  return (int)(day - tacit_days_of(year, 1, 1)) + 1;
}

double tacit_feature_part(const tacit_feature *feature, double x) {
  double days = floor(x / DAY);
  int64_t day = (int64_t)days;
  switch (feature->part) {
  case TACIT_PART_CELL:
  case TACIT_PART_FLAG:
    break;
  case TACIT_PART_WEEKDAY:
    return tacit_weekday(day) - 1;
  case TACIT_PART_MONTH:
    return month_of(day) - 1;
  case TACIT_PART_WEEK:
    return week_of(day) - 1;
  case TACIT_PART_HOUR:
    return floor((x - days * DAY) / HOUR);
  case TACIT_PART_HOLIDAY:
    return is_holiday(feature, day);
  case TACIT_PART_DAY_OF_YEAR:
    return day_of_year(day);
  case TACIT_PART_TREND:
    return x / DAY - feature->start;
  }
  return x;
}
