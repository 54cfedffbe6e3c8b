/* One run reader, included by number_run_sse2.c and number_run_avx2.c. They say how two steps are done:

   look() finds the commas and the points among 64 bytes;
   look_ends() finds the bytes below '-' and the points among them: one of those ends a cell;
   convert() takes the 32 bytes before an end, those in front of the point moved up by one, and zeros instead
   of what is in front of the number: four numbers of eight digits, two in a word. False if one is no digit.

   All else is the same for both, and so is every bit of what is read. */

enum {
  BEFORE = 33, /* bytes in front of a cell and from its beginning on that are looked at */
  BEHIND = 64,
  DIGITS = 22 /* no more behind the point than ten has */
};

/* 32 bytes from window + n on: the last n are ones */
static const unsigned char window[64] __attribute__((aligned(64))) = {
    [32] = 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xFF,        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};

/* The cell p[0..length), its points as bits. */
static inline bool read_cell(const char *p, unsigned length, uint64_t points, tacit_decimals *column,
                             size_t row) {
  uint64_t end = (uint64_t)1 << length;
  points &= end - 1;
  unsigned point = (unsigned)__builtin_ctzll(points | end), minus = *p == '-';
  /* Without a point, what ends the cell stands for it. */
  unsigned size = length + (points == 0), behind = size - 1 - point, digits = size - 1 - minus;
  if (digits - 1 >= DIGITS) return false;
  uint64_t words[2];
  bool good = convert(p + size, window + behind, window + digits, words);
  uint64_t top = words[0] >> 32; /* the digits before the last sixteen */
  column->low[row] = words[1];
  column->top[row] = (int32_t)top;
  column->ten[row] = tacit_tens[behind + TACIT_TEN_MINUS * minus];
  return good && top < 1000;
}

/* Two cells for each look: where the second one ends is known before the first is read, and the processor has
   both, and more, in hand at once. */
static size_t run(const char *p, const tacit_number_text *text, tacit_decimals *column, size_t count,
                  size_t row, const char **last) {
  if (p - text->begin < BEFORE) return 0;
  size_t j = 0;
  while (count - j > 2 && text->end - p >= BEHIND) {
    uint64_t commas, points;
    look(p, &commas, &points);
    uint64_t others = commas & (commas - 1);
    if (!others) break;
    unsigned length = (unsigned)__builtin_ctzll(commas), end = (unsigned)__builtin_ctzll(others);
    if (!read_cell(p, length, points, &column[j], row)) return j;
    *last = p + length;
    points >>= length + 1;
    if (!read_cell(p + length + 1, end - length - 1, points, &column[j + 1], row)) return j + 1;
    *last = p + end;
    p += end + 1;
    j += 2;
  }
  for (; j < count && text->end - p >= BEHIND; j++) {
    uint64_t ends, points;
    look_ends(p, &ends, &points);
    if (!ends) break;
    unsigned length = (unsigned)__builtin_ctzll(ends);
    char stop = p[length];
    if (stop != ',' && stop != '\n' && stop != '\r') break;
    if (!read_cell(p, length, points, &column[j], row)) break;
    *last = p + length;
    if (stop != ',') return j + 1;
    p += length + 1;
  }
  return j;
}
