#!/bin/sh
# Every private method, those that decide over a region too, learns from a packed table what it learns from the CSV,
# byte for byte.
# usage: packed_methods_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

wrong() { failed=$((failed + 1)); echo "FAILED: $*"; }
# methods COMMAND...: the private ones that its help lists, each as "name mu" or "name pair".
methods() {
  "$tacit" "$@" --help | awk '/^methods that promise mu/ { kind = "mu" }
    /^methods that promise \(/ { kind = "pair" }
    /^methods without privacy/ { kind = "" }
    kind && /^  [a-z]/ { print $1, kind }'
}
promise() { [ "$1" = mu ] && echo "--mu 1" || echo "--epsilon 2 --delta 1e-5"; }
# both NAME ARGUMENTS...: the same fit from $table.csv and from $table.tacit.
both() {
  name=$1
  shift
  rm -f csv.json pack.json
  "$tacit" "$@" "$table.csv" --schema "$table.json" --seed 3 --out csv.json >csv.out 2>err || wrong "$name from CSV: $(cat err)"
  "$tacit" "$@" "$table.tacit" --schema "$table.json" --seed 3 --out pack.json >pack.out 2>err ||
    wrong "$name from a packed table: $(cat err)"
  sed -i 's/pack.json/csv.json/' pack.out
  same csv.json pack.json
  same csv.out pack.out
}

# more rows than a block has, and not a whole number of blocks
"$tacit" simulate restaurant --rows 2500 --schema-out orders.json >orders.csv
expect 0 'packed 2500 rows' "$tacit" pack orders.csv --schema orders.json --out orders.tacit
table=orders
methods fit >list
[ "$(wc -l <list)" = 9 ] || wrong "the help lists other private methods than this test knows: $(cat list)"
sed 's/^{/{"private": "target", "unit": {"rows_per_unit": 1, "change": 3},/' orders.json >totals.json
cp orders.csv totals.csv
expect 0 'packed 2500 rows' "$tacit" pack totals.csv --schema totals.json --out totals.tacit
while read -r method kind; do
  steps= table=orders
  [ "$method" != bounded-change ] || table=totals
  case $method in gradient | sgd) steps="--steps 200" ;; esac
  both "$method" fit --quantile 0.7 --method "$method" $(promise "$kind") $steps
done <list
table=orders
both "sgd with a batch" fit --quantile 0.7 --method sgd --epsilon 1 --delta 1e-5 --steps 50 --batch 40
both "sgd with a rate" fit --quantile 0.7 --method sgd --epsilon 1 --delta 1e-5 --steps 50 --rate 0.02
both "objective, part 2" fit --quantile 0.7 --method objective --epsilon 1 --delta 1e-5 --preset part-2
both "location-scale with a spread" fit --quantile 0.9 --method location-scale --mu 1
grep -q '"rule": "linear-with-spread"' pack.json || wrong "the rule has no spread"
nominal="--adjacency add-remove --nominal-rows 2400"
both "objective, add-remove" fit --quantile 0.7 --method objective --epsilon 1 --delta 1e-5 $nominal
both "location-scale, add-remove" fit --quantile 0.95 --method location-scale --mu 1 $nominal
both "sgd, add-remove" fit --quantile 0.7 --method sgd --epsilon 1 --delta 1e-5 --steps 20 --rate 0.1 $nominal

# Decisions: minutes on two roads, from rain.
awk 'BEGIN {
  srand(7)
  print "rain,north,south"
  for (i = 0; i < 1500; i++) {
    rain = 20 * rand() * rand()
    printf "%.2f,%.2f,%.2f\n", rain, 15 + 6 * rand(), 12 + 0.9 * rain + 3 * rand()
  }
}' >roads.csv
cat >roads.json <<'J'
{"target": [{"name": "north", "min": 5, "max": 40}, {"name": "south", "min": 5, "max": 40}],
 "features": [{"name": "rain", "min": 0, "max": 30}]}
J
echo '{"kind": "simplex", "dimension": 2}' >either.json
expect 0 'packed 1500 rows' "$tacit" pack roads.csv --schema roads.json --out roads.tacit
table=roads
methods spo fit >list
[ "$(wc -l <list)" = 3 ] || wrong "the help lists other private methods than this test knows: $(cat list)"
while read -r method kind; do
  both "$method" fit --region either.json --method "$method" $(promise "$kind")
  cp pack.json one.json
  both "$method by spo fit" spo fit --region either.json --method "$method" $(promise "$kind")
  same one.json pack.json
done <list

expect 3 'private learners' "$tacit" fit orders.tacit --schema orders.json --quantile 0.7 --method erm --out no.json
[ ! -e no.json ] || wrong "a refused fit left a policy"
finish
