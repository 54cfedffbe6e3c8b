/* tacit order: the table's rows with the decision appended. */
#include "table.h"
#include "tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ordering {
  const tacit_policy *policy;
  const tacit_schema *schema;
  tacit_source *source;
  double *x, *y;
  json_t *rows; /* with --json */
  size_t targets, undecided;
  bool integer;
  tacit_csv_form form; /* of the table, and of what is printed */
} ordering;

/* `order`, or with several targets `order:NAME`, quoted as CSV asks. */
static void print_header(const ordering *o) {
  size_t length;
  const char *text = tacit_source_text(o->source, &length);
  if (text) fwrite(text, 1, length, stdout);
  if (text && o->targets == 1) putchar(o->form.separator);
  if (o->targets == 1) fputs("order", stdout);
  for (size_t t = 0; o->targets > 1 && t < o->targets; t++) {
    if (text || t) putchar(o->form.separator);
    fputs("\"order:", stdout);
    for (const char *c = tacit_schema_target_name(o->schema, t); *c; c++) {
      if (*c == '"') putchar('"');
      putchar(*c);
    }
    putchar('"');
  }
  putchar('\n');
}

/* To whole units, in the direction that the costs ask for: up where a missing unit costs more than one left
   over, down where it costs less, to the nearest where both cost the same. Never out of the target's bounds.
 */
static double whole(const ordering *o, size_t target, double order) {
  tacit_goal goal = tacit_policy_goal(o->policy, target);
  double excess = goal.underage > 0 ? goal.underage - goal.overage : goal.quantile - 0.5;
  double near = rint(order), up = ceil(order), down = floor(order);
  if (fabs(order - near) <= 1e-9 * fmax(1, fabs(order))) return near; /* it is whole but for rounding */
  double low, high, to = excess > 0 ? up : excess < 0 ? down : near;
  tacit_schema_target_bounds(o->schema, target, &low, &high);
  return to > high ? down : to < low ? up : to;
}

/* In quotes where its comma would else end the cell. */
static void print_number(const ordering *o, double number) {
  char text[32];
  snprintf(text, sizeof text, "%.10g", number);
  char *point = strchr(text, '.');
  if (point) *point = o->form.decimal;
  bool quoted = point && o->form.decimal == o->form.separator;
  printf(quoted ? "\"%s\"" : "%s", text);
}

/* A row that cannot be decided (its lags reach before the table) keeps an empty cell. */
static void print_row(ordering *o, bool ready) {
  size_t length;
  const char *text = tacit_source_text(o->source, &length);
  o->undecided += !ready;
  if (!o->rows && text) fwrite(text, 1, length, stdout);
  json_t *row = o->rows ? json_object() : NULL;
  for (size_t t = 0; t < o->targets; t++) {
    double q = ready ? tacit_policy_decide(o->policy, t, o->x) : NAN;
    if (ready && o->integer) q = whole(o, t, q);
    if (row)
      json_object_set_new(row, tacit_schema_target_name(o->schema, t), ready ? json_real(q) : json_null());
    else {
      if (text || t) putchar(o->form.separator);
      if (ready) print_number(o, q);
    }
  }
  if (row)
    json_array_append_new(o->rows, row);
  else
    putchar('\n');
}

static tacit_status order_rows(ordering *o, tacit_error *error) {
  tacit_encoder *encoder = NULL;
  bool ready, more = true;
  tacit_status status = tacit_encoder_new(o->source, o->schema, false, &encoder, error);
  if (status == TACIT_OK && !o->rows) print_header(o);
  while (status == TACIT_OK) {
    status = tacit_encoder_next(encoder, o->x, o->y, &ready, &more, error);
    if (status != TACIT_OK || !more) break;
    print_row(o, ready);
  }
  tacit_encoder_free(encoder);
  return status;
}

static int finish(ordering *o) {
  if (o->undecided)
    fprintf(stderr,
            "tacit: %zu rows have no order: their lagged demand lies before the table or is missing\n",
            o->undecided);
  fputs("tacit: an order reveals the features it was computed from; the policy's promise does not cover it\n",
        stderr);
  if (!o->rows) {
    print_tally(o->source, o->schema);
    return flushed(0);
  }
  json_t *rows = o->rows;
  o->rows = NULL;
  return print_json(json_pack("{s:o, s:I, s:{s:o}}", "orders", rows, "undecided", (json_int_t)o->undecided,
                              "data_holder_only", "cells", tally_json(o->source, o->schema)));
}

int run_order(int argc, char **argv) {
  bool json = false;
  table_form form = {0};
  const char *arguments[2];
  bool integer = false;
  const option options[] = {
      {"integer", OPTION_FLAG, &integer, NULL, "whole units, up or down as the costs ask for", NULL},
      TABLE_FORM(form),
      {"json", OPTION_FLAG, &json, NULL, "orders as one JSON object", NULL}};
  int code = parse_options(
      &(command_line){
          .usage = "order POLICY TABLE",
          .about =
              "Prints TABLE (a CSV file, or - for standard input) with the column `order` appended; for a\n"
              "Parquet or JSON file that column alone, row by row.",
          .options = options,
          .option_count = sizeof options / sizeof *options,
          .arguments = arguments,
          .least = 2,
          .most = 2},
      argc, argv);
  if (code >= 0) return code;
  tacit_error error;
  tacit_policy *policy = NULL;
  ordering o = {0};
  tacit_status status = tacit_policy_read(arguments[0], &policy, &error);
  if (status == TACIT_OK && tacit_policy_region(policy)) {
    status = TACIT_BAD_INPUT;
    snprintf(error.text, sizeof error.text, "this policy decides over a region: use tacit spo decide");
  }
  if (status == TACIT_OK) status = form_of(&form, &o.form, &error);
  if (status == TACIT_OK) status = open_as(arguments[1], &form, &o.source, &error);
  if (status == TACIT_OK) {
    o.policy = policy;
    o.integer = integer;
    o.schema = tacit_policy_schema(policy);
    o.targets = tacit_schema_targets(o.schema);
    o.x = calloc(tacit_schema_columns(o.schema), sizeof *o.x);
    o.y = calloc(o.targets, sizeof *o.y);
    o.rows = json ? json_array() : NULL;
    if (!o.x || !o.y) status = TACIT_INTERNAL, snprintf(error.text, sizeof error.text, "not enough memory");
    if (status == TACIT_OK) status = order_rows(&o, &error);
  }
  code = status == TACIT_OK ? finish(&o) : fail(status, &error);
  json_decref(o.rows);
  free(o.x);
  free(o.y);
  tacit_source_free(o.source);
  tacit_policy_free(policy);
  return code;
}
