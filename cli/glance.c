/* What privacy costs, roughly. */
#include "glance.h"

#include <math.h>
#include <stdio.h>

static const double QUANTILE = 0.8; /* where nobody says what is ordered for */
/* Beyond so many columns, squared, times targets it takes longer than a glance: only when it is asked for. */
static const double QUICK = 5e4;

void glance_init(glance *g) {
  *g = (glance){0};
  tacit_plan_options_init(&g->plan);
}

int glance_ask(glance *g, const tacit_schema *schema) {
  size_t targets = tacit_schema_targets(schema);
  bool given = g->underage.count || g->overage.count || g->quantile.count;
  int code = schema_goals(schema, given, &g->goals);
  if (code >= 0 || g->goals.count) return code >= 0 ? code : set_adjacency(g->adjacency, &g->plan.adjacency);
  if (!given) g->quantile.value[g->quantile.count++] = QUANTILE;
  code = set_goals(&g->underage, &g->overage, &g->quantile, targets, &g->goals);
  if (code < 0 && g->goals.count != targets) return usage_error("give one quantile, or the costs once");
  if (code < 0) code = set_adjacency(g->adjacency, &g->plan.adjacency);
  return code;
}

void glance_look(glance *g, const tacit_schema *schema, size_t records) {
  tacit_error error;
  tacit_context context;
  double columns = (double)tacit_schema_columns(schema), targets = (double)tacit_schema_targets(schema);
  bool public_count = g->plan.adjacency == TACIT_REPLACE_ONE;
  if (!g->rows && targets * columns * columns > QUICK) return;
  g->plan.rows = g->rows ? g->rows : tacit_schema_nominal_rows(schema);
  g->of_table = !g->plan.rows && public_count && records;
  if (g->of_table) g->plan.rows = records;
  if (!g->plan.rows) return;
  g->plan.goals = g->goals.goals;
  g->plan.goal_count = g->goals.count;
  cli_context(&context, 0);
  g->made = tacit_plan_glance(schema, &g->plan, &context, &g->row, &error) == TACIT_OK;
  progress_done();
  if (!g->made) fprintf(stderr, "tacit: what privacy costs cannot be said: %s\n", error.text);
  if (g->made) say_plan_is_of_demand(schema);
}

void glance_print(const glance *g) {
  const tacit_plan_row *row = &g->row;
  int digits = row->high < 9.95 ? 1 : 0;
  if (!g->made) {
    printf("%s\n", g->plan.rows ? "" : "; --rows N says what privacy costs at so many rows");
    return;
  }
  printf("\nat %zu rows mu = %.3g costs between %.*f and %.*f %% more than the same learner without noise",
         row->rows, row->mu, digits, row->low, digits, row->high);
  if (g->goals.count == 1) printf(" (quantile %.3g)", g->goals.goals[0].quantile);
  printf(";\nthis is a rough figure: tacit plan takes longer and says more\n");
}

json_t *glance_json(const glance *g) {
  const tacit_plan_row *row = &g->row;
  return json_pack("{s:I, s:f, s:f, s:f, s:f, s:f}", "rows", (json_int_t)row->rows, "mu", row->mu, "quantile",
                   g->goals.goals[0].quantile, "low", row->low, "middle", row->middle, "high", row->high);
}
