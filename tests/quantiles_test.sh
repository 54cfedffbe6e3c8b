#!/bin/sh
# Several quantiles of one target from one fit: learned, shown, ordered, picked, verified. usage: quantiles_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"
"$tacit" simulate restaurant --rows 1500 --schema-out s.json >t.csv
expect 0 'quantile 0.98' "$tacit" fit t.csv --schema s.json --quantile 0.98 0.5 0.9 --mu 2 --no-ledger --out p.json
expect 0 'guarantee holds|holds as claimed' "$tacit" verify p.json
expect 0 'order:demand@0.5","order:demand@0.9","order:demand@0.98' "$tacit" order p.json t.csv
# what a person computes from the columns is what --quantile prints
"$tacit" order p.json t.csv 2>/dev/null | awk -F, '{ print $(NF - 1) }' | tail -n +2 >ninety
"$tacit" order p.json t.csv --quantile 0.9 2>/dev/null | awk -F, '{ print $NF }' | tail -n +2 >picked
same ninety picked
"$tacit" order p.json t.csv --underage 9 --overage 1 2>/dev/null | awk -F, '{ print $NF }' | tail -n +2 >costs
same ninety costs
expect 0 'interpolated between 0.9 and 0.98' "$tacit" order p.json t.csv --quantile 0.95
expect 2 'from 0.5 to 0.98' "$tacit" order p.json t.csv --quantile 0.99
expect 0 '^plus .* times the same spread' "$tacit" fit t.csv --schema s.json --quantile 0.5 0.9 0.98 --mu 2 --no-ledger --out p.json
checks=$((checks + 1))
! grep -q '^plus 0 times' out || { echo "FAILED: none of a spread is printed"; failed=$((failed + 1)); }
checks=$((checks + 1))
[ "$(grep -c 'whose logarithm is' out)" = 1 ] || { echo "FAILED: the spread is printed more than once"; failed=$((failed + 1)); }
"$tacit" fit t.csv --schema s.json --quantile 0.7 --mu 2 --no-ledger --out one.json >/dev/null
expect 2 'orders at the quantile 0.7 alone' "$tacit" order one.json t.csv --quantile 0.9
expect 3 'for one target at one quantile' "$tacit" order p.json t.csv --interval 0.9
expect 2 'one quantile' "$tacit" order p.json t.csv --quantile 0.5 0.9
# never crossing, and --json has the same names
"$tacit" order p.json t.csv 2>/dev/null | tail -n +2 | awk -F, '$(NF - 2) > $(NF - 1) || $(NF - 1) > $NF { bad = 1 } END { exit bad }' || { echo "FAILED: orders cross"; failed=$((failed + 1)); }
checks=$((checks + 1))
expect 0 '"demand@0.98"' "$tacit" order p.json t.csv --json
expect 0 'demand@0.9, ' "$tacit" evaluate p.json t.csv
expect 2 'several quantiles' "$tacit" evaluate p.json t.csv --mu 1 --no-ledger
# costs in pairs, sorted; the same twice; with several targets one each
expect 0 'quantile 0.75' "$tacit" fit t.csv --schema s.json --underage 3 --overage 1 --underage 1 --overage 1 --mu 2 --no-ledger --out c.json
expect 0 'demand@0.5.*demand@0.75' "$tacit" order c.json t.csv
expect 2 'given twice' "$tacit" fit t.csv --schema s.json --quantile 0.5 0.5 --mu 2 --no-ledger --out x.json
# all methods know it
for method in median-newton noisy-gd gradient bisection; do
  expect 0 'quantile 0.9' "$tacit" fit t.csv --schema s.json --quantile 0.5 0.9 --mu 2 --method $method --no-ledger --out m.json
  expect 0 'holds as claimed' "$tacit" verify m.json
done
for method in erm erm-exact saa; do
  expect 0 'quantile 0.9' "$tacit" fit t.csv --schema s.json --quantile 0.5 0.9 --method $method --out m.json
done
finish
