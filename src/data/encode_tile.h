/* Encodes a tile of records column by column, from the numbers that its inputs read. */
#ifndef TACIT_SRC_ENCODE_TILE_H
#define TACIT_SRC_ENCODE_TILE_H

#include "data/encoder.h"
#include "source/rows.h"

/* values[i][first..] are `count` numbers of the encoder's input i, NaN or infinite where there is none. x and
   y are the tile's columns, TACIT_TILE apart; x[0] is the intercept. Columns of levels that are looked up are
   not touched, nor are products (tacit_schema_multiply).
   False where a number is missing and the schema has none for it. For encoders without lags. The tally, which
   may be another than the encoder's, counts what is not looked up alone. */
bool tacit_encode_tile(const tacit_encoder *encoder, const double *const *values, size_t first, size_t count,
                       double *x, double *y, tacit_tally *tally);

/* The columns of a category for a tile's levels. */
void tacit_encode_levels(const tacit_feature *feature, const size_t *level, size_t count, double *x);

#endif
