#!/bin/sh
# Without OpenBLAS, LAPACKE and Clp: methods that do not need them learn as ever, linear algebra is done by plain loops
# to the same rule, and what needs linear programs is refused before it spends.
. tests/lib.sh

mkdir none
for library in libopenblas.so.0 libopenblas.so liblapacke.so.3 liblapacke.so libClp.so.1 libClp.so; do
  echo 'no library' >none/$library
done
without() { LD_LIBRARY_PATH="$work/none" "$@"; }
without "$tacit" --version >/dev/null 2>&1 || { echo "skipped: the program is linked with its solvers"; exit 0; }

"$tacit" simulate zhao-normal --rows 500 --seed 5 --schema-out s.json >t.csv
sed '$d' s.json >white.json # the same with the second moment of four independent features
echo ', "second_moment": [[1,0,0,0,0],[0,1,0,0,0],[0,0,1,0,0],[0,0,0,1,0],[0,0,0,0,1]]}' >>white.json
pay='--quantile 0.7 --mu 2' pair='--quantile 0.7 --epsilon 2 --delta 1e-6'
expect 0 'written' without "$tacit" fit t.csv --schema s.json $pay --seed 1 --no-ledger --out a.json
"$tacit" fit t.csv --schema s.json $pay --seed 1 --no-ledger --out b.json >/dev/null
same a.json b.json
expect 0 'written' without "$tacit" fit t.csv --schema s.json $pay --method noisy-gd --out gd.json
expect 0 'written' without "$tacit" fit t.csv --schema white.json $pay --method noisy-gd --whiten --out gdw.json
expect 0 'guarantee holds' without "$tacit" verify gdw.json
expect 0 'written' without "$tacit" fit t.csv --schema s.json $pay --method gradient --theta-bound 9 --out g.json
expect 0 'written' without "$tacit" fit t.csv --schema s.json $pair --method sgd --theta-bound 9 --out sgd.json
expect 0 'service level' without "$tacit" evaluate a.json t.csv

# The same rule to rounding, whoever computes; and learning by plain loops gives the same bytes twice.
rule() { sed -n '/"coefficients": {/,/}/s/^ *".*": *\([-0-9.e]*\),*$/\1/p' "$1"; }
near() {
  rule "$1" >one; rule "$2" >two
  [ -s one ] && paste one two | awk '{ d = $1 - $2; if (d < 0) d = -d; if (d > 1e-7) bad = 1 } END { exit bad }'
}
for method in erm erm-spread erm-exact saa; do
  expect 0 'written' without "$tacit" fit t.csv --schema s.json --quantile 0.7 --method $method --out small-$method.json
  "$tacit" fit t.csv --schema s.json --quantile 0.7 --method $method --out large-$method.json >/dev/null
  near small-$method.json large-$method.json || { failed=$((failed + 1)); echo "FAILED: another rule by $method without solvers"; }
done
recipe='--method objective --preset part-1 --lambda 1 --theta-bound 9 --seed 1 --no-ledger'
expect 0 'written' without "$tacit" fit t.csv --schema s.json $pair $recipe --out small-o.json
without "$tacit" fit t.csv --schema s.json $pair $recipe --out again-o.json >/dev/null
same small-o.json again-o.json
"$tacit" fit t.csv --schema s.json $pair $recipe --out large-o.json >/dev/null
near small-o.json large-o.json || { failed=$((failed + 1)); echo "FAILED: another rule by objective without solvers"; }
expect 0 'at least' without "$tacit" audit --runs 100 --seed 1
expect 0 'in the middle' without "$tacit" plan --schema s.json --rows 500 --quantile 0.7 --reps 2
# Shortest paths need no linear program; polytopes do.
"$tacit" simulate spo-shortest-path --rows 50 --schema-out costs.json --region-out region.json >costs.csv
expect 0 'written' without "$tacit" spo fit costs.csv --schema costs.json --region region.json --mu 2 --seed 1 --no-ledger --out spo.json
sed 's/.*/{"kind": "polytope", "A": [[1, 1]], "b": [1]}/;1q' region.json >polytope.json
without "$tacit" ledger show >before
refused='linear programs need libClp, which is not installed'
expect 5 "$refused" without "$tacit" spo fit costs.csv --schema costs.json --region polytope.json --mu 2 --out no.json
expect 5 "$refused" without "$tacit" reproduce
without "$tacit" ledger show >after
same before after
[ ! -e no.json ] || { failed=$((failed + 1)); echo "FAILED: a policy without solvers"; }

finish
