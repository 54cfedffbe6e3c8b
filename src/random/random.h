/* Randomness: operating-system entropy -> ChaCha20 -> bits -> a Gaussian rounded to a grid, exactly.

   A noise source hands out one stream per release, each with a fresh key: from the operating system, or
   derived from a seed for tests and reproductions (a policy made that way says that it is not private). */
#ifndef TACIT_SRC_RANDOM_H
#define TACIT_SRC_RANDOM_H

#include "base/base.h"

typedef struct tacit_noise_source {
  bool seeded;
  uint64_t seed;
  uint64_t releases;        /* streams handed out so far */
  const tacit_ranks *ranks; /* several processes: rank 0 draws for all of them; NULL: this one alone */
} tacit_noise_source;

/* Bits for one release. Wipe it with tacit_stream_end when the release is made. */
typedef struct tacit_stream {
  unsigned char key[32];
  uint64_t block; /* next ChaCha20 block */
  unsigned char buffer[1024];
  size_t used;                 /* bytes of buffer handed out */
  const unsigned char *script; /* tests only: bytes handed out before the generator's; else NULL */
  size_t script_length;
} tacit_stream;

void tacit_noise_source_os(tacit_noise_source *source);
void tacit_noise_source_seeded(tacit_noise_source *source, uint64_t seed);
/* TACIT_INTERNAL when the operating system gives no entropy: there is no weaker fallback. */
tacit_status tacit_stream_begin(tacit_noise_source *source, tacit_stream *stream,
                                tacit_error *error) TACIT_CHECKED;
void tacit_stream_end(tacit_stream *stream);

uint64_t tacit_stream_bits(tacit_stream *stream);              /* 64 uniform bits */
uint64_t tacit_stream_below(tacit_stream *stream, uint64_t n); /* uniform on 0..n-1, exactly; n >= 1 */

/* round(sigma Z) for a true standard normal Z, with no error at all (proofs/exact-noise.md).
   0 <= sigma <= TACIT_SIGMA_MAX; any other sigma stops the program, and so does a lack of memory for
   multi-precision: there is no answer that could be released instead. An answer beyond 63 bits, which takes
   |Z| > 512, is reduced modulo 2^64. */
#define TACIT_SIGMA_MAX 0x1p54
int64_t tacit_gaussian_integer(tacit_stream *stream, double sigma);
/* How often the hard path was taken by this thread; for tests. */
uint64_t tacit_gaussian_hard_count(void);

/* For simulation and for public starting points, never for a guarantee: doubles. */
double tacit_uniform(tacit_stream *stream); /* on (0, 1) */
double tacit_normal(tacit_stream *stream);
double tacit_laplace(tacit_stream *stream); /* density e^-|x| / 2 */
double tacit_student(tacit_stream *stream, int degrees);
int tacit_poisson(tacit_stream *stream, double mean);               /* takes as long as the mean is large */
void tacit_direction(tacit_stream *stream, size_t n, double *unit); /* uniform on the unit sphere */
void tacit_shuffle(tacit_stream *stream, size_t n, size_t *items);

#endif
