#!/bin/sh
# Fits without privacy as a user compares with them: erm and erm-exact agree however wide the target's bounds are, and
# erm-spread is what the default learner comes to with a budget that noise does not matter for.
# usage: erm_spread_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

# Demand of three shops, the more of it the further from its middle; bounds a hundred times as far apart as it scatters.
sales() {
  awk -v seed="$1" 'BEGIN { srand(seed); print "shop,x,y,z"; split("north south east", name); for (i = 0; i < 8000; i++) {
    s = int(3 * rand()) + 1; x = 2 * rand() - 1; e = log(1 - rand()) - log(1 - rand())
    printf "%s,%.4f,%.4f,%.4f\n", name[s], x, 500 + 20 * s + 10 * x + 2 * exp(0.9 * s + 0.8 * x) * e / 5, 40 + x + e } }'
}
sales 1 >train.csv
sales 2 >test.csv
schema() { printf '{%s, "features": [{"name": "shop", "levels": ["north", "south", "east"]}, {"name": "x", "min": -1, "max": 1}]}' "$1"; }
y='{"name": "y", "min": 0, "max": 1500}'
schema "\"target\": $y" >s.json
schema "\"target\": [$y, {\"name\": \"z\", \"min\": 0, \"max\": 100}]" >two.json

fit() { # NAME ARGUMENTS...: NAME.json
  out=$1
  shift
  expect 0 written "$tacit" fit train.csv --schema s.json --no-ledger --out "$out.json" "$@"
}
cost() { "$tacit" evaluate "$1.json" test.csv --json | sed -n 's/.*"mean_cost": *\([0-9.e+-]*\).*/\1/p' | head -1; }
below() { # WHAT A FACTOR B: A costs at most FACTOR times B
  checks=$((checks + 1))
  awk -v a="$(cost "$2")" -v f="$3" -v b="$(cost "$4")" 'BEGIN { exit !(a > 0 && a <= f * b) }' || { failed=$((failed + 1)); echo "FAILED: $1: $(cost "$2") against $(cost "$4")"; }
}

for tau in 0.05 0.5 0.9 0.98; do
  fit erm --quantile $tau --method erm
  fit exact --quantile $tau --method erm-exact
  below "erm at $tau" erm 1.01 exact
done
fit wide --quantile 0.98 --method erm --bandwidth 150
below "a bandwidth that was asked for" exact 0.5 wide
for tau in 0.05 0.9 0.98; do
  fit exact --quantile $tau --method erm-exact
  fit spread --quantile $tau --method erm-spread
  fit private --quantile $tau --mu 1000 --seed 1
  below "a spread at $tau" spread 0.97 exact
  below "the default learner without much noise at $tau" private 1.01 spread
  below "its rule without noise at $tau" spread 1.01 private
  grep -q '"rule": "linear-with-spread"' spread.json || { failed=$((failed + 1)); echo "FAILED: no spread at $tau"; }
done
expect 1 'FAILS.*without noise' "$tacit" verify spread.json
expect 0 'north' "$tacit" order spread.json test.csv
expect 2 'not private' "$tacit" fit train.csv --schema s.json --quantile 0.9 --method erm-spread --mu 1 --out no.json

# Where the default learner learns no spread, neither does it: then it is erm.
numbers() { sed -n '/"coefficients"/,/}/p' "$1.json"; }
for tau in 0.5 0.79; do
  fit erm --quantile $tau --method erm
  fit spread --quantile $tau --method erm-spread
  numbers erm >erm.numbers
  numbers spread >spread.numbers
  same erm.numbers spread.numbers
  grep -q '"rule": "linear"' spread.json || { failed=$((failed + 1)); echo "FAILED: a spread at $tau"; }
done
expect 0 written "$tacit" fit train.csv --schema two.json --quantile 0.9 --quantile 0.5 --no-ledger --method erm-spread --out both.json
expect 0 'y.*z' "$tacit" order both.json test.csv
echo '{"target": {"name": "y", "min": 0, "max": 1500}, "features": []}' >none.json
expect 0 written "$tacit" fit train.csv --schema none.json --quantile 0.9 --no-ledger --method erm-spread --out none.policy
finish
