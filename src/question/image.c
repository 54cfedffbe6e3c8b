/* A public image of the rows: its bytes and its hash. */
#include "question/image.h"

#include "base/base.h"
#include "question/bytes.h"
#include "schema/schema.h"

#include <math.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

static const char MAGIC[8] = {'t', 'a', 'c', 'i', 't', 0, 'i', 'm'};
enum { VERSION = 1, CELL_BITS_MAX = 20 };

static bool holds(const tacit_row_image *image) {
  if (image->inputs == 0 || image->inputs > TACIT_COLUMNS_MAX || image->columns > TACIT_COLUMNS_MAX ||
      image->cell_bits < 0 || image->cell_bits > CELL_BITS_MAX || (image->columns && !image->matrix))
    return false;
  for (size_t i = 0; i < image->columns * image->inputs; i++)
    if (!isfinite(image->matrix[i])) return false;
  return true;
}

static tacit_status write(const tacit_row_image *image, tacit_bytes_out *out, tacit_error *error) {
  tacit_put_bytes(out, MAGIC, sizeof MAGIC);
  tacit_put_count(out, VERSION);
  tacit_put_count(out, image->inputs);
  tacit_put_count(out, image->columns);
  tacit_put_count(out, (uint64_t)image->cell_bits);
  tacit_put_count(out, image->narrow);
  tacit_put_count(out, 0); /* what is derived by row */
  tacit_put_numbers(out, image->matrix, image->columns * image->inputs);
  if (!out->failed) return TACIT_OK;
  free(out->bytes);
  return tacit_no_memory(error);
}

tacit_status tacit_row_image_write(const tacit_row_image *image, unsigned char **bytes, size_t *length,
                                   tacit_error *error) {
  tacit_bytes_out out = {0};
  TACIT_TRY(write(image, &out, error));
  *bytes = out.bytes;
  *length = out.length;
  return TACIT_OK;
}

tacit_status tacit_row_image_seal(tacit_row_image *image, tacit_error *error) {
  if (!holds(image))
    return tacit_fail(error, TACIT_USAGE,
                      "the rows' matrix is too large or holds a value that is not finite");
  tacit_bytes_out out = {0};
  TACIT_TRY(write(image, &out, error));
  crypto_hash_sha256(image->hash, out.bytes, out.length);
  free(out.bytes);
  return TACIT_OK;
}

static tacit_status bad(tacit_row_image *image, tacit_error *error) {
  tacit_row_image_free(image);
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "the bytes are no image of rows that this version knows; send them as they were written");
}

tacit_status tacit_row_image_read(const unsigned char *bytes, size_t length, tacit_row_image **image,
                                  tacit_error *error) {
  *image = NULL;
  tacit_bytes_in in = {bytes, length, false};
  tacit_row_image head = {0};
  bool known = tacit_get_same(&in, MAGIC, sizeof MAGIC) && tacit_get_count(&in, VERSION) == VERSION;
  head.inputs = (size_t)tacit_get_count(&in, TACIT_COLUMNS_MAX);
  head.columns = (size_t)tacit_get_count(&in, TACIT_COLUMNS_MAX);
  head.cell_bits = (int)tacit_get_count(&in, CELL_BITS_MAX);
  head.narrow = tacit_get_flag(&in);
  known &= tacit_get_count(&in, 0) == 0;
  size_t cells = head.columns * head.inputs;
  if (!known || in.failed || in.left / sizeof(double) != cells || in.left % sizeof(double))
    return bad(NULL, error);
  tacit_row_image *made = tacit_alloc(1, sizeof *made + cells * sizeof(double));
  if (!made) return tacit_no_memory(error);
  *made = head;
  double *matrix = (double *)(made + 1);
  tacit_get_numbers(&in, matrix, cells);
  made->matrix = matrix;
  if (!tacit_get_end(&in) || !holds(made)) return bad(made, error);
  crypto_hash_sha256(made->hash, bytes, length);
  *image = made;
  return TACIT_OK;
}

void tacit_row_image_free(tacit_row_image *image) {
  free(image);
}
