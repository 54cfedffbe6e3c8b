#!/bin/sh
# Parquet, JSON and SQL as the program's user meets them: the same policies as from CSV, refusals with their reason,
# and what the certificate says of a query's result. usage: sources_test.sh PROGRAM BUILD_DIR
build=$(cd "$2" && pwd)
. "$(dirname "$0")/lib.sh"

options="--schema s.json --quantile 0.7 --mu 1"
"$tacit" simulate restaurant --rows 2000 --seed 5 --schema-out s.json >t.csv
# The same records, one object a line.
awk -F, 'NR > 1 {printf "{\"date\": \"%s\", \"weekday\": \"%s\", \"is_holiday\": %s, \"temperature\": %s, \"rain\": %s, \"demand\": %s}\n",
  $1, $2, $3, $4, $5, $6}' t.csv >t.ndjson

# The manual lists every function that a query may use.
for name in $(sed -n '/_functions\[\] = {/,/};/p' "$here"/src/source/*_functions.c | grep -o '{"[a-z_0-9]*"' | tr -d '{"'); do
  checks=$((checks + 1))
  grep -qw "$name" "$here/docs/sql.md" || { failed=$((failed + 1)); echo "FAILED: docs/sql.md lacks $name"; }
done
# Without the library: what to install, nothing spent, no policy.
expect 2 'DuckDB.s C library from /nowhere/libduckdb.so' env TACIT_DUCKDB=/nowhere/libduckdb.so "$tacit" fit t.ndjson $options --out no.json
expect 2 'DuckDB.s C library from /nowhere' env TACIT_DUCKDB=/nowhere/libduckdb.so "$tacit" fit --sql "FROM 't.ndjson'" $options --out no.json
expect 2 'too few arguments' "$tacit" fit $options --out no.json
expect 2 'result-rows goes with --sql' "$tacit" fit t.csv --result-rows $options --out no.json
"$tacit" fit t.ndjson $options --seed 4 --out probe.json >out 2>&1 </dev/null
if [ $? = 2 ]; then
  grep -q 'which is not installed' out && [ $failed = 0 ] || { cat out; exit 1; }
  echo "skipped: there is no libduckdb.so (scripts/install-deps duckdb)"
  exit 77
fi

# One policy from CSV, JSON and SQL, whatever the number of threads.
{ echo '['; sed '$!s/$/,/' t.ndjson; echo ']'; } >t.json
"$tacit" fit t.csv $options --seed 4 --out csv.json >csv.out
for table in t.ndjson t.json; do
  for threads in 1 3; do
    expect 0 'read 2000 records' "$tacit" fit $table $options --seed 4 --threads $threads --out p.json
    same csv.json p.json
  done
done
"$build/duckdb_test" "COPY (SELECT * FROM read_csv('t.csv', header = true)) TO 't.parquet'"
expect 0 'read 2000 records' "$tacit" fit t.parquet $options --seed 4 --out p.json
same csv.json p.json
expect 0 'read 2000 records' "$tacit" fit --sql "SELECT * FROM 't.parquet'" $options --seed 4 --out p.json
same csv.json p.json
expect 0 'read 2000 records' "$tacit" fit --sql "SELECT upper(weekday) AS weekday, is_holiday, CAST(temperature AS DOUBLE) + 0 AS temperature, rain, demand FROM 't.parquet'" \
  $options --seed 4 --out p.json
same csv.json p.json
for table in t.csv t.json; do
  expect 0 'read 2000 records' "$tacit" fit --sql "SELECT upper(weekday) AS weekday, is_holiday, temperature + 0 AS temperature, rain, demand FROM '$table'" \
    $options --seed 4 --out p.json
  same csv.json p.json
done
expect 0 'packed 2000 rows' "$tacit" pack t.ndjson --schema s.json --out t.tacit
expect 0 'read 2000 records' "$tacit" fit t.tacit $options --seed 4 --out p.json
same csv.json p.json

# Orders and evaluations.
"$tacit" order csv.json t.csv 2>err | sed 's/.*,//' >from-csv
"$tacit" order csv.json t.ndjson 2>err >from-json
same from-csv from-json
"$tacit" evaluate csv.json t.csv >from-csv
"$tacit" evaluate csv.json t.json >from-json
same from-csv from-json

# What does not keep one record one row; lags; nothing is spent for a refusal.
"$tacit" ledger open l.db --label default --mu 9 >out
pay="--ledger l.db"
expect 4 'WHERE makes the number of rows depend' "$tacit" fit --sql "SELECT * FROM 't.parquet' WHERE demand > 40" $options $pay --out no.json
expect 4 'no column "Demand"; write names as the table does' "$tacit" fit --sql "SELECT Demand AS demand FROM 't.parquet'" $options $pay --out no.json
expect 4 'expected the end of the query at "LIMIT" .character 27' "$tacit" fit --sql "SELECT * FROM 't.parquet' LIMIT 9" $options $pay --out no.json
expect 4 'no function that looks at one record alone at "avg"' "$tacit" fit --sql "SELECT avg(demand) AS demand FROM 't.parquet'" $options $pay --out no.json
expect 4 'give --adjacency add-remove' "$tacit" fit --sql "SELECT * FROM 't.json'" --result-rows $options $pay --out no.json
sed 's/"features": \[/&{"name": "demand", "lag": 7},/; s/^}$/, "unit": {"rows_per_unit": 2}}/' s.json >lags.json
expect 4 'lags need the records of a file' "$tacit" fit --sql "SELECT * FROM 't.parquet'" --schema lags.json --quantile 0.7 --mu 1 $pay --out no.json
expect 0 'learned from 1993 rows' "$tacit" fit t.json --schema lags.json --quantile 0.7 --mu 1 --seed 1 --out lagged.json
"$tacit" fit t.csv --schema lags.json --quantile 0.7 --mu 1 --seed 1 --out p.json >out
same lagged.json p.json
expect 3 'record 1: a CAST has no value' "$tacit" fit --sql "SELECT CAST(weekday AS DOUBLE) AS demand, weekday, is_holiday, temperature, rain FROM 't.csv'" \
  $options $pay --out no.json
expect 3 'packed: its records are encoded already' "$tacit" fit --sql "SELECT * FROM 't.tacit'" $options $pay --out no.json
expect 3 'no such file: missing.parquet' "$tacit" fit missing.parquet $options $pay --out no.json
{ cat t.ndjson; echo '{"weekday": "MON", "demand": "SECRET"'; } >cut.ndjson
expect 3 'cannot be read as JSON' "$tacit" fit cut.ndjson $options $pay --out no.json
expect 3 'TRY_CAST' "$tacit" fit --sql "SELECT CAST(weekday AS DOUBLE) AS demand, * EXCLUDE (demand) FROM 't.ndjson'" --result-rows \
  --adjacency add-remove --nominal-rows 2000 $options $pay --out no.json
checks=$((checks + 1))
grep -Eq 'SECRET|SAT|MON' out err && { failed=$((failed + 1)); echo "FAILED: an error quotes a record"; }
expect 0 '^default .* 0$' "$tacit" ledger show l.db
[ ! -e no.json ] || { failed=$((failed + 1)); echo "FAILED: a refusal left a policy"; }

# Under add-remove a condition is fine, and the certificate is the same whatever it leaves over.
private="--adjacency add-remove --nominal-rows 2000"
expect 0 'Gaussian' "$tacit" fit --sql "SELECT * FROM 't.parquet' WHERE demand > 40" $options --method noisy-gd $private $pay --out where.json
expect 0 'holds as claimed' "$tacit" verify where.json
expect 0 'learned from 0 rows' "$tacit" fit --sql "SELECT * FROM 't.parquet' WHERE demand > 1e9" $options --method noisy-gd $private $pay --out none.json
for p in where none; do sed -n '/"privacy"/,/^  }/p' $p.json | grep -v '"sequence"\|"head"' >$p.privacy; done
same where.privacy none.privacy

# A query's result: its rows are the unit, in the policy, in verify and in the ledger, which does not mix units.
by_week="SELECT weekday, avg(CAST(demand AS DOUBLE)) AS demand, 0 AS is_holiday, 10 AS temperature, 0 AS rain FROM 't.json' GROUP BY weekday, date_trunc('month', date)"
expect 4 'counts for units of 1 row, add-remove, and this is for 1 row of a query.s result' "$tacit" fit --sql "$by_week" --result-rows $options $private $pay --out no.json
"$tacit" ledger open l.db --label weeks --mu 9 >out
expect 0 'one row of a query.s result' "$tacit" fit --sql "$by_week" --result-rows $options $private $pay --label weeks --out weeks.json
expect 0 "\"rows\": \"of a query's result\"" cat weeks.json
expect 0 'unit: 1 row of a query.s result' "$tacit" verify weeks.json
expect 0 'for units of 1 row of a query.s result, add-remove' "$tacit" ledger show l.db --label weeks
expect 0 'holds' "$tacit" ledger show l.db --check weeks.json where.json
# Taking the word out of the policy makes another promise: the file no longer says what it would.
sed "s/one row of a query's result (1 row; nothing is promised about the records that the result was computed from)/one row of the table (1 row)/
  s/is in the result/is in the table/; /\"rows\": \"of a query/d; s/\"limit\": \"one row\",/\"limit\": \"one row\"/" weeks.json >forged.json
expect 1 'FAILS  the receipt was given for this release' "$tacit" verify forged.json
sed '/"commitment":/d; s/\("head": "[0-9a-f]*"\),/\1/' forged.json >silent.json
expect 0 'holds as claimed' "$tacit" verify silent.json
expect 1 'another unit' "$tacit" ledger show l.db --check silent.json
finish
