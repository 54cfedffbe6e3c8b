/* tacit plan: what a guarantee will cost, in money and percent, before any row is read. */
#include "draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct request {
  const char *schema, *region, *adjacency, *out;
  numbers underage, overage, quantile;
  goal_list goals;
  tacit_plan_options plan;
  size_t threads;
  bool json, verbose;
} request;

/* JSON knows no infinities and no NaN: null. */
static json_t *number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *row_json(const tacit_plan_row *row, const tacit_plan_result *result) {
  json_t *cases = json_object();
  for (size_t k = 0; k < TACIT_PLAN_CASES; k++)
    json_object_set_new(
        cases, result->cases[k].name,
        json_pack("{s:f, s:o}", "percent", row->percent[k], "percent_se", number(row->percent_se[k])));
  return json_pack("{s:f, s:I, s:I, s:f, s:f, s:f, s:f, s:o, s:o, s:o, s:o, s:f}", "mu", row->mu, "n",
                   (json_int_t)row->rows, "simulated", (json_int_t)row->simulated, "low", row->low, "middle",
                   row->middle, "high", row->high, "nine_in_ten", row->nine_in_ten, "middle_se",
                   number(row->middle_se), "cases", cases, "worst_case", number(row->worst_case),
                   "worst_case_percent", number(row->worst_case_percent), "rate", row->rate);
}

static json_t *rows_json(const tacit_plan_row *rows, size_t count, const tacit_plan_result *result) {
  json_t *json = json_array();
  for (size_t i = 0; i < count; i++) json_array_append_new(json, row_json(&rows[i], result));
  return json;
}

static json_t *answer_json(const tacit_plan_answer *a) {
  return json_pack("{s:f, s:o, s:o, s:o, s:o, s:f, s:o, s:o, s:o, s:o, s:f}", "percent", a->percent, "mu",
                   number(a->mu), "mu_from", number(a->mu_from), "mu_to", number(a->mu_to), "mu_nine_in_ten",
                   number(a->mu_nine_in_ten), "mu_most", a->mu_most, "n", number(a->rows), "n_from",
                   number(a->rows_from), "n_to", number(a->rows_to), "n_nine_in_ten",
                   number(a->rows_nine_in_ten), "n_most", a->rows_most);
}

static int print_machines(const request *r, const tacit_plan_result *result, bool all_drawn) {
  json_t *cases = json_array(), *assumptions = json_array();
  for (size_t k = 0; k < TACIT_PLAN_CASES; k++) {
    const tacit_plan_demand_case *c = &result->cases[k];
    json_array_append_new(cases, json_pack("{s:s, s:s, s:o, s:o}", "name", c->name, "about", c->about,
                                           "cost_without_privacy", number(c->cost_without_privacy),
                                           "cost_without_features", number(c->cost_without_features)));
  }
  for (size_t i = 0; i < result->assumption_count; i++)
    json_array_append_new(assumptions, json_string(result->assumptions[i]));
  json_t *json =
      json_pack("{s:f, s:I, s:o, s:o, s:o, s:I, s:s, s:s, s:s, s:o}", "mu", r->plan.mu, "n",
                (json_int_t)r->plan.rows, "by_mu", rows_json(result->by_mu, result->mu_count, result),
                "by_rows", rows_json(result->by_rows, result->size_count, result), "cases", cases,
                "repetitions", (json_int_t)result->repetitions, "recommendation", result->recommendation,
                "rule", result->rule, "worst_case", result->worst_case, "assumptions", assumptions);
  if (json && result->answer.percent > 0) json_object_set_new(json, "answer", answer_json(&result->answer));
  if (json && r->out && all_drawn) json_object_set_new(json, "picture", json_string(r->out));
  return print_json(json);
}

static const char *signed_percent(char text[16], double percent) {
  if (fabs(percent) < 0.05) percent = 0; /* no "-0.0" */
  snprintf(text, 16, fabs(percent) < 99.95 ? "%+.1f %%" : "%+.0f %%", percent);
  return text;
}

