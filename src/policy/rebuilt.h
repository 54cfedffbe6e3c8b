/* What a policy's method makes of the numbers that its certificate states. */
#ifndef TACIT_SRC_REBUILT_H
#define TACIT_SRC_REBUILT_H

#include "method/method.h"
#include "policy/policy.h"

typedef struct tacit_rebuilt {
  const tacit_method *method; /* NULL: no method of this name promises what is claimed */
  tacit_facts facts;
  tacit_choice choice; /* as it is stated */
  double *quantiles;
  bool inputs;       /* they are exactly those that the method states, in its order, each of its kind and in
                        its range, and hang together as its options and rules make them */
  const char *wrong; /* else the name of the first that is not, or a word for it: never the file's own text */
  bool listed;       /* the list has exactly the method's releases, each with its noise */
} tacit_rebuilt;

/* To be freed in any case; without memory nothing holds. */
void tacit_rebuild(const tacit_policy *policy, tacit_rebuilt *rebuilt);
void tacit_rebuilt_free(tacit_rebuilt *rebuilt);

/* Whether every coefficient, and a spread's numbers, are such that the method can give; for inputs that hold.
   Verification cannot know that they are what the releases gave. */
bool tacit_rebuilt_coefficients(const tacit_rebuilt *rebuilt, const tacit_policy *policy);

#endif
