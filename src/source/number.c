/* Reads a cell as a number: the double nearest to what is written, whatever the locale.

   Three ways, each of them exact: small integers and small powers of ten in doubles (Clinger 1990), up to 19
   digits in 128-bit integers, and the C library's strtod for the rest. */
#include "source/decimals.h"
#include "source/source.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

__extension__ typedef unsigned __int128 wide;

enum {
  DIGITS_FAST = 19, /* 10^19 - 1 fits 64 bits */
  FIVES = 27,       /* 5^27 is the largest power of five in 63 bits */
  DIGITS_STRTOD =
      800, /* the middle between two doubles has at most 767 digits: more are only "above" or "at" */
  EXPONENT_END = 100000 /* beyond it, with 800 digits, all is 0 or infinite */
};

/* value = digits * 10^exponent; text is [first, last) with leading zeros and perhaps a point. */
typedef struct decimal {
  bool negative, exact; /* exact: all digits are in `digits` */
  uint64_t digits;
  int64_t exponent;
  const char *first, *last;
} decimal;

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
static bool is_space(char c) {
  return c == ' ' || c == '\t';
}

static uint64_t run(const char **p, const char *end, uint64_t value) {
  while (*p < end && is_digit(**p)) value = value * 10 + (uint64_t)(*(*p)++ - '0');
  return value;
}

/* [p, end), not empty, as sign, digits, point, digits, exponent, and nothing else. */
static bool split(const char *p, const char *end, decimal *d) {
  *d = (decimal){.negative = *p == '-'};
  p += (*p == '-') | (*p == '+'); /* signs are a coin toss: no branch on them */
  d->first = p;
  d->digits = run(&p, end, 0);
  int64_t count = p - d->first;
  if (p < end && *p == '.') {
    const char *fraction = ++p;
    d->digits = run(&p, end, d->digits);
    d->exponent = fraction - p;
    count += p - fraction;
  }
  if (count == 0) return false;
  d->last = p;
  for (const char *q = d->first; count > DIGITS_FAST && q < d->last && (*q == '0' || *q == '.'); q++)
    count -= *q == '0';
  d->exact = count <= DIGITS_FAST;
  if (p < end && (*p == 'e' || *p == 'E')) {
    p++;
    bool down = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    if (p == end || !is_digit(*p)) return false;
    int64_t power = 0;
    for (; p < end && is_digit(*p); p++)
      if (power < INT32_MAX)
        power = power * 10 + (*p - '0'); /* further than any cell's digits can reach back */
    d->exponent += down ? -power : power;
  }
  return p == end;
}

/* number * 2^exponent where that is an ordinary number, as it is for all that scale_wide asks for. */
static double scale_binary(double number, int exponent) {
  uint64_t bits = (uint64_t)(1023 + exponent) << 52;
  double power;
  memcpy(&power, &bits, sizeof power);
  return number * power;
}

/* value * 2^shift, with something small behind it when `rest`, rounded to nearest, ties to even. */
static double round_wide(wide value, bool rest, int shift) {
  uint64_t high = (uint64_t)(value >> 64);
  int bits = high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll((uint64_t)value | 1);
  int drop = bits - 53;
  if (drop <= 0) return scale_binary((double)(uint64_t)value, shift);
  uint64_t kept = (uint64_t)(value >> drop);
  wide half = (wide)1 << (drop - 1), tail = value & ((half << 1) - 1);
  if (tail > half || (tail == half && (rest || (kept & 1)))) kept++;
  return scale_binary((double)kept, drop + shift);
}

/* digits * 10^exponent for 0 < digits, |exponent| <= FIVES: one exact product or quotient, one rounding. */
static double scale_wide(uint64_t digits, int exponent) {
  // clang-format off
  static const uint64_t fives[FIVES + 1] = {
      1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125, 9765625, 48828125, 244140625, 1220703125,
      6103515625, 30517578125, 152587890625, 762939453125, 3814697265625, 19073486328125, 95367431640625,
      476837158203125, 2384185791015625, 11920928955078125, 59604644775390625, 298023223876953125,
      1490116119384765625, 7450580596923828125,};
  // clang-format on
  uint64_t five = fives[exponent < 0 ? -exponent : exponent];
  if (exponent >= 0) return round_wide((wide)digits * five, false, exponent);
  int zeros = __builtin_clzll(digits);
  wide top = (wide)(digits << zeros) << 64;
  wide quotient = top / five; /* at least 2^64: more bits than a double holds */
  return round_wide(quotient, quotient * five != top, exponent - zeros - 64);
}

/* The rest: very long or very large. Written without a point, so that no locale has a say in it. */
static double scale_text(const decimal *d) {
  char text[DIGITS_STRTOD + 32];
  size_t n = 0;
  int64_t exponent = d->exponent;
  bool above = false;
  for (const char *p = d->first; p < d->last; p++) {
    if (*p == '.' || (n == 0 && *p == '0')) continue;
    if (n < DIGITS_STRTOD)
      text[n++] = *p;
    else {
      above |= *p != '0';
      exponent++;
    }
  }
  if (n == 0) return 0;
  if (above) {
    text[n++] = '1';
    exponent--;
  }
  if (exponent > EXPONENT_END) exponent = EXPONENT_END;
  if (exponent < -EXPONENT_END) exponent = -EXPONENT_END;
  snprintf(text + n, sizeof text - n, "e%d", (int)exponent);
  int kept = errno; /* strtod reports underflow there; nobody asked */
  double value = strtod(text, NULL);
  errno = kept;
  return value;
}

