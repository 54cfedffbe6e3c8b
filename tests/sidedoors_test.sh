#!/bin/sh
# Side doors: what else a fit leaves or shows. No core dump, no private value in what is printed, in file names, in the
# ledger, the policy or temporary files, also when it is killed.
. tests/lib.sh
wrong() { failed=$((failed + 1)); echo "FAILED: $*"; }

# remarkable values: a demand, a feature, a level nobody listed, and a customer's name
echo '{"target": {"name": "y", "min": 0, "max": 100}, "features": [{"name": "x", "min": 0, "max": 10}, {"name": "kind", "levels": ["a", "b"]}], "unit": {"rows_per_unit": 2, "column": "who"}}' >s.json
awk 'BEGIN { print "who,x,kind,y"; for (i = 0; i < 400; i++) printf "p%d,%g,%s,%d\n", i, i % 10, i % 2 ? "a" : "b", i % 90
  for (i = 0; i < 40; i++) printf "Hildegard%d,7.654321987,Sonderkind,61.7283945\n", i }' >t.csv
private='Hildegard|Sonderkind|7\.65432|61\.7283945'
clean() { # clean FILE...: none of them has a private value
  checks=$((checks + 1))
  grep -aEl "$private" "$@" 2>/dev/null && wrong "a private value is in $*"
}
"$tacit" ledger open L.db --label people --mu 100 >/dev/null
expect 0 written "$tacit" fit t.csv --schema s.json --quantile 0.6 --mu 1 --ledger L.db --label people --out p.json
clean out err p.json L.db
expect 0 '"rows": 440' "$tacit" fit t.csv --schema s.json --quantile 0.6 --mu 1 --ledger L.db --label people --out p.json --json
clean out err p.json L.db
expect 0 'mean cost' "$tacit" evaluate p.json t.csv --mu 1 --ledger L.db --label people
clean out err L.db
expect 3 'record' sh -c "sed '\$s/61/6x1/' t.csv >bad.csv; '$tacit' fit bad.csv --schema s.json --quantile 0.6 --mu 1 --ledger L.db --label people --out p.json"
clean out err
"$tacit" ledger export L.db >export.txt
clean export.txt
ls -a >names.txt
clean names.txt

# progress on a terminal
if command -v script >/dev/null; then
  awk 'NR == 1 || FNR > 0' t.csv >big.csv
  i=0
  while [ $i -lt 300 ]; do tail -n +2 t.csv; i=$((i + 1)); done >>big.csv
  script -qec "'$tacit' fit big.csv --schema s.json --quantile 0.6 --mu 1 --method noisy-gd --steps 3000 --no-ledger --threads 1 --out p.json" typescript >/dev/null 2>&1
  grep -q 'learning' typescript || echo "note: too fast to show progress"
  clean typescript
fi

# no core dump: the limit is 1 byte, which stops also dumps that the system pipes to a program
mkfifo pipe
"$tacit" fit pipe --schema s.json --quantile 0.6 --mu 1 --ledger L.db --label people --out killed.json >/dev/null 2>&1 &
pid=$!
exec 3>pipe
head -300 t.csv >&3
sleep 0.3
if [ -r /proc/$pid/limits ]; then
  grep -Eq 'Max core file size +(0|1) +(0|1) ' /proc/$pid/limits || wrong "core dumps: $(grep core /proc/$pid/limits)"
  checks=$((checks + 1))
fi
kill -SEGV $pid
wait $pid 2>/dev/null
exec 3>&-
ls core* >/dev/null 2>&1 && wrong "a core dump"
[ -e killed.json ] && wrong "a policy after a crash"
for file in ./*tacit-tmp; do [ -e "$file" ] && clean "$file"; done
checks=$((checks + 2))
finish
