#!/bin/sh
# What goes wrong in the table or the command is said in the words of whoever sees it: which cell to mend, which option
# is meant, and nothing is printed before it.
# usage: kind_words_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

is() { checks=$((checks + 1)); [ "$2" = "$3" ] || { failed=$((failed + 1)); echo "FAILED: $1 is $2, not $3"; }; }
awk 'BEGIN { print "day,promo,x,y"; for (i = 0; i < 600; i++) printf "2024-%02d-%02d,%s,%.2f,%d\n", 1 + i % 12, 1 + i % 28, i % 7 ? "false" : "true", i % 100 / 100, 10 + i * 7 % 30 }' >t.csv
cat >s.json <<'END'
{"target": {"name": "y", "min": 0, "max": 50}, "features": [{"name": "day", "date": ["weekday"]},
 {"name": "promo", "flag": true}, {"name": "x", "min": 0, "max": 1}]}
END
expect 0 written "$tacit" fit t.csv --schema s.json --quantile 0.7 --mu 1 --no-ledger --out p.pol

# a cell that the policy's schema cannot read: mend the cell, since the schema is settled; nothing goes before it
bad() { # NAME RECORD WORDS
  for command in order evaluate; do
    sed "3s/.*/$2/" t.csv >bad.csv
    expect 3 "^tacit: record 2, column \"$1\": $3; mend this cell: the policy's schema has no value for it\$" "$tacit" $command p.pol bad.csv
    ! grep -q '"missing"\|"flag"\|"format"' err || { failed=$((failed + 1)); echo "FAILED: $command says to change the schema"; }
  done
}
bad promo '2024-01-01,maybe,0.5,3' 'neither true nor false'
bad day '2024-02-31,true,0.5,3' 'not a date like 2024-01-31'
bad x '2024-02-28,true,,3' 'the cell is empty'
bad x '2024-02-28,true,yes,3' 'not a number'
bad x '2024-02-28,true,1e999,3' 'not a finite number'
expect 3 'add "missing" to this column in the schema' "$tacit" fit bad.csv --schema s.json --quantile 0.7 --mu 1 --no-ledger --out q.pol
sed '2s/true/maybe/' t.csv >bad.csv
"$tacit" order p.pol bad.csv >out 2>err
is "bytes before a first row that is bad" "$(wc -c <out)" 0
head -1 t.csv >none.csv
expect 0 '^day,promo,x,y,order$' "$tacit" order p.pol none.csv
finish
