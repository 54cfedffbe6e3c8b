/* The methods' own options on the command line: whatever the library's table has. */
#include "fitted.h"

#include <stdio.h>
#include <string.h>

static bool listed(const option *options, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(options[i].name, name)) return true;
  return false;
}

size_t method_options(pairs *given, bool region, option *options) {
  const tacit_method *m;
  const tacit_option *o;
  size_t count = 0;
  for (size_t i = 0; (m = tacit_method_at(i)); i++)
    for (size_t k = 0; tacit_method_needs_region(m) == region && (o = tacit_method_option(m, k)); k++)
      if (!listed(options, count, o->name) && count < METHOD_OPTIONS_MAX)
        options[count++] = (option){o->name, OPTION_PAIRS, given, o->value, NULL, NULL};
  return count;
}

static void print_methods(bool region, tacit_promise promise, const char *title) {
  const tacit_method *m;
  const tacit_option *o;
  printf("\n%s\n", title);
  for (size_t i = 0; (m = tacit_method_at(i)); i++) {
    if (tacit_method_needs_region(m) != region || tacit_method_promise(m) != promise) continue;
    printf("  %-24s %s%s\n", tacit_method_name(m), tacit_method_about(m),
           m == tacit_method_find("default", region) ? " (the default)" : "");
    for (size_t k = 0; (o = tacit_method_option(m, k)); k++) {
      printf("  ");
      print_option(o->name, o->value, o->about);
    }
  }
}

static void explain(bool region) {
  print_methods(region, TACIT_PROMISE_GAUSSIAN, "methods that promise mu:");
  print_methods(region, TACIT_PROMISE_PAIR, "methods that promise (epsilon, delta):");
  print_methods(region, TACIT_PROMISE_NOTHING, "methods without privacy:");
}

void explain_methods(void) {
  explain(false);
}

void explain_region_methods(void) {
  explain(true);
}

/* A word for an option of words, else a number. */
static tacit_status set(tacit_learn_options *learn, const tacit_method *method, const char *name,
                        const char *text, tacit_error *error) {
  const tacit_option *o = NULL;
  double number = 1;
  for (size_t k = 0; (o = tacit_method_option(method, k)); k++)
    if (!strcmp(o->name, name)) break;
  if (o && o->kind == TACIT_OPTION_WORD) return tacit_learn_options_set_word(learn, name, text, error);
  if (!o || !o->value || parse_number(text, &number))
    return tacit_learn_options_set_number(learn, name, number, error);
  snprintf(error->text, sizeof error->text, "--%s needs %s, not \"%.80s\"", name,
           o->kind == TACIT_OPTION_COUNT ? "a whole number" : "a number", text);
  return TACIT_USAGE;
}

int set_method_options(tacit_learn_options *learn, const tacit_method *method, const pairs *given) {
  tacit_error error;
  for (size_t i = 0; i < given->count; i++) {
    tacit_status status = set(learn, method, given->name[i], given->text[i], &error);
    if (status != TACIT_OK) return fail(status, &error);
  }
  return -1;
}
