/* The replies to one question: each is checked before it counts, and every part counts once
   (proofs/exact-sums.md, "Rows in an engine"). */
#include "pass/replies.h"

#include "base/base.h"
#include "pass/reply.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tacit_status tacit_replies_open(tacit_replies *r, const tacit_engine_rows *rows,
                                const tacit_question *question, const unsigned char *hash, uint64_t *answer,
                                tacit_error *error) {
  *r = (tacit_replies){.rows = rows,
                       .question = question,
                       .hash = hash,
                       .sum = answer,
                       .width = tacit_question_width(question, &rows->facts),
                       .missing = rows->place_count,
                       .covered = tacit_alloc(rows->count + 1, sizeof *r->covered)};
  memset(answer, 0, r->width * sizeof *answer);
  r->parts = tacit_alloc(rows->count + 1, sizeof *r->parts);
  return r->covered && r->parts ? TACIT_OK : tacit_no_memory(error);
}

void tacit_replies_close(tacit_replies *r) {
  if (r->seen) tacit_free_wiped(r->seen, r->seen_capacity);
  free(r->covered);
  free(r->parts);
  *r = (tacit_replies){0};
}

static int by_hash(const void *hash, const void *place) {
  return memcmp(hash, ((const tacit_part_place *)place)->hash, TACIT_HASH);
}

/* The line of the manifest that a reply's part k is, or `count` for none. */
static size_t line_of(const tacit_engine_rows *rows, const tacit_reply *reply, size_t k) {
  const tacit_part_place *place = rows->place_count
                                      ? bsearch(reply->parts + k * TACIT_HASH, rows->places,
                                                rows->place_count, sizeof *rows->places, by_hash)
                                      : NULL;
  return place ? place->index : rows->count;
}

static tacit_status bad(const char *what, tacit_error *error) {
  return tacit_fail(error, TACIT_BAD_INPUT, "a reply %s; it was not counted", what);
}

/* No sum of so many rows is larger: what is cannot be an answer. */
static bool within_reach(const tacit_replies *r, const tacit_reply *reply, double rows) {
  for (size_t k = 0; k < reply->width; k++) {
    double most = rows * tacit_question_reach(r->question, &r->rows->facts, k);
    int64_t entry = (int64_t)tacit_reply_number(reply, k);
    if (most < 0x1p62 && fabs((double)entry) > most * (1 + 0x1p-50)) return false;
  }
  return true;
}

static tacit_status refuse(tacit_replies *r, const char *what, tacit_error *error) {
  r->failed = true;
  return tacit_fail(error, TACIT_REFUSED, "%s; nothing of it was counted", what);
}

/* A reply whose parts have all been covered: the same one again, or parts that have other company now,
 * changes nothing.
 */
static tacit_status repeated(tacit_replies *r, const tacit_reply *reply, tacit_error *error) {
  size_t with = r->covered[line_of(r->rows, reply, 0)], same = 0;
  for (size_t i = 0; i < r->rows->count; i++) same += r->covered[i] == with;
  for (size_t k = 1; k < reply->part_count; k++)
    if (r->covered[line_of(r->rows, reply, k)] != with) return TACIT_OK;
  if (same != reply->part_count || !memcmp(r->seen + (with - 1) * TACIT_HASH, reply->seal, TACIT_HASH))
    return TACIT_OK;
  return refuse(r, "a part gave two different answers to one question", error);
}

static tacit_status count(tacit_replies *r, const tacit_reply *reply, tacit_error *error) {
  unsigned char *seen = tacit_grow(r->seen, &r->seen_capacity, (r->count + 1) * TACIT_HASH, 1);
  if (!seen) return tacit_no_memory(error);
  r->seen = seen;
  memcpy(r->seen + r->count++ * TACIT_HASH, reply->seal, TACIT_HASH);
  for (size_t k = 0; k < reply->part_count; k++) r->covered[line_of(r->rows, reply, k)] = r->count;
  for (size_t k = 0; k < reply->width; k++) r->sum[k] += tacit_reply_number(reply, k);
  r->missing -= reply->part_count;
  return TACIT_OK;
}

tacit_status tacit_replies_add(tacit_replies *r, const void *bytes, size_t length, tacit_error *error) {
  tacit_reply reply;
  size_t covered = 0;
  double rows = 0;
  TACIT_TRY(tacit_reply_read(bytes, length, &reply, error));
  if (reply.part_count > r->rows->place_count) return bad("covers more parts than the manifest has", error);
  if (memcmp(reply.question, r->hash, TACIT_HASH) != 0) return bad("is to another question", error);
  for (size_t k = 0; k < reply.part_count; k++) {
    size_t line = line_of(r->rows, &reply, k);
    if (line == r->rows->count) return bad("is of a part that is not in the manifest", error);
    r->parts[k] = &r->rows->entries[line];
    rows += (double)r->rows->entries[line].rows;
    covered += r->covered[line] != 0;
  }
  if (!tacit_reply_sealed(&reply, r->parts))
    return bad("was changed, or is not of the part that it names", error);
  if (reply.unknown) return TACIT_OK; /* the part is asked again, with what it lacks */
  if (reply.width != r->width) return bad("has the wrong length", error);
  if (!within_reach(r, &reply, rows)) return bad("is larger than its rows can make it", error);
  if (covered == reply.part_count) return repeated(r, &reply, error);
  if (covered)
    return refuse(r, "a reply covers a part that another one has covered, which would count twice", error);
  return count(r, &reply, error);
}
