#!/bin/sh
# --where: the records that meet a condition, of any source, one record at a time. What is learned from them is
# what is learned from a table that has no others, and their number is private.
# usage: where_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

awk 'BEGIN {
  print "shop,date,x,y" >"all.csv"; print "shop,date,x,y" >"some.csv"
  for (i = 0; i < 2000; i++) {
    line = sprintf("%d,2018-%02d-%02d,%.3f,%d", i % 5 + 20, i % 12 + 1, i % 28 + 1, (i * 37 % 100) / 100, i * 17 % 90)
    print line >"all.csv"
    if (i % 5 + 20 == 24 && i % 12 + 1 >= 6) print line >"some.csv"
  }
}'
cat >s.json <<'END'
{"target": {"name": "y", "min": 0, "max": 100}, "features": [{"name": "x", "min": 0, "max": 1},
 {"name": "date", "date": ["weekday"]}], "nominal_rows": 250}
END
condition="shop = 24 AND date >= '2018-06-01'"
learn() { "$tacit" fit "$1" --schema s.json --quantile 0.8 --mu 1 --adjacency add-remove --seed 3 --out "$2" --json "$3" "$4" >out 2>err || { echo "FAILED: fit $*"; failed=$((failed + 1)); cat err; }; }
"$tacit" fit some.csv --schema s.json --quantile 0.8 --mu 1 --adjacency add-remove --seed 3 --out some.pol >/dev/null
learn all.csv all.pol --where "$condition"
same some.pol all.pol
learn all.csv all.pol --where "date >= '2018-06-01' AND (shop IN (24, 99) OR shop IS NULL)"
same some.pol all.pol
"$tacit" fit - --schema s.json --quantile 0.8 --mu 1 --adjacency add-remove --seed 3 --out piped.pol --where "$condition" <all.csv >/dev/null
same some.pol piped.pol
# as --sql has it
"$tacit" fit --sql "FROM 'all.csv' WHERE $condition" --schema s.json --quantile 0.8 --mu 1 --adjacency add-remove --seed 3 --out sql.pol >/dev/null
same some.pol sql.pol
# a decimal comma counts in the condition, whose own numbers have a point, and in what is learned
sed 1q all.csv | tr , ';' >comma.csv
sed 1d all.csv | tr ',.' ';,' >>comma.csv
learn all.csv all.pol --where "x < 0.25 AND shop = 24"
"$tacit" fit comma.csv --separator ';' --decimal , --schema s.json --quantile 0.8 --mu 1 --adjacency add-remove --seed 3 --out comma.pol --where "x < 0.25 AND shop = 24" >/dev/null
same all.pol comma.pol

# numbers with a decimal comma are that to a condition, to the schema and to names of units
sed 's/,/;/g; s/\./,/g' all.csv >comma.csv
learn all.csv all.pol --where "x < 0.5 AND date >= '2018-06-01'"
"$tacit" fit comma.csv --separator ';' --decimal , --schema s.json --quantile 0.8 --mu 1 --adjacency add-remove --seed 3 --out comma.pol --where "x < 0.5 AND date >= '2018-06-01'" >/dev/null
same all.pol comma.pol
sed 's/"nominal_rows": 250/"nominal_rows": 250, "unit": {"rows_per_unit": 2, "column": "shop"}/' s.json >unit.json
sed '2s/^[0-9]*/1,25e16/' comma.csv >rounded.csv
expect 3 'may have been rounded' "$tacit" fit rounded.csv --separator ';' --decimal , --schema unit.json --quantile 0.8 --mu 1 --adjacency add-remove --no-ledger --out p.pol --where "x < 2"

# the number of rows is private
expect 4 'cannot be public' "$tacit" fit all.csv --schema s.json --quantile 0.8 --mu 1 --out p.pol --where "$condition"
[ ! -e p.pol ] || { echo "FAILED: a policy was written"; failed=$((failed + 1)); }
sed 's/"nominal_rows": 250/"unit": {"rows_per_unit": 2}/; s/{"name": "x"/{"name": "y", "lag": 1}, {"name": "x"/' s.json >lags.json
expect 4 'lags are refused|lags need the records' "$tacit" fit all.csv --schema lags.json --quantile 0.8 --mu 1 --out p.pol --where "$condition" --adjacency add-remove --nominal-rows 250
"$tacit" fit all.csv --schema lags.json --quantile 0.8 --mu 1 --no-ledger --out lags.pol >/dev/null
expect 4 'lags need the records of a file in their order' "$tacit" order lags.pol all.csv --where "$condition"
expect 3 'encoded already' sh -c "'$tacit' pack all.csv --schema s.json --out t.tacit >/dev/null; '$tacit' fit t.tacit --schema s.json --quantile 0.8 --mu 1 --adjacency add-remove --out p.pol --where 'shop = 24'"

# what is asked wrongly
expect 0 'from 0 rows: the policy is made of noise alone' "$tacit" fit all.csv --schema s.json --quantile 0.8 --mu 1 --adjacency add-remove --no-ledger --out none.pol --where "shop = 7"
expect 4 'has no column "Shop"' "$tacit" fit all.csv --schema s.json --quantile 0.8 --mu 1 --adjacency add-remove --out p.pol --where "Shop = 24"
expect 4 'expected the end of the condition' "$tacit" fit all.csv --schema s.json --quantile 0.8 --mu 1 --adjacency add-remove --out p.pol --where "shop = 24; DROP"
expect 4 '' "$tacit" fit all.csv --schema s.json --quantile 0.8 --mu 1 --adjacency add-remove --out p.pol --where ""
expect 4 '' "$tacit" fit all.csv --schema s.json --quantile 0.8 --mu 1 --adjacency add-remove --out p.pol --where "shop = (SELECT max(shop) FROM 'all.csv')"
expect 2 'behind WHERE' "$tacit" fit --sql "FROM 'all.csv'" --schema s.json --quantile 0.8 --mu 1 --out p.pol --where "shop = 24"

# orders keep the records' own text
"$tacit" order some.pol some.csv >wanted.csv 2>/dev/null
"$tacit" order some.pol all.csv --where "$condition" >got.csv 2>/dev/null
same wanted.csv got.csv
# and so do figures
"$tacit" evaluate some.pol some.csv >wanted.txt 2>/dev/null
"$tacit" evaluate some.pol all.csv --where "$condition" >got.txt 2>/dev/null
same wanted.txt got.txt
expect 2 'where is for the data holder' "$tacit" evaluate some.pol all.csv --where "$condition" --mu 1 --no-ledger
finish
