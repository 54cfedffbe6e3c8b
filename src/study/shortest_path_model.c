/* The shortest-path problem of Elmachtoub and Grigas (2022), section 6. */
#include "study/shortest_path_model.h"

#include <math.h>

const char tacit_path_region[] = "{\"kind\": \"grid\", \"rows\": 5, \"columns\": 5}\n";

void tacit_path_model_draw(tacit_path_model *model, int degree, double half_width, tacit_stream *stream) {
  *model = (tacit_path_model){.degree = degree, .half_width = half_width};
  for (size_t k = 0; k < TACIT_PATH_EDGES * TACIT_PATH_FEATURES; k++)
    model->b[k] = (double)(tacit_stream_bits(stream) >> 63);
}

void tacit_path_row(const tacit_path_model *model, tacit_stream *stream, double *x, double *c) {
  enum { P = TACIT_PATH_FEATURES };
  for (size_t k = 0; k < P; k++) x[k] = tacit_normal(stream);
  for (size_t j = 0; j < TACIT_PATH_EDGES; j++) {
    double sum = 0, e = 1 + model->half_width * (2 * tacit_uniform(stream) - 1);
    for (size_t k = 0; k < P; k++) sum += model->b[j * P + k] * x[k];
    c[j] = (pow(sum / sqrt(P) + 3, model->degree) + 1) * e;
  }
}
