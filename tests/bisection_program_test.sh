#!/bin/sh
# A method that needs two files of code has the whole program: tables of every kind, several targets, both adjacencies,
# pairs, ledger, verification, orders, evaluation, audit. usage: bisection_program_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"
wrong() { failed=$((failed + 1)); echo "FAILED: $*"; }
"$tacit" simulate restaurant --rows 3000 --schema-out s.json >t.csv
sed 's/"target": \(.*\),$/"target": [\1, {"name": "rain", "min": 0, "max": 40}],/; /"rain", "min": 0, "max": 40, /d; s/\("temperature".*\),$/\1/' s.json >two.json
sed 's/"max": 100}/"max": 100, "transform": "log"}/' s.json >log.json
sed 's/^{/{ "unit": {"column": "date", "rows_per_unit": 2},/' s.json >unit.json
"$tacit" pack t.csv --schema s.json --out t.tacit >out || wrong "packing"
"$tacit" ledger open l.db --label default --mu 20 >out
"$tacit" ledger open m.db --label units --mu 20 >out
"$tacit" ledger open n.db --label rows --mu 20 >out
learn() { table=$1 schema=$2; shift 2; "$tacit" fit "$table" --schema "$schema" --method bisection --ledger "$ledger" --out p.json "$@"; }
# learns and verifies: a fit with the operating system's noise, paid for, holds.
holds() {
  expect 0 'written: p.json' learn "$@"
  expect 0 'every release of bisection is listed' "$tacit" verify p.json
  expect 0 '' "$tacit" ledger show "$ledger" --check p.json
}
ledger=l.db
holds t.csv s.json --quantile 0.7 --mu 1
holds t.csv s.json --underage 7 --overage 3 --mu 0.3
holds t.tacit s.json --quantile 0.7 --mu 1
holds t.csv two.json --quantile 0.7 --quantile 0.9 --mu 1
holds t.csv log.json --quantile 0.7 --mu 1
holds t.csv s.json --quantile 0.7 --epsilon 1 --delta 1e-5
expect 0 '^default .* 6$' "$tacit" ledger show l.db
ledger=m.db
holds t.csv unit.json --quantile 0.7 --mu 1 --label units
ledger=n.db
holds t.csv s.json --quantile 0.7 --mu 1 --adjacency add-remove --nominal-rows 2000 --label rows

# It is what features must beat: they do, and so does it beat nothing learned at all.
head -4 t.csv >some.csv
"$tacit" fit t.csv --schema s.json --quantile 0.7 --mu 2 --method bisection --seed 1 --out b.json >out
"$tacit" fit t.csv --schema s.json --quantile 0.7 --mu 2 --seed 1 --out d.json >out
expect 0 '' "$tacit" order b.json some.csv
[ "$(sed 1d out | sed 's/.*,//' | sort -u | wc -l)" = 1 ] || wrong "orders without features differ from row to row"
cost() { "$tacit" evaluate "$1" t.csv --json 2>/dev/null | sed -n 's/.*"mean_cost": *\([0-9.]*\).*/\1/p' | head -1; }
awk -v b="$(cost b.json)" -v d="$(cost d.json)" 'BEGIN { exit !(d > 0 && d < b) }' || wrong "features do not pay: $(cost d.json) against $(cost b.json)"

# The same bytes from every kind of table and any number of threads; other options are refused by name.
for table in t.csv t.tacit; do
  for threads in 1 3; do
    "$tacit" fit $table --schema s.json --quantile 0.7 --mu 2 --method bisection --seed 1 --threads $threads --out again.json >out
    same b.json again.json
  done
done
expect 0 'bisection +the quantile of demand' "$tacit" fit --help
expect 2 'has no option steps; it has none' learn t.csv s.json --quantile 0.7 --mu 1 --steps 3
sed 's/"halvings": 1[0-9]/"halvings": 9/' p.json >bent.json
expect 1 'not so at "halvings"' "$tacit" verify bent.json
expect 0 'no attack' "$tacit" audit --method bisection --mu 1 --runs 200 --seed 1
expect 1 'CAUGHT' "$tacit" audit --method bisection --mu 1 --runs 200 --seed 1 --plant lost-count
expect 2 'one of: gaussian, noisy-gd' "$tacit" audit --method bisection --plant no-clipping
finish
