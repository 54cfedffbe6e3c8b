/* A request: a question's bytes, with the image and the region that it names where the parts may lack them.
 */
#ifndef TACIT_SRC_REQUEST_H
#define TACIT_SRC_REQUEST_H

#include <tacit/base.h>

/* Points into the bytes that it was read from; NULL for what is not there. */
typedef struct tacit_told_request {
  const unsigned char *question, *image, *region;
  size_t question_length, image_length, region_length;
} tacit_told_request;
/* TACIT_BAD_INPUT for bytes that are no request. What they hold is not looked at. */
tacit_status tacit_request_read(const void *bytes, size_t length, tacit_told_request *request,
                                tacit_error *error) TACIT_CHECKED;
/* *bytes is to be freed. */
tacit_status tacit_request_write(const tacit_told_request *request, unsigned char **bytes, size_t *length,
                                 tacit_error *error) TACIT_CHECKED;

#endif
