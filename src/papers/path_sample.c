/* Samples of the shortest-path problem, and the schema that a user would write for them. */
#include "papers/path_sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* E (z + 3)^m for z ~ N(0, k/5), k ~ Binomial(5, 1/2): (B x)_j / sqrt 5 given how many of its coins are 1. */
static double power_mean(int m) {
  enum { P = TACIT_PATH_FEATURES };
  double mean = 0, coins = pow(0.5, P);
  for (int k = 0; k <= P; k++) {
    double term = pow(3, m), sum = term; /* C(m, 2i) 3^(m - 2i) (2i - 1)!! (k/5)^i */
    for (int i = 1; 2 * i <= m; i++) {
      term *= (double)((m - 2 * i + 2) * (m - 2 * i + 1)) / (2 * i * (2 * i - 1)) / 9 * (2 * i - 1) * k / P;
      sum += term;
    }
    mean += coins * sum;
    coins *= (double)(P - k) / (k + 1);
  }
  return mean;
}

void tacit_path_spread(int degree, double half_width, double *center, double *scale) {
  double first = power_mean(degree), second = power_mean(2 * degree);
  *center = first + 1;
  *scale = sqrt((second + 2 * first + 1) * (1 + half_width * half_width / 3) - *center * *center);
}

tacit_status tacit_path_schema(int degree, double half_width, tacit_schema **schema, tacit_error *error) {
  enum { ROOM = 8192 };
  double center, scale;
  tacit_path_spread(degree, half_width, &center, &scale);
  char *text = tacit_alloc(ROOM, 1);
  if (!text) return tacit_no_memory(error);
  size_t used = (size_t)snprintf(text, ROOM, "{\"target\":[");
  for (int j = 1; j <= TACIT_PATH_EDGES; j++)
    used += (size_t)snprintf(text + used, ROOM - used, "%s{\"name\":\"c%d\",\"center\":%.2g,\"scale\":%.2g}",
                             j > 1 ? "," : "", j, center, scale);
  used += (size_t)snprintf(text + used, ROOM - used, "],\"features\":[");
  for (int k = 1; k <= TACIT_PATH_FEATURES; k++)
    used += (size_t)snprintf(text + used, ROOM - used, "%s{\"name\":\"x%d\",\"center\":0,\"scale\":1}",
                             k > 1 ? "," : "", k);
  used += (size_t)snprintf(text + used, ROOM - used, "]}");
  tacit_status status = tacit_schema_parse(text, used, schema, error);
  free(text);
  return status;
}

tacit_status tacit_path_sample(const tacit_path_model *model, const tacit_region *region, size_t rows,
                               tacit_stream *stream, tacit_spo_sample **sample, tacit_error *error) {
  enum { P = TACIT_PATH_FEATURES + 1 };
  TACIT_TRY(tacit_spo_sample_new(region, rows, P, sample, error));
  for (size_t i = 0; i < rows; i++) {
    (*sample)->x[i * P] = 1;
    tacit_path_row(model, stream, (*sample)->x + i * P + 1, (*sample)->c + i * TACIT_PATH_EDGES);
  }
  tacit_status status = tacit_spo_sample_finish(*sample, error);
  if (status == TACIT_OK) return TACIT_OK;
  tacit_spo_sample_free(*sample);
  *sample = NULL;
  return status;
}
