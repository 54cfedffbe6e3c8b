/* Plain data to bytes and back. */
#include "question/bytes.h"

#include "base/base.h"

#include <string.h>

void tacit_put_bytes(tacit_bytes_out *out, const void *bytes, size_t count) {
  if (out->failed || count == 0) return;
  bool fits = count <= SIZE_MAX - out->length;
  void *grown = fits ? tacit_grow(out->bytes, &out->capacity, out->length + count, 1) : NULL;
  if (!grown) {
    out->failed = true;
    return;
  }
  out->bytes = grown;
  memcpy(out->bytes + out->length, bytes, count);
  out->length += count;
}

void tacit_put_count(tacit_bytes_out *out, uint64_t value) {
  unsigned char bytes[8];
  for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(value >> (8 * i));
  tacit_put_bytes(out, bytes, sizeof bytes);
}

void tacit_put_number(tacit_bytes_out *out, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  tacit_put_count(out, bits);
}

void tacit_put_numbers(tacit_bytes_out *out, const double *values, size_t count) {
  for (size_t i = 0; i < count; i++) tacit_put_number(out, values[i]);
}

const unsigned char *tacit_get_bytes(tacit_bytes_in *in, size_t count) {
  if (in->failed || count > in->left) {
    in->failed = true;
    return NULL;
  }
  const unsigned char *here = in->at;
  in->at += count;
  in->left -= count;
  return here;
}

uint64_t tacit_get_count(tacit_bytes_in *in, uint64_t most) {
  const unsigned char *bytes = tacit_get_bytes(in, 8);
  uint64_t value = 0;
  for (int i = 0; bytes && i < 8; i++) value |= (uint64_t)bytes[i] << (8 * i);
  if (value <= most) return value;
  in->failed = true;
  return 0;
}

bool tacit_get_flag(tacit_bytes_in *in) {
  return tacit_get_count(in, 1) == 1;
}

double tacit_get_number(tacit_bytes_in *in) {
  uint64_t bits = tacit_get_count(in, UINT64_MAX);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

void tacit_get_numbers(tacit_bytes_in *in, double *values, size_t count) {
  for (size_t i = 0; i < count; i++) values[i] = tacit_get_number(in);
}

bool tacit_get_same(tacit_bytes_in *in, const void *bytes, size_t count) {
  const unsigned char *here = tacit_get_bytes(in, count);
  if (here && memcmp(here, bytes, count) == 0) return true;
  in->failed = true;
  return false;
}

bool tacit_get_end(const tacit_bytes_in *in) {
  return !in->failed && in->left == 0;
}
