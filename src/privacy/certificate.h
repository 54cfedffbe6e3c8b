/* The certificate: every noisy release behind a policy, with what is needed to recompute its sensitivity and
   the guarantee of all of them together. */
#ifndef TACIT_SRC_CERTIFICATE_H
#define TACIT_SRC_CERTIFICATE_H

#include "privacy/gdp.h"

enum { TACIT_SCORE_BITS = 16 /* a score is an integer multiple of 2^-16 */ };

/* The public radius of one row's contribution to a sum of scores times rows, in integers
   (proofs/exact-sums.md). Units of the grid: 2^-cell_bits for clip, 2^-16 for score, both together for
   radius. */
typedef struct tacit_score_bound {
  int64_t score;  /* the largest |score|: ceil(max(tau, 1 - tau) 2^16) */
  int64_t clip;   /* floor(clip_norm 2^cell_bits) */
  int64_t radius; /* score * clip, below 2^53 */
} tacit_score_bound;

/* TACIT_USAGE when tau is not in (0, 1) or the clip norm does not fit the grid. */
tacit_status tacit_score_bound_set(tacit_score_bound *bound, double tau, double clip_norm, int cell_bits,
                                   tacit_error *error) TACIT_CHECKED;
/* How far the sum can move between neighbouring tables: radius times rows_per_unit, twice under replace-one.
   An integer below 2^53 in a double; TACIT_USAGE when it would not be. */
tacit_status tacit_score_sensitivity(const tacit_score_bound *bound, tacit_adjacency adjacency,
                                     size_t rows_per_unit, double *sensitivity,
                                     tacit_error *error) TACIT_CHECKED;

typedef enum tacit_noise_kind { TACIT_NOISE_NONE, TACIT_NOISE_SEEDED, TACIT_NOISE_OS } tacit_noise_kind;

/* One Gaussian release, or `count` of them alike: a sum of scores times rows for one target. */
typedef struct tacit_mechanism {
  size_t target;
  size_t dimension;
  double sensitivity; /* in units of the grid 2^-(cell_bits + 16) */
  double sigma;       /* in the same units */
  uint64_t count;
} tacit_mechanism;

/* A public input of the learner, by name: a number, or a text when text[0] is not 0. */
typedef struct tacit_setting {
  char name[24];
  double number;
  char text[24];
} tacit_setting;

struct tacit_certificate {
  char method[24];
  bool private; /* false: `reason` says why */
  char reason[96];
  tacit_adjacency adjacency;
  size_t rows_per_unit;
  size_t
      rows;  /* public: the number of rows under replace-one, nominal_rows under add-remove; 0: not stated */
  double mu; /* the guarantee of all mechanisms together */
  tacit_noise_kind noise;
  int cell_bits;
  double clip_norm;
  uint64_t steps; /* releases for each target */
  tacit_mechanism *mechanisms;
  size_t mechanism_count, mechanism_capacity;
  tacit_setting *settings;
  size_t setting_count, setting_capacity;
};

/* A copy with its own lists. */
tacit_status tacit_certificate_copy(const tacit_certificate *from, tacit_certificate **to,
                                    tacit_error *error) TACIT_CHECKED;
tacit_status tacit_certificate_new(const char *method, tacit_certificate **certificate,
                                   tacit_error *error) TACIT_CHECKED;
void tacit_certificate_free(tacit_certificate *certificate);
/* Adds a release; one like the last is counted instead of listed again. */
tacit_status tacit_certificate_add(tacit_certificate *certificate, const tacit_mechanism *mechanism,
                                   tacit_error *error) TACIT_CHECKED;
tacit_status tacit_certificate_number(tacit_certificate *certificate, const char *name, double number,
                                      tacit_error *error) TACIT_CHECKED;
tacit_status tacit_certificate_text(tacit_certificate *certificate, const char *name, const char *text,
                                    tacit_error *error) TACIT_CHECKED;

/* sqrt(sum of count (sensitivity / sigma)^2) over the mechanisms, rounded up; +inf for a sigma that is not a
   positive number. */
double tacit_certificate_mu(const tacit_certificate *certificate);

#endif
