/* The private learners' rows: integers on a public grid, column-major in cache-sized blocks
   (docs/design.md, "Soundness" rule 2; proofs/exact-sums.md).

   A cell is round(x * 2^cell_bits) with |cell| <= TACIT_CELL_MAX, or TACIT_NARROW_MAX where cells have two
   bytes. Each row carries its norm, rounded up, so that a score can be capped in integers. A padding row, or
   one that cannot be encoded, is all zero. */
#ifndef TACIT_SRC_DESIGN_H
#define TACIT_SRC_DESIGN_H

#include "data/encode.h"
#include "source/rows.h"

enum {
  TACIT_BLOCK = 1024, /* rows in a block; unused ones are zero */
  TACIT_NARROW_MAX = INT16_MAX
};

#define TACIT_TARGET_STEP (1.0 / (1 << TACIT_TARGET_BITS))

typedef struct tacit_block {
  int32_t *cells;   /* [column][TACIT_BLOCK], or */
  int16_t *narrow;  /* the same in two bytes; the other one is NULL */
  int32_t *norms;   /* [TACIT_BLOCK], ceil of the row's Euclidean norm; for mapped rows, a bound on it */
  int32_t *targets; /* [target][TACIT_BLOCK] */
} tacit_block;

typedef struct tacit_slab { /* memory for some blocks */
  void *memory;
  size_t bytes;
} tacit_slab;

/* Rows in memory. */
typedef struct tacit_stored {
  tacit_block *block; /* `made` of them have memory: `blocks` in use, the others zero. NULL: none is stored */
  size_t made, block_capacity;
  tacit_slab *slab;
  size_t slabs, slab_capacity;
  size_t reserved;  /* rows behind the last one that are being written */
  double *matrix_t; /* a public matrix, transposed: the stored row is matrix * x; NULL: x itself */
  double *scratch;  /* a tile of rows, for rows that come one by one */
} tacit_stored;

/* Rows that are not stored but made from another design's, block by block, when they are asked for. */
typedef struct tacit_view {
  const struct tacit_design *base; /* NULL: the rows are stored */
  struct tacit_steps *steps;
  void **rooms; /* one block for each thread */
  size_t room_bytes;
  int room_count;
} tacit_view;

/* Rows that lie in a mapped file, whose pages may go behind whoever reads them. */
typedef struct tacit_mapped {
  void *map;
  size_t map_bytes;
} tacit_mapped;

/* What rows there are, and then how they are kept. Passes ask tacit_design_block, whichever it is. */
typedef struct tacit_design {
  size_t rows, columns, targets, blocks;
  size_t inputs; /* entries of the x that tacit_design_add takes */
  int cell_bits;
  bool narrow; /* cells of two bytes */
  /* Where the rows of each unit lie, if they lie together; an image has those of the rows it is of. */
  const struct tacit_unit_runs *units;
  struct tacit_unit_runs *own_units;
  tacit_stored stored;
  tacit_view view;
  tacit_mapped file;
} tacit_design;

/* An empty design for the schema; whiten (columns x columns, row-major, copied; may be NULL) is a public
   matrix and cell_bits, 0 to 20, the grid. TACIT_USAGE for another grid or a matrix that is not finite. */
tacit_status tacit_design_new(const tacit_schema *schema, const double *whiten, int cell_bits,
                              tacit_design **design, tacit_error *error) TACIT_CHECKED;
/* A tacit_row_sink: self is the design. A row with a value or target that is not finite counts as a row and
   is all zero: it contributes nothing. */
tacit_status tacit_design_add(void *self, const double *x, const double *y, tacit_error *error);
/* Wipes and drops the first `blocks` blocks, all of them full. */
void tacit_design_forget(tacit_design *design, size_t blocks);
/* The design as a place for the rows of several threads. */
tacit_row_store tacit_design_store(tacit_design *design);
/* What rows x of another design become: matrix * x on a grid of their own. */
typedef struct tacit_image {
  const double *matrix; /* columns x the old columns, row-major, of public numbers; NULL for no columns */
  size_t columns;
  int cell_bits;
  bool narrow;
} tacit_image;
/* Rounds a matrix to a grid on which rows of two bytes are made from many columns without rounding it again,
   but for the first of them; image_pairs.c. */
void tacit_image_round(size_t columns, size_t inputs, double *matrix);
/* The same records as other rows; design_map.c. They are stored, or made on the fly by up to `threads`
   threads of one team from a design that must then outlive this one, or take the place of the old rows, of
   which there is then none left, in at most as many columns. All have the same rows, bit for bit. */
tacit_status tacit_design_transform(const tacit_design *from, const tacit_image *image, int threads,
                                    tacit_design **to, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_design_view(const tacit_design *from, const tacit_image *image, int threads,
                               tacit_design **to, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_design_turn(tacit_design *design, const tacit_image *image, int threads,
                               tacit_error *error) TACIT_CHECKED;
/* Block b for the calling thread, until it asks for the next one. */
tacit_block tacit_design_block(const tacit_design *design, size_t b);
/* How many rows of block b are in use: they come first. */
size_t tacit_design_filled(const tacit_design *design, size_t b);
/* For rows in a file: a thread that goes through the blocks in order is at block b, and pages behind it may
   go. tacit_design_block says so itself. */
void tacit_design_pass(const tacit_design *design, size_t b);
/* Nobody will look at the rows for a while: the pages of a mapped file go back to the system, which keeps
   them as long as it likes. Returns the bytes of memory that the design has of its own. */
size_t tacit_design_rest(const tacit_design *design);
/* A row in encoded units; not for rows that are made on the fly. */
void tacit_design_row(const tacit_design *design, size_t row, double *x, double *y);
/* Memory with rows goes back to the system, which zeroes it; what the heap keeps is wiped. */
void tacit_design_free(tacit_design *design);

#endif
