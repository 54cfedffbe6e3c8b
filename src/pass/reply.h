/* A reply: which question it answers, which parts of the manifest it covers, and the exact integers. Secret.

   Its seal is keyed by what the manifest says of the parts beyond their names: who has neither the parts nor
   the manifest cannot make one, or change whose it is. */
#ifndef TACIT_SRC_REPLY_H
#define TACIT_SRC_REPLY_H

#include "question/image.h"

#include <tacit/engine.h>

/* Points into the bytes that it was read from. */
typedef struct tacit_reply {
  const unsigned char *bytes;
  bool unknown; /* the part lacks what the question names by its hash: there is no answer */
  const unsigned char *question;
  const unsigned char *parts; /* part_count names, in ascending order */
  size_t part_count, width;
  const unsigned char *answer; /* width numbers of eight bytes */
  const unsigned char *seal;   /* of everything before it */
} tacit_reply;

uint64_t tacit_reply_number(const tacit_reply *reply, size_t k);
/* TACIT_BAD_INPUT for bytes that are no reply. The seal is not looked at. */
tacit_status tacit_reply_read(const void *bytes, size_t length, tacit_reply *reply,
                              tacit_error *error) TACIT_CHECKED;
/* Whether the seal is that of these parts, the reply's, in its order. */
bool tacit_reply_sealed(const tacit_reply *reply, const tacit_part_entry *const *parts);
/* A reply of these parts, in the order of their names; of the facts unknown, question, part_count and width
   are read. To be given to tacit_reply_free. */
tacit_status tacit_reply_make(const tacit_reply *facts, const tacit_part_entry *const *parts,
                              const uint64_t *answer, void **bytes, size_t *length,
                              tacit_error *error) TACIT_CHECKED;

#endif