static void print_row(const char *label, const tacit_plan_row *row, bool bounds) {
  char low[16], middle[16], high[16], worst[32] = "";
  signed_percent(low, row->low);
  signed_percent(middle, row->middle);
  signed_percent(high, row->high);
  if (bounds && isfinite(row->worst_case_percent))
    snprintf(worst, sizeof worst, " %+13.6g %%", round(row->worst_case_percent));
  printf("%-14s %10s %10s %10s%s\n", label, low, middle, high, worst);
}

static void print_heading(const char *what, bool bounds) {
  printf("%-14s %10s %10s %10s%s\n", what, "low", "middle", "high", bounds ? "      worst case" : "");
}

static void print_by_mu(const tacit_plan_result *result, bool bounds) {
  char label[32];
  print_heading("mu", bounds);
  for (size_t m = 0; m < result->mu_count; m++) {
    snprintf(label, sizeof label, "%.3g%s", result->by_mu[m].mu, m == result->asked_mu ? " (asked)" : "");
    print_row(label, &result->by_mu[m], bounds);
  }
}

static void print_by_rows(const tacit_plan_result *result) {
  char label[32];
  print_heading("rows", true);
  for (size_t k = 0; k < result->size_count; k++) {
    snprintf(label, sizeof label, "%zu%s", result->by_rows[k].rows,
             k == result->asked_size ? " (asked)" : "");
    print_row(label, &result->by_rows[k], true);
  }
}

static void print_cases(const tacit_plan_result *result) {
  const tacit_plan_row *asked = &result->by_mu[result->asked_mu];
  char percent[16], features[16];
  printf("\nBy kind of demand, at the asked mu and rows: the price, its standard error, and what an order "
         "without\n"
         "features would cost more than one without noise:\n\n");
  for (size_t k = 0; k < TACIT_PLAN_CASES; k++) {
    const tacit_plan_demand_case *c = &result->cases[k];
    signed_percent(percent, asked->percent[k]);
    features[0] = 0;
    if (isfinite(c->cost_without_features))
      signed_percent(features, 100 * (c->cost_without_features / c->cost_without_privacy - 1));
    printf("%-10s %10s (%.1f) %10s   %s\n", c->name, percent, asked->percent_se[k], features, c->about);
  }
}

/* Three digits, which is more than the figures are worth; beyond what was looked at there is none. */
static const char *three_digits(char text[48], double value, double most) {
  const char *over = isfinite(value) ? "" : "more than ";
  double number = isfinite(value) ? value : most;
  double unit = number > 100 ? pow(10, floor(log10(number)) - 2) : 0;
  if (unit >= 1)
    snprintf(text, 48, "%s%.0f", over, unit * round(number / unit));
  else
    snprintf(text, 48, "%s%.3g", over, number);
  return text;
}

/* Where privacy costs as little: from some mu, or number of rows, on, or nowhere that was looked at. */
static void print_where(const char *what, const char *unit, const double at[4], double most) {
  char middle[48], from[48], to[48], nine[48];
  three_digits(nine, at[3], most);
  if (isfinite(at[0]))
    printf("from %s%s%s on (%s to %s)", what, three_digits(middle, at[0], most), unit,
           three_digits(from, at[1], most), three_digits(to, at[2], most));
  else
    printf("not up to %s%s%s", what, three_digits(middle, most, most), unit);
  if (isfinite(at[3]))
    printf("; for nine problems in ten from %s on\n", nine);
  else if (isfinite(at[0]))
    printf("; for nine problems in ten not up to %s\n", three_digits(nine, most, most));
  else
    printf("\n");
}

static void print_answer(const tacit_plan_answer *a, const tacit_plan_result *result) {
  const tacit_plan_row *asked = &result->by_mu[result->asked_mu];
  const double mu[4] = {a->mu, a->mu_from, a->mu_to, a->mu_nine_in_ten};
  const double rows[4] = {a->rows, a->rows_from, a->rows_to, a->rows_nine_in_ten};
  if (!(a->percent > 0)) return;
  printf("\nPrivacy costs at most %.3g %% in the middle (in parentheses: two standard errors either "
         "way):\n- with %zu rows ",
         a->percent, asked->rows);
  print_where("mu = ", "", mu, a->mu_most);
  printf("- at mu = %.3g ", asked->mu);
  print_where("", " rows", rows, a->rows_most);
}

