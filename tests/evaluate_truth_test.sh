#!/bin/sh
# What `evaluate` says is what the orders cost on the table as it is: against sums that awk makes from the printed orders.
# usage: evaluate_truth_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

rows() { awk -v seed="$1" 'BEGIN { srand(seed); print "shop,x,y"; for (i = 0; i < 3000; i++) { s = i % 3; x = rand(); printf "%s,%.4f,%.3f\n", substr("abc", s + 1, 1), x, 40 + 30 * s + 60 * x + 40 * rand() } }'; }
rows 1 >train.csv
rows 2 >test.csv
schema() { printf '{"target": {"name": "y", "min": 0, "max": %s}, "features": [{"name": "shop", "levels": ["a", "b", "c"]}, {"name": "x", "min": 0, "max": 1}]}' "$1"; }
schema 300 >wide.json
schema 120 >low.json # a fifth of the demand lies beyond
near() { # NAME GOT WANTED
  checks=$((checks + 1))
  awk -v a="$2" -v b="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(b != "" && a != "" && d <= 1e-6 * (1 + (b < 0 ? -b : b))) }' || { failed=$((failed + 1)); echo "FAILED: $1 is $2, not $3"; }
}
# sums PATTERN: cost, service, fill rate, shortage, leftover of the orders of rows that begin so, at costs 9 and 1
sums() { sed 1d orders.csv | grep "^$1" | awk -F, '{ d = $3; q = $4; n++; s += d > q ? d - q : 0; l += q > d ? q - d : 0; c += d <= q; m += d < q ? d : q; t += d } END { printf "%.12g %.12g %.12g %.12g %.12g\n", (9 * s + l) / n, c / n, m / t, s / n, l / n }'; }
check() { # NAME SUMS FILE
  set -- "$1" "$3" $2
  near "$1: cost" "$(field "$2" mean_cost)" "$3"
  near "$1: service" "$(field "$2" service_level)" "$4"
  near "$1: fill rate" "$(field "$2" fill_rate)" "$5"
  near "$1: shortage" "$(field "$2" mean_shortage)" "$6"
  near "$1: leftover" "$(field "$2" mean_leftover)" "$7"
}
for name in wide low; do
  expect 0 written "$tacit" fit train.csv --schema $name.json --underage 9 --overage 1 --mu 2 --seed 1 --out $name.p
  "$tacit" order $name.p test.csv >orders.csv 2>err
  "$tacit" evaluate $name.p test.csv --json >$name.e
  check $name "$(sums '')" $name.e
done
# the low maximum holds orders, and service falls with it; the rows are counted
beyond=$(sed 1d test.csv | awk -F, '$3 > 120' | wc -l)
near "rows beyond" "$(field low.e demand_beyond_bounds)" "$beyond"
near "no row beyond" "$(field wide.e demand_beyond_bounds)" 0
expect 0 "^  $beyond rows' demand lies beyond" "$tacit" evaluate low.p test.csv
checks=$((checks + 1))
awk -v a="$(field low.e service_level)" -v b="$(field wide.e service_level)" 'BEGIN { exit !(a < b - 0.1) }' || { failed=$((failed + 1)); echo "FAILED: service of too low a maximum"; }

# other orders: each as its own policy is evaluated
cost() { "$tacit" evaluate "$@" --json | sed -n 's/^ *"mean_cost": \([^,]*\),*/\1/p' | head -1; }
for from in train test; do
  expect 0 written "$tacit" fit $from.csv --schema wide.json --underage 9 --overage 1 --method saa --out flat.p
  expect 0 written "$tacit" fit $from.csv --schema wide.json --underage 9 --overage 1 --method erm-exact --out exact.p
  if [ $from = train ]; then "$tacit" evaluate wide.p test.csv --train train.csv --json >e; else "$tacit" evaluate wide.p test.csv --json >e; fi
  near "without features, from $from" "$(field e cost_without_features)" "$(cost flat.p test.csv)"
  near "without privacy, from $from" "$(field e cost_without_privacy)" "$(cost exact.p test.csv)"
done
near "the last row's demand" "$(field e cost_of_last_observation)" "$(sed 1d test.csv | awk -F, 'NR > 1 { d = $3 - q; s += d > 0 ? 9 * d : -d; n++ } { q = $3 } END { printf "%.12g", s / n }')"
expect 0 'in hindsight' "$tacit" evaluate wide.p test.csv
expect 0 'from --train' "$tacit" evaluate wide.p test.csv --train train.csv

# by shop: the same sums, and the last demand is the shop's own
"$tacit" order wide.p test.csv >orders.csv 2>err
"$tacit" evaluate wide.p test.csv --by shop --json >by.json
for shop in a b c; do
  awk -v s="\"$shop\"" '/"groups"/ { on = 1 } on && /{/ { block = "" } on { block = block $0 "\n" } on && /"value"/ && index($0, s) { printf "%s", block; exit }' by.json >$shop.e
  check "shop $shop" "$(sums $shop)" $shop.e
  near "shop $shop: its last demand" "$(field $shop.e cost_of_last_observation)" \
    "$(sed 1d test.csv | grep "^$shop" | awk -F, 'NR > 1 { d = $3 - q; s += d > 0 ? 9 * d : -d; n++ } { q = $3 } END { printf "%.12g", s / n }')"
done
expect 0 '^  b +1000 ' "$tacit" evaluate wide.p test.csv --by shop
"$tacit" evaluate wide.p test.csv --by shop | awk '/^  shop +rows/ { on = 1; next } on && /^  / { print $1 }' >order
sort order | cmp -s - order && [ "$(wc -l <order)" -ge 3 ] || { failed=$((failed + 1)); echo "FAILED: groups are not in the order of their names"; cat order; }
expect 3 'no column' "$tacit" evaluate wide.p test.csv --by town
awk 'NR == 1 { print $0 ",id" } NR > 1 { for (i = 0; i < 4; i++) print $0 "," NR * 4 + i }' test.csv >many.csv
expect 2 'more than 10000 values' "$tacit" evaluate wide.p many.csv --by id
# values that would draw on a terminal do not
printf 'shop,x,y\n\033[31ma,0.5,60\n' >colour.csv
expect 0 '\?\[31ma' "$tacit" evaluate wide.p colour.csv --by shop
expect 2 'leave out --mu' "$tacit" evaluate wide.p test.csv --by shop --mu 1 --no-ledger
expect 2 'leave out --mu' "$tacit" evaluate wide.p test.csv --train train.csv --mu 1 --no-ledger
# fewer rows than columns, and a table of one row: what cannot be learned is left out
head -2 test.csv >one.csv
expect 0 '"cost_without_privacy": null' "$tacit" evaluate wide.p one.csv --json
expect 0 '"cost_of_last_observation": null' "$tacit" evaluate wide.p one.csv --json
finish
