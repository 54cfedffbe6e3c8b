/* For the planner's tests: schemas of every kind of column, written with single quotes. Include it after
   cmocka.h. */
#ifndef TACIT_SRC_PLAN_SCHEMAS_FOR_TEST_H
#define TACIT_SRC_PLAN_SCHEMAS_FOR_TEST_H

static const char PLAIN[] = "{'target': {'name': 'y', 'min': 0, 'max': 100}, 'features': ["
                            "{'name': 'a', 'min': -5, 'max': 15}, {'name': 'b', 'center': 3, 'scale': 2},"
                            "{'name': 'day', 'levels': ['MON', 'TUE', 'WED']}]}";
static const char LAGS[] = "{'target': {'name': 'y', 'min': 0, 'max': 100}, 'features': ["
                           "{'name': 'a', 'min': -5, 'max': 15}, {'name': 'y', 'lag': 1},"
                           "{'name': 'y', 'lag': 7}], 'unit': {'rows_per_unit': 3}}";
static const char UNITS[] =
    "{'target': {'name': 'y', 'min': 0, 'max': 9}, 'features': ["
    "{'name': 'a', 'min': -5, 'max': 15}], 'unit': {'rows_per_unit': 2, 'column': 'who'}}";

static tacit_schema *parse(const char *quoted) {
  char text[1024];
  size_t length = strlen(quoted);
  tacit_schema *schema = NULL;
  tacit_error error = {""};
  for (size_t i = 0; i < length; i++) text[i] = quoted[i] == '\'' ? '"' : quoted[i];
  if (tacit_schema_parse(text, length, &schema, &error) != TACIT_OK) fail_msg("%s", error.text);
  return schema;
}

#endif
