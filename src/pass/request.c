/* Requests as bytes (docs/formats/question.md). */
#include "pass/request.h"

#include "base/base.h"
#include "question/bytes.h"

#include <stdlib.h>

static const char MAGIC[8] = {'t', 'a', 'c', 'i', 't', 0, 'r', 'q'};
enum { VERSION = 1 };

static const unsigned char *get_piece(tacit_bytes_in *in, size_t *length) {
  *length = (size_t)tacit_get_count(in, in->left);
  const unsigned char *bytes = tacit_get_bytes(in, *length);
  return *length ? bytes : NULL;
}

tacit_status tacit_request_read(const void *bytes, size_t length, tacit_told_request *request,
                                tacit_error *error) {
  tacit_bytes_in in = {bytes, length, false};
  bool known = tacit_get_same(&in, MAGIC, sizeof MAGIC) && tacit_get_count(&in, VERSION) == VERSION;
  *request = (tacit_told_request){0};
  request->question = get_piece(&in, &request->question_length);
  request->image = get_piece(&in, &request->image_length);
  request->region = get_piece(&in, &request->region_length);
  if (known && tacit_get_end(&in) && request->question) return TACIT_OK;
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "the bytes are no request that this version knows; send them as they were written");
}

static void put_piece(tacit_bytes_out *out, const unsigned char *bytes, size_t length) {
  tacit_put_count(out, bytes ? length : 0);
  if (bytes) tacit_put_bytes(out, bytes, length);
}

tacit_status tacit_request_write(const tacit_told_request *request, unsigned char **bytes, size_t *length,
                                 tacit_error *error) {
  tacit_bytes_out out = {0};
  tacit_put_bytes(&out, MAGIC, sizeof MAGIC);
  tacit_put_count(&out, VERSION);
  put_piece(&out, request->question, request->question_length);
  put_piece(&out, request->image, request->image_length);
  put_piece(&out, request->region, request->region_length);
  if (out.failed) {
    free(out.bytes);
    return tacit_no_memory(error);
  }
  *bytes = out.bytes;
  *length = out.length;
  return TACIT_OK;
}
