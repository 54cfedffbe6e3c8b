/* An engine that a test plays. */
#include "engine/player.h"

#include "pass/reply.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* last: it needs the others */
#include <cmocka.h>

void player_open(player *p, size_t count) {
  p->count = count;
  for (size_t k = 0; k < count; k++) {
    p->parts[k] = p->open(p->table, p->schema, k, count);
    tacit_part_describe(p->parts[k], &p->entries[k]);
  }
}

void player_close(player *p) {
  for (size_t k = 0; k < p->count; k++) {
    tacit_part_free(p->parts[k]);
    tacit_reply_free(p->late[k], p->late_length[k]);
  }
  tacit_part_free(p->stranger);
}

/* What must not count: it is refused, and says why. */
static void give_bad(player *p, tacit_replies *replies, const void *reply, size_t length) {
  tacit_error error = {""};
  assert_int_equal(tacit_replies_add(replies, reply, length, &error), TACIT_BAD_INPUT);
  assert_true(error.text[0] != 0);
  p->refused++;
}

/* A reply of these parts with other numbers, sealed as only those can who have the manifest. */
static void *altered(const tacit_part_entry *entry, const void *reply, size_t length, uint64_t more,
                     size_t *altered_length) {
  tacit_reply facts;
  void *made;
  assert_int_equal(tacit_reply_read(reply, length, &facts, NULL), TACIT_OK);
  uint64_t *sum = calloc(facts.width + 1, sizeof *sum);
  for (size_t k = 0; k < facts.width; k++) sum[k] = tacit_reply_number(&facts, k) + more;
  assert_int_equal(tacit_reply_make(&facts, &entry, sum, &made, altered_length, NULL), TACIT_OK);
  free(sum);
  return made;
}

static void spoil(player *p, tacit_replies *replies, size_t k, const void *reply, size_t length) {
  unsigned char *copy = malloc(length);
  memcpy(copy, reply, length);
  size_t name = 8 + 8 + 8 + TACIT_HASH + 8 + 8, other = (k + 1) % p->count, altered_length;
  if (p->manner == FLIPS) copy[name + TACIT_HASH + (length > name + 2 * TACIT_HASH ? 3 : 0)] ^= 16;
  if (p->manner == RENAMES) memcpy(copy + name, p->entries[other].hash, TACIT_HASH);
  if (p->manner == FLIPS || (p->manner == RENAMES && other != k)) give_bad(p, replies, copy, length);
  if (p->manner == CUTS) give_bad(p, replies, copy, length - 8);
  free(copy);
  if (p->manner != BOASTS) return;
  void *boast = altered(&p->entries[k], reply, length, UINT64_C(1) << 61, &altered_length);
  tacit_reply facts;
  assert_int_equal(tacit_reply_read(reply, length, &facts, NULL), TACIT_OK);
  if (facts.width) give_bad(p, replies, boast, altered_length);
  tacit_reply_free(boast, altered_length);
}

static tacit_status give(player *p, tacit_replies *replies, size_t k, const void *reply, size_t length,
                         tacit_error *error) {
  spoil(p, replies, k, reply, length);
  for (int i = 0; i < (p->manner == REPEATS ? 3 : 1); i++) {
    tacit_status status = tacit_replies_add(replies, reply, length, error);
    if (status) return status;
  }
  if (p->manner != TWO_WORDS) return TACIT_OK;
  size_t altered_length;
  /* one less: one more may be more than its rows can say */
  void *second = altered(&p->entries[k], reply, length, UINT64_MAX, &altered_length);
  tacit_status status = tacit_replies_add(replies, second, altered_length, error);
  tacit_reply_free(second, altered_length);
  /* an engine that does not mind is refused all the same */
  return status == TACIT_REFUSED ? TACIT_OK : status;
}

