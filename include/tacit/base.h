/* What every part of tacit shares: status codes, error texts, and the caller's wishes while work goes on. */
#ifndef TACIT_BASE_H
#define TACIT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version of these headers; tacit_version() says that of the library. */
#define TACIT_VERSION_MAJOR 0
#define TACIT_VERSION_MINOR 1
#define TACIT_VERSION_PATCH 0

#ifdef __cplusplus
#define TACIT_BEGIN extern "C" {
#define TACIT_END }
#else
#define TACIT_BEGIN
#define TACIT_END
#endif

#if defined(__GNUC__)
#define TACIT_API __attribute__((visibility("default")))
#define TACIT_CHECKED __attribute__((warn_unused_result))
#define TACIT_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define TACIT_API
#define TACIT_CHECKED
#define TACIT_PRINTF(f, a)
#endif

TACIT_BEGIN

/* Codes up to 5 are also the program's exit codes. These numbers never change. */
typedef enum tacit_status {
  TACIT_OK = 0,
  TACIT_CHECK_FAILED = 1, /* a check was made and did not hold */
  TACIT_USAGE = 2,        /* the call itself is wrong: an unknown option, a number out of its range */
  TACIT_BAD_INPUT = 3,    /* a file is missing, malformed or does not fit the schema */
  TACIT_REFUSED = 4,      /* no budget, or a public fact is missing that a promise needs */
  TACIT_INTERNAL = 5,     /* no memory, no entropy, a failed write */
  TACIT_CANCELLED = 6     /* the caller's cancel function said so */
} tacit_status;

/* Owned by the caller. Texts say what to do and never quote a private value. */
typedef struct tacit_error {
  char text[512];
} tacit_error;

/* How many letters must be changed, added, left out or swapped to make one text of the other, whatever their
   case; SIZE_MAX where they are not alike: for a "did you mean". */
TACIT_API size_t tacit_spelling_distance(const char *a, const char *b);

/* Several processes, each with a part of the rows, that learn one policy together: integer sums are added
   over all of them, one of them draws the noise, and the policy is the one that a single process would have
   learned from all rows. All ranks make the same calls in the same order; a failure on one of them must end
   all. */
typedef struct tacit_ranks {
  size_t rank, count; /* this process's number, from 0, and how many there are */
  /* values[k] becomes the sum over all ranks, modulo 2^64, on every rank. */
  tacit_status (*sum)(void *user, uint64_t *values, size_t count, tacit_error *error);
  /* Every rank gets rank 0's bytes. */
  tacit_status (*share)(void *user, void *bytes, size_t count, tacit_error *error);
  void *user;
} tacit_ranks;

/* How work is carried out; never what it computes. tacit_context_init gives every field its default. */
typedef struct tacit_context {
  int threads; /* 0: one per core; a process that was forked off one that used several has one only */
  void (*progress)(void *user, const char *what, double fraction); /* fraction in [0, 1]; may be NULL */
  bool (*cancelled)(void *user);                                   /* asked between steps; may be NULL */
  void *user;
  const tacit_ranks *ranks; /* NULL: this process has all rows */
} tacit_context;

TACIT_API void tacit_context_init(tacit_context *context);
TACIT_API const char *tacit_version(void);
/* Gives back memory that a function of the library says is to be given to tacit_free; NULL is fine. */
TACIT_API void tacit_free(void *memory);

TACIT_END

#endif
