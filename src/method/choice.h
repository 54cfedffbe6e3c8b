/* What a method settles on: from its options and public facts when it learns, from what a certificate states
   when it is verified. */
#ifndef TACIT_SRC_CHOICE_H
#define TACIT_SRC_CHOICE_H

#include "loss/kernel.h"
#include "method/recipe.h"
#include "privacy/certificate.h"
#include "schema/schema.h"

#include <tacit/method.h>

/* What is public about a fit, to the learner as to whoever verifies it. */
typedef struct tacit_facts {
  const tacit_schema *schema;
  const tacit_region *region; /* NULL: each target is ordered */
  const double *quantiles;    /* of each target; NULL over a region */
  double rows;                /* the public number; 0 as long as it is not known */
  double mu, epsilon, delta;  /* the guarantee: mu, or the pair */
  tacit_adjacency adjacency;
} tacit_facts;

/* A target's mu, or what it has of the pair. */
double tacit_facts_mu(const tacit_facts *facts);
double tacit_facts_epsilon(const tacit_facts *facts);
double tacit_facts_delta(const tacit_facts *facts);

/* Which way a Newton learner has gone after the count of the tail. */
typedef enum tacit_way { TACIT_WAY_OPEN, TACIT_WAY_NEAR, TACIT_WAY_FAR } tacit_way;

/* What units' parts are held to, in rows: whatever is summed of a unit before its rows' scores are; scores,
   their counts within and below, three of each kind of step. */
typedef enum tacit_unit_clip {
  TACIT_CLIP_SIZE,
  TACIT_CLIP_MEDIAN,
  TACIT_CLIP_SPREAD = 4,
  TACIT_CLIP_QUANTILE = 7,
  TACIT_UNIT_CLIPS = 10
} tacit_unit_clip;

/* Fields that a method does not have are 0. Numbers are in encoded units. */
typedef struct tacit_choice {
  size_t features, steps, average, batch;
  double clip_norm, growth, rate;
  double theta_bound; /* of the first target, or the one that was given for all */
  double step;        /* over a region */
  double own_epsilon; /* of each target; 0: an equal share */
  tacit_kernel kernel;
  bool sphere, whiten, wide, second_part, intervals;
  bool whole_units;                      /* are clipped as a whole */
  bool followed;                         /* it goes on from a policy */
  double *step_size, *bandwidth, *theta; /* of each target */
  tacit_recipe recipe;                   /* of a Newton learner */
  int white_bits, moment_reach;          /* the grids of its whitened rows and of the moment, */
  size_t settled, settled_items;         /* how many goals are planned to their end, and where that is; */
  bool alone;                            /* whether goals share nothing, as in older policies, */
  tacit_steps_rule rule;                 /* and how many steps in spreads they have, as these have */
  /* What releases say and inputs do not: a noise that was searched for (of sampled sums, or a response's
     epsilon0); lambda and the noise of an objective and its minimiser; a radius and a way that were found. */
  double noise;
  double *lambda, *sigma, *mu;    /* of each target; */
  double *radius, *clip, *spread; /* 0: not found yet */
  double *unit;                   /* TACIT_UNIT_CLIPS of each: what a unit's part is held to, likewise */
  tacit_way *way;
  char note[240]; /* what the user should know about it, from public facts alone */
  double *numbers;
} tacit_choice;

tacit_status tacit_choice_open(tacit_choice *choice, const tacit_facts *facts,
                               tacit_error *error) TACIT_CHECKED;
void tacit_choice_close(tacit_choice *choice);

/* An input as certificates state it: where it stands in a choice, and which values it can have. */
typedef enum tacit_input_kind {
  TACIT_INPUT_WHOLE,  /* a size_t */
  TACIT_INPUT_NUMBER, /* a double */
  TACIT_INPUT_WORD,   /* a bool: the first word or the second */
  TACIT_INPUT_KERNEL,
  TACIT_INPUT_EACH, /* a number for each target, numbered from 1 where there are several; these come last */
  TACIT_INPUT_UNITS /* the same, stated in the target's own units */
} tacit_input_kind;

typedef struct tacit_input {
  const char *name;
  tacit_input_kind kind;
  size_t at;            /* in a tacit_choice */
  double least, most;   /* of a number */
  const char *words[2]; /* of a word; the second may be NULL */
  bool optional;        /* not stated where it is 0 */
  const char *old_name; /* in policies of format 1, where it had another one, */
  const char *old_words[2];
} tacit_input;

#define TACIT_AT(field) offsetof(tacit_choice, field)
#define TACIT_AT_MOST(x) .least = 0x1p-1074, .most = (x) /* above 0 */
#define TACIT_POSITIVE TACIT_AT_MOST(DBL_MAX)            /* and finite, which every option is */

/* Writes the inputs of a choice into a certificate. */
tacit_status tacit_choice_state(const tacit_choice *choice, const tacit_facts *facts,
                                const tacit_input *inputs, size_t count, tacit_certificate *certificate,
                                tacit_error *error) TACIT_CHECKED;
/* Takes them from a certificate, from its setting `first` on: true if they are exactly these, in this order,
   each of its kind and in its range. Else *wrong names the first that is not, or has a word for it: never the
   file's own text. */
bool tacit_choice_recall(tacit_choice *choice, const tacit_facts *facts, const tacit_input *inputs,
                         size_t count, const tacit_certificate *certificate, const char **wrong);

#endif
