#!/bin/sh
# Without OpenBLAS, LAPACKE and Clp: methods that do not need them learn as ever, the others refuse before they spend.
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
without "$tacit" ledger show >before

refused='libopenblas, liblapacke or libClp is not installed'
expect 5 "$refused" without "$tacit" fit t.csv --schema s.json $pair --method objective --preset part-1 --lambda 1 --theta-bound 9 --out no.json
for method in erm erm-spread erm-exact saa; do
  expect 5 "$refused" without "$tacit" fit t.csv --schema s.json --quantile 0.7 --method $method --out no.json
done
"$tacit" simulate spo-shortest-path --rows 50 --schema-out costs.json --region-out region.json >costs.csv
expect 5 "$refused" without "$tacit" spo fit costs.csv --schema costs.json --region region.json --mu 2 --out no.json
for command in plan audit reproduce impact; do
  expect 5 "$refused" without "$tacit" $command
done
without "$tacit" ledger show >after
same before after
[ ! -e no.json ] || { failed=$((failed + 1)); echo "FAILED: a policy without solvers"; }

finish