/* What the three columns are, and what they are not. */
static void print_meaning(const tacit_plan_result *result) {
  const tacit_plan_row *asked = &result->by_mu[result->asked_mu];
  char nine[16], most[16];
  size_t dearest = 0;
  bool below = false;
  for (size_t k = 1; k < TACIT_PLAN_CASES; k++)
    if (asked->percent[k] > asked->percent[dearest]) dearest = k;
  for (size_t m = 0; m < result->mu_count; m++) below |= result->by_mu[m].low < -0.05;
  bool beyond = fmax(asked->nine_in_ten, asked->percent[dearest]) > asked->high;
  printf("\nHalf of the simulated problems cost less than middle, most tables lie between low and high.\n%s "
         "problems in ten cost at most %s, demand of the costliest kind (\"%s\") %s.\n",
         beyond ? "High is no maximum: nine" : "Nine", signed_percent(nine, asked->nine_in_ten),
         result->cases[dearest].name, signed_percent(most, asked->percent[dearest]));
  if (below)
    printf(
        "Below 0 %%: the noise did no harm, or kept the learner from fitting chance; read it as nothing.\n");
}

static int print_people(const tacit_plan_result *result, bool verbose) {
  printf("%s\n\n", result->recommendation);
  print_by_mu(result, verbose);
  if (verbose) {
    printf("\n");
    print_by_rows(result);
  }
  print_meaning(result);
  if (result->rule[0]) printf("%s\n", result->rule);
  print_answer(&result->answer, result);
  if (!verbose) {
    printf("\n--verbose prints the price by number of rows and by kind of demand, published bounds, and all "
           "that "
           "is assumed.\n");
    return flushed(0);
  }
  print_cases(result);
  if (result->worst_case[0]) printf("\n%s\n", result->worst_case);
  printf("\nAssumptions:\n");
  for (size_t i = 0; i < result->assumption_count; i++) printf("- %s\n", result->assumptions[i]);
  return flushed(0);
}

/* A first figure, on a terminal, while the rest is simulated. */
static void show_first(void *user, const tacit_plan_row *row) {
  (void)user;
  progress_done();
  fprintf(stderr, "a rough figure: mu = %.3g costs %.1f to %.1f %% at %zu rows; going on ...\n", row->mu,
          row->low, row->high, row->rows);
}

static int parse_request(request *r, int argc, char **argv) {
  const option options[] = {
      {"rows", OPTION_COUNT, &r->plan.rows, "N", "rows that the table will have (needed)", NULL},
      {"schema", OPTION_TEXT, &r->schema, "S.json", "the public facts about the table (needed)", NULL},
      {"underage", OPTION_NUMBERS, &r->underage, "B", "cost of a missing unit; repeat for several targets",
       NULL},
      {"overage", OPTION_NUMBERS, &r->overage, "H", "cost of a unit left over", NULL},
      {"quantile", OPTION_NUMBERS, &r->quantile, "TAU", "instead of costs: the share of demand to cover",
       NULL},
      {"mu", OPTION_NUMBER, &r->plan.mu, "M", "the guarantee in question (default 0.5)", NULL},
      {"percent", OPTION_NUMBER, &r->plan.percent, "P",
       "ask backwards: the mu, and the number of rows, at which privacy costs P percent", NULL},
      {"method", OPTION_TEXT, &r->plan.method, "NAME", "plan another method than the default", NULL},
      {"region", OPTION_TEXT, &r->region, "R.json", "plan spo fit: decisions over this region, no costs",
       NULL},
      {"adjacency", OPTION_TEXT, &r->adjacency, "A", "replace-one (default) or add-remove", NULL},
      {"reps", OPTION_COUNT, &r->plan.repetitions, "R",
       "simulated problems of each kind of demand (default: 2 to 12, until the error is small)", NULL},
      {"seed", OPTION_SEED, &r->plan.seed, "S", "the same seed gives the same figures (default 1)", NULL},
      {"out", OPTION_TEXT, &r->out, "FILE", "draw percent against mu: FILE.png or FILE.svg", NULL},
      {"threads", OPTION_COUNT, &r->threads, "N", "threads; default one per core", NULL},
      {"verbose", OPTION_FLAG, &r->verbose, NULL,
       "print also the price by rows and by kind of demand, published bounds, and what is assumed", NULL},
      {"json", OPTION_FLAG, &r->json, NULL, "print one JSON object", NULL},
  };
  const char *none;
  int code = parse_options(
      &(command_line){
          .usage = "plan --rows N --schema S.json --underage B --overage H [--mu M] [--percent P] [--out "
                   "FILE.png]",
          .about =
              "Says what a guarantee will cost, before any row is read: a learner on simulated rows that fit "
              "the schema,\nof several kinds of demand, for several guarantees and numbers of rows.",
          .options = options,
          .option_count = sizeof options / sizeof *options,
          .arguments = &none},
      argc, argv);
  if (code >= 0) return code;
  if (!r->schema)
    return usage_error(
        "--schema is needed: the public facts about the table (tacit simulate writes an example)");
  if (!r->plan.rows) return usage_error("--rows is needed: how many rows the table will have");
  code = set_adjacency(r->adjacency, &r->plan.adjacency);
  return code < 0 && r->out ? draw_plan_check(r->out) : code;
}

