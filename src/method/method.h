/* What a method is. One file for each says everything about it that is public: its name, what it promises and
   needs, its options, and the releases that follow from them. The learner (src/learn) carries the plan out;
   verification (src/policy) makes it again; the command line and bindings read the same table. */
#ifndef TACIT_SRC_METHOD_H
#define TACIT_SRC_METHOD_H

#include "method/plan.h"

#include <stddef.h>

/* An option and where it stands in tacit_learn_options. Its type there: bool, size_t, double, const char *.
 */
typedef struct tacit_option_field {
  tacit_option shown;
  size_t at;
  double most;              /* of a number; 0: any */
  const char *const *words; /* up to NULL */
} tacit_option_field;

enum { TACIT_NEEDS_REGION = 1, TACIT_NEEDS_ONE_PLACE = 2 };

/* None; one that was learned and then given up: it is added 0 times; one that is used. */
typedef enum tacit_spread_paid {
  TACIT_SPREAD_NONE,
  TACIT_SPREAD_GIVEN_UP,
  TACIT_SPREAD_USED
} tacit_spread_paid;

struct tacit_method {
  const char *name;  /* as certificates and ledgers have it */
  const char *alias; /* a shorter one that users may say; NULL: none */
  const char *about;
  tacit_promise promise;
  unsigned needs;  /* rows in one place: no ranks, no engine */
  bool spread;     /* its rules may have one (loss/rule.h) */
  bool on_the_way; /* chooses releases by earlier ones: its plan is open at first (proofs/composition.md) */
  bool follows;    /* can go on from a policy, and its own have a state (method/state.h) */
  const tacit_option_field *options;
  size_t option_count;
  const tacit_input *inputs; /* what its certificates state */
  size_t input_count;
  /* The rest is NULL for methods without privacy. Refusals that need no rows; may be NULL. */
  tacit_status (*check)(const tacit_facts *facts, const tacit_learn_options *options, tacit_error *error);
  bool (*whitens)(const tacit_learn_options *options); /* rows by the schema's second moment; NULL: never */
  /* Whether what a unit adds is clipped as a whole, so that its rows must lie together; NULL: never. */
  bool (*whole_units)(const tacit_schema *schema, const tacit_learn_options *options);
  /* What the options and the facts ask for. */
  tacit_status (*choose)(const tacit_facts *facts, const tacit_learn_options *options, tacit_choice *choice,
                         tacit_error *error);
  /* The releases of a choice, as far as it is settled. */
  tacit_status (*plan)(const tacit_facts *facts, const tacit_choice *choice, tacit_release_plan *plan,
                       tacit_error *error);
  /* The same after a choice was settled further, of a method that chooses on the way; else NULL. */
  tacit_status (*plan_on)(const tacit_facts *facts, tacit_choice *choice, tacit_release_plan *plan,
                          tacit_error *error);
  /* For verification. Takes what only releases say from a certificate's list, and looks whether it is what
     the rules ask for; may be NULL. Then whether the choice is one that `choose` can make: *wrong names an
     input that is not. */
  bool (*read_list)(const tacit_facts *facts, const tacit_certificate *certificate, tacit_choice *choice);
  bool (*possible)(const tacit_facts *facts, const tacit_choice *choice, const char **wrong);
  /* How long a target's coefficients can be; +inf: any length. Whether slopes can differ from 0; both may be
     NULL. */
  double (*reach)(const tacit_facts *facts, const tacit_choice *choice, size_t target);
  bool (*slopes)(const tacit_choice *choice);
  /* What a target's list of releases paid for, of a method whose rules may have a spread. */
  tacit_spread_paid (*spread_paid)(const tacit_facts *facts, const tacit_choice *choice, size_t target);
};

#define TACIT_OPTION_AT(field) offsetof(tacit_learn_options, field)

/* By the name in a certificate; NULL: none. */
const tacit_method *tacit_method_certified(const char *name, bool region);
/* TACIT_USAGE for an option of the method that is out of its range, and for one of another method. */
tacit_status tacit_method_check_options(const tacit_method *method, const tacit_learn_options *options,
                                        tacit_error *error) TACIT_CHECKED;

/* TACIT_USAGE with the names that there are. */
tacit_status tacit_method_unknown(bool region, tacit_error *error) TACIT_CHECKED;

extern const char *const tacit_kernel_words[]; /* the kernels' names, up to NULL */

#endif
