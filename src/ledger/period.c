/* Budgets that count for each period by itself: units do not cross periods, as whoever opens the label
   asserts, so that releases about different periods compose in parallel (proofs/ledger.md, Claim 8). An
   entry's measure has "per month" behind its first word, and a spending's "per month in 2024-03". Every
   period has one name alone: another spelling would be a fresh budget. */
#include "ledger/ledger.h"

#include "privacy/certificate.h"

#include <stdio.h>
#include <string.h>

/* How the names of a kind of period look: 0 stands for a digit. */
static const struct {
  const char *per, *form, *example;
} KINDS[] = {{"day", "0000-00-00", "2024-03-31"},
             {"week", "0000-W00", "2024-W13"},
             {"month", "0000-00", "2024-03"},
             {"quarter", "0000-Q0", "2024-Q1"},
             {"year", "0000", "2024"}};
enum { COUNT = sizeof KINDS / sizeof *KINDS };

static size_t kind_of(const char *per) {
  size_t k = 0;
  while (k < COUNT && strcmp(KINDS[k].per, per) != 0) k++;
  return k;
}

bool tacit_per_known(const char *per) {
  return kind_of(per) < COUNT;
}

const char *tacit_per_example(const char *per) {
  size_t k = kind_of(per);
  return k < COUNT ? KINDS[k].example : "";
}

static bool within(const char *digits, int least, int most) {
  int number = 0;
  for (; *digits >= '0' && *digits <= '9'; digits++) number = number * 10 + (*digits - '0');
  return number >= least && number <= most;
}

static int number_at(const char *digits, size_t count) {
  int number = 0;
  for (size_t i = 0; i < count; i++) number = number * 10 + (digits[i] - '0');
  return number;
}

/* 1st January of the year, as a day of the week: 0 is Monday. */
static int first_weekday(int year) {
  int before = year - 1;
  return (before * 365 + before / 4 - before / 100 + before / 400) % 7; /* 0001-01-01 was a Monday */
}

/* A day or week that no calendar has would be a fresh budget for another one's records. */
static bool is_leap(int year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in(int year, int month) {
  static const int DAYS[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return DAYS[month - 1] + (month == 2 && is_leap(year));
}

/* ISO 8601: a year has 53 weeks if it begins on a Thursday, or, a leap year, on a Wednesday. */
static int weeks_in(int year) {
  int first = first_weekday(year);
  return first == 3 || (first == 2 && is_leap(year)) ? 53 : 52;
}

bool tacit_period_of(const char *per, const char *period) {
  size_t k = kind_of(per);
  if (k == COUNT || strlen(period) != strlen(KINDS[k].form)) return false;
  for (size_t i = 0; period[i]; i++) {
    bool digit = period[i] >= '0' && period[i] <= '9';
    if (KINDS[k].form[i] == '0' ? !digit : period[i] != KINDS[k].form[i]) return false;
  }
  int year = number_at(period, 4);
  if (year < 1) return false;
  switch (per[0]) {
  case 'd':
    return within(period + 5, 1, 12) && within(period + 8, 1, days_in(year, number_at(period + 5, 2)));
  case 'w':
    return within(period + 6, 1, weeks_in(year));
  case 'm':
    return within(period + 5, 1, 12);
  case 'q':
    return within(period + 6, 1, 4);
  default:
    return true;
  }
}

void tacit_period_put(const char *per, const char *period, char measure[TACIT_LEDGER_MEASURE_SIZE]) {
  char rest[TACIT_LEDGER_MEASURE_SIZE], *space = strchr(measure, ' ');
  snprintf(rest, sizeof rest, "%s", space ? space : "");
  if (space) *space = 0;
  size_t n = strlen(measure);
  snprintf(measure + n, TACIT_LEDGER_MEASURE_SIZE - n, " per %.8s%s%.24s%.*s", per, period ? " in " : "",
           period ? period : "", TACIT_LEDGER_COLUMN_MAX + 40, rest);
}

/* The next word, if it fits; what follows it and its space. */
static const char *take_word(const char *text, char *word, size_t size) {
  size_t n = strcspn(text, " ");
  if (n == 0 || n >= size) return NULL;
  memcpy(word, text, n);
  word[n] = 0;
  return text + n + (text[n] == ' ' && text[n + 1]);
}

const char *tacit_period_take(const char *unit, char per[TACIT_PER_SIZE], char period[TACIT_PERIOD_MAX + 1]) {
  per[0] = period[0] = 0;
  if (strncmp(unit, "per ", 4) != 0) return unit;
  const char *at = take_word(unit + 4, per, TACIT_PER_SIZE);
  if (!at || !tacit_per_known(per)) return NULL;
  if (!strncmp(at, "in ", 3)) {
    at = take_word(at + 3, period, TACIT_PERIOD_MAX + 1);
    if (!at || !tacit_period_of(per, period)) return NULL;
  }
  return at;
}

tacit_label *tacit_ledger_find_in(const tacit_ledger *ledger, const char *label, const char *period) {
  for (size_t i = 0; i < ledger->label_count; i++)
    if (!strcmp(ledger->labels[i].name, label) && !strcmp(ledger->labels[i].period, period))
      return &ledger->labels[i];
  return NULL;
}

tacit_status tacit_period_allow(const tacit_label *label, const char *period, tacit_error *error) {
  if (!label || !label->per[0]) return TACIT_OK; /* it counts for all of them together */
  if (!period || !*period)
    return tacit_fail(
        error, TACIT_REFUSED,
        "label \"%s\" has a budget for each %s, and it is not said which one the records are of. "
        "Nothing was spent. Name it: --period %s",
        label->name, label->per, tacit_per_example(label->per));
  if (tacit_period_of(label->per, period)) return TACIT_OK;
  return tacit_fail(
      error, TACIT_REFUSED,
      "label \"%s\" has a budget for each %s, which is named like %s. Nothing was spent. Name the "
      "period in this way",
      label->name, label->per, tacit_per_example(label->per));
}

tacit_status tacit_period_settle(const tacit_label *label, const char *per, tacit_error *error) {
  if (*per && !tacit_per_known(per))
    return tacit_fail(error, TACIT_USAGE, "a budget is for each day, week, month, quarter or year");
  bool settled = label && (label->budget[0] || label->releases > 0);
  if (!settled || !*per || !strcmp(label->per, per)) return TACIT_OK;
  return tacit_fail(
      error, TACIT_REFUSED,
      "label \"%s\" counts %s%s already; what was spent under one promise does not become another. "
      "Open another --label",
      label->name, label->per[0] ? "for each " : "for all time together", label->per);
}
