/* What tests draw: splitmix64 from fixed seeds, so that a failure comes back; and texts with bytes changed by
 * it.
 */
#ifndef TACIT_SRC_BITS_FOR_TEST_H
#define TACIT_SRC_BITS_FOR_TEST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t bits_of(uint64_t *seed) {
  uint64_t z = *seed += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* One change of a JSON text, which has room for 40 bytes more. */
static inline void mutate(char *text, size_t *length, uint64_t *seed) {
  static const char telling[] = "0123456789-+.eE\"{}[],:\\tnu \x80\xc2\xff";
  size_t at = bits_of(seed) % *length;
  switch (bits_of(seed) % 5) {
  case 0:
    text[at] = (char)bits_of(seed);
    break;
  case 1: /* drop a few bytes */
    for (size_t gone = 1 + bits_of(seed) % 8; gone > 0 && *length > at + 1; gone--) {
      memmove(text + at, text + at + 1, *length - at - 1);
      --*length;
    }
    break;
  case 2: /* repeat a piece */
  {
    size_t piece = 1 + bits_of(seed) % 40;
    if (piece > *length - at) piece = *length - at;
    memmove(text + at + piece, text + at, *length - at);
    *length += piece;
  } break;
  default:
    text[at] = telling[bits_of(seed) % (sizeof telling - 1)];
  }
}

#endif
