/* The methods that there are, what they promise, and their options by name: what a binding to another
   language needs. */
#include <stdio.h>
#include <stdlib.h>
#include <tacit/tacit.h>

int main(void) {
  static const char *const PROMISES[] = {"nothing", "mu", "(epsilon, delta)"};
  const tacit_method *method;
  const tacit_option *option;
  for (size_t i = 0; (method = tacit_method_at(i)); i++) {
    printf("%s: %s; promises %s%s\n", tacit_method_name(method), tacit_method_about(method),
           PROMISES[tacit_method_promise(method)],
           tacit_method_needs_region(method) ? "; over a region" : "");
    for (size_t k = 0; (option = tacit_method_option(method, k)); k++)
      printf("  %-12s %s\n", option->name, option->about);
  }

  tacit_error error;
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = "noisy-gd";
  if (tacit_learn_options_set_number(&options, "steps", 40, &error) != TACIT_OK) return EXIT_FAILURE;
  /* what a method does not have is refused, with what it has */
  if (tacit_learn_options_set_number(&options, "batch", 40, &error) == TACIT_OK) return EXIT_FAILURE;
  printf("%s\n", error.text);
  return EXIT_SUCCESS;
}
