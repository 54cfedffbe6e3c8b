/* The schema: what is public about a table. Written by a person, never inferred from rows. */
#ifndef TACIT_SCHEMA_H
#define TACIT_SCHEMA_H

#include <tacit/base.h>

TACIT_BEGIN

/* What a neighbouring table is. */
typedef enum tacit_adjacency {
  TACIT_REPLACE_ONE, /* one unit's rows are replaced; the number of rows is public */
  TACIT_ADD_REMOVE   /* one unit's rows are added or removed; the number of rows is private */
} tacit_adjacency;

typedef struct tacit_schema tacit_schema;

/* How a CSV file writes its cells: separated by a comma, a semicolon, a tab or a bar; numbers have a point or
   a comma ('.' or ','). */
typedef struct tacit_csv_form {
  char separator, decimal;
} tacit_csv_form;

/* Reads a schema from a file or from JSON text (docs/formats/schema.md). On success *schema is the caller's,
   to be given back to tacit_schema_free. Errors: TACIT_BAD_INPUT for a file that is missing or malformed,
   TACIT_REFUSED where a public fact is missing. */
TACIT_API tacit_status tacit_schema_read(const char *path, tacit_schema **schema,
                                         tacit_error *error) TACIT_CHECKED;
TACIT_API tacit_status tacit_schema_parse(const char *json, size_t length, tacit_schema **schema,
                                          tacit_error *error) TACIT_CHECKED;
TACIT_API void tacit_schema_free(tacit_schema *schema);
/* The form of the CSV files that the schema is for; false where it says none. */
TACIT_API bool tacit_schema_csv(const tacit_schema *schema, tacit_csv_form *form);

/* The number of encoded columns, the intercept first, and their names; owned by the schema, NULL past the
 * end. */
TACIT_API size_t tacit_schema_columns(const tacit_schema *schema);
TACIT_API const char *tacit_schema_column_name(const tacit_schema *schema, size_t column);
TACIT_API size_t tacit_schema_targets(const tacit_schema *schema);
TACIT_API const char *tacit_schema_target_name(const tacit_schema *schema, size_t target);
TACIT_API size_t tacit_schema_nominal_rows(const tacit_schema *schema); /* 0 where it gives none */
/* What the schema's features become, in their order; a date makes a feature of each of its parts. */
typedef struct tacit_schema_feature {
  const char *column;      /* the table's; of an interaction the names of its factors */
  const char *kind;        /* "number", "levels", "flag", "weekday", "interaction", ... */
  size_t first, columns;   /* its encoded columns */
  bool has_cells;          /* it is made of cells of its own, unlike an interaction or a lag */
  const char *unlisted_as; /* the level that cells of no listed level are taken as; NULL: it has no list */
  const char *format;      /* of dates: how they are written, "%Y-%m-%d" where nothing says so; else NULL */
  bool fold;               /* case does not count */
  bool has_missing;        /* the schema says what stands for an empty cell */
} tacit_schema_feature;
TACIT_API size_t tacit_schema_features(const tacit_schema *schema);
/* feature is below tacit_schema_features. */
TACIT_API tacit_schema_feature tacit_schema_feature_at(const tacit_schema *schema, size_t feature);
/* What the target is learned as: log(1 + y / unit) for a unit above 0, else y itself. */
TACIT_API double tacit_schema_target_log_unit(const tacit_schema *schema, size_t target);
/* Whether the schema says what is missing or left over costs, in tiers, and then the dearest rate of each: a
   goal's costs are these, and its quantile is underage / (underage + overage). Else both are 0. */
TACIT_API bool tacit_schema_target_costs(const tacit_schema *schema, size_t target, double *underage,
                                         double *overage);
/* The column that says of a target whether the day sold out, or its stock; NULL where the schema names none.
 */
TACIT_API const char *tacit_schema_target_sold_out(const tacit_schema *schema, size_t target);
/* By which of both it says so: "sold_out" or "stock"; NULL where the schema names none. */
TACIT_API const char *tacit_schema_target_sold_by(const tacit_schema *schema, size_t target);
/* What cells are counted by: the features, then the targets, and where one of these names the column that
   says what sold out, one more for each target, in the same order (nothing is counted where it names none).
 */
TACIT_API size_t tacit_schema_entries(const tacit_schema *schema);
/* What orders of a target are held to: its bounds, or 64 scales about its centre. */
TACIT_API void tacit_schema_target_bounds(const tacit_schema *schema, size_t target, double *low,
                                          double *high);
/* How many records one unit may own: rows_per_unit, divided by the rows that a record reaches through lags;
   and the column that names the unit, NULL where the number is asserted. */
TACIT_API size_t tacit_schema_records_per_unit(const tacit_schema *schema);
TACIT_API const char *tacit_schema_unit_column(const tacit_schema *schema);
/* Whether only targets are private ("private": "target"): features, keys and the number of rows are public.
 */
TACIT_API bool tacit_schema_features_public(const tacit_schema *schema);
/* By how much at most a unit changes the target of each of its rows; 0: by anything. */
TACIT_API double tacit_schema_change(const tacit_schema *schema);
/* SHA-256 of the schema in canonical form, 64 hexadecimal digits. */
TACIT_API const char *tacit_schema_hash(const tacit_schema *schema);

TACIT_END

#endif