static void answer(player *p, const tacit_request *request, size_t k, void **reply, size_t *length) {
  tacit_error error = {""};
  if (p->manner == FORGETS && p->asked % 2) {
    tacit_part_free(p->parts[k]);
    p->parts[k] = p->open(p->table, p->schema, k, p->count);
  }
  if (tacit_part_answer(p->parts[k], request->bytes, request->length, reply, length, &error) != TACIT_OK)
    fail_msg("%s", error.text);
}

/* All replies as one; MERGES gives it, OVERLAPS what it was made from too. */
static tacit_status ask_merged(player *p, const tacit_request *request, tacit_replies *replies,
                               tacit_error *error) {
  void *sum = NULL, *one, *both;
  size_t sum_length = 0, length, both_length;
  tacit_status status = TACIT_OK;
  for (size_t i = 0; i < request->count && status == TACIT_OK; i++) {
    answer(p, request, request->parts[i], &one, &length);
    if (p->manner == OVERLAPS && i == 0) status = tacit_replies_add(replies, one, length, error);
    if (!sum) {
      sum = one;
      sum_length = length;
      continue;
    }
    const tacit_reply_bytes two[2] = {{sum, sum_length}, {one, length}};
    tacit_error again;
    assert_int_equal(tacit_reply_merge(p->entries, p->count, two, &both, &both_length, error), TACIT_OK);
    const tacit_reply_bytes twice[2] = {{both, both_length}, {one, length}};
    void *none;
    size_t no_length;
    assert_int_equal(tacit_reply_merge(p->entries, p->count, twice, &none, &no_length, &again),
                     TACIT_BAD_INPUT);
    assert_null(none);
    tacit_reply_free(sum, sum_length);
    tacit_reply_free(one, length);
    sum = both;
    sum_length = both_length;
  }
  if (status == TACIT_OK && sum) status = tacit_replies_add(replies, sum, sum_length, error);
  tacit_reply_free(sum, sum_length);
  return status == TACIT_REFUSED && p->manner == OVERLAPS ? TACIT_OK : status;
}

static tacit_status ask(void *user, const tacit_request *request, tacit_replies *replies,
                        tacit_error *error) {
  player *p = user;
  p->asked++;
  if (p->manner == FAILS && p->asked == 3) return TACIT_INTERNAL;
  if (p->manner == MERGES || p->manner == OVERLAPS) return ask_merged(p, request, replies, error);
  for (size_t i = 0; i < request->count; i++) {
    size_t k = request->parts[p->manner == REORDERS ? request->count - 1 - i : i], length;
    void *reply;
    if (p->manner == SILENT && k == request->parts[request->count - 1]) continue;
    if (p->manner == LOSES && (p->asked + i) % 3) continue;
    answer(p, request, k, &reply, &length);
    if (p->manner == LATE && p->late[k]) give_bad(p, replies, p->late[k], p->late_length[k]);
    tacit_status status = give(p, replies, k, reply, length, error);
    tacit_reply_free(p->late[k], p->late_length[k]);
    p->late[k] = reply;
    p->late_length[k] = length;
    if (status) return status;
  }
  if (p->manner == SWAPS)
    for (size_t i = 0; i < request->count; i++) {
      size_t k = request->parts[request->count - 1 - i];
      tacit_status status = tacit_replies_add(replies, p->late[k], p->late_length[k], error);
      if (status) return status;
    }
  if (p->manner == STRANGER) {
    void *reply;
    size_t length;
    assert_int_equal(tacit_part_answer(p->stranger, request->bytes, request->length, &reply, &length, NULL),
                     TACIT_OK);
    give_bad(p, replies, reply, length);
    tacit_reply_free(reply, length);
  }
  return TACIT_OK;
}

tacit_source *player_source(player *p, tacit_error *error) {
  tacit_source *source = NULL;
  const tacit_engine engine = {ask, p};
  if (tacit_source_engine(&engine, p->schema, p->entries, p->count, &source, error) != TACIT_OK) return NULL;
  return source;
}
