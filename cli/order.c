/* tacit order: the table's rows with the decision appended. */
#include "table.h"
#include "tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
  const char *policy, *table, *where;
  numbers underage, overage, quantile;
  goal_list asked; /* the quantile to pick; none: all that there are */
  double level;    /* of the intervals; 0: none */
  bool has_level, integer, json;
  table_form form;
} request;

typedef struct ordering {
  const request *asked;
  tacit_policy *policy;
  const tacit_schema *schema;
  tacit_source *source;
  double *x, *y;
  json_t *rows; /* with --json */
  size_t goals, undecided;
  size_t least; /* orders that are held at the target's least */
  char *header; /* of the table, until the first row is there */
  bool begun;   /* it is printed */
  bool picked;  /* one of several quantiles, or one between them */
  tacit_pick pick;
  tacit_csv_form form; /* of the table, and of what is printed */
} ordering;

/* What is printed for a goal: its order, and where it may lie. */
typedef struct answer {
  double order, lower, upper;
} answer;

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

static void print_header(ordering *o) {
  if (o->begun || o->rows) return;
  o->begun = true;
  if (o->header) fputs(o->header, stdout);
  for (size_t g = 0; g < o->goals; g++) {
    if (o->header || g) putchar(o->form.separator);
    print_name(o, "order", g);
    if (o->asked->level == 0) continue;
    putchar(o->form.separator);
    print_name(o, "lower", g);
    putchar(o->form.separator);
    print_name(o, "upper", g);
  }
  putchar('\n');
}

/* To whole units, in the direction that the costs ask for: up where a missing unit costs more than one left
   over, down where it costs less, to the nearest where both cost the same. Never out of the target's bounds.
 */
static double whole(const ordering *o, size_t goal, double order) {
  tacit_goal wanted = o->picked ? o->asked->asked.goals[0] : tacit_policy_goal(o->policy, goal);
  double excess = wanted.underage > 0 ? wanted.underage - wanted.overage : wanted.quantile - 0.5;
  double near = rint(order), up = ceil(order), down = floor(order);
  if (fabs(order - near) <= 1e-9 * fmax(1, fabs(order))) return near; /* it is whole but for rounding */
  double low, high, to = excess > 0 ? up : excess < 0 ? down : near;
  tacit_schema_target_bounds(o->schema, tacit_policy_goal_target(o->policy, goal), &low, &high);
  return to > high ? down : to < low ? up : to;
}

static answer answer_of(ordering *o, size_t goal) {
  answer a = {.lower = NAN, .upper = NAN};
  a.order = o->picked ? tacit_policy_decide_picked(o->policy, &o->pick, o->x)
                      : tacit_policy_decide(o->policy, goal, o->x);
  double low, high;
  tacit_schema_target_bounds(o->schema, tacit_policy_goal_target(o->policy, goal), &low, &high);
  o->least += a.order <= low + 1e-9 * (high - low);
  if (o->asked->integer) a.order = whole(o, goal, a.order);
  if (o->asked->level > 0)
    (void)tacit_policy_interval(o->policy, goal, o->x, o->asked->level, &a.lower, &a.upper);
  return a;
}

/* An order, or with an interval a map of three numbers. */
static json_t *answer_json(const ordering *o, bool ready, const answer *a) {
  if (!ready) return json_null();
  if (o->asked->level == 0) return json_real(a->order);
  return json_pack("{s:f, s:f, s:f}", "order", a->order, "lower", a->lower, "upper", a->upper);
}

static void print_answer(const ordering *o, bool ready, const answer *a) {
  if (ready) print_decimal(&o->form, a->order);
  if (o->asked->level == 0) return;
  putchar(o->form.separator);
  if (ready) print_decimal(&o->form, a->lower);
  putchar(o->form.separator);
  if (ready) print_decimal(&o->form, a->upper);
}

