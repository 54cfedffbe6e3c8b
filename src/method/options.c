/* Options by name: setting them, and refusing what is out of range or another method's. */
#include "base/base.h"
#include "loss/kernel.h"
#include "method/method.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const tacit_kernel_words[] = {"gaussian",     "laplacian",  "logistic", "uniform",
                                          "epanechnikov", "triangular", NULL};

void tacit_learn_options_init_sized(tacit_learn_options *options, size_t size) {
  size_t known = size < sizeof *options ? size : sizeof *options;
  memset(options, 0, known);
  options->size = size;
  options->method = "default";
  options->adjacency = TACIT_REPLACE_ONE;
}

static void *place(const tacit_learn_options *options, const tacit_option_field *field) {
  return (char *)options + field->at;
}

/* What is there as a number; a word that is given is 1. */
static double value_of(const tacit_learn_options *options, const tacit_option_field *field) {
  const void *at = place(options, field);
  switch (field->shown.kind) {
  case TACIT_OPTION_FLAG:
    return *(const bool *)at;
  case TACIT_OPTION_COUNT:
    return (double)*(const size_t *)at;
  case TACIT_OPTION_NUMBER:
    return *(const double *)at;
  case TACIT_OPTION_WORD: {
    const char *word = *(const char *const *)at;
    return word && *word;
  }
  }
  return 0;
}

/* Names one after the other, with commas. */
static void add_name(char *list, size_t size, const char *name) {
  size_t at = strlen(list);
  snprintf(list + at, size - at, "%s%s", at ? ", " : "", name);
}

static const char *find_word(const tacit_option_field *field, const char *text) {
  for (size_t i = 0; field->words[i]; i++)
    if (!strcmp(text, field->words[i])) return field->words[i];
  return NULL;
}

static tacit_status refuse_word(const tacit_option_field *field, tacit_error *error) {
  char list[200] = "";
  for (size_t i = 0; field->words[i]; i++) add_name(list, sizeof list, field->words[i]);
  return tacit_fail(error, TACIT_USAGE, "%s is one of: %s", field->shown.name, list);
}

static tacit_status check_range(const tacit_option_field *field, double value, tacit_error *error) {
  bool whole = field->shown.kind != TACIT_OPTION_COUNT || value == floor(value);
  double most = field->most > 0 ? field->most : field->shown.kind == TACIT_OPTION_COUNT ? 0x1p53 : INFINITY;
  if (value > 0 && whole && value <= most && isfinite(value)) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE,
                    field->most > 0 ? "%s must be %s above 0 and at most %.15g" : "%s must be %s above 0",
                    field->shown.name,
                    whole && field->shown.kind != TACIT_OPTION_COUNT ? "a number" : "a whole number",
                    field->most);
}

/* The method by the name that was asked for, which may be "default". */
static tacit_status refuse_name(const tacit_method *method, const char *asked, const char *name,
                                tacit_error *error) {
  char list[200] = "";
  for (size_t i = 0; i < method->option_count; i++)
    add_name(list, sizeof list, method->options[i].shown.name);
  return tacit_fail(error, TACIT_USAGE, "method %.40s has no option %.40s; it has %s", asked, name,
                    *list ? list : "none");
}

static tacit_status find_option(const tacit_learn_options *options, const char *name,
                                const tacit_option_field **field, tacit_error *error) {
  const tacit_method *method = tacit_method_find(options->method, options->region != NULL);
  if (!method) return tacit_method_unknown(options->region != NULL, error);
  for (size_t i = 0; i < method->option_count; i++)
    if (!strcmp(name, method->options[i].shown.name)) {
      *field = &method->options[i];
      return TACIT_OK;
    }
  return refuse_name(method, options->method, name, error);
}

tacit_status tacit_learn_options_set_number(tacit_learn_options *options, const char *name, double number,
                                            tacit_error *error) {
  const tacit_option_field *field = NULL;
  TACIT_TRY(find_option(options, name, &field, error));
  void *at = place(options, field);
  if (field->shown.kind == TACIT_OPTION_WORD) return refuse_word(field, error);
  if (field->shown.kind == TACIT_OPTION_FLAG) {
    *(bool *)at = number != 0;
    return TACIT_OK;
  }
  TACIT_TRY(check_range(field, number, error));
  if (field->shown.kind == TACIT_OPTION_COUNT)
    *(size_t *)at = (size_t)number;
  else
    *(double *)at = number;
  return TACIT_OK;
}

tacit_status tacit_learn_options_set_word(tacit_learn_options *options, const char *name, const char *word,
                                          tacit_error *error) {
  const tacit_option_field *field = NULL;
  TACIT_TRY(find_option(options, name, &field, error));
  assert(field);
  if (field->shown.kind != TACIT_OPTION_WORD)
    return tacit_fail(error, TACIT_USAGE, "%s takes a number, not a word", name);
  const char *known = find_word(field, word);
  if (!known) return refuse_word(field, error);
  *(const char **)place(options, field) = known;
  return TACIT_OK;
}

static tacit_status check_field(const tacit_learn_options *options, const tacit_option_field *field,
                                tacit_error *error) {
  double value = value_of(options, field);
  if (value == 0 || field->shown.kind == TACIT_OPTION_FLAG) return TACIT_OK;
  if (field->shown.kind != TACIT_OPTION_WORD) return check_range(field, value, error);
  return find_word(field, *(const char **)place(options, field)) ? TACIT_OK : refuse_word(field, error);
}

/* One of another method's, which this one may have too. */
static tacit_status refuse_other(const tacit_method *method, const tacit_method *other, size_t option,
                                 const char *asked, tacit_error *error) {
  const char *name = other->options[option].shown.name;
  for (size_t i = 0; i < method->option_count; i++)
    if (!strcmp(name, method->options[i].shown.name))
      return tacit_fail(error, TACIT_USAGE, "%s of method %s is given, but the method is %.40s: give its own",
                        name, other->name, asked);
  return refuse_name(method, asked, name, error);
}

tacit_status tacit_method_check_options(const tacit_method *method, const tacit_learn_options *options,
                                        tacit_error *error) {
  for (size_t i = 0; i < method->option_count; i++)
    TACIT_TRY(check_field(options, &method->options[i], error));
  const tacit_method *other;
  for (size_t m = 0; (other = tacit_method_at(m)); m++)
    for (size_t i = 0; other != method && i < other->option_count; i++)
      if (value_of(options, &other->options[i]) != 0)
        return refuse_other(method, other, i, options->method, error);
  return TACIT_OK;
}

tacit_status tacit_method_unknown(bool region, tacit_error *error) {
  char list[300] = "default";
  const tacit_method *m;
  for (size_t i = 0; (m = tacit_method_at(i)); i++)
    if (tacit_method_needs_region(m) == region) add_name(list, sizeof list, m->alias ? m->alias : m->name);
  return tacit_fail(error, TACIT_USAGE, "no method of this name%s; there are %s",
                    region ? " over a region" : "", list);
}
