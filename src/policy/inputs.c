/* The closed lists of inputs. What a learner does not write there is refused: a certificate has no room for
   notes, and a word or a number in it that nobody checks could hold anything. */
#include "policy/inputs.h"

#include "loss/tuning.h"
#include "privacy/recipe.h"
#include "privacy/spo_recipe.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum input_type { WHOLE, NUMBER, WORD, KERNEL } input_type;

/* One input as a method writes it. */
typedef struct input {
  const char *name;
  input_type type;
  double least, most;   /* of a number, whole or not */
  const char *words[2]; /* of a word */
  bool each;            /* one for each target, numbered from 1 where there are several; they come last */
} input;

#define AT_MOST(x) .least = 0x1p-1074, .most = (x) /* above 0 */
#define POSITIVE AT_MOST(DBL_MAX)                  /* and finite, which every option is */

static const input NEWTON[] = {{"features", WHOLE, .least = 0, .most = TACIT_COLUMNS_MAX},
                               {"steps", WHOLE, .least = 0, .most = TACIT_MEDIAN_STEPS},
                               {"scales", WORD, .words = {"known", "wide"}}};
static const input NOISY_GD[] = {{"steps", WHOLE, .least = 1, .most = TACIT_STEPS_MAX},
                                 {"clip_norm", NUMBER, POSITIVE},
                                 {"growth", NUMBER, POSITIVE},
                                 {"average", WHOLE, .least = 1, .most = TACIT_STEPS_MAX},
                                 {.name = "kernel", .type = KERNEL},
                                 {"start", WORD, .words = {"zero", "sphere"}},
                                 {"update", WORD, .words = {"Z eq. (7)", "Z eq. (6)"}},
                                 {"step_size", NUMBER, POSITIVE, .each = true},
                                 {"bandwidth", NUMBER, POSITIVE, .each = true}};
static const input GRADIENT[] = {
    {"steps", WHOLE, .least = 1, .most = TACIT_STEPS_MAX},
    {"clip_norm", NUMBER, POSITIVE},
    {"growth", WHOLE, .least = 1, .most = 1},
    {"average", WHOLE, .least = 1, .most = TACIT_STEPS_MAX},
    {.name = "kernel", .type = KERNEL},
    {"start", WORD, .words = {"zero"}},
    {"update", WORD, .words = {"Z eq. (7)"}},
    {"theta_bound", NUMBER, .least = TACIT_THETA_BOUND_LEAST, .most = TACIT_THETA_BOUND_MAX},
    {"step_size", NUMBER, POSITIVE, .each = true},
    {"bandwidth", NUMBER, POSITIVE, .each = true}};
static const input OBJECTIVE[] = {
    {"clip_norm", NUMBER, POSITIVE},
    {"theta_bound", NUMBER, .least = TACIT_THETA_BOUND_LEAST, .most = TACIT_THETA_BOUND_MAX},
    {.name = "kernel", .type = KERNEL},
    {"rule", WORD, .words = {"C Thm 3.6(1)", "C Thm 3.6(2)"}},
    {"bandwidth", NUMBER, POSITIVE, .each = true}};
static const input BATCHES[] = {
    {"steps", WHOLE, .least = 1, .most = TACIT_VISITS_MAX},
    {"clip_norm", NUMBER, POSITIVE},
    {"batch", WHOLE, .least = 1, .most = TACIT_VISITS_MAX},
    {"theta_bound", NUMBER, .least = TACIT_THETA_BOUND_LEAST, .most = TACIT_THETA_BOUND_MAX},
    {.name = "kernel", .type = KERNEL},
    {"step_size", NUMBER, POSITIVE, .each = true},
    {"bandwidth", NUMBER, POSITIVE, .each = true}};
static const input RATES[] = {
    {"steps", WHOLE, .least = 1, .most = TACIT_VISITS_MAX},
    {"clip_norm", NUMBER, POSITIVE},
    {"rate", NUMBER, .least = 0x1p-32, .most = 1},
    {"theta_bound", NUMBER, .least = TACIT_THETA_BOUND_LEAST, .most = TACIT_THETA_BOUND_MAX},
    {.name = "kernel", .type = KERNEL},
    {"step_size", NUMBER, POSITIVE, .each = true},
    {"bandwidth", NUMBER, POSITIVE, .each = true}};
static const input SPO_GAUSSIAN[] = {{"steps", WHOLE, .least = 1, .most = TACIT_SPO_STEPS_MAX},
                                     {"clip_norm", NUMBER, POSITIVE},
                                     {"scales", WORD, .words = {"known", "wide"}},
                                     {"step_size", NUMBER, AT_MOST(TACIT_STEP_SIZE_MAX)},
                                     {"growth", NUMBER, AT_MOST(TACIT_GROWTH_MAX)},
                                     {"average", WHOLE, .least = 1, .most = TACIT_SPO_STEPS_MAX}};
