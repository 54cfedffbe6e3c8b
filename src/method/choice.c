/* What a method settles on, to and from what a certificate states. A certificate has no room for notes: a
   word or a number in it that nobody checks could hold anything. */
#include "method/choice.h"

#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double tacit_facts_mu(const tacit_facts *facts) {
  return facts->region ? facts->mu : facts->mu / sqrt((double)facts->schema->target_count);
}

double tacit_facts_epsilon(const tacit_facts *facts) {
  return facts->region ? facts->epsilon : facts->epsilon / (double)facts->schema->target_count;
}

double tacit_facts_delta(const tacit_facts *facts) {
  return facts->region ? facts->delta : facts->delta / (double)facts->schema->target_count;
}

tacit_status tacit_choice_open(tacit_choice *choice, const tacit_facts *facts, tacit_error *error) {
  size_t targets = facts->schema->target_count;
  *choice = (tacit_choice){.white_bits = TACIT_WHITE_BITS};
  double **own[] = {&choice->step_size, &choice->bandwidth, &choice->theta, &choice->lambda, &choice->sigma,
                    &choice->mu,        &choice->radius,    &choice->clip,  &choice->spread};
  enum { OWN = sizeof own / sizeof *own };
  choice->numbers = tacit_alloc((OWN + TACIT_UNIT_CLIPS) * targets, sizeof *choice->numbers);
  choice->way = tacit_alloc(targets, sizeof *choice->way);
  if (!choice->numbers || !choice->way) return tacit_no_memory(error);
  for (size_t i = 0; i < OWN; i++) *own[i] = choice->numbers + i * targets;
  choice->unit = choice->numbers + OWN * targets;
  return TACIT_OK;
}

void tacit_choice_close(tacit_choice *choice) {
  free(choice->numbers);
  free(choice->way);
  *choice = (tacit_choice){0};
}

static bool is_each(const tacit_input *input) {
  return input->kind == TACIT_INPUT_EACH || input->kind == TACIT_INPUT_UNITS;
}

/* What one encoded unit is in the input's own. */
static double unit_of(const tacit_input *input, const tacit_facts *facts, size_t target) {
  return input->kind == TACIT_INPUT_UNITS ? facts->schema->targets[target].scale.half : 1;
}

static void *place(const tacit_choice *choice, const tacit_input *input) {
  return (char *)choice + input->at;
}

static double value_of(const tacit_choice *choice, const tacit_input *input, size_t target) {
  void *at = place(choice, input);
  switch (input->kind) {
  case TACIT_INPUT_WHOLE:
    return (double)*(size_t *)at;
  case TACIT_INPUT_NUMBER:
    return *(double *)at;
  case TACIT_INPUT_WORD:
    return *(bool *)at;
  case TACIT_INPUT_KERNEL:
    return *(tacit_kernel *)at;
  case TACIT_INPUT_EACH:
  case TACIT_INPUT_UNITS:
    return (*(double **)at)[target];
  }
  return 0;
}

static void set_value(tacit_choice *choice, const tacit_input *input, size_t target, double value) {
  void *at = place(choice, input);
  switch (input->kind) {
  case TACIT_INPUT_WHOLE:
    *(size_t *)at = (size_t)value;
    break;
  case TACIT_INPUT_NUMBER:
    *(double *)at = value;
    break;
  case TACIT_INPUT_WORD:
    *(bool *)at = value != 0;
    break;
  case TACIT_INPUT_KERNEL:
    *(tacit_kernel *)at = (tacit_kernel)(int)value;
    break;
  case TACIT_INPUT_EACH:
  case TACIT_INPUT_UNITS:
    (*(double **)at)[target] = value;
    break;
  }
}

/* The inputs one by one: those of all targets together, then each target's own in turn. False after the last.
 */
typedef struct walk {
  const tacit_input *inputs, *input;
  size_t count, targets, i, target;
  bool old; /* by the names of format 1 */
  char name[40];
} walk;

static bool step(walk *w) {
  for (;; w->i++) {
    if (w->i == w->count) {
      if (++w->target == w->targets) return false;
      w->i = 0;
    }
    w->input = &w->inputs[w->i];
    if (is_each(w->input) || w->target == 0) break;
  }
  w->i++;
  bool numbered = is_each(w->input) && w->targets > 1;
  const char *name = w->old && w->input->old_name ? w->input->old_name : w->input->name;
  snprintf(w->name, sizeof w->name, numbered ? "%s[%zu]" : "%s", name, w->target + 1);
  return true;
}

tacit_status tacit_choice_state(const tacit_choice *choice, const tacit_facts *facts,
                                const tacit_input *inputs, size_t count, tacit_certificate *certificate,
                                tacit_error *error) {
  walk w = {.inputs = inputs, .count = count, .targets = facts->schema->target_count};
  while (count && step(&w)) {
    double value = value_of(choice, w.input, w.target);
    if (w.input->optional && value == 0) continue;
    const char *text = w.input->kind == TACIT_INPUT_WORD ? w.input->words[value != 0]
                       : w.input->kind == TACIT_INPUT_KERNEL
                           ? tacit_kernel_facts((tacit_kernel)(int)value)->name
                           : NULL;
    TACIT_TRY(text ? tacit_certificate_text(certificate, w.name, text, error)
                   : tacit_certificate_number(certificate, w.name, value * unit_of(w.input, facts, w.target),
                                              error));
  }
  return TACIT_OK;
}

/* The value that a setting states, in its own units. */
static bool read_setting(const tacit_input *input, bool old, const tacit_setting *s, double *value) {
  tacit_kernel kernel;
  if (input->kind == TACIT_INPUT_KERNEL) {
    bool known = tacit_kernel_by_name(s->text, &kernel);
    *value = known ? (double)kernel : 0;
    return known;
  }
  if (input->kind == TACIT_INPUT_WORD) {
    const char *const *words = old && input->old_name ? input->old_words : input->words;
    for (int i = 0; i < 2; i++)
      if (words[i] && !strcmp(s->text, words[i])) {
        *value = i;
        return true;
      }
    return false;
  }
  *value = s->number;
  if (s->text[0] || !(*value >= input->least && *value <= input->most) || signbit(*value)) return false;
  return input->kind != TACIT_INPUT_WHOLE || *value == floor(*value);
}

bool tacit_choice_recall(tacit_choice *choice, const tacit_facts *facts, const tacit_input *inputs,
                         size_t count, const tacit_certificate *certificate, const char **wrong) {
  size_t at = certificate->setting_count && !strcmp(certificate->settings[0].name, "nominal_rows") ? 1 : 0;
  walk w = {.inputs = inputs,
            .count = count,
            .targets = facts->schema->target_count,
            .old = certificate->format == 1};
  while (count && step(&w)) {
    const tacit_setting *s = at < certificate->setting_count ? &certificate->settings[at] : NULL;
    bool named = s && !strcmp(s->name, w.name);
    double value;
    if (w.input->optional && !named) continue;
    *wrong = w.input->name;
    if (!named || !read_setting(w.input, w.old, s, &value)) return false;
    set_value(choice, w.input, w.target, value / unit_of(w.input, facts, w.target));
    at++;
  }
  *wrong = "another one";
  return at == certificate->setting_count;
}
