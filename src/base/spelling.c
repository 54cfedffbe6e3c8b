/* What texts look like: whether they are UTF-8, and how far apart two spellings are. */
#include "base/base.h"

#include <ctype.h>
#include <string.h>

/* The bytes of the character at b, of which there are `left`; 0 where there is none that UTF-8 knows. */
static size_t character(const unsigned char *b, size_t left) {
  if (b[0] < 0x80) return 1;
  size_t length = b[0] >= 0xf0 ? 4 : b[0] >= 0xe0 ? 3 : 2;
  if (b[0] < 0xc2 || b[0] > 0xf4 || length > left) return 0;
  for (size_t i = 1; i < length; i++)
    if (b[i] >> 6 != 2) return 0;
  /* no longer than it must be, no surrogate, not beyond the last one */
  bool odd = (b[0] == 0xe0 && b[1] < 0xa0) || (b[0] == 0xed && b[1] > 0x9f) ||
             (b[0] == 0xf0 && b[1] < 0x90) || (b[0] == 0xf4 && b[1] > 0x8f);
  return odd ? 0 : length;
}

bool tacit_is_utf8(const char *text, size_t length) {
  for (size_t i = 0, step; i < length; i += step)
    if ((step = character((const unsigned char *)text + i, length - i)) == 0) return false;
  return true;
}

static size_t least(size_t a, size_t b, size_t c) {
  size_t two = a < b ? a : b;
  return two < c ? two : c;
}

static bool same(const char *a, const char *b, size_t i, size_t j) {
  return tolower((unsigned char)a[i]) == tolower((unsigned char)b[j]);
}

/* Row i of the table has the distances of a's first i letters from b's first ones; two rows before it
   suffice, the first of them for letters that changed places. */
size_t tacit_spelling_distance(const char *a, const char *b) {
  enum { LONGEST = 64 };
  size_t rows[3][LONGEST + 1], n = strlen(a), m = strlen(b);
  if (n > LONGEST || m > LONGEST) return SIZE_MAX;
  for (size_t j = 0; j <= m; j++) rows[0][j] = j;
  for (size_t i = 1; i <= n; i++) {
    size_t *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
    now[0] = i;
    for (size_t j = 1; j <= m; j++) {
      now[j] = least(last[j] + 1, now[j - 1] + 1, last[j - 1] + !same(a, b, i - 1, j - 1));
      if (i > 1 && j > 1 && same(a, b, i - 1, j - 2) && same(a, b, i - 2, j - 1) &&
          before[j - 2] + 1 < now[j])
        now[j] = before[j - 2] + 1;
    }
  }
  size_t distance = rows[n % 3][m], longer = n > m ? n : m;
  return distance <= 1 + longer / 4 && distance < longer ? distance : SIZE_MAX;
}
