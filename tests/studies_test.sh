#!/bin/sh
# The program's studies: Chen and Chua's reproductions and the supply chain, for people, for machines and as files.
. tests/lib.sh

for name in chen-risk chen-error chen-time chen-products chen-batch chen-discrete; do
  expect 0 'certificate' "$tacit" reproduce $name --reps 1 --rows 64 --columns 3 --out figures
  [ -s figures/$name.csv ] && [ -s figures/$name.gp ] || { failed=$((failed + 1)); echo "FAILED: $name left no files"; }
  checks=$((checks + 1))
done
for name in chen-noise chen-smoothing chen-output; do
  expect 0 '^files: ' "$tacit" reproduce $name --reps 5 --rows 64 --epsilon 1 --delta 0.01 --out figures
done
expect 0 '"study": "chen-error"' "$tacit" reproduce chen-error --reps 1 --rows 64 --json
expect 0 'd = 51 and endogenous' "$tacit" reproduce chen-risk --reps 1 --rows 80 --columns 51 --error endogenous
expect 0 'FAILS: epsilon <= 1' "$tacit" reproduce chen-risk --reps 1 --rows 32 --epsilon 2 --epsilon 4
expect 0 'chen-products' "$tacit" reproduce --help
expect 2 'exogenous or endogenous' "$tacit" reproduce chen-risk --error both
expect 2 '3 or 51' "$tacit" reproduce chen-risk --columns 7
expect 2 'between 16' "$tacit" reproduce chen-risk --rows 2
expect 2 'rows must be' "$tacit" reproduce chen-risk --rows -5
expect 2 'no study' "$tacit" reproduce chen-nothing

"$tacit" reproduce chen-risk --reps 3 --rows 100 --threads 1 >one
"$tacit" reproduce chen-risk --reps 3 --rows 100 --threads 3 >three
same one three

expect 0 'supplier_share' "$tacit" impact --retail 10 --wholesale 6 --cost 4 --reps 2 --rows 200 --epsilon 1 --out figures
[ -s figures/impact.csv ] || { failed=$((failed + 1)); echo "FAILED: impact left no table"; }
expect 0 '"newsvendor_share": 0\.' "$tacit" impact --reps 2 --rows 200 --epsilon 1 --json
expect 0 'FAILS: errors are normal' "$tacit" impact --reps 2 --rows 200 --epsilon 1 --errors laplace
expect 0 'FAILS: the best order is positive' "$tacit" impact --reps 2 --rows 200 --epsilon 1 --slope 20
expect 2 'rise from' "$tacit" impact --wholesale 12
expect 2 'normal or laplace' "$tacit" impact --errors cauchy
expect 0 'wholesale' "$tacit" impact --help

# the simulators that go with them
for name in chen-exogenous chen-endogenous chen-wide-exogenous chen-wide-endogenous chen-discrete; do
  "$tacit" simulate $name --rows 300 --schema-out s.json >t.csv || failed=$((failed + 1))
  expect 0 'learned from 300 rows' "$tacit" fit t.csv --schema s.json --quantile 0.7 --mu 1 --no-ledger --out p.json
done
finish
