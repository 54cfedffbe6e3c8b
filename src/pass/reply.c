/* Replies as bytes (docs/formats/question.md): written, sealed and read. */
#include "pass/reply.h"

#include "base/base.h"
#include "question/bytes.h"

#include <sodium.h>
#include <string.h>

static const char MAGIC[8] = {'t', 'a', 'c', 'i', 't', 0, 'r', 'e'};
enum { VERSION = 1, HEAD = 8 + 8 + 8 + TACIT_HASH + 8 + 8 };

void tacit_reply_free(void *reply, size_t length) {
  if (reply) tacit_free_wiped(reply, length);
}

static void put(unsigned char **at, const void *bytes, size_t count) {
  memcpy(*at, bytes, count);
  *at += count;
}

static void put_count(unsigned char **at, uint64_t value) {
  for (int i = 0; i < 8; i++) *(*at)++ = (unsigned char)(value >> (8 * i));
}

uint64_t tacit_reply_number(const tacit_reply *reply, size_t k) {
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) value |= (uint64_t)reply->answer[8 * k + (size_t)i] << (8 * i);
  return value;
}

/* Of `length` bytes, which `count` parts answer for. */
static void seal(const void *bytes, size_t length, const tacit_part_entry *const *parts, size_t count,
                 unsigned char out[TACIT_HASH]) {
  unsigned char key[TACIT_HASH];
  crypto_generichash_state state;
  crypto_generichash_init(&state, NULL, 0, sizeof key);
  for (size_t i = 0; i < count; i++) {
    crypto_generichash_update(&state, parts[i]->hash, sizeof parts[i]->hash);
    crypto_generichash_update(&state, parts[i]->table, sizeof parts[i]->table);
  }
  crypto_generichash_final(&state, key, sizeof key);
  crypto_generichash(out, TACIT_HASH, bytes, length, key, sizeof key);
  tacit_wipe(key, sizeof key);
}

bool tacit_reply_sealed(const tacit_reply *reply, const tacit_part_entry *const *parts) {
  unsigned char expected[TACIT_HASH];
  seal(reply->bytes, (size_t)(reply->seal - reply->bytes), parts, reply->part_count, expected);
  return sodium_memcmp(expected, reply->seal, TACIT_HASH) == 0;
}

/* Memory of exactly the length it will have: nothing secret is left behind by growing. */
tacit_status tacit_reply_make(const tacit_reply *facts, const tacit_part_entry *const *parts,
                              const uint64_t *answer, void **bytes, size_t *length, tacit_error *error) {
  *length = HEAD + facts->part_count * TACIT_HASH + facts->width * 8 + TACIT_HASH;
  *bytes = tacit_alloc(*length, 1);
  if (!*bytes) return tacit_no_memory(error);
  unsigned char *at = *bytes;
  put(&at, MAGIC, sizeof MAGIC);
  put_count(&at, VERSION);
  put_count(&at, facts->unknown);
  put(&at, facts->question, TACIT_HASH);
  put_count(&at, facts->part_count);
  put_count(&at, facts->width);
  for (size_t i = 0; i < facts->part_count; i++) put(&at, parts[i]->hash, TACIT_HASH);
  for (size_t k = 0; k < facts->width; k++) put_count(&at, answer[k]);
  seal(*bytes, *length - TACIT_HASH, parts, facts->part_count, at);
  return TACIT_OK;
}

tacit_status tacit_reply_read(const void *bytes, size_t length, tacit_reply *reply, tacit_error *error) {
  tacit_bytes_in in = {bytes, length, false};
  bool known = tacit_get_same(&in, MAGIC, sizeof MAGIC) && tacit_get_count(&in, VERSION) == VERSION;
  *reply = (tacit_reply){.bytes = bytes};
  reply->unknown = tacit_get_flag(&in);
  reply->question = tacit_get_bytes(&in, TACIT_HASH);
  reply->part_count = (size_t)tacit_get_count(&in, length / TACIT_HASH);
  reply->width = (size_t)tacit_get_count(&in, length / 8);
  reply->parts = tacit_get_bytes(&in, reply->part_count * TACIT_HASH);
  reply->answer = tacit_get_bytes(&in, reply->width * 8);
  reply->seal = tacit_get_bytes(&in, TACIT_HASH);
  bool good = known && tacit_get_end(&in) && reply->part_count > 0 && !(reply->unknown && reply->width);
  for (size_t i = 1; good && i < reply->part_count; i++)
    good = memcmp(reply->parts + (i - 1) * TACIT_HASH, reply->parts + i * TACIT_HASH, TACIT_HASH) < 0;
  if (good) return TACIT_OK;
  return tacit_fail(error, TACIT_BAD_INPUT, "the bytes are no reply; ask the part again");
}
