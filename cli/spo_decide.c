/* tacit spo decide: the table's rows with the decision's coordinates appended. */
#include "spo.h"
#include "table.h"
#include "tally.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct deciding {
  const tacit_policy *policy;
  const tacit_schema *schema;
  tacit_source *source;
  double *x, *y, *w, *work;
  json_t *rows; /* with --json */
  size_t coordinates, undecided;
  char *header; /* of the table, until the first row is there */
  bool begun;   /* it is printed */
  tacit_csv_form form;
} deciding;

/* `decide:NAME` for each cost column, quoted as CSV asks. */
static void print_header(deciding *d) {
  if (d->begun || d->rows) return;
  d->begun = true;
  fputs(d->header, stdout);
  for (size_t t = 0; t < d->coordinates; t++) {
    printf("%c\"decide:", d->form.separator);
    for (const char *c = tacit_schema_target_name(d->schema, t); *c; c++) {
      if (*c == '"') putchar('"');
      putchar(*c);
    }
    putchar('"');
  }
  putchar('\n');
}

/* A row that cannot be decided (its lags reach before the table) keeps empty cells. */
static void print_row(deciding *d, bool ready) {
  size_t length;
  const char *text = tacit_source_text(d->source, &length);
  d->undecided += !ready;
  if (d->rows) {
    json_t *row = ready ? json_object() : json_null();
    for (size_t t = 0; ready && t < d->coordinates; t++)
      json_object_set_new(row, tacit_schema_target_name(d->schema, t), json_real(d->w[t]));
    json_array_append_new(d->rows, row);
    return;
  }
  print_header(d);
  fwrite(text, 1, length, stdout);
  for (size_t t = 0; t < d->coordinates; t++) {
    putchar(d->form.separator);
    if (ready) print_decimal(&d->form, d->w[t] == 0 ? 0.0 : d->w[t]); /* never -0 */
  }
  putchar('\n');
}

static tacit_status decide_rows(deciding *d, tacit_error *error) {
  tacit_encoder *encoder = NULL;
  bool ready, more = true;
  tacit_status status = copy_header(d->source, &d->header, error);
  if (status == TACIT_OK) status = tacit_encoder_new(d->source, d->schema, false, &encoder, error);
  while (status == TACIT_OK) {
    status = tacit_encoder_next(encoder, d->x, d->y, &ready, &more, error);
    if (status != TACIT_OK || !more) break;
    if (ready) status = tacit_spo_decide(d->policy, d->x, d->work, d->w, error);
    if (status == TACIT_OK) print_row(d, ready);
  }
  if (status == TACIT_OK) print_header(d); /* of a table without rows */
  tacit_encoder_free(encoder);
  return status;
}

static int finish(deciding *d) {
  if (d->undecided)
    fprintf(stderr, "tacit: %zu rows have no decision: a lagged cost lies before the table or is missing\n",
            d->undecided);
  fputs(tacit_schema_features_public(d->schema) ? "tacit: a decision reveals nothing that the policy's "
                                                  "promise does not cover: features are public\n"
                                                : "tacit: a decision reveals the features it was computed "
                                                  "from; the policy's promise does not cover "
                                                  "it\n",
        stderr);
  if (!d->rows) {
    print_tally(d->source, d->schema);
    return flushed(0);
  }
  json_t *rows = d->rows;
  d->rows = NULL;
  return print_json(json_pack("{s:o, s:I, s:{s:o}}", "decisions", rows, "undecided", (json_int_t)d->undecided,
                              "data_holder_only", "cells", tally_json(d->source, d->schema)));
}

static tacit_status open_rows(deciding *d, tacit_error *error) {
  size_t columns = tacit_schema_columns(d->schema);
  d->coordinates = tacit_schema_targets(d->schema);
  size_t width = columns + 3 * d->coordinates + tacit_region_work(tacit_policy_region(d->policy));
  d->x = calloc(width, sizeof *d->x);
  if (!d->x) {
    snprintf(error->text, sizeof error->text, "not enough memory");
    return TACIT_INTERNAL;
  }
  d->y = d->x + columns;
  d->w = d->y + d->coordinates;
  d->work = d->w + d->coordinates;
  return TACIT_OK;
}

int run_spo_decide(int argc, char **argv) {
  bool json = false;
  const char *arguments[2];
  table_form form = {0};
  const option options[] = {TABLE_FORM(form),
                            {"json", OPTION_FLAG, &json, NULL, "decisions as one JSON object", NULL}};
  int code = parse_options(&(command_line){.usage = "spo decide POLICY TABLE",
                                           .about = "Prints TABLE (a CSV file, or - for standard input) with "
                                                    "one column `decide:COST` appended for\n"
                                                    "each coordinate of the decision.",
                                           .options = options,
                                           .option_count = sizeof options / sizeof *options,
                                           .arguments = arguments,
                                           .least = 2,
                                           .most = 2},
                           argc, argv);
  if (code >= 0) return code;
  tacit_error error;
  tacit_policy *policy = NULL;
  deciding d = {0};
  tacit_status status = read_region_policy(arguments[0], "order", &policy, &error);
  if (status == TACIT_OK) status = form_of(&form, tacit_policy_schema(policy), &d.form, &error);
  if (status == TACIT_OK)
    status = open_csv(arguments[1], &form, tacit_policy_schema(policy), &d.source, &error);
  if (status == TACIT_OK) {
    d.policy = policy;
    d.schema = tacit_policy_schema(policy);
    d.rows = json ? json_array() : NULL;
    status = open_rows(&d, &error);
    if (status == TACIT_OK) status = decide_rows(&d, &error);
  }
  code = status == TACIT_OK ? finish(&d) : fail(status, &error);
  json_decref(d.rows);
  free(d.header);
  free(d.x);
  tacit_source_free(d.source);
  tacit_policy_free(policy);
  return code;
}
