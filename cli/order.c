/* tacit order: the table's rows with the decision appended. */
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
  size_t goals, undecided;
  bool picked; /* one of several quantiles, or one between them */
  tacit_pick pick;
  double level; /* of the intervals; 0: none */
} ordering;

/* `order`, or with several goals `order:NAME`, quoted as CSV asks. */
static void print_name(const ordering *o, const char *what, size_t goal) {
  if (o->goals == 1) {
    fputs(what, stdout);
    return;
  }
  printf("\"%s:", what);
  for (const char *c = tacit_policy_goal_name(o->policy, goal); *c; c++) {
    if (*c == '"') putchar('"');
    putchar(*c);
  }
  putchar('"');
}

static void print_header(const ordering *o) {
  size_t length;
  const char *text = tacit_source_text(o->source, &length);
  if (text) fwrite(text, 1, length, stdout);
  if (text) putchar(',');
  for (size_t t = 0; t < o->goals; t++) {
    if (t) putchar(',');
    print_name(o, "order", t);
    if (o->level == 0) continue;
    putchar(',');
    print_name(o, "lower", t);
    putchar(',');
    print_name(o, "upper", t);
  }
  putchar('\n');
}

static double order_of(const ordering *o, size_t goal) {
  return o->picked ? tacit_policy_decide_picked(o->policy, &o->pick, o->x)
                   : tacit_policy_decide(o->policy, goal, o->x);
}

/* An order, or with an interval a map of three numbers. */
static json_t *cell_json(const ordering *o, bool ready, double q, double lower, double upper) {
  if (!ready) return json_null();
  if (o->level == 0) return json_real(q);
  return json_pack("{s:f, s:f, s:f}", "order", q, "lower", lower, "upper", upper);
}

/* A row that cannot be decided (its lags reach before the table) keeps an empty cell. */
static void print_row(ordering *o, bool ready) {
  size_t length;
  const char *text = tacit_source_text(o->source, &length);
  o->undecided += !ready;
  if (!o->rows && text) fwrite(text, 1, length, stdout);
  json_t *row = o->rows ? json_object() : NULL;
  for (size_t t = 0; t < o->goals; t++) {
    double q = ready ? order_of(o, t) : NAN;
    double lower = NAN, upper = NAN;
    const char *name =
        o->picked ? tacit_schema_target_name(o->schema, 0) : tacit_policy_goal_name(o->policy, t);
    if (ready && o->level > 0) (void)tacit_policy_interval(o->policy, t, o->x, o->level, &lower, &upper);
    if (row) {
      json_object_set_new(row, name, cell_json(o, ready, q, lower, upper));
    } else {
      if (text || t) putchar(',');
      if (ready) printf("%.10g", q);
      if (ready && o->level > 0) printf(",%.10g,%.10g", lower, upper);
      if (!ready && o->level > 0) fputs(",,", stdout);
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

/* The quantile that was asked for, of those that the policy has. */
static tacit_status pick(ordering *o, const tacit_goal *asked, tacit_error *error) {
  tacit_status status = tacit_policy_pick(o->policy, asked->quantile, &o->pick, error);
  if (status != TACIT_OK) return status;
  o->picked = true;
  o->goals = 1;
  if (o->pick.weight > 0)
    fprintf(
        stderr,
        "tacit: the policy was not learned at the quantile %.6g: orders are interpolated between %.6g and "
        "%.6g\n",
        asked->quantile, tacit_policy_goal(o->policy, o->pick.below).quantile,
        tacit_policy_goal(o->policy, o->pick.above).quantile);
  return TACIT_OK;
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
  const char *arguments[2], *where = NULL;
  numbers underage = {0}, overage = {0}, quantile = {0};
  goal_list asked = {.count = 0};
  double level = 0;
  bool has_level = false;
  const option options[] = {
      {"quantile", OPTION_NUMBERS, &quantile, "TAU",
       "where the policy has several: order for this one, or for one between them", NULL},
      {"underage", OPTION_NUMBERS, &underage, "B", "the same by costs: of a missing unit,", NULL},
      {"overage", OPTION_NUMBERS, &overage, "H", "and of a unit left over", NULL},
      {"where", OPTION_TEXT, &where, "CONDITION", "only the records that meet it: \"shop = 24\"", NULL},
      {"interval", OPTION_NUMBER, &level, "P",
       "between which orders the rule may lie, with probability P: for a policy of fit --intervals",
       &has_level},
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
  if (code < 0 && (quantile.count || underage.count || overage.count))
    code = set_goals(&underage, &overage, &quantile, 1, &asked);
  if (code < 0 && asked.count > 1) code = usage_error("give one quantile, or the costs once");
  if (code >= 0) return code;
  if (has_level && !(level > 0 && level < 1))
    return usage_error("--interval is a probability above 0 and below 1, such as 0.9");
  tacit_error error;
  tacit_policy *policy = NULL;
  ordering o = {0};
  tacit_status status = tacit_policy_read(arguments[0], &policy, &error);
  if (status == TACIT_OK && tacit_policy_region(policy)) {
    status = TACIT_BAD_INPUT;
    snprintf(error.text, sizeof error.text, "this policy decides over a region: use tacit spo decide");
  }
  for (size_t t = 0; status == TACIT_OK && has_level && t < tacit_policy_goal_count(policy); t++)
    if (!tacit_policy_has_uncertainty(policy, t)) {
      status = TACIT_BAD_INPUT;
      snprintf(error.text, sizeof error.text,
               "this policy does not say how sure it is: learn it with fit --intervals; a target whose "
               "quantile lies "
               "far out has no intervals");
    }
  if (status == TACIT_OK) status = tacit_source_open(arguments[1], &o.source, &error);
  if (status == TACIT_OK && where) {
    tacit_source *records = o.source;
    status = tacit_source_where(records, where, &o.source, &error);
  }
  if (status == TACIT_OK) {
    o.policy = policy;
    o.level = level;
    o.schema = tacit_policy_schema(policy);
    o.goals = tacit_policy_goal_count(policy);
    o.x = calloc(tacit_schema_columns(o.schema), sizeof *o.x);
    o.y = calloc(tacit_schema_targets(o.schema), sizeof *o.y);
    o.rows = json ? json_array() : NULL;
    if (!o.x || !o.y) status = TACIT_INTERNAL, snprintf(error.text, sizeof error.text, "not enough memory");
    if (status == TACIT_OK && asked.count) status = pick(&o, &asked.goals[0], &error);
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