static int report(const request *r, const tacit_plan_result *result) {
  bool all_drawn = false;
  int code = r->out ? draw_plan(r->out, result, &all_drawn) : -1;
  if (code >= 0) return code;
  code = r->json ? print_machines(r, result, all_drawn) : print_people(result, r->verbose);
  if (!r->out || code) return code;
  if (!all_drawn) {
    fprintf(stderr,
            "tacit: no picture: gnuplot is not installed or failed; the script that draws it is beside %s, "
            "with the ending .gp\n",
            r->out);
    return TACIT_INTERNAL;
  }
  if (!r->json) printf("\nwritten: %s\n", r->out);
  return flushed(0);
}

/* Orders have goals, decisions a region. */
static int set_aims(request *r, const tacit_schema *schema, tacit_region **region) {
  tacit_error error;
  r->plan.goals = r->goals.goals;
  r->plan.goal_count = tacit_schema_targets(schema);
  if (!r->region) {
    int code = schema_goals(schema, r->underage.count || r->overage.count || r->quantile.count, &r->goals);
    if (code < 0 && !r->goals.count)
      code = set_goals(&r->underage, &r->overage, &r->quantile, r->plan.goal_count, &r->goals);
    bool several = code < 0 && r->goals.count != r->plan.goal_count;
    return several ? usage_error("plan is for one quantile at a time: several from one fit are about as "
                                 "good as each alone")
                   : code;
  }
  if (r->underage.count || r->overage.count || r->quantile.count)
    return usage_error(
        "over a region the costs are in the table: leave out --underage, --overage, --quantile");
  tacit_status status = tacit_region_read(r->region, region, &error);
  r->plan.region = *region;
  return status == TACIT_OK ? -1 : fail(status, &error);
}

int run_plan(int argc, char **argv) {
  request r = {0};
  tacit_plan_options_init(&r.plan);
  int code = parse_request(&r, argc, argv);
  if (code >= 0) return code;
  tacit_error error;
  tacit_context context;
  tacit_schema *schema = NULL;
  tacit_region *region = NULL;
  tacit_plan_result *result = NULL;
  tacit_status status = tacit_schema_read(r.schema, &schema, &error);
  if (status == TACIT_OK) code = set_aims(&r, schema, &region);
  if (status == TACIT_OK && code < 0) {
    cli_context(&context, r.threads);
    if (isatty(STDERR_FILENO)) r.plan.first = show_first;
    status = tacit_plan(schema, &r.plan, &context, &result, &error);
    progress_done();
  }
  if (status != TACIT_OK)
    code = fail(status, &error);
  else if (code < 0) {
    say_plan_is_of_demand(schema);
    code = report(&r, result);
  }
  tacit_plan_free(result);
  tacit_region_free(region);
  tacit_schema_free(schema);
  return code;
}
