#!/bin/sh
# Arrow files and streams, as pyarrow and polars write them, are the table that they were written from: the same policy,
# the same orders, the same parts. The files are those of the fuzz corpus; tests/data/arrow.csv is their table.
# usage: arrow_files_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"
files="$here/tests/fuzz/corpus/ipc"
table="$here/tests/data/arrow.csv"
cat >s.json <<'END'
{"target": {"name": "seats", "min": -5, "max": 10, "missing": 0}, "features": [
  {"name": "kind", "levels": ["bar", "café", "a rather long name of a shop", "other"], "missing": "other"},
  {"name": "shop", "levels": ["other", "café", "bar"], "missing": "bar"},
  {"name": "day", "date": ["weekday", "month"], "missing": "1970-01-01"}, {"name": "at", "date": ["hour"], "missing": "1970-01-01"},
  {"name": "price", "min": -5, "max": 5, "missing": 0}, {"name": "rain", "min": 0, "max": 40, "missing": 1},
  {"name": "holiday", "flag": true, "missing": false}]}
END
hidden="--adjacency add-remove --nominal-rows 500" # there are six, which are few
fit() { "$tacit" fit "$1" --schema s.json --quantile .7 --mu 1 --seed 1 --out "$2" $hidden; }
expect 0 written fit "$table" p.json
"$tacit" order p.json "$table" 2>err | sed 's/.*,//' >orders
"$tacit" evaluate p.json "$table" --json >e.json 2>err
"$tacit" split "$table" --share .5 --first a.csv --second b.csv >out
"$tacit" pack "$table" --schema s.json --out t.tacit >out 2>err
for file in "$files"/*.feather "$files"/polars* "$files/delta.arrow" "$files/replaced.arrows"; do
  expect 0 written fit "$file" q.json
  same p.json q.json
  expect 0 written sh -c "'$tacit' fit - --schema s.json --quantile .7 --mu 1 --seed 1 $hidden --out pipe.json <'$file'"
  same p.json pipe.json
  expect 0 written sh -c "cat '$file' | '$tacit' fit - --schema s.json --quantile .7 --mu 1 --seed 1 $hidden --out pipe.json"
  same p.json pipe.json
  "$tacit" order p.json "$file" >others 2>err
  same orders others
  "$tacit" evaluate p.json "$file" --json >e2.json 2>err
  same e.json e2.json
  "$tacit" pack "$file" --schema s.json --out q.tacit >out 2>err
  same t.tacit q.tacit
  expect 0 'written: c.csv, [0-9]+ rows' "$tacit" split "$file" --share .5 --first c.csv --second d.csv
  cut -d, -f1-4,6 a.csv >want
  cut -d, -f1-4,6 c.csv >got
  same want got
  expect 0 '"question": "Which parts of the date matter' "$tacit" schema draft "$file"
  expect 0 '^' "$tacit" fit "$file" --schema s.json --quantile .7 --mu 1 --seed 1 --out w.json --where "kind = 'bar' OR day > '1969-12-29'" $hidden
  expect 0 '^' "$tacit" fit "$table" --schema s.json --quantile .7 --mu 1 --seed 1 --out v.json --where "kind = 'bar' OR day > '1969-12-29'" $hidden
  same v.json w.json
done

# what a column is, the file declares; a null is a question for a level alone
"$tacit" schema draft "$files/polars.arrow" 2>err | tr -d ' \n' >draft
for kind in '"name":"holiday","question":"[^"]*","flag":true' '"name":"rain","question":"[^"]*","min":null' '"name":"shop","question":"[^"]*","levels":null'; do
  expect 0 "$kind" cat draft
done

# columns that are passed over, and files that are not read
echo '{"target": {"name": "seats", "min": -5, "max": 10, "missing": 0}, "features": [{"name": "st", "min": 0, "max": 1}]}' >nested.json
expect 3 'column "st" holds neither numbers nor text' "$tacit" fit "$files/lz4.feather" --schema nested.json --quantile .7 --mu 1 --out bad.json
expect 3 'big-endian' fit "$files/big-endian.arrows" bad.json
expect 3 'V4 and V5' fit "$files/version-3.arrows" bad.json
expect 3 'tensor' fit "$files/tensor.arrows" bad.json
head -c 3000 "$files/lz4.feather" >short
expect 3 'no end mark: it was cut off' fit short bad.json
expect 3 'neither separators nor decimal commas' "$tacit" order p.json "$files/lz4.feather" --decimal ,
expect 2 'plain CSV' "$tacit" split "$files/lz4.feather" --share .5 --first a.arrow --second b.csv
finish
