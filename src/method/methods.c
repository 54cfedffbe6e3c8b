/* The list of methods. A new one is a file beside this and a line here. */
#include "method/methods.h"

#include <string.h>

/* The first one of each kind, with a region or without, is its default. One line each. */
// clang-format off
static const tacit_method *const METHODS[] = {
    &tacit_method_location_scale,
    &tacit_method_median_newton,
    &tacit_method_bounded_change,
    &tacit_method_spo_gaussian,
    &tacit_method_noisy_gd,
    &tacit_method_gradient,
    &tacit_method_objective,
    &tacit_method_sgd,
    &tacit_method_bisection,
    &tacit_method_follow,
    &tacit_method_erm,
    &tacit_method_erm_exact,
    &tacit_method_erm_spread,
    &tacit_method_saa,
    &tacit_method_spo_exponential,
    &tacit_method_spo_least_squares,
    &tacit_method_spo_plus,
    &tacit_method_spo_least_squares_exact,
};
// clang-format on
enum { COUNT = sizeof METHODS / sizeof *METHODS };

const tacit_method *tacit_method_at(size_t index) {
  return index < COUNT ? METHODS[index] : NULL;
}

bool tacit_method_needs_region(const tacit_method *method) {
  return method->needs & TACIT_NEEDS_REGION;
}

const tacit_method *tacit_method_certified(const char *name, bool region) {
  for (size_t i = 0; i < COUNT; i++)
    if (tacit_method_needs_region(METHODS[i]) == region && !strcmp(name, METHODS[i]->name)) return METHODS[i];
  return NULL;
}

const tacit_method *tacit_method_find(const char *name, bool region) {
  for (size_t i = 0; name && i < COUNT; i++) {
    const tacit_method *m = METHODS[i];
    if (tacit_method_needs_region(m) != region) continue;
    if (!strcmp(name, m->name) || (m->alias && !strcmp(name, m->alias)) || !strcmp(name, "default")) return m;
  }
  return NULL;
}

const tacit_method *tacit_method_following(void) {
  for (size_t i = 0; i < COUNT; i++)
    if (METHODS[i]->follows) return METHODS[i];
  return NULL;
}

const tacit_method *tacit_method_for(const char *name, bool region, const tacit_schema *schema) {
  bool own = !region && schema->change > 0 && name && !strcmp(name, "default");
  return own ? &tacit_method_bounded_change : tacit_method_find(name, region);
}

const char *tacit_method_name(const tacit_method *method) {
  return method->name;
}

const char *tacit_method_about(const tacit_method *method) {
  return method->about;
}

tacit_promise tacit_method_promise(const tacit_method *method) {
  return method->promise;
}

const tacit_option *tacit_method_option(const tacit_method *method, size_t index) {
  return index < method->option_count ? &method->options[index].shown : NULL;
}
