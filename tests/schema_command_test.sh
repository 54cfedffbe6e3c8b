#!/bin/sh
# tacit schema: a draft comes from names and declared types alone, fit refuses it until it is filled in, and a check
# counts what a table's cells are to a schema.
# usage: schema_command_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

cat >t.csv <<'END'
day,promo,shop,price,sold
2018-01-01,True,24,9.5,17
2018-02-30,FALSE,24,12,30
,maybe,25,,1000
2021-01-01,,Mon,1e309,-3
2018-01-04,1.0,024,½,4
END
"$tacit" schema draft t.csv >draft.json 2>err
expect 0 '"name": "price"' cat draft.json
expect 0 'What is it' grep -A1 '"name": "promo"' draft.json
# nothing of a record is in the draft: it is the same for another table with these columns
{ head -1 t.csv; echo "1,2,3,4,5"; } >other.csv
"$tacit" schema draft other.csv --out other.json 2>err
same draft.json other.json
for value in 9.5 17 "24," 2018 Mon 1000 maybe; do
  ! grep -q -- "$value" draft.json || { echo "FAILED: $value is in the draft"; failed=$((failed + 1)); }
done
expect 2 'is there already, and is not written over' "$tacit" schema draft t.csv --out other.json
for word in '"format": "%d.%m.%Y"' '"trend"' '"transform": "log"' '"interaction": \["shop", "weekday"\]' '"missing": false' '"fold": true'; do
  expect 0 "$word" cat draft.json
done
expect 4 'the schema still has its question: "What is each column\?.*"; answer it' "$tacit" fit t.csv --schema draft.json --quantile 0.5 --mu 1 --out p.pol
sed '/^  "question": {/,/^  },/d' draft.json >asked.json
expect 4 'question: "Which column .*"; answer it' "$tacit" fit t.csv --schema asked.json --quantile 0.5 --mu 1 --out p.pol
expect 4 'sold: .*"min", "max" blank' "$tacit" schema check draft.json
grep -v '"question"' asked.json | sed 's/"name": null/"name": "sold"/' >blank.json
expect 4 'sold: is the target; remove it from the features' "$tacit" schema check blank.json
expect 4 '"min" in target \(column "sold"\) is blank' "$tacit" fit t.csv --schema blank.json --quantile 0.5 --mu 1 --out p.pol

# the kinds that the help and the draft list are a schema, as they stand
"$tacit" schema --help | sed -n 's/^    {/{/p' >kinds.txt
target=$(sed -n 2p kinds.txt)
{ echo "{\"target\": $target, \"features\": ["; sed '1,6d; /^{"unit"\|^{"panel"\|^{"private"\|^{"nominal_rows"\|^{"csv"/d' kinds.txt | sed '$!s/$/,/'; echo ']}'; } >kinds.json
expect 0 'encoded columns' "$tacit" schema check kinds.json
for key in sold_out stock cost unit panel; do expect 0 '' grep -F "\"$key\": " kinds.txt; done
sed -n 1,6p kinds.txt | while read -r line; do
  echo "{\"target\": $line, \"features\": []}" >kind.json
  "$tacit" schema check kind.json --rows 2000 >/dev/null 2>&1 || echo "$line"
done >wrong.txt
same wrong.txt /dev/null
sed -n 's/^{\("unit".*\|"panel".*\|"private".*\|"nominal_rows".*\|"csv".*\)}$/\1/p' kinds.txt >beside.txt
expect 0 '^5 ' wc -l beside.txt
while read -r line; do
  echo "{\"target\": $target, \"features\": [], $line}" >kind.json
  expect 0 'encoded columns' "$tacit" schema check kind.json
done <beside.txt
while read -r line; do expect 0 '' grep -F -- "$line" draft.json; done <kinds.txt

cat >s.json <<'END'
{"target": {"name": "sold", "min": 0, "max": 100},
 "features": [
  {"name": "day", "date": ["weekday", "trend"], "start": "2018-01-01", "end": "2019-12-31", "missing": "2018-01-01"},
  {"name": "promo", "flag": true, "missing": false},
  {"name": "shop", "levels": [24, 26]},
  {"name": "price", "min": 0, "max": 10, "missing": 5},
  {"interaction": ["shop", "weekday"]}]}
