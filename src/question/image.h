/* A public image of the rows: what a learner made of its releases, and wants rows to be seen through. It is
   sent once and named by its hash; whoever answers may keep the rows it makes, or make them anew with the
   same bits. */
#ifndef TACIT_SRC_QUESTION_IMAGE_H
#define TACIT_SRC_QUESTION_IMAGE_H

#include <tacit/base.h>

enum { TACIT_HASH = 32 /* bytes of a SHA-256 */ };

/* Rows matrix * x on a grid of their own, with the same targets. Its bytes have room for derived columns and
   for targets, weights and bandwidths by row, of which there are none yet. */
typedef struct tacit_row_image {
  size_t inputs, columns; /* of the rows, and of their image */
  int cell_bits;
  bool narrow;          /* cells of two bytes */
  const double *matrix; /* columns x inputs, row-major, all finite; NULL for no columns */
  unsigned char hash[TACIT_HASH];
} tacit_row_image;

/* Sets the hash of an image that is otherwise filled in. TACIT_USAGE for one that rows cannot be seen
 * through. */
tacit_status tacit_row_image_seal(tacit_row_image *image, tacit_error *error) TACIT_CHECKED;
/* The bytes that the hash is of; *bytes is to be freed. */
tacit_status tacit_row_image_write(const tacit_row_image *image, unsigned char **bytes, size_t *length,
                                   tacit_error *error) TACIT_CHECKED;
/* An image of its own, matrix and all, to be given to tacit_row_image_free. TACIT_BAD_INPUT for other bytes.
 */
tacit_status tacit_row_image_read(const unsigned char *bytes, size_t length, tacit_row_image **image,
                                  tacit_error *error) TACIT_CHECKED;
void tacit_row_image_free(tacit_row_image *image);

#endif
