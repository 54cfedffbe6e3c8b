/* The kinds of columns that a schema knows, each with a line of JSON: for whoever fills in a draft. */
#include <tacit/data.h>

tacit_schema_kind tacit_schema_kind_at(size_t kind) {
  static const tacit_schema_kind KINDS[] = {
      {"the target", "{\"name\": \"demand\", \"min\": 0, \"max\": 500}"},
      {"a target whose effects multiply",
       "{\"name\": \"demand\", \"min\": 0, \"max\": 500, \"transform\": \"log\"}"},
      {"a target that is sales, with the flag of days that sold out",
       "{\"name\": \"sales\", \"min\": 0, \"max\": 500, \"sold_out\": \"soldout\"}"},
      {"the same with other words; missing is for empty cells",
       "{\"name\": \"sales\", \"min\": 0, \"max\": 500, \"sold_out\": {\"name\": \"soldout\", \"levels\": "
       "[\"nein\", \"ja\"], \"missing\": \"nein\"}}"},
      {"a target that is sales, with the day's stock",
       "{\"name\": \"sales\", \"min\": 0, \"max\": 500, \"stock\": \"stock\"}"},
      {"a target with costs in tiers",
       "{\"name\": \"demand\", \"min\": 0, \"max\": 500, \"cost\": {\"shortage\": [{\"below\": 10, "
       "\"rate\": 30}, {\"rate\": 60}], \"leftover\": [{\"rate\": 5}]}}"},
      {"a number; missing is for empty cells",
       "{\"name\": \"price\", \"min\": 0, \"max\": 100, \"missing\": 0}"},
      {"a number along a curve", "{\"name\": \"price\", \"transform\": \"spline\", \"knots\": 5}"},
      {"names or codes; fold ignores case, other is for what is not listed",
       "{\"name\": \"shop\", \"levels\": [\"north\", \"south\"], \"other\": true, \"fold\": true}"},
      {"very many names", "{\"name\": \"product\", \"hash\": 64}"},
      {"true or false", "{\"name\": \"promo\", \"flag\": true, \"missing\": false}"},
      {"a date", "{\"name\": \"day\", \"date\": [\"weekday\", \"month\"], \"format\": \"%d.%m.%Y\"}"},
      {"other parts of it, and public holidays", "{\"name\": \"when\", \"date\": [\"hour\", \"week\", "
                                                 "\"day-of-year\"], \"holidays\": [\"2024-12-25\"]}"},
      {"a trend over time", "{\"name\": \"when\", \"date\": [\"trend\"], \"start\": \"2024-01-01\", \"end\": "
                            "\"2026-12-31\"}"},
      {"an effect that differs by shop", "{\"interaction\": [\"shop\", \"weekday\"]}"},
      {"the target 7 records before", "{\"name\": \"demand\", \"lag\": 7, \"missing\": 0}"},
      {"beside target and features: whose a row is",
       "{\"unit\": {\"rows_per_unit\": 30, \"column\": \"customer\"}}"},
      {"beside them: by what lags are looked up; every is day, hour, week, month or number",
       "{\"panel\": {\"by\": \"shop\", \"time\": \"day\", \"every\": \"day\"}}"},
      {"beside them: all columns but the target are public", "{\"private\": \"target\"}"},
      {"beside them: how many rows there are, about, where that is private", "{\"nominal_rows\": 20000}"},
      {"beside them: how the CSV files are written",
       "{\"csv\": {\"separator\": \";\", \"decimal\": \",\"}}"}};
  return kind < sizeof KINDS / sizeof *KINDS ? KINDS[kind] : (tacit_schema_kind){0};
}
