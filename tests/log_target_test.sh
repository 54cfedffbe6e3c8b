#!/bin/sh
# A target with "transform": "log": learned as log(1 + y), ordered, evaluated and planned in the user's own units.
# usage: log_target_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

# Demand that a feature multiplies: by ten from one end to the other.
awk 'BEGIN { srand(5); print "x,y"; for (i = 0; i < 6000; i++) { x = rand(); u = rand() * 2 - 1; printf "%.4f,%.3f\n", x, 20 * exp(2.3 * x + 0.5 * u) } }' >train.csv
awk 'BEGIN { srand(6); print "x,y"; for (i = 0; i < 6000; i++) { x = rand(); u = rand() * 2 - 1; printf "%.4f,%.3f\n", x, 20 * exp(2.3 * x + 0.5 * u) } }' >test.csv
schema() { printf '{"target": {"name": "y", "min": 0, "max": 500%s}, "features": [{"name": "x", "min": 0, "max": 1}]}' "$1"; }
schema '' >plain.json
schema ', "transform": "log"' >log.json
schema ', "transform": "log", "log_unit": 10' >unit.json

cost() { "$tacit" evaluate "$1" test.csv --json | sed -n 's/.*"mean_cost": *\([0-9.e+-]*\).*/\1/p' | head -1; }
covered() { # the share of demand that orders cover
  "$tacit" order "$1" test.csv 2>err | sed 1d | awk -F, 'NR == FNR { split($0, c, ","); y[NR] = c[2]; next } { n++; s += y[FNR] <= $NF } END { print s / n }' rows -
}
sed 1d test.csv >rows
between() { checks=$((checks + 1)); awk -v v="$2" -v a="$3" -v b="$4" 'BEGIN { exit !(v >= a && v <= b) }' || { failed=$((failed + 1)); echo "FAILED: $1 is $2, not in $3 to $4"; }; }

for name in plain log unit; do
  expect 0 written "$tacit" fit train.csv --schema $name.json --underage 9 --overage 1 --method erm-exact --no-ledger --out $name.exact
  expect 0 written "$tacit" fit train.csv --schema $name.json --underage 9 --overage 1 --mu 2 --seed 1 --out $name.seeded
  between "the share that $name covers" "$(covered $name.exact)" 0.88 0.92
  between "the share that the private $name covers" "$(covered $name.seeded)" 0.86 0.94
done
expect 0 'as log\(1 \+ order / 10\)' "$tacit" fit train.csv --schema unit.json --underage 9 --overage 1 --mu 2 --seed 1 --out unit.seeded
# the logarithm is the truth here: it costs less, also with noise
between "the cost of the logarithm over a linear rule" "$(awk -v a="$(cost log.exact)" -v b="$(cost plain.exact)" 'BEGIN { print a / b }')" 0.3 0.97
between "its private cost over the linear rule" "$(awk -v a="$(cost log.seeded)" -v b="$(cost plain.exact)" 'BEGIN { print a / b }')" 0.3 0.99

# The same with the operating system's noise is a policy like any other.
expect 0 written "$tacit" fit train.csv --schema log.json --underage 9 --overage 1 --mu 1 --no-ledger --out log.policy
expect 0 'holds as claimed' "$tacit" verify log.policy
expect 0 'mean|cost' "$tacit" evaluate log.policy test.csv --mu 1 --no-ledger
private=$("$tacit" evaluate log.policy test.csv --mu 5 --no-ledger --json | sed -n 's/.*"mean_cost": *\([0-9.e+-]*\).*/\1/p' | head -1)
between "private over exact evaluation" "$(awk -v a="$private" -v b="$(cost log.policy)" 'BEGIN { print a / b }')" 0.9 1.1
expect 0 packed "$tacit" pack train.csv --schema log.json --out log.tacit
expect 0 written "$tacit" fit log.tacit --schema log.json --underage 9 --overage 1 --mu 2 --seed 1 --out packed.seeded
same log.seeded packed.seeded
expect 0 '[0-9]' "$tacit" plan --schema log.json --rows 2000 --mu 1 --underage 9 --overage 1
# An order lies within the target's bounds, whatever the rule says.
between "the largest order" "$("$tacit" order log.policy test.csv 2>err | sed 1d | awk -F, '$NF > m { m = $NF } END { print m }')" 1 500

refuse() { schema "$1" >bad.json; expect 3 "$2" "$tacit" fit train.csv --schema bad.json --quantile .5 --mu 1 --no-ledger --out bad.policy; }
refuse ', "transform": "square"' 'must be "log"'
refuse ', "log_unit": 2' 'must be "log"'
refuse ', "transform": "log", "log_unit": 0' 'log_unit'
echo '{"target": {"name": "y", "min": -1, "max": 500, "transform": "log"}, "features": []}' >bad.json
expect 3 'no logarithm' "$tacit" fit train.csv --schema bad.json --quantile .5 --mu 1 --no-ledger --out bad.policy
echo '{"target": {"name": "y", "center": 10, "scale": 5, "transform": "log"}, "features": []}' >bad.json
expect 3 'give its "min" and "max"' "$tacit" fit train.csv --schema bad.json --quantile .5 --mu 1 --no-ledger --out bad.policy
echo '{"kind": "ball", "dimension": 1, "radius": 1}' >ball.json
expect 3 'cannot have a logarithm' "$tacit" fit train.csv --schema log.json --region ball.json --mu 1 --no-ledger --out bad.policy
finish
