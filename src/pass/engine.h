/* Rows that lie in a caller's engine: asks its parts, adds up their replies, and demands all of them. */
#ifndef TACIT_SRC_ENGINE_H
#define TACIT_SRC_ENGINE_H

#include "data/encode.h"
#include "question/question.h"

#include <tacit/engine.h>

typedef struct tacit_part_place { /* of a part's line in the manifest */
  const unsigned char *hash;
  size_t index;
} tacit_part_place;

/* A source's rows in an engine (source->engine). */
typedef struct tacit_engine_rows {
  tacit_engine engine;
  tacit_part_entry *entries;
  size_t count;
  tacit_part_place *places; /* of the parts with rows, by their hashes */
  size_t place_count;
  tacit_row_facts facts;
  unsigned char sent_image[TACIT_HASH]; /* what every part was sent last */
  char sent_region[65];
} tacit_engine_rows;

tacit_read_counts tacit_engine_counts(const tacit_engine_rows *rows);
/* Whether units can be asked about as a whole in every part. */
bool tacit_engine_whole(const tacit_engine_rows *rows);
/* The sum over all parts of the manifest. */
tacit_status tacit_engine_ask(tacit_engine_rows *rows, const tacit_question *question, uint64_t *answer,
                              tacit_error *error) TACIT_CHECKED;

#endif
