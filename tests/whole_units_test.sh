#!/bin/sh
# Units of many rows, clipped as a whole: policies that verify whatever is asked, the same for every order of the rows
# and number of threads, and from a packed table; the statement says whom they protect.
# usage: whole_units_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

wrong() { failed=$((failed + 1)); echo "FAILED: $*"; }
awk 'BEGIN {
  srand(7)
  print "who,day,heat,asked,left"
  for (u = 0; u < 150; u++) {
    own = rand() - rand()
    for (i = 0; i < 3 + 9 * rand(); i++) {
      day = int(4 * rand()); heat = 20 * rand()
      asked = 30 + 5 * day + heat + 10 * own + 5 * (rand() - rand()) * (1 + day)
      printf "shop %d,d%d,%.3f,%.3f,%.3f\n", u, day, heat, asked, asked * rand()
    }
  }
}' >t.csv
schema() {
  echo "{\"target\": $1, \"features\": [{\"name\": \"day\", \"levels\": [\"d0\", \"d1\", \"d2\", \"d3\"]}, $2],
   \"unit\": {\"rows_per_unit\": 20, \"column\": \"who\"}, \"nominal_rows\": 1000}"
}
asked='{"name": "asked", "min": 0, "max": 100}' left='{"name": "left", "min": 0, "max": 100}'
schema "$asked" '{"name": "heat", "min": 0, "max": 20}' >s.json
schema "$asked" '{"name": "heat", "center": 10, "scale": 6}' >known.json
schema "[$asked, $left]" '{"name": "heat", "min": 0, "max": 20}' >two.json
schema '{"name": "asked", "min": -1e9, "max": 1e9}' '{"name": "heat", "min": 0, "max": 20}' >wide.json

# Far from the median, with too few units to see those beyond it, rows count one by one; not beside another quantile.
"$tacit" fit t.csv --schema s.json --quantile 0.99 --mu 0.5 --out p.json --no-ledger >out 2>&1 || wrong "$(cat out)"
"$tacit" verify p.json >out || wrong "0.99 does not verify: $(grep FAILS out)"
grep -q '"units": "whole"' p.json && wrong "0.99: units are clipped as a whole"
"$tacit" fit t.csv --schema s.json --quantile 0.5 0.99 --mu 0.5 --out p.json --no-ledger >out 2>&1 || wrong "$(cat out)"
grep -q '"units": "whole"' p.json || wrong "0.5 and 0.99: units are not clipped as a whole"

# Whatever the budget buys: no features, slopes, a spread; one order or several, near or far.
for asked in "s.json --quantile 0.5" "s.json --quantile 0.7" "s.json --quantile 0.95" "s.json --quantile 0.1 0.5 0.9" \
  "known.json --quantile 0.9" "two.json --quantile 0.9" "two.json --quantile 0.5" "wide.json --quantile 0.9"; do
  for mu in 0.02 1 30; do
    for adjacency in replace-one add-remove; do
      "$tacit" fit t.csv --schema $asked --mu $mu --adjacency $adjacency --out p.json --no-ledger >out 2>&1 ||
        wrong "$asked $mu $adjacency: $(cat out)"
      "$tacit" verify p.json >out || wrong "$asked $mu $adjacency does not verify: $(grep FAILS out)"
      grep -q '"units": "whole"' p.json || wrong "$asked $mu $adjacency: units are not clipped as a whole"
    done
  done
done
grep -q 'the data of one \\"who\\", all its rows together (at most 20 rows)' p.json || wrong "the statement"

# Where few units lie beyond the quantile, and slopes are learned but no spread, what is counted of one is held to what most of them can
# add to each side: replace-one, half of their rows; add-remove, the larger of both sides. Counts of the target have an eighth.
levels=$(awk 'BEGIN { for (i = 0; i < 14; i++) printf "%s\"d%d\"", i ? ", " : "", i }')
echo "{\"target\": {\"name\": \"asked\", \"min\": 0, \"max\": 100}, \"features\": [{\"name\": \"day\", \"levels\": [$levels]}],
 \"unit\": {\"rows_per_unit\": 20, \"column\": \"who\"}, \"nominal_rows\": 1000}" >few.json
