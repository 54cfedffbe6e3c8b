#!/bin/sh
# A table of many columns, whose moments and whitened rows are multiplied in pairs: the same bytes for every number of
# threads, from a packed table and in another order of rows; a policy that is verified; and a rule that is good.
# usage: wide_table_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

columns=80 rows=6000
awk -v p=$columns 'BEGIN {
  printf "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 40}, \"features\": ["
  for (j = 1; j <= p; j++) printf "%s{\"name\": \"x%d\", \"min\": -1, \"max\": 1}", (j > 1 ? ", " : ""), j
  print "]}"
}' >s.json
awk -v p=$columns -v n=$rows 'BEGIN {
  srand(1)
  for (j = 1; j <= p; j++) printf "x%d,", j
  print "y"
  for (i = 1; i <= n; i++) {
    y = 20 + 2 * (rand() + rand() - 1)
    for (j = 1; j <= p; j++) {
      x = (2 * rand() - 1) * (i % 50 ? 0.5 : 1.0)
      if (j == 1) y += 8 * x
      printf "%.4f,", x
    }
    printf "%.4f\n", y
  }
}' >t.csv
{ head -1 t.csv; tail -n +2 t.csv | sort; } >sorted.csv

for method in location-scale median-newton; do
  fit() { # TABLE POLICY THREADS [OPTIONS...]
    table=$1 policy=$2 threads=$3
    shift 3
    "$tacit" fit "$table" --schema s.json --quantile 0.8 --mu 10 --method $method --no-ledger --out "$policy" \
      --threads "$threads" "$@" >/dev/null 2>&1
  }
  fit t.csv one.json 1 --seed 3
  fit t.csv three.json 3 --seed 3
  fit sorted.csv sorted.json 2 --seed 3
  same one.json three.json
  same one.json sorted.json
  "$tacit" pack t.csv --schema s.json --out t.tacit >/dev/null 2>&1
  fit t.tacit packed.json 2 --seed 3
  same one.json packed.json
  fit t.csv private.json 2
  expect 0 'follow from the numbers' "$tacit" verify private.json
  "$tacit" evaluate private.json t.csv --json >costs.json 2>/dev/null
  checks=$((checks + 1)) # without features it would be three times as much
  awk -v cost="$(field costs.json mean_cost)" -v best="$(field costs.json cost_without_privacy)" \
    'BEGIN { exit !(cost > 0 && cost < 1.05 * best) }' || { failed=$((failed + 1)); echo "FAILED: $method costs too much"; }
done
finish
