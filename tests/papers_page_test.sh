#!/bin/sh
# Every command that docs/papers.md names runs: with a small table, region or setting where it needs one, and one repetition
# where it is a study. Every file and page that it names is there.
. tests/lib.sh
page="$here/docs/papers.md"

"$tacit" simulate zhao-normal --rows 120 --seed 3 --schema-out z.json >z.csv
sed '$d' z.json >moment.json
echo ', "second_moment": [[1,0,0,0,0],[0,1,0.5,0.25,0.125],[0,0.5,1,0.5,0.25],[0,0.25,0.5,1,0.5],[0,0.125,0.25,0.5,1]]}' >>moment.json
"$tacit" simulate spo-shortest-path --rows 60 --seed 2 --schema-out grid.json --region-out grid.region >p.csv

echo '{"target": {"name": "y", "min": 0, "max": 9}, "nominal_rows": 1000, "features": [{"name": "x", "min": 0, "max": 1, "transform":
 "spline", "knots": "auto"}, {"name": "x", "transform": "wavelet", "filter": "D8", "levels": "auto", "min": 0, "max": 1}]}' >auto.json

# what a command of the page takes besides what the page says
rest() {
  case $1 in
  "fit --method objective"* | "fit --method sgd"*) echo "z.csv --schema z.json --quantile 0.5 --epsilon 1 --delta 0.01 --seed 1 --no-ledger --out p.json" ;;
  "fit "*) echo "z.csv --schema moment.json --quantile 0.5 --mu 1 --seed 1 --no-ledger --out p.json" ;;
  "spo fit --method exponential") echo "p.csv --schema grid.json --region grid.region --epsilon 1 --delta 0.01 --steps 20 --seed 1 --no-ledger --out p.json" ;;
  "spo fit"*) echo "p.csv --schema grid.json --region grid.region --mu 1 --seed 1 --no-ledger --out p.json" ;;
  "bounds --method noisy-gd") echo "--rows 1000 --columns 3 --quantile 0.7 --clip-norm 3 --theta-bound 5 --mu 1 --spread 1" ;;
  "bounds --method gaussian" | "bounds --method exponential") echo "--rows 500 --columns 3 --outputs 3 --diameter 2 --clip-norm 1 --theta-bound 2 --epsilon 1 --delta 0.1" ;;
  "bounds "*) echo "--rows 1000 --columns 3 --quantile 0.7 --clip-norm 10 --theta-bound 24 --epsilon 1 --delta 0.01 --spread 3" ;;
  "reproduce zhao-table2") echo "--help" ;; # its data lie elsewhere
  "reproduce zhao-figures") echo "--reps 2 --out figures" ;;
  "reproduce chen-"*) echo "--reps 2 --rows 64" ;;
  "reproduce spo-smoothing" | "reproduce spo-smoothing-private") echo "--reps 1 --rows 40" ;;
  "reproduce "*) echo "--reps 2" ;;
  "impact") echo "--reps 2 --rows 200 --epsilon 1" ;;
  "audit "*) echo "--help" ;; # tests/audit_command_test.sh breaks them
  "fit" | "plan" | "verify") echo "--help" ;;
  esac
}
grep -o '`tacit [^`]*`' "$page" | tr -d '`' | sort -u | sed 's/^tacit //' >commands
while read -r command; do expect 0 . "$tacit" $command $(rest "$command"); done <commands
expect 0 [0-9] awk "END { print NR; exit !(NR > 35) }" commands
# every study is named
"$tacit" reproduce --help | sed -n 's/^  \([a-z][a-z]*-[a-z0-9-]*\) .*/\1/p' | grep -Ev '^(default|spo)-' >studies
while read -r study; do expect 0 . grep "reproduce $study" commands; done <studies
for file in $(grep -o '`src/[a-z_/]*\.c`' "$page" | tr -d '`'); do expect 0 . ls "$here/$file"; done
finish
