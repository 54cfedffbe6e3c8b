/* One run reader, included by number_run_sse2.c and number_run_avx2.c. They define the type `bytes`, 32 of
   them, and how two steps are done: mask(), the high bits of 32 bytes, and eights(), 32 digits as four
   numbers of eight, two in a word. All else is the same for both, and so is every bit of what is read. */

enum {
  BEFORE = 33, /* bytes in front of a cell and from its beginning on that are looked at */
  BEHIND = 32,
  DIGITS = 22 /* no more behind the point than ten has */
};

static size_t run(const char *p, const tacit_number_text *text, const tacit_number_slot *slot, size_t count,
                  size_t row, const char **behind_last) {
  /* 32 bytes from window + n on: the last n are ones */
  static const unsigned char window[64] = {
      [32] = 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
      0xFF,        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  const bytes limit = (bytes){0} + '-';
  if (p - text->begin < BEFORE) return 0;
  for (size_t j = 0;; j++) {
    if (j == count || text->end - p < BEHIND) return j;
    bytes ahead;
    memcpy(&ahead, p, sizeof ahead);
    /* What ends a cell lies below '-', and neither '.' nor a digit does. */
    bytes ends = limit > ahead, dots = ahead == '.';
    uint32_t low = mask(&ends), first = low & -low;
    if (!low) return j;
    uint32_t points = mask(&dots) & (first - 1);
    unsigned length = (unsigned)__builtin_ctz(low), point = (unsigned)__builtin_ctz(points | first);
    unsigned minus = *p == '-', without = points == 0;
    /* Without a point, what ends the cell stands for it. */
    unsigned size = length + without, behind = size - 1 - point, digits = size - 1 - minus;
    if (digits - 1 >= DIGITS) return j;
    /* The cell's last 32 bytes, those in front of the point moved up by one, and all in front of it zero. */
    bytes x, moved, keep, use;
    memcpy(&x, p + size - 32, sizeof x);
    memcpy(&moved, p + size - 33, sizeof moved);
    memcpy(&keep, window + behind, sizeof keep);
    memcpy(&use, window + digits, sizeof use);
    x = (moved ^ '0' ^ ((x ^ moved) & keep)) & use;
    uint64_t words[2];
    eights(&x, words);
    uint64_t top = words[0] >> 32, middle = words[1] & 0xFFFFFFFF, last = words[1] >> 32;
    bytes wrong = (x + 0x76) | x; /* a byte above 9 has its high bit set, or a carry into it */
    if (mask(&wrong) != 0 || top >= 1000) return j;
    slot[j].digits[row] = (top * 100000000 + middle) * 100000000 + last;
    slot[j].ten[row] = tacit_tens[behind + TACIT_TEN_MINUS * minus];
    char stop = p[length];
    if (stop != ',') {
      if (stop != '\n' && stop != '\r') return j;
      *behind_last = p + length;
      return j + 1;
    }
    *behind_last = p + length;
    p += length + 1;
  }
}
