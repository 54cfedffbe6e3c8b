/* The steps that turn a schema's JSON into a tacit_schema; schema.c calls them in this order. */
#ifndef TACIT_SRC_PARSE_H
#define TACIT_SRC_PARSE_H

#include "base/base.h"
#include "schema/fields.h"
#include "schema/schema.h"

/* Each fills its part of schema, which owns whatever was allocated, also after a failure. */
tacit_status tacit_schema_parse_root(tacit_schema *schema, const json_t *root,
                                     tacit_error *error) TACIT_CHECKED;
tacit_status tacit_schema_parse_features(tacit_schema *schema, const json_t *features,
                                         tacit_error *error) TACIT_CHECKED;
/* One feature's own keys: levels, knots, degree, period, ...; the rest is parse_features' work. */
tacit_status tacit_feature_parse(tacit_feature *feature, const tacit_schema *schema, const json_t *json,
                                 size_t index, tacit_error *error) TACIT_CHECKED;
/* A category's levels, and the one of empty cells. */
tacit_status tacit_category_parse(tacit_feature *feature, const tacit_fields *fields) TACIT_CHECKED;
/* Encoded columns, their names, and the lags' reach. */
tacit_status tacit_schema_lay_out(tacit_schema *schema, tacit_error *error) TACIT_CHECKED;
/* The public second moment of the encoded columns: needs the layout. */
tacit_status tacit_schema_parse_second_moment(tacit_schema *schema, const json_t *matrix,
                                              tacit_error *error) TACIT_CHECKED;
/* REFUSED: the column's bounds are a public fact that only the data holder can give. */
tacit_status tacit_no_bounds(const char *column, tacit_error *error);

#endif
