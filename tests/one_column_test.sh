#!/bin/sh
# A table with one column: the number of rows that a policy states does not tell whether the last cell is empty
# (docs/formats/csv.md). usage: one_column_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

cat >s.json <<'E_SCHEMA'
{"target": {"name": "y", "min": 0, "max": 10, "missing": 1}, "features": []}
E_SCHEMA
fit() { "$tacit" fit "$1" --schema s.json --quantile 0.5 --mu 1 --seed 1 --no-ledger --out "${2:-p.json}"; }
# rows FILE: the number of rows that a policy learned from it states, or `refused`
rows() {
  rm -f p.json
  fit "$1" >out 2>err && field p.json rows || echo refused
}
# is WHAT WANT GOT
is() {
  checks=$((checks + 1))
  [ "$2" = "$3" ] || { failed=$((failed + 1)); echo "FAILED: $1: $3, expected $2"; }
}

# Two tables of three records that differ in one cell, the last, from writers with four habits. Each habit gives one
# number of rows or none, on every way in.
for end in '\n' '\r\n'; do
  for last in 7 '' ' ' '""' '"7"'; do
    printf "y${end}5${end}6${end}$last${end}" >ended.csv
    printf "y${end}5${end}6${end}$last" >open.csv
    is "rows, lines ended, last cell '$last'" 3 "$(rows ended.csv)"
    is "rows from standard input" 3 "$(rows - <ended.csv)"
    want=refused
    [ -z "$last" ] && want=2 # the very bytes of a table with two records
    is "rows, last line not ended, last cell '$last'" $want "$(rows open.csv)"
    is "rows from standard input" $want "$(rows - <open.csv)"
    is "rows by several threads" 3 "$("$tacit" pack ended.csv --schema s.json --out t.tacit --threads 3 --json |
      sed -n 's/^ *"records": *\([0-9]*\).*/\1/p')"
  done
done
is "a policy from a packed table" 3 "$(rows t.tacit)"

printf 'y\n5\n6\n7' >open.csv
for command in "fit open.csv --schema s.json --quantile 0.5 --mu 1 --out q.json" \
  "fit - --schema s.json --quantile 0.5 --mu 1 --out q.json" "fit open.csv --schema s.json --quantile 0.5 --method saa --out q.json" \
  "pack open.csv --schema s.json --out q.tacit" "order p.json open.csv" "evaluate p.json open.csv"; do
  "$tacit" $command <open.csv >out 2>err
  is "exit code of $command" 3 $?
  is "words of $command" 1 "$(grep -c 'the last line has no line end' err)"
done
is "files left behind" "" "$(ls | grep '^q\.')"
expect 0 '"labels": \[\]' "$tacit" ledger show --json # nothing was spent on what was refused

# A row of orders for each record, blank lines among them.
printf 'y\n5\n\n6\n\n' >blank.csv
"$tacit" order p.json blank.csv >orders 2>err
is "lines of orders" 5 "$(wc -l <orders)"
is "rows with a blank cell" 2 "$(grep -c '^,[0-9]' orders)"
is "rows with blank lines" 4 "$(rows blank.csv)"

# With two columns the comma is there, and the last line may end with the file.
cat >s.json <<'E_SCHEMA'
{"target": {"name": "y", "min": 0, "max": 10, "missing": 1}, "features": [{"name": "a", "min": 0, "max": 1, "missing": 0}]}
E_SCHEMA
for last in 1,7 1, ,7 , '"",""'; do
  for end in '' '\n' '\r\n' '\n\n'; do
    printf "a,y\n0,5\n1,6\n$last$end" >two.csv
    is "rows of two columns, last record '$last$end'" 3 "$(rows two.csv)"
  done
done
finish