/* A row that cannot be decided (its lags reach before the table) keeps an empty cell. */
static void print_row(ordering *o, bool ready) {
  size_t length;
  const char *text = tacit_source_text(o->source, &length);
  o->undecided += !ready;
  print_header(o);
  if (!o->rows && text) fwrite(text, 1, length, stdout);
  json_t *row = o->rows ? json_object() : NULL;
  for (size_t g = 0; g < o->goals; g++) {
    const answer a = ready ? answer_of(o, g) : (answer){0};
    if (row) {
      const char *name =
          o->picked ? tacit_schema_target_name(o->schema, 0) : tacit_policy_goal_name(o->policy, g);
      json_object_set_new(row, name, answer_json(o, ready, &a));
    } else {
      if (text || g) putchar(o->form.separator);
      print_answer(o, ready, &a);
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
  tacit_status status = copy_header(o->source, &o->header, error);
  if (status == TACIT_OK) status = tacit_encoder_new(o->source, o->schema, false, &encoder, error);
  while (status == TACIT_OK) {
    status = tacit_encoder_next(encoder, o->x, o->y, &ready, &more, error);
    if (status != TACIT_OK || !more) break;
    print_row(o, ready);
  }
  if (status == TACIT_OK) print_header(o); /* of a table without rows */
  tacit_encoder_free(encoder);
  return status;
}

/* The quantile that was asked for, of those that the policy has. */
static tacit_status pick(ordering *o, tacit_error *error) {
  double quantile = o->asked->asked.goals[0].quantile;
  tacit_status status = tacit_policy_pick(o->policy, quantile, &o->pick, error);
  if (status != TACIT_OK) return status;
  o->picked = true;
  o->goals = 1;
  if (o->pick.weight > 0)
    fprintf(
        stderr,
        "tacit: the policy was not learned at the quantile %.6g: orders are interpolated between %.6g and "
        "%.6g\n",
        quantile, tacit_policy_goal(o->policy, o->pick.below).quantile,
        tacit_policy_goal(o->policy, o->pick.above).quantile);
  return TACIT_OK;
}

static int finish(ordering *o) {
  if (o->undecided)
    fprintf(stderr,
            "tacit: %zu rows have no order: their lagged demand lies before the table or is missing\n",
            o->undecided);
  if (o->least)
    fprintf(stderr, "tacit: %zu order%s held at the least that the schema allows%s\n", o->least,
            o->least == 1 ? " is" : "s are",
            tacit_schema_target_log_unit(o->schema, 0) > 0
                ? ""
                : ": where effects multiply demand, \"transform\": \"log\" in the target learns them so");
  fputs(
      tacit_schema_features_public(o->schema)
          ? "tacit: an order reveals nothing that the policy's promise does not cover: features are public\n"
          : "tacit: an order reveals the features it was computed from; the policy's promise does not cover "
            "it\n",
      stderr);
  if (!o->rows) {
    print_tally(o->source, o->schema);
    print_unknown(o->source, o->schema);
    return flushed(0);
  }
  json_t *rows = o->rows;
  o->rows = NULL;
  return print_json(json_pack("{s:o, s:I, s:{s:o}}", "orders", rows, "undecided", (json_int_t)o->undecided,
                              "data_holder_only", "cells", tally_json(o->source, o->schema)));
}

static int parse_request(request *r, int argc, char **argv) {
  const char *arguments[2];
  const option options[] = {
      {"quantile", OPTION_NUMBERS, &r->quantile, "TAU",
       "where the policy has several: order for this one, or for one between them", NULL},
      {"underage", OPTION_NUMBERS, &r->underage, "B", "the same by costs: of a missing unit,", NULL},
      {"overage", OPTION_NUMBERS, &r->overage, "H", "and of a unit left over", NULL},
      {"interval", OPTION_NUMBER, &r->level, "P",
       "between which orders the rule may lie, with probability P: for a policy of fit --intervals",
       &r->has_level},
      {"integer", OPTION_FLAG, &r->integer, NULL, "whole units, up or down as the costs ask for", NULL},
      {"where", OPTION_TEXT, &r->where, "CONDITION", "only the records that meet it: \"shop = 24\"", NULL},
      TABLE_FORM(r->form),
      {"json", OPTION_FLAG, &r->json, NULL, "orders as one JSON object", NULL}};
  int code = parse_options(
      &(command_line){
          .usage = "order POLICY TABLE",
          .about =
              "Prints TABLE (a CSV file, or - for standard input) with the column `order` appended; for a\n"
              "Parquet, Arrow or JSON file that column alone, row by row.",
          .options = options,
          .option_count = sizeof options / sizeof *options,
          .arguments = arguments,
          .least = 2,
          .most = 2},
      argc, argv);
  if (code >= 0) return code;
  r->policy = arguments[0];
  r->table = arguments[1];
  if (r->has_level && !(r->level > 0 && r->level < 1))
    return usage_error("--interval is a probability above 0 and below 1, such as 0.9");
  if (r->quantile.count || r->underage.count || r->overage.count)
    code = set_goals(&r->underage, &r->overage, &r->quantile, 1, &r->asked);
  return code < 0 && r->asked.count > 1 ? usage_error("give one quantile, or the costs once") : code;
}

static tacit_status refuse(tacit_error *error, const char *why) {
  snprintf(error->text, sizeof error->text, "%s", why);
  return TACIT_BAD_INPUT;
}

/* The policy, and whether it has what is asked for. */
static tacit_status open_policy(const request *r, ordering *o, tacit_error *error) {
  tacit_status status = tacit_policy_read(r->policy, &o->policy, error);
  if (status != TACIT_OK) return status;
  if (tacit_policy_region(o->policy))
    return refuse(error, "this policy decides over a region: use tacit spo decide");
  o->schema = tacit_policy_schema(o->policy);
  o->goals = tacit_policy_goal_count(o->policy);
  for (size_t g = 0; r->has_level && g < o->goals; g++)
    if (!tacit_policy_has_uncertainty(o->policy, g))
      return refuse(error,
                    "this policy does not say how sure it is: learn it with fit --intervals, for one target "
                    "at one quantile; one whose quantile lies far out has no intervals");
  return r->asked.count ? pick(o, error) : TACIT_OK;
}

static tacit_status open_table(const request *r, ordering *o, tacit_error *error) {
  tacit_status status = form_of(&r->form, o->schema, &o->form, error);
  if (status == TACIT_OK) status = open_as(r->table, &r->form, o->schema, &o->source, error);
  if (status == TACIT_OK) warn_of_lags(r->where, o->schema);
  return status == TACIT_OK ? keep_where(r->where, &o->source, error) : status;
}

static int order_table(const request *r) {
  tacit_error error;
  ordering o = {.asked = r};
  int code;
  tacit_status status = open_policy(r, &o, &error);
  if (status == TACIT_OK) status = open_table(r, &o, &error);
  if (status == TACIT_OK) {
    o.x = calloc(tacit_schema_columns(o.schema), sizeof *o.x);
    o.y = calloc(tacit_schema_targets(o.schema), sizeof *o.y);
    o.rows = r->json ? json_array() : NULL;
    if (!o.x || !o.y) status = TACIT_INTERNAL, snprintf(error.text, sizeof error.text, "not enough memory");
    if (status == TACIT_OK) status = order_rows(&o, &error);
  }
  code = status == TACIT_OK ? finish(&o) : fail(status, &error);
  json_decref(o.rows);
  free(o.header);
  free(o.x);
  free(o.y);
  tacit_source_free(o.source);
  tacit_policy_free(o.policy);
  return code;
}

int run_order(int argc, char **argv) {
  request r = {0};
  int code = parse_request(&r, argc, argv);
  if (code >= 0) return code;
  return order_table(&r);
}