END
expect 0 '^17 encoded columns' "$tacit" schema check s.json
expect 0 'shop=26:day\[weekday\]=Tuesday ... shop=26:day\[weekday\]=Sunday' "$tacit" schema check s.json
"$tacit" schema check s.json t.csv >checked.txt 2>err
expect 0 'of 5 records' cat checked.txt
row() { expect 0 "^$1 +$2 +$3 +$4 +$5 +$6\$" cat checked.txt; }
row day weekday 1 1 0 0 # empty unreadable outside unlisted
row day trend 1 1 1 0
row promo flag 1 1 0 0
row shop levels 0 0 0 2
row price number 1 2 1 0
row sold target 0 0 2 0
! grep -q 'fit stops' checked.txt || { echo "FAILED: a fit stops where missing is given"; failed=$((failed + 1)); }
sed 's/, "missing": [^,}]*}/}/' s.json >strict.json
expect 3 'fit stops at 2 cells of day \(weekday\)' "$tacit" schema check strict.json t.csv
expect 3 'fit stops at 3 cells of price \(number\)' "$tacit" schema check strict.json t.csv
expect 3 'add "missing"' "$tacit" fit t.csv --schema strict.json --quantile 0.5 --mu 1 --out p.pol
expect 0 'no longer public knowledge' cat checked.txt
expect 0 '"data_holder_only"' "$tacit" schema check s.json t.csv --json
! "$tacit" schema check s.json --json | grep -q data_holder_only || { echo "FAILED: counts without a table"; failed=$((failed + 1)); }
expect 3 'no column "sold"' sh -c "cut -d, -f1-4 t.csv >short.csv; '$tacit' schema check s.json short.csv"
# a table in another form drafts and checks as it does in the usual one
printf 'day;promo;shop;price;sold\n2018-01-01;True;24;9,5;17\n' >semicolons.csv
"$tacit" schema draft semicolons.csv --separator ';' --decimal , >semicolons.json 2>err
expect 0 '"separator": ";"' cat semicolons.json # which is then said once and for all
sed '/^  "csv": {/,/^  }/d; s/^  },$/  }/; 2,36s/^  }$/  },/' semicolons.json >usual.json
same draft.json usual.json
expect 0 '^price +number +0 +0 +0 +0$' "$tacit" schema check s.json semicolons.csv --separator ';' --decimal ,
expect 3 'separated by semicolons' "$tacit" schema draft semicolons.csv
expect 2 'usage' "$tacit" schema
expect 2 'usage' "$tacit" schema guess t.csv

# what privacy costs: at the rows that are asked, at the schema's public number, at the table's where that is public
sed 's/"features"/"nominal_rows": 600, "features"/' s.json >nominal.json
awk 'NR == 1 || NR == 2 { first[NR] = $0 } END { print first[1]; for (i = 0; i < 400; i++) print first[2] }' t.csv >long.csv
expect 0 'at 800 rows mu = 0.5 costs between .* % more than the same learner without noise \(quantile 0.8\)' "$tacit" schema check s.json --rows 800
expect 0 'at 800 rows mu = 1 costs between .* \(quantile 0.75\)' "$tacit" schema check nominal.json long.csv --rows 800 --mu 1 --underage 3 --overage 1
expect 0 'at 600 rows' "$tacit" schema check nominal.json long.csv --adjacency add-remove
expect 0 'at 400 rows' "$tacit" schema check s.json long.csv
expect 0 'among them; --rows N says what privacy costs' "$tacit" schema check s.json long.csv --adjacency add-remove
expect 0 'among them; --rows N says what privacy costs' "$tacit" schema check s.json
expect 0 'cannot be said: 5 rows are too few for 17 encoded columns' "$tacit" schema check s.json t.csv
expect 2 'not both' "$tacit" schema check s.json --underage 1 --overage 2 --quantile 0.5
"$tacit" schema check s.json --rows 800 --json >price.json
price=$("$tacit" plan --rows 800 --schema s.json --quantile 0.8 --reps 2 --json | grep -A4 '"mu": 0.5' | grep '"low"' | head -1)
expect 0 . grep -F "$(echo $price | tr -d ,)" price.json
"$tacit" schema check s.json long.csv --json >price.json
expect 0 '"rows": 400' sh -c "sed -n '/data_holder_only/,\$p' price.json"

# a file that declares types
if [ -n "${TACIT_DUCKDB:-}" ] && [ -f "$here/tests/data/half.parquet" ]; then
  "$tacit" schema draft "$here/tests/data/int96.parquet" >parquet.json 2>err
  expect 0 '"weekday"' grep -A4 '"name": "id"' parquet.json
  expect 0 'least and largest' grep -A2 '"name": "y"' parquet.json
fi
finish
