/* The kinds of columns that a schema knows, each with a line of JSON: for whoever fills in a draft. */
#include <tacit/data.h>

tacit_schema_kind tacit_schema_kind_at(size_t kind) {
  static const tacit_schema_kind KINDS[] = {
      {"the target", "{\"name\": \"demand\", \"min\": 0, \"max\": 500}"},
      {"a target whose effects multiply",
       "{\"name\": \"demand\", \"min\": 0, \"max\": 500, \"transform\": \"log\"}"},
      {"a number; missing is for empty cells",
       "{\"name\": \"price\", \"min\": 0, \"max\": 100, \"missing\": 0}"},
      {"a number along a curve", "{\"name\": \"price\", \"transform\": \"spline\", \"knots\": 5}"},
      {"names or codes; fold ignores case",
       "{\"name\": \"shop\", \"levels\": [\"north\", \"south\"], \"other\": true, \"fold\": true}"},
      {"very many names", "{\"name\": \"product\", \"hash\": 64}"},
      {"true or false", "{\"name\": \"promo\", \"flag\": true, \"missing\": false}"},
      {"a date", "{\"name\": \"day\", \"date\": [\"weekday\", \"month\"], \"format\": \"%d.%m.%Y\"}"},
      {"a trend over time", "{\"name\": \"when\", \"date\": [\"trend\"], \"start\": \"2024-01-01\", \"end\": "
                            "\"2026-12-31\"}"},
      {"an effect that differs by shop", "{\"interaction\": [\"shop\", \"weekday\"]}"},
      {"the target 7 records before", "{\"name\": \"demand\", \"lag\": 7, \"missing\": 0}"}};
  return kind < sizeof KINDS / sizeof *KINDS ? KINDS[kind] : (tacit_schema_kind){0};
}
