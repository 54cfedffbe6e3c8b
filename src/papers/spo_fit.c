/* The real learners on rows in memory. */
#include "papers/spo_fit.h"

#include "base/base.h"
#include "privacy/certificate.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct columns {
  size_t count;
  char (*name)[24];
  const char **names;
  double *values;
  const double **starts;
} columns;

static void free_columns(columns *c) {
  free(c->name);
  free(c->names);
  free(c->values);
  free(c->starts);
}

/* Column by column, as a user's table has them; without the ones. */
static tacit_status lay_out(const tacit_spo_sample *s, columns *c, tacit_error *error) {
  size_t features = s->p - 1;
  *c = (columns){.count = features + s->d};
  c->name = tacit_alloc(c->count, sizeof *c->name);
  c->names = tacit_alloc(c->count, sizeof *c->names);
  c->values = tacit_alloc(c->count * s->rows, sizeof *c->values);
  c->starts = tacit_alloc(c->count, sizeof *c->starts);
  if (!c->name || !c->names || !c->values || !c->starts) return tacit_no_memory(error);
  for (size_t k = 0; k < c->count; k++) {
    bool feature = k < features;
    snprintf(c->name[k], sizeof *c->name, "%c%zu", feature ? 'x' : 'c', feature ? k + 1 : k - features + 1);
    c->names[k] = c->name[k];
    c->starts[k] = c->values + k * s->rows;
    for (size_t i = 0; i < s->rows; i++)
      c->values[k * s->rows + i] = feature ? s->x[i * s->p + k + 1] : s->c[i * s->d + k - features];
  }
  return TACIT_OK;
}

/* Coefficients of encoded columns in the sample's units: cost = center + half sum_k b_k (x_k - c_k) / h_k. */
static void decode(const tacit_spo_sample *s, const tacit_schema *schema, const double *coefficients,
                   double *rule) {
  for (size_t j = 0; j < s->d; j++) {
    const tacit_scale *cost = &schema->targets[j].scale;
    double *row = rule + j * s->p;
    row[0] = cost->center + cost->half * coefficients[j * s->p];
    for (size_t k = 1; k < s->p; k++) {
      const tacit_scale *x = &schema->features[k - 1].scale;
      row[k] = cost->half * coefficients[j * s->p + k] / x->half;
      row[0] -= row[k] * x->center;
    }
  }
}

static bool breaks_promise(const tacit_certificate *certificate, const tacit_learn_options *options) {
  if (options->mu > 0) return !(tacit_certificate_mu(certificate) <= options->mu);
  if (options->epsilon > 0)
    return !(tacit_certificate_delta(certificate, options->epsilon) <= options->delta);
  return false;
}

tacit_status tacit_spo_fit_sample(const tacit_spo_sample *s, const tacit_schema *schema,
                                  const tacit_learn_options *options, double *rule, bool *beyond,
                                  tacit_error *error) {
  columns table;
  tacit_source *source = NULL;
  tacit_fit *fit = NULL;
  tacit_context context; /* repetitions run side by side, each on one thread */
  tacit_context_init(&context);
  context.threads = 1;
  tacit_status status = lay_out(s, &table, error);
  if (status == TACIT_OK)
    status = tacit_source_columns(s->rows, table.count, table.names, table.starts, NULL, &source, error);
  tacit_learn_options over = *options;
  over.region = s->region;
  if (status == TACIT_OK) status = tacit_learn(schema, source, &over, &context, &fit, error);
  if (status == TACIT_OK) {
    decode(s, schema, tacit_fit_coefficients(fit), rule);
    if (beyond) *beyond = breaks_promise(tacit_fit_certificate(fit), options);
  }
  tacit_fit_free(fit);
  tacit_source_free(source);
  free_columns(&table);
  return status;
}
