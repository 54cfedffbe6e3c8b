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
/* How records are told apart by group and time; json may be NULL. */
tacit_status tacit_schema_parse_panel(tacit_schema *schema, const json_t *json,
                                      tacit_error *error) TACIT_CHECKED;
/* How many features an entry of the schema's list makes, at least 1: a date makes one of each part. */
size_t tacit_feature_entries(const json_t *json);
/* Their own keys: levels, knots, degree, period, ...; the rest is parse_features' work. */
tacit_status tacit_feature_parse(tacit_feature *features, const tacit_schema *schema, const json_t *json,
                                 size_t index, tacit_error *error) TACIT_CHECKED;
/* A category's levels, and the one of empty cells. */
tacit_status tacit_category_parse(tacit_feature *feature, const tacit_fields *fields) TACIT_CHECKED;
/* A category of a public number of buckets, and one of two levels. */
tacit_status tacit_hash_parse(tacit_feature *feature, const tacit_fields *fields) TACIT_CHECKED;
tacit_status tacit_flag_parse(tacit_feature *feature, const tacit_fields *fields) TACIT_CHECKED;
/* The parts of a column of dates, as many features as tacit_date_features says of its JSON. */
size_t tacit_date_features(const json_t *json);
tacit_status tacit_date_parse(tacit_feature *features, const tacit_fields *fields) TACIT_CHECKED;
/* Finds the factors of all interactions, once all features are there. */
tacit_status tacit_schema_settle_products(tacit_schema *schema, const json_t *features,
                                          tacit_error *error) TACIT_CHECKED;
/* Sines and cosines of a year's days, once its columns are laid out: each row only looks them up. */
tacit_status tacit_feature_tabulate(tacit_feature *feature, tacit_error *error) TACIT_CHECKED;
/* "weekday", "trend", ... */
const char *tacit_part_name(tacit_cell_part part);
/* What the feature is called, before its columns are told apart: "date[weekday]". */
enum { TACIT_LABEL_MAX = TACIT_NAME_MAX + 64, TACIT_FACTORS_MAX = 3 };
void tacit_feature_label(const tacit_feature *feature, char text[TACIT_LABEL_MAX]);
/* Encoded columns, their names, and the lags' reach. */
tacit_status tacit_schema_lay_out(tacit_schema *schema, tacit_error *error) TACIT_CHECKED;
/* The public second moment of the encoded columns: needs the layout. */
tacit_status tacit_schema_parse_second_moment(tacit_schema *schema, const json_t *matrix,
                                              tacit_error *error) TACIT_CHECKED;
/* Where events are found; needs the targets. */
tacit_status tacit_schema_parse_events(tacit_schema *schema, const json_t *json,
                                       tacit_error *error) TACIT_CHECKED;
void tacit_event_columns_free(tacit_event_columns *events);
/* REFUSED: the column's bounds are a public fact that only the data holder can give. */
tacit_status tacit_no_bounds(const char *column, tacit_error *error);

#endif
