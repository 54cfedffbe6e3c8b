/* The replies to one question, as far as they have come: their sum, and which parts it covers. */
#ifndef TACIT_SRC_REPLIES_H
#define TACIT_SRC_REPLIES_H

#include "pass/engine.h"

struct tacit_replies {
  const tacit_engine_rows *rows;
  const tacit_question *question;
  const unsigned char *hash; /* the question's */
  uint64_t *sum;             /* width entries, of the parts that are covered */
  size_t width, missing;
  size_t *covered; /* of each line of the manifest, which reply it came with, from 1 on; 0: none yet */
  const tacit_part_entry **parts; /* workspace: those of the reply that is looked at */
  unsigned char *seen;            /* each reply's seal */
  size_t count, seen_capacity;
  bool failed; /* parts counted twice, or told two answers */
};

/* answer becomes the sum: it has the question's width. */
tacit_status tacit_replies_open(tacit_replies *replies, const tacit_engine_rows *rows,
                                const tacit_question *question, const unsigned char *hash, uint64_t *answer,
                                tacit_error *error) TACIT_CHECKED;
void tacit_replies_close(tacit_replies *replies);

#endif
