#!/bin/sh
# A packed table in place of the table: the same policy, byte for byte; what is damaged or does not fit is refused.
# usage: packed_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

wrong() { failed=$((failed + 1)); echo "FAILED: $*"; }
fit() {
  table=$1 out=$2
  shift 2
  "$tacit" fit "$table" --schema "${schema:-s.json}" --quantile 0.7 --out "$out" --seed 3 "$@"
}
"$tacit" simulate restaurant --rows 6000 --schema-out s.json >t.csv
expect 0 'packed 6000 rows of 6000 records' "$tacit" pack t.csv --schema s.json --out t.tacit
expect 0 '"records": 6000' "$tacit" pack t.csv --schema s.json --out t.tacit --json
"$tacit" pack - --schema s.json --out u.tacit <t.csv >out || wrong "packing standard input"
same t.tacit u.tacit
[ "$(stat -c %a t.tacit)" = 600 ] || wrong "others may read the packed table"
for threads in 1 2 3; do
  fit t.csv csv.json --mu 1 --threads $threads >csv.out
  fit t.tacit pack.json --mu 1 --threads $threads | sed 's/pack.json/csv.json/' >pack.out
  same csv.json pack.json
  same csv.out pack.out
done
fit t.csv csv.json --mu 1 --method noisy-gd >out
fit t.tacit pack.json --mu 1 --method noisy-gd >out
same csv.json pack.json

# Lags and limits on units are settled when the table is packed.
cat >unit.json <<'E'
{"target": {"name": "demand", "min": 0, "max": 100}, "features": [{"name": "temperature", "min": -15, "max": 40}],
 "unit": {"column": "weekday", "rows_per_unit": 400}}
E
cat >lag.json <<'E'
{"target": {"name": "demand", "min": 0, "max": 100}, "features": [{"name": "demand", "lag": 7}],
 "unit": {"rows_per_unit": 2}}
E
for schema in unit.json lag.json; do
  expect 0 'packed (2800|5993) rows of 6000' "$tacit" pack t.csv --schema $schema --out v.tacit
  fit t.csv csv.json --mu 1 --method median-newton | sed 's/csv.json/pack.json/' >csv.out
  fit v.tacit pack.json --mu 1 --method median-newton >pack.out
  same csv.json pack.json
  same csv.out pack.out
done
schema=s.json
expect 3 'another schema' fit v.tacit p.json --mu 1
expect 3 'private learners' fit t.tacit p.json --method saa
expect 3 'private learners' "$tacit" pack t.tacit --schema s.json --out w.tacit
head -c 30000 t.tacit >cut.tacit
expect 3 'shorter or longer' fit cut.tacit p.json --mu 1
{ head -c 9000 t.tacit; printf 'XX'; tail -c +9003 t.tacit; } >bent.tacit
expect 3 'block 1 of the packed table' fit bent.tacit p.json --mu 1
expect 2 'not a regular file' "$tacit" pack t.csv --schema s.json --out /dev/null

# Nothing that is read is written over, however it is spelled.
cp t.csv own.csv && cp s.json own.json && ln -s own.csv link.csv
for name in own.csv ./own.csv link.csv own.json; do
  expect 2 'would replace the table or the schema' "$tacit" pack own.csv --schema own.json --out $name
done
expect 2 'would replace the table or the schema' sh -c '"$0" pack - --schema own.json --out own.csv <own.csv' "$tacit"
# Nor by a policy: not the table, given as a file, packed, on standard input or in a query, nor what else is read.
cp t.tacit own.tacit && cp own.csv "it's.csv" && "$tacit" keys --out own >out
for name in own.csv ./own.csv link.csv own.json own.secret; do
  expect 2 'would replace a file that is read' "$tacit" fit own.csv --schema own.json --quantile 0.7 --mu 1 --sign own.secret --out $name
done
# a ledger that is made at that name while the table is read is not replaced
{ head -n 2 own.csv; sleep 2; tail -n +3 own.csv; } | "$tacit" pack - --schema own.json --out made.db >out 2>&1 &
packing=$!
sleep 1
"$tacit" ledger open made.db --label a --mu 1 >out2 2>&1 || wrong "making a ledger: $(cat out2)"
wait "$packing" && wrong "a table was packed over a ledger"
expect 0 'a' "$tacit" ledger show made.db
echo log >own.csv.wal # of a database, of which it is a part
expect 2 'would replace a file that is read' "$tacit" fit own.csv --schema own.json --quantile 0.7 --mu 1 --out own.csv.wal
ln -s own.csv linked.csv
expect 2 'would replace a file that is read' "$tacit" fit linked.csv --schema own.json --quantile 0.7 --mu 1 --out own.csv.wal
expect 2 'would replace a file that is read' "$tacit" fit own.tacit --schema own.json --quantile 0.7 --mu 1 --out own.tacit
expect 2 'would replace a file that is read' sh -c '"$0" fit - --schema own.json --quantile 0.7 --mu 1 --out own.csv <own.csv' "$tacit"
for query in "FROM 'own.csv'" 'SELECT '"'it''s'"' AS a, * FROM "./own.csv"' "SELECT * FROM 'link.csv' WHERE demand > 1"; do
  expect 2 'would replace a file that is read' "$tacit" fit --sql "$query" --schema own.json --quantile 0.7 --mu 1 --out own.csv
done
expect 2 'would replace a file that is read' "$tacit" fit --sql "FROM 'it''s.csv'" --schema own.json --quantile 0.7 --mu 1 --out "it's.csv"
expect 0 'written: own.pol' "$tacit" fit --sql "FROM 'own.csv'" --schema own.json --quantile 0.7 --mu 1 --out own.pol
expect 0 'written: own.pol' "$tacit" fit --sql "FROM 'own.csv'" --schema own.json --quantile 0.7 --mu 1 --out own.pol --no-ledger
same t.tacit own.tacit
same t.csv "it's.csv"
same t.csv own.csv
same s.json own.json
expect 3 'no such file' "$tacit" pack none.csv --schema s.json --out n.tacit
expect 2 'needed' "$tacit" pack t.csv --schema s.json
# What a killed pack left behind, which holds rows, is taken away by the next one.
: >t.tacit.1-0.tacit-tmp
expect 0 'packed' "$tacit" pack t.csv --schema s.json --out t.tacit
[ ! -e n.tacit ] && [ ! -e w.tacit ] || wrong "a failed pack left a file"
ls | grep 'tacit\.' && wrong "temporary files are left"
finish
