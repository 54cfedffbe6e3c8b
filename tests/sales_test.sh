#!/bin/sh
# A target that is called sales is warned of, on standard error and nowhere else; demand is not.
. tests/lib.sh

seq 1 60 | awk 'BEGIN { print "n,y" } { print $1 % 7 "," 10 + $1 % 9 }' >body.csv
# warned NAME YES|NO
warned() {
  sed "1s/y/$1/" body.csv >t.csv
  echo '{"target": {"name": "'"$1"'", "min": 0, "max": 50}, "features": [{"name": "n", "min": 0, "max": 7}]}' >s.json
  "$tacit" fit t.csv --schema s.json --quantile 0.8 --mu 1 --seed 1 --no-ledger --out p.json --json >out 2>err
  checks=$((checks + 1))
  said=NO
  grep -q 'sold out' err && said=YES
  [ $said = "$2" ] && ! grep -q 'sold out' out p.json || { failed=$((failed + 1)); echo "FAILED: $1 is warned of: $said"; cat err; }
}
warned sales YES
warned "Unit Sales" YES
warned units_sold YES
warned SALES_2024 YES
warned demand NO
warned wholesales NO
warned soldiers NO
finish
