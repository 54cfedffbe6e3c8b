/* Two replies as one, for engines that add up on the way. */
#include "base/base.h"
#include "pass/reply.h"

#include <stdlib.h>
#include <string.h>

/* The lines of the manifest that a reply covers, in its order; false where one is missing. */
static bool find(const tacit_part_entry *entries, size_t count, const tacit_reply *reply,
                 const tacit_part_entry **parts) {
  for (size_t k = 0; k < reply->part_count; k++) {
    parts[k] = NULL;
    for (size_t i = 0; i < count && !parts[k]; i++)
      if (!memcmp(entries[i].hash, reply->parts + k * TACIT_HASH, TACIT_HASH)) parts[k] = &entries[i];
    if (!parts[k]) return false;
  }
  return true;
}

static int by_name(const void *a, const void *b) {
  return memcmp((*(const tacit_part_entry *const *)a)->hash, (*(const tacit_part_entry *const *)b)->hash,
                TACIT_HASH);
}

static tacit_status add_up(const tacit_reply *a, const tacit_reply *b, const tacit_part_entry **parts,
                           void **bytes, size_t *length, tacit_error *error) {
  size_t count = a->part_count + b->part_count;
  qsort(parts, count, sizeof *parts, by_name);
  for (size_t i = 1; i < count; i++)
    if (parts[i] == parts[i - 1])
      return tacit_fail(error, TACIT_BAD_INPUT,
                        "both replies cover one part, which would count twice; use one of them");
  uint64_t *sum = tacit_alloc(a->width, sizeof *sum);
  if (!sum) return tacit_no_memory(error);
  for (size_t k = 0; k < a->width; k++) sum[k] = tacit_reply_number(a, k) + tacit_reply_number(b, k);
  const tacit_reply facts = {
      .unknown = a->unknown, .question = a->question, .part_count = count, .width = a->width};
  tacit_status status = tacit_reply_make(&facts, parts, sum, bytes, length, error);
  tacit_free_wiped(sum, a->width * sizeof *sum);
  return status;
}

tacit_status tacit_reply_merge(const tacit_part_entry *entries, size_t count,
                               const tacit_reply_bytes replies[2], void **reply, size_t *reply_length,
                               tacit_error *error) {
  tacit_reply a, b;
  *reply = NULL;
  *reply_length = 0;
  TACIT_TRY(tacit_reply_read(replies[0].bytes, replies[0].length, &a, error));
  TACIT_TRY(tacit_reply_read(replies[1].bytes, replies[1].length, &b, error));
  if (memcmp(a.question, b.question, TACIT_HASH) != 0 || a.unknown != b.unknown || a.width != b.width)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "the replies are not to one question; add up those of one request");
  const tacit_part_entry **parts = tacit_alloc(a.part_count + b.part_count, sizeof *parts);
  if (!parts) return tacit_no_memory(error);
  bool whole = find(entries, count, &a, parts) && find(entries, count, &b, parts + a.part_count) &&
               tacit_reply_sealed(&a, parts) && tacit_reply_sealed(&b, parts + a.part_count);
  tacit_status status =
      whole ? add_up(&a, &b, parts, reply, reply_length, error)
            : tacit_fail(error, TACIT_BAD_INPUT,
                         "a reply was changed, or its parts are not in the manifest; ask again");
  free(parts);
  return status;
}
