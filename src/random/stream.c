/* A noise source hands out streams, a stream hands out bits: ChaCha20 under a key that no other release has.
 */
#include "random/random.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { CHACHA_BLOCK = 64 };

_Static_assert(sizeof(((tacit_stream *)0)->key) == crypto_stream_chacha20_KEYBYTES, "key length");
_Static_assert(sizeof(((tacit_stream *)0)->buffer) % CHACHA_BLOCK == 0, "the buffer holds whole blocks");

void tacit_noise_source_os(tacit_noise_source *source) {
  *source = (tacit_noise_source){.seeded = false};
}

void tacit_noise_source_seeded(tacit_noise_source *source, uint64_t seed) {
  *source = (tacit_noise_source){.seeded = true, .seed = seed};
}

static void store_little_endian(unsigned char bytes[8], uint64_t value) {
  for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(value >> 8 * i);
}

static uint64_t load_little_endian(const unsigned char bytes[8]) {
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) value |= (uint64_t)bytes[i] << 8 * i;
  return value;
}

/* A hash of purpose, seed and release: the streams of one seed have nothing in common, nor have those of two.
 */
static int seeded_key(unsigned char key[32], uint64_t seed, uint64_t release) {
  unsigned char message[32] = "tacit/seeded/v1";
  store_little_endian(message + 16, seed);
  store_little_endian(message + 24, release);
  return crypto_generichash(key, 32, message, sizeof message, NULL, 0);
}

static void refill(tacit_stream *stream) {
  /* The nonce may be constant because the key is fresh; the 64-bit counter never comes round. */
  static const unsigned char nonce[crypto_stream_chacha20_NONCEBYTES];
  static const unsigned char zeros[sizeof stream->buffer];
  if (crypto_stream_chacha20_xor_ic(stream->buffer, zeros, sizeof stream->buffer, nonce, stream->block,
                                    stream->key))
    abort();
  stream->block += sizeof stream->buffer / CHACHA_BLOCK;
  stream->used = 0;
}

tacit_status tacit_stream_begin(tacit_noise_source *source, tacit_stream *stream, tacit_error *error) {
  memset(stream, 0, sizeof *stream);
  if (sodium_init() < 0)
    return tacit_fail(error, TACIT_INTERNAL, "libsodium does not start on this system; no noise was drawn");
  int failed = source->seeded ? seeded_key(stream->key, source->seed, source->releases)
                              : getentropy(stream->key, sizeof stream->key);
  if (failed) {
    tacit_stream_end(stream);
    return tacit_fail(
        error, TACIT_INTERNAL,
        "the operating system gave no entropy; no noise was drawn: see that getrandom(2) works");
  }
  source->releases++;
  refill(stream);
  return TACIT_OK;
}

void tacit_stream_end(tacit_stream *stream) {
  tacit_wipe(stream, sizeof *stream);
}

static unsigned char next_byte(tacit_stream *stream) {
  if (stream->script_length) {
    stream->script_length--;
    return *stream->script++;
  }
  if (stream->used == sizeof stream->buffer) refill(stream);
  return stream->buffer[stream->used++];
}

uint64_t tacit_stream_bits(tacit_stream *stream) {
  /* A stream that never began, failed to begin or has ended would hand out zeros as if they were noise. */
  if (stream->block == 0) abort();
  enum { WORD = 8 };
  if (stream->script_length == 0 && sizeof stream->buffer - stream->used >= WORD) {
    uint64_t word = load_little_endian(stream->buffer + stream->used);
    stream->used += WORD;
    return word;
  }
  unsigned char bytes[WORD];
  for (int i = 0; i < WORD; i++) bytes[i] = next_byte(stream);
  return load_little_endian(bytes);
}

uint64_t tacit_stream_below(tacit_stream *stream, uint64_t n) {
  if (n == 0) abort();
  /* The first 2^64 mod n words are refused; those left fall evenly on n remainders. */
  uint64_t refused = (UINT64_MAX - n + 1) % n;
  uint64_t word;
  do word = tacit_stream_bits(stream);
  while (word < refused);
  return word % n;
}