static const input SPO_EXPONENTIAL[] = {{"steps", WHOLE, .least = 1, .most = TACIT_SPO_STEPS_MAX},
                                        {"step_size", NUMBER, AT_MOST(TACIT_STEP_SIZE_MAX)},
                                        {"average", WHOLE, .least = 1, .most = TACIT_SPO_STEPS_MAX}};

#define LIST(inputs) inputs, sizeof(inputs) / sizeof *(inputs)
/* A method whose options exclude each other has several lists. */
static const struct {
  const char *method;
  const input *inputs;
  size_t count;
  bool (*tuned)(const tacit_policy *policy, const char **wrong);
} METHODS[] = {
    {"median-newton", LIST(NEWTON), NULL},
    {"noisy-gd", LIST(NOISY_GD), tacit_tuned_noisy_gd},
    {"gradient", LIST(GRADIENT), tacit_tuned_gradient},
    {"objective", LIST(OBJECTIVE), tacit_tuned_objective},
    {"sgd", LIST(BATCHES), tacit_tuned_sgd},
    {"sgd", LIST(RATES), tacit_tuned_sgd},
    {"spo-gaussian", LIST(SPO_GAUSSIAN), tacit_tuned_spo_gaussian},
    {"spo-exponential", LIST(SPO_EXPONENTIAL), tacit_tuned_spo_exponential},
    {"spo-least-squares", NULL, 0, NULL},
};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

static void name_of(const tacit_policy *policy, const char *name, size_t target, char full[40]) {
  snprintf(full, 40, policy->schema->target_count > 1 ? "%s[%zu]" : "%s", name, target + 1);
}

double tacit_input_number(const tacit_policy *policy, const char *name) {
  return tacit_certificate_find(policy->certificate, name)->number;
}

double tacit_input_of_target(const tacit_policy *policy, const char *name, size_t target) {
  char full[40];
  name_of(policy, name, target, full);
  return tacit_input_number(policy, full);
}

static bool is_value(const input *in, const tacit_setting *s) {
  tacit_kernel kernel;
  bool text = s->text[0] != 0;
  if (in->type == KERNEL) return tacit_kernel_by_name(s->text, &kernel);
  for (size_t i = 0; i < 2 && in->type == WORD; i++)
    if (in->words[i] && !strcmp(s->text, in->words[i])) return true;
  if (in->type == WORD || text || !(s->number >= in->least && s->number <= in->most) || signbit(s->number))
    return false;
  return in->type == NUMBER || s->number == floor(s->number);
}

/* The settings from `at` on are these inputs and no others; how many of them are, and the first that is not.
 */
static size_t follow(const tacit_policy *policy, size_t at, const input *inputs, size_t count,
                     const char **wrong) {
  const tacit_certificate *c = policy->certificate;
  size_t targets = policy->schema->target_count, all = 0, start = at;
  while (all < count && !inputs[all].each) all++;
  size_t own = count - all, wanted = all + targets * own;
  for (size_t i = 0; i < wanted; i++, at++) {
    const input *in = i < all ? &inputs[i] : &inputs[all + (i - all) % own];
    char name[40];
    if (i < all)
      snprintf(name, sizeof name, "%s", in->name);
    else
      name_of(policy, in->name, (i - all) / own, name);
    *wrong = in->name;
    if (at == c->setting_count || strcmp(c->settings[at].name, name) != 0 || !is_value(in, &c->settings[at]))
      return at - start;
  }
  *wrong = at == c->setting_count ? NULL : "another one";
  return at - start;
}

bool tacit_inputs_hold(const tacit_policy *policy, const char **wrong) {
  const tacit_certificate *c = policy->certificate;
  /* every method writes the command's number of rows first; whether it may, and which, check_unit knows */
  size_t first = c->setting_count && !strcmp(c->settings[0].name, "nominal_rows") ? 1 : 0, best = 0;
  *wrong = "method";
  for (size_t m = 0; m < METHOD_COUNT; m++) {
    const char *here;
    if (strcmp(c->method, METHODS[m].method) != 0) continue;
    size_t right = follow(policy, first, METHODS[m].inputs, METHODS[m].count, &here);
    if (!here) {
      *wrong = NULL;
      return !METHODS[m].tuned || METHODS[m].tuned(policy, wrong);
    }
    if (right < best) continue; /* another list of the method came further */
    best = right;
    *wrong = here;
  }
  return false;
}