static inline double value_of(const decimal *d) {
  static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (!d->exact) return scale_text(d);
  if (d->digits == 0) return 0;
  int64_t e = d->exponent;
  if (d->digits <= (uint64_t)1 << 53 && e >= -22 && e <= 22)
    return e < 0 ? (double)d->digits / tens[-e] : (double)d->digits * tens[e];
  if (e >= -FIVES && e <= FIVES) return scale_wide(d->digits, (int)e);
  return scale_text(d);
}

double tacit_decimal_exact(uint64_t digits, int behind) {
  const decimal d = {.exact = true, .digits = digits, .exponent = -behind};
  return value_of(&d);
}

/* "nan" and "inf" as other programs write them: not a number we take, but worth its own words. */
static bool names_no_number(const char *p, const char *end) {
  static const char *const words[] = {"nan", "inf", "infinity"};
  static const size_t lengths[] = {3, 3, 8};
  if (p < end && (*p == '-' || *p == '+')) p++;
  for (size_t i = 0; i < 3; i++)
    if ((size_t)(end - p) == lengths[i] && strncasecmp(p, words[i], lengths[i]) == 0) return true;
  return false;
}

tacit_number_kind tacit_cell_read_number(const tacit_cell *cell, double *number) {
  if (!cell->text) {
    if (!isfinite(cell->number)) return TACIT_NUMBER_NOT_FINITE;
    *number = cell->number;
    return TACIT_NUMBER;
  }
  const char *p = cell->text, *end = p + cell->length;
  while (p < end && is_space(*p)) p++;
  while (p < end && is_space(end[-1])) end--;
  if (p == end) return TACIT_NUMBER_EMPTY;
  decimal d;
  if (!split(p, end, &d)) return names_no_number(p, end) ? TACIT_NUMBER_NOT_FINITE : TACIT_NUMBER_TEXT;
  double value = value_of(&d);
  if (!isfinite(value)) return TACIT_NUMBER_NOT_FINITE;
  *number = value * (1 - 2 * d.negative);
  return TACIT_NUMBER;
}

bool tacit_cell_number(const tacit_cell *cell, double *number) {
  return tacit_cell_read_number(cell, number) == TACIT_NUMBER;
}

/* The digits at p, at most eight, as a number; *count says how many. Eight bytes at a time, so that the
   number of digits decides no branch that the processor could guess wrong. */
static inline uint64_t eight_digits(const char *p, unsigned *count) {
  const uint64_t ones = 0x0101010101010101;
  uint64_t word;
  memcpy(&word, p, sizeof word);
  if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) word = __builtin_bswap64(word);
  uint64_t value = word ^ '0' * ones; /* digits are 0..9 now, and nothing else is */
  /* bytes above 9: the high bit, or a carry into it; the lowest one is never wrong */
  uint64_t other = ((value + 0x76 * ones) | value) & 0x80 * ones;
  *count = other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
  value = *count ? value << (64 - 8 * *count) : 0; /* leading zeros instead of what follows */
  value = value * 10 + (value >> 8);
  return ((value & 0x000000FF000000FF) * 0x000F424000000064 +
          ((value >> 16) & 0x000000FF000000FF) * 0x0000271000000001) >>
         32;
}

static inline bool digit_at(const char *p, unsigned *digit) {
  *digit = (unsigned)(unsigned char)*p - '0';
  return *digit <= 9;
}

const char *tacit_number_plain(const char *p, const char *end, double *number) {
  enum { FRONT = 9, LAST = 3, REACH = 1 + FRONT + 1 + 8 + 8 + LAST + 1 }; /* the bytes looked at, at most */
  static const uint64_t shift[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  if (end - p < REACH) return NULL;
  bool negative = *p == '-';
  p += (*p == '-') | (*p == '+'); /* signs are a coin toss: no branch on them */
  uint64_t digits = 0;
  unsigned digit, front = 0, behind = 0, more = 0;
  for (; front < FRONT && digit_at(p, &digit); front++, p++) digits = digits * 10 + digit;
  if (*p == '.') {
    p++;
    uint64_t next = eight_digits(p, &more);
    digits = digits * shift[more] + next;
    p += more;
    behind = more;
    if (more == 8) {
      next = eight_digits(p, &more);
      digits = digits * shift[more] + next;
      p += more;
      behind += more;
      for (unsigned i = 0; more == 8 && i < LAST && digit_at(p, &digit); i++, behind++, p++)
        digits = digits * 10 + digit;
    }
  }
  /* none at all, or perhaps more than 64 bits hold: the careful way */
  if (front + behind - 1 > DIGITS_FAST - 1) return NULL;
  decimal d = {.negative = negative, .exact = true, .digits = digits, .exponent = -(int64_t)behind};
  *number = value_of(&d) * (1 - 2 * negative);
  return p;
}
