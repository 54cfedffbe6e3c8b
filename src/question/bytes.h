/* Plain data to bytes and back: little-endian, no gaps, every length checked before it is believed. */
#ifndef TACIT_SRC_QUESTION_BYTES_H
#define TACIT_SRC_QUESTION_BYTES_H

#include <tacit/base.h>

/* Grows as it is written. Without memory, `failed` is set and stays. */
typedef struct tacit_bytes_out {
  unsigned char *bytes; /* to be freed */
  size_t length, capacity;
  bool failed;
} tacit_bytes_out;
void tacit_put_bytes(tacit_bytes_out *out, const void *bytes, size_t count);
void tacit_put_count(tacit_bytes_out *out, uint64_t value);
void tacit_put_number(tacit_bytes_out *out, double value); /* its bits */
void tacit_put_numbers(tacit_bytes_out *out, const double *values, size_t count);

/* What is left to be read. Reading past the end, or a value that does not fit, sets `failed`, which stays;
   what is read then is zero. */
typedef struct tacit_bytes_in {
  const unsigned char *at;
  size_t left;
  bool failed;
} tacit_bytes_in;
/* The next `count` bytes where they lie, or NULL. */
const unsigned char *tacit_get_bytes(tacit_bytes_in *in, size_t count);
uint64_t tacit_get_count(tacit_bytes_in *in, uint64_t most);
bool tacit_get_flag(tacit_bytes_in *in);
double tacit_get_number(tacit_bytes_in *in);
void tacit_get_numbers(tacit_bytes_in *in, double *values, size_t count);
/* Whether the next bytes are these. */
bool tacit_get_same(tacit_bytes_in *in, const void *bytes, size_t count);
/* All was read, and nothing is left. */
bool tacit_get_end(const tacit_bytes_in *in);

/* How a question's bytes begin: question_bytes.c writes them, question_read.c reads them. */
enum { TACIT_QUESTION_VERSION = 3, TACIT_HASH_TEXT = 64 };
extern const char tacit_question_magic[8];

#endif
