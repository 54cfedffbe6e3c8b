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

# Cells that do not say whether a day sold out stop schema check and fit, before anything is spent.
"$tacit" ledger open l.db --label default --mu 5 >/dev/null
# told SOLD_OUT NO YES: a table whose column `out` has these words, and a schema
told() {
  seq 1 300 | awk -v no="$2" -v yes="$3" 'BEGIN { print "n,y,out" } { print $1 % 7 "," 10 + $1 % 9 "," ($1 % 9 > 6 ? yes : no) }' >t.csv
  echo '{"target": {"name": "y", "min": 0, "max": 50, "sold_out": '"$1"'}, "features": [{"name": "n", "min": 0, "max": 7}]}' >s.json
}
fitted="fit t.csv --schema s.json --quantile 0.8 --mu 1 --ledger l.db --out q.json"
told '"out"' nein ja
expect 3 '^out +sold_out +0 +300 +0 +0$' "$tacit" schema check s.json t.csv
for words in '^out \(sold_out\): 100 % of the records are neither true nor false: .*"levels": \["nein", "ja"\]' \
  '^fit stops at 300 cells of out \(sold_out\)' 'record 1, column "out" \(sold_out\): neither true nor false'; do
  expect 3 "$words" "$tacit" schema check s.json t.csv
done
expect 3 'record 1, column "out" \(sold_out\): neither true nor false' "$tacit" $fitted
told '"out"' '' ''
expect 3 '^out +sold_out +300 +0 +0 +0$' "$tacit" schema check s.json t.csv
expect 3 'record 1, column "out" \(sold_out\): the cell is empty' "$tacit" $fitted
expect 0 '"spent_mu": 0\.0' "$tacit" ledger show l.db --json
told '{"name": "out", "missing": false}' nein ja # odd ones are tolerated, but not a whole column
expect 3 '^fit stops at 300 cells of out' "$tacit" schema check s.json t.csv
expect 3 'nothing was spent: column "out": 300 of 300 cells do not say whether the day sold out' "$tacit" $fitted
expect 0 '"spent_mu": 0\.0' "$tacit" ledger show l.db --json
told '"out"' no yes
expect 0 '^out +sold_out +0 +0 +0 +0$' "$tacit" schema check s.json t.csv
told '{"name": "out", "levels": ["nein", "ja"]}' nein ja
expect 0 '^out +sold_out +0 +0 +0 +0$' "$tacit" schema check s.json t.csv
told '{"name": "out", "missing": false}' '' 1
expect 0 '^out +sold_out +234 +0 +0 +0$' "$tacit" schema check s.json t.csv
expect 0 'empty cells, read as the schema says .*: out 234$' "$tacit" $fitted

# evaluate knows sales alone: it says of how many rows demand was more, how far that leaves the service level open, and
# compares with nobody who learned sales.
told '{"name": "out", "missing": false}' 0 1
expect 0 '66 of 300 rows sold out' "$tacit" evaluate q.json t.csv
expect 0 'no comparison: .* learned what was sold' "$tacit" evaluate q.json t.csv
expect 0 '"cost_without_privacy": null' "$tacit" evaluate q.json t.csv --json
expect 0 '"rows": 66' "$tacit" evaluate q.json t.csv --json
# the 67 rows of the least demand, which every order covers as far as one sees
awk -F, 'NR == 1 { print; next } { print $1 "," $2 "," ($2 < 12) }' t.csv >low.csv
expect 0 '67 of 300 rows sold out' "$tacit" evaluate q.json low.csv
"$tacit" evaluate q.json low.csv --json >out
checks=$((checks + 1))
echo "$(field out service_level) $(field out service_level_at_least)" | awk '{ exit !($1 - $2 > 0.2233 && $1 - $2 < 0.2234) }' ||
  { failed=$((failed + 1)); echo "FAILED: the service level's bounds"; cat out; }
cut -d, -f1,2 t.csv >u.csv
expect 0 'the table has no column' "$tacit" evaluate q.json u.csv

# plans are those of known demand, and say so
sed 's/, "sold_out": {[^}]*}//' s.json >plain.json
for schema in s plain; do
  "$tacit" plan --schema $schema.json --quantile 0.8 --rows 500 --mu 1 --reps 2 --json >$schema.plan 2>$schema.said
  "$tacit" schema check $schema.json --rows 500 | grep '^at 500 rows' >$schema.price
done
same s.plan plain.plan
same s.price plain.price
expect 0 'costs between' cat s.price
expect 0 '"by_mu"' cat s.plan
expect 0 'planned as if demand were known' cat s.said
same plain.said /dev/null

# words that are numbers go by their value, and so do flags: one record's empty cell makes some programs write 2.0 for 2
for words in '1 2' '1.0 2.0' '01 2e0'; do
  told '{"name": "out", "levels": ["1", "2"], "missing": "1"}' $words
  "$tacit" fit t.csv --schema s.json --quantile 0.8 --mu 1 --seed 1 --out "$words.p" >out 2>err || cat err
  same "1 2.p" "$words.p"
done
told '{"name": "out", "levels": ["1", "2"], "missing": "1"}' 1,0 2,0
sed '1s/,/;/g; s/,/;/; s/,/;/' t.csv >commas.csv
expect 0 '^out +sold_out +0 +0 +0 +0$' "$tacit" schema check s.json commas.csv --separator ';' --decimal ,
told '"out"' 0,0 1,0
sed '1s/,/;/g; s/,/;/; s/,/;/' t.csv >commas.csv
expect 0 '^out +sold_out +0 +0 +0 +0$' "$tacit" schema check s.json commas.csv --separator ';' --decimal ,
told '{"name": "out", "levels": [" 1", "2"]}' 1 2
expect 3 'blanks around a word' "$tacit" schema check s.json
finish