for adjacency in replace-one add-remove; do
  "$tacit" fit t.csv --schema few.json --quantile 0.9 --mu 1.2 --adjacency $adjacency --seed 3 --out seeded.json >out 2>&1 || wrong "$(cat out)"
  sed -n 's/.*"unit_clip": \([0-9.]*\).*/\1/p' seeded.json | awk -v want=$([ $adjacency = add-remove ] && echo 7.2 || echo 4) '
    NR == 1 { first = $1 } { last = $1 } END { exit !(last / first > want - 1e-6 && last / first < want + 1e-6) }' ||
    wrong "$adjacency: no count leans"
  "$tacit" fit t.csv --schema few.json --quantile 0.9 --mu 1.2 --adjacency $adjacency --out p.json --no-ledger >out 2>&1 || wrong "$(cat out)"
  "$tacit" verify p.json >out || wrong "$adjacency, leaning, does not verify: $(grep FAILS out)"
done

# A policy whose units are held to something else, or that is without the input, is none of ours.
"$tacit" fit t.csv --schema s.json --quantile 0.9 --mu 2 --out p.json --no-ledger >out 2>&1
for change in 's/"units": "whole"/"units": "part"/' '/"units": "whole"/d' 's/"unit_clip": [0-9.]*/"unit_clip": 1/' \
  's/"release": "units"/"release": "count"/'; do
  sed "$change" p.json >changed.json
  cmp -s p.json changed.json && wrong "$change changes nothing"
  "$tacit" verify changed.json >out 2>&1 && wrong "verifies after $change"
done

# The order of the rows, and threads, change nothing.
fit() { "$tacit" fit "$1" --schema s.json --quantile 0.9 --mu 1 --seed 5 --threads $2 --no-ledger --out "$3" >out 2>&1 || wrong "$(cat out)"; }
fit t.csv 1 one.json
fit t.csv 3 other.json
same one.json other.json
{ head -1 t.csv; tail -n +2 t.csv | sort -t, -k3,3n; } >sorted.csv
fit sorted.csv 2 other.json
same one.json other.json

# Units that are far smaller than they may be: the smallest clips verify as well.
awk 'BEGIN { srand(5); print "c,x,y"
  for (u = 0; u < 3000; u++) for (i = 0; i <= u % 2; i++) { x = rand(); printf "u%d,%.3f,%.2f\n", u, x, 20 + 10 * x + 20 * rand() } }' >small.csv
cat >small.json <<'END'
{"target": {"name": "y", "min": 0, "max": 100}, "features": [{"name": "x", "min": 0, "max": 1}], "unit": {"column": "c", "rows_per_unit": 365}}
END
for seed in 1 2; do
  expect 0 '' "$tacit" fit small.csv --schema small.json --quantile 0.99 --mu 1 --no-ledger --out small.pol
  expect 0 'The guarantee holds' "$tacit" verify small.pol
done

# A packed table says whose a row is.
"$tacit" pack t.csv --schema s.json --out t.tacit >out
fit t.tacit 2 other.json
same one.json other.json
for method in "median-newton --mu 1" "noisy-gd --mu 1"; do
  for table in t.csv t.tacit; do
    expect 0 '' "$tacit" fit $table --schema s.json --quantile 0.9 --seed 5 --no-ledger --method $method --out $table.json
  done
  same t.csv.json t.tacit.json
done
# With intervals, and for other methods, each row counts by itself.
expect 0 '' "$tacit" fit t.csv --schema s.json --quantile 0.9 --mu 3 --no-ledger --intervals --out q.json
grep -q unit_clip q.json && wrong "intervals with units as a whole"
finish
