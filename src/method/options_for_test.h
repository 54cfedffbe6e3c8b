/* A schema and a region for which every method can be asked. */
#ifndef TACIT_SRC_OPTIONS_FOR_TEST_H
#define TACIT_SRC_OPTIONS_FOR_TEST_H

#include <string.h>
#include <tacit/method.h>

static const char SCHEMA[] =
    "{\"target\": {\"name\": \"y\", \"center\": 0, \"scale\": 2}, \"features\": [{\"name\": \"a\", "
    "\"center\": 0, \"scale\": 1}], \"second_moment\": [[1, 0], [0, 1]]}";
static tacit_schema *schema;
static tacit_region *region;

static int set_up(void **state) {
  static const char BOX[] = "{\"kind\": \"box\", \"min\": [-1], \"max\": [1]}";
  (void)state;
  return tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, NULL) ||
         tacit_region_parse(BOX, strlen(BOX), &region, NULL);
}

static int tear_down(void **state) {
  (void)state;
  tacit_schema_free(schema);
  tacit_region_free(region);
  return 0;
}

#endif
