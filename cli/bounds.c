/* tacit bounds: what the papers' theorems promise of a method, with every constant and condition. */
#include "cli.h"

#include <math.h>
#include <stdio.h>

typedef struct request {
  tacit_bounds_options o;
  size_t rows, columns, steps, outputs;
  const char *schema;
  bool json;
} request;

static void list_methods(void) {
  printf("\nmethods with published bounds, the first the default:");
  for (size_t i = 0; tacit_bounds_method(i); i++) printf(" %s", tacit_bounds_method(i));
  printf("\n");
}

static int parse(request *r, int argc, char **argv) {
  tacit_bounds_options *o = &r->o;
  const option options[] = {
      {"method", OPTION_TEXT, &o->method, "NAME", "whose bounds; see below", NULL},
      {"schema", OPTION_TEXT, &r->schema, "FILE", "for columns, clip norm, theta bound and spread not given",
       NULL},
      {"rows", OPTION_COUNT, &r->rows, "N", "number of rows", NULL},
      {"columns", OPTION_COUNT, &r->columns, "P", "encoded columns with the intercept", NULL},
      {"quantile", OPTION_NUMBER, &o->tau, "T", "underage / (underage + overage)", NULL},
      {"clip-norm", OPTION_NUMBER, &o->clip_norm, "B", "no row is longer", NULL},
      {"theta-bound", OPTION_NUMBER, &o->theta_bound, "B", "the best coefficients are no longer", NULL},
      {"epsilon", OPTION_NUMBER, &o->epsilon, "E", "the guarantee, with --delta", NULL},
      {"delta", OPTION_NUMBER, &o->delta, "D", "the guarantee, with --epsilon", NULL},
      {"mu", OPTION_NUMBER, &o->mu, "M",
       "the guarantee instead, where the theorem is not for epsilon and delta alone", NULL},
      {"kernel", OPTION_TEXT, &o->kernel, "K", "logistic (default), gaussian, laplacian, uniform, ...", NULL},
      {"spread", OPTION_NUMBER, &o->spread, "S", "of a normal residual, for the three densities", NULL},
      {"density-low", OPTION_NUMBER, &o->density_low, "F", "least density of the residual at the quantile",
       NULL},
      {"density-high", OPTION_NUMBER, &o->density_high, "F", "its largest density", NULL},
      {"density-slope", OPTION_NUMBER, &o->density_slope, "F", "the density's Lipschitz constant", NULL},
      {"eigenvalue", OPTION_NUMBER, &o->eigenvalue, "R", "the smallest of E[x x'] (default 1)", NULL},
      {"distance", OPTION_NUMBER, &o->distance, "R", "Zhao: from start to solution (default --theta-bound)",
       NULL},
      {"confidence", OPTION_NUMBER, &o->confidence, "Z", "Zhao: but for a few e^-Z (default ln rows)", NULL},
      {"steps", OPTION_COUNT, &r->steps, "T", "Zhao: number of steps (default: what Theorem 4 asks)", NULL},
      {"step-size", OPTION_NUMBER, &o->step_size, "H", "Zhao: default the largest that is allowed", NULL},
      {"bandwidth", OPTION_NUMBER, &o->bandwidth, "W", "Zhao: default eq. (8)'s", NULL},
      {"outputs", OPTION_COUNT, &r->outputs, "D", "decisions: entries of a cost", NULL},
      {"diameter", OPTION_NUMBER, &o->diameter, "D", "decisions: of the region", NULL},
      {"decision-norm", OPTION_NUMBER, &o->width, "W", "decisions: the largest (default --diameter)", NULL},
      {"json", OPTION_FLAG, &r->json, NULL, "print one JSON object", NULL},
  };
  int code = parse_options(
      &(command_line){
          .usage = "bounds --method M --rows N --columns P --clip-norm B --theta-bound B ...",
          .about =
              "What the papers' theorems promise of a method's excess cost (b + h = 1), constants "
              "included: as it follows\nfrom the proof with the least noise, and as published; and which "
              "of their conditions hold.",
          .options = options,
          .option_count = sizeof options / sizeof *options,
          .more = list_methods},
      argc, argv);
  o->rows = (double)r->rows;
  o->columns = (double)r->columns;
  o->steps = (double)r->steps;
  o->outputs = (double)r->outputs;
  return code;
}

static tacit_status from_schema(request *r, tacit_error *error) {
  tacit_schema *schema = NULL;
  tacit_status status = tacit_schema_read(r->schema, &schema, error);
  if (status == TACIT_OK) status = tacit_bounds_from_schema(schema, 0, &r->o, error);
  tacit_schema_free(schema);
  return status;
}

static json_t *number(double x) {
  return isfinite(x) ? json_real(x) : json_null();
}

static int print_as_json(const tacit_bounds *b) {
  json_t *bounds = json_array(), *conditions = json_array();
  for (size_t i = 0; i < b->bounds; i++)
    json_array_append_new(bounds, json_pack("{s:s, s:s, s:o, s:o}", "name", b->bound[i].name, "where",
                                            b->bound[i].where, "value", number(b->bound[i].value),
                                            "published", number(b->bound[i].published)));
  for (size_t i = 0; i < b->conditions; i++)
    json_array_append_new(conditions, json_pack("{s:s, s:b}", "condition", b->condition[i].text, "holds",
                                                b->condition[i].holds));
  return print_json(json_pack("{s:o, s:o}", "bounds", bounds, "conditions", conditions));
}

static void print_number(double x) {
  if (isfinite(x))
    printf("  %-12.6g", x);
  else
    printf("  %-12s", "-");
}

int run_bounds(int argc, char **argv) {
  request r = {.json = false};
  tacit_bounds bounds;
  tacit_error error;
  tacit_bounds_options_init(&r.o);
  int code = parse(&r, argc, argv);
  if (code >= 0) return code;
  tacit_status status = r.schema ? from_schema(&r, &error) : TACIT_OK;
  if (status == TACIT_OK) status = tacit_bounds_find(&r.o, &bounds, &error);
  if (status != TACIT_OK) return fail(status, &error);
  if (r.json) return print_as_json(&bounds);
  printf("%-36s  %-20s  %-12s  %s\n", "", "", "from proof", "as published");
  for (size_t i = 0; i < bounds.bounds; i++) {
    printf("%-36s  %-20s", bounds.bound[i].name, bounds.bound[i].where);
    print_number(bounds.bound[i].value);
    print_number(bounds.bound[i].published);
    printf("\n");
  }
  printf("\n");
  for (size_t i = 0; i < bounds.conditions; i++)
    printf("%s %s\n", bounds.condition[i].holds ? "holds:" : "FAILS:", bounds.condition[i].text);
  return flushed(0);
}
