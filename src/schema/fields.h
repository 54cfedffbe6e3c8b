/* Typed reading of one JSON object's fields, for the files that read a schema.

   Every function refuses with TACIT_BAD_INPUT and a text that says which key, where, and what it must be. A
   schema is public, so the texts may quote it. */
#ifndef TACIT_SRC_FIELDS_H
#define TACIT_SRC_FIELDS_H

#include "base/base.h"
#include "schema/schema.h"

#define TACIT_NAME_MAX 255 /* bytes in a column's or a level's name: an error text must have room for it */
#define TACIT_MAGNITUDE_MAX                                                                                  \
  1e100 /* of bounds, centres, scales, periods: products of three of them stay finite */
#define TACIT_COUNT_MAX ((size_t)1 << 53) /* of rows: exact as a double */

typedef struct tacit_fields {
  const json_t *object;
  const char *where; /* "features[2]" */
  tacit_error *error;
} tacit_fields;

/* Refuses anything but an object whose keys are all in known ("name, min, max"). */
tacit_status tacit_fields_open(tacit_fields *fields, const json_t *json, const char *where, const char *known,
                               tacit_error *error) TACIT_CHECKED;
bool tacit_fields_has(const tacit_fields *fields, const char *key);
/* A name: a string of 1..TACIT_NAME_MAX bytes without control characters. *copy is the caller's. */
tacit_status tacit_fields_name(const tacit_fields *fields, const char *key, char **copy) TACIT_CHECKED;
tacit_status tacit_fields_check_name(const tacit_fields *fields, const char *key,
                                     const json_t *value) TACIT_CHECKED;
/* A finite number. */
tacit_status tacit_fields_number(const tacit_fields *fields, const char *key, double *number) TACIT_CHECKED;
/* A finite number in (0, TACIT_MAGNITUDE_MAX]. */
tacit_status tacit_fields_positive(const tacit_fields *fields, const char *key, double *number) TACIT_CHECKED;
/* The key must be true, where it is there at all. */
tacit_status tacit_fields_true(const tacit_fields *fields, const char *key, bool *value) TACIT_CHECKED;
/* TACIT_REFUSED: the key is null, as in a draft, and a person has to fill it in. */
tacit_status tacit_fields_blank(const tacit_fields *fields, const char *key);
/* A whole number in [low, high]. */
tacit_status tacit_fields_count(const tacit_fields *fields, const char *key, size_t low, size_t high,
                                size_t *count) TACIT_CHECKED;
/* "min" and "max", or "center" and "scale"; *given is false when there is none of the four. */
tacit_status tacit_fields_scale(const tacit_fields *fields, bool *given, tacit_scale *scale) TACIT_CHECKED;
/* Whether a centre lies so far from zero, for its range, that digits of a decision would be lost. */
bool tacit_scale_is_narrow(const tacit_scale *scale);
/* "missing" of a number column. */
tacit_status tacit_fields_missing(const tacit_fields *fields, bool *given, double *missing) TACIT_CHECKED;

#endif
