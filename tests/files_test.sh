#!/bin/sh
# Files as people have them: packed by gzip and zstd, separated by semicolons or tabs, with decimal commas; and what is
# no table says what it looks like.
# usage: files_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

awk 'BEGIN { srand(3); print "shop,x,y"; for (i = 0; i < 3000; i++) { x = rand(); printf "%s,%.4f,%.3f\n", i % 3 ? "a, b" : "c", x, 40 + 60 * x + 40 * rand() } }' |
  sed 's/^a, b,/"a, b",/' >t.csv
echo '{"target": {"name": "y", "min": 0, "max": 300}, "features": [{"name": "shop", "levels": ["a, b", "c"]}, {"name": "x", "min": 0, "max": 1}]}' >s.json
fit() { table=$1 out=$2; shift 2; "$tacit" fit "$table" --schema s.json --quantile .7 --mu 1 --seed 1 --out "$out" "$@"; }
expect 0 written fit t.csv p.json
[ -s err ] && { failed=$((failed + 1)); echo "FAILED: something is told of a good table"; cat err; }

# packed: the same policy, also of several members, and on standard input
gzip -c t.csv >t.csv.gz
expect 0 written fit t.csv.gz gz.json
same p.json gz.json
{ head -1000 t.csv | gzip -c; tail -n +1001 t.csv | gzip -9 -c; } >two.gz
expect 0 written fit two.gz two.json
same p.json two.json
expect 0 written sh -c "'$tacit' fit - --schema s.json --quantile .7 --mu 1 --seed 1 --out pipe.json <t.csv.gz"
same p.json pipe.json
expect 0 written sh -c "'$tacit' fit - --schema s.json --quantile .7 --mu 1 --seed 1 --out plain.json <t.csv"
same p.json plain.json
expect 0 written sh -c "cat t.csv | '$tacit' fit - --schema s.json --quantile .7 --mu 1 --seed 1 --out plain.json"
same p.json plain.json
expect 0 packed "$tacit" pack t.csv.gz --schema s.json --out t.tacit
expect 0 '^c,' "$tacit" order p.json t.csv.gz
head -c 9000 t.csv.gz >short.gz
expect 3 'gzip file is damaged or ends too soon' fit short.gz bad.json
{ cat t.csv.gz; echo rubbish; } >more.gz
expect 3 'gzip file is damaged' fit more.gz bad.json
{ head -c 5000 t.csv.gz; printf 'xxxxxxxx'; tail -c +5009 t.csv.gz; } >spoilt.gz
expect 3 'gzip file is damaged' fit spoilt.gz bad.json
if command -v zstd >/dev/null; then
  zstd -q t.csv -o t.csv.zst
  expect 0 written fit t.csv.zst zst.json
  same p.json zst.json
  expect 0 written sh -c "'$tacit' fit - --schema s.json --quantile .7 --mu 1 --seed 1 --out pipe.json <t.csv.zst"
  same p.json pipe.json
  { zstd -q -c t.csv | head -c 9000; } >short.zst
  expect 3 'zstd file is damaged or ends too soon' fit short.zst bad.json
fi

# other separators and decimal commas, as they are said
awk '{ q = 0; out = ""; for (i = 1; i <= length($0); i++) { c = substr($0, i, 1); if (c == "\"") { q = !q; continue } out = out (c == "," && !q ? ";" : c) } print out }' t.csv >semi.csv
sed 's/\([0-9]\)\.\([0-9]\)/\1,\2/g' semi.csv >comma.csv
tr ';' '\t' <semi.csv >tab.csv
tr ';' '|' <semi.csv >bar.csv
expect 0 written fit semi.csv semi.json --separator ';'
same p.json semi.json
expect 0 written fit comma.csv comma.json --separator ';' --decimal ,
same p.json comma.json
expect 0 written fit tab.csv tab.json --separator tab
same p.json tab.json
expect 0 written fit bar.csv bar.json --separator '|'
same p.json bar.json
gzip -c comma.csv >comma.csv.gz
expect 0 written fit comma.csv.gz comma.json --separator ';' --decimal ,
same p.json comma.json
# quoted decimal commas between commas
sed 's/;/","/g; s/^/"/; s/$/"/' comma.csv >quoted.csv
expect 0 written fit quoted.csv quoted.json --decimal ,
same p.json quoted.json
# orders come in the table's own form
expect 0 '^a, b;0,[0-9]+;[0-9]+,[0-9]+;[0-9]+,[0-9]+$' "$tacit" order p.json comma.csv --separator ';' --decimal ,
expect 0 ';order$' "$tacit" order p.json semi.csv --separator ';'
expect 0 '"[0-9]+,[0-9]+"$' "$tacit" order p.json quoted.csv --decimal ,
"$tacit" order p.json t.csv 2>err | sed 's/.*,//' >orders
"$tacit" order p.json comma.csv --separator ';' --decimal , 2>err | sed 's/.*;//; s/,/./' >others
same orders others
"$tacit" evaluate p.json t.csv --json >e.json
"$tacit" evaluate p.json comma.csv --separator ';' --decimal , --json >e2.json
same e.json e2.json

# one record's odd cells change nothing that is read of others, in any form
for odd in 'zz;0,5;' '"a;""b";0,5;x' 'c; 1e-3 ;1.5' ';+0,5;1,5e3'; do
  sed "100s/.*/$odd/" comma.csv >odd.csv
  "$tacit" order p.json odd.csv --separator ';' --decimal , 2>err | sed 's/.*;//; s/,/./' | sed 100d >others
  sed 100d orders >want
  same want others
done

# unsaid, they are recognised, never guessed
expect 3 "looks separated by semicolons: .* options: add --separator ';' \\(and --decimal ',' if numbers are written 3,5\\)\$" fit comma.csv bad.json
expect 3 'looks separated by tabs: .*: add --separator tab' fit tab.csv bad.json
expect 3 "looks separated by bars: .*: add --separator '[|]'" fit bar.csv bad.json
expect 3 "looks like a decimal comma: give it as an option: add --decimal ','\$" fit quoted.csv bad.json
expect 3 'looks like a decimal comma' fit comma.csv bad.json --separator ';'
expect 3 'record 1, column "y": not a number' fit semi.csv bad.json --separator ';' --decimal ,
expect 2 'comma, a semicolon, a tab or a bar' fit semi.csv bad.json --separator x
expect 2 'one character' fit semi.csv bad.json --separator ';;'
expect 2 'decimal point or a decimal comma' fit semi.csv bad.json --decimal x
# a point and a comma in one number are no number: no thousands are guessed
printf 'shop;x;y\nc;0,5;1.234,5\n' >thousands.csv
expect 3 'column "y": not a number' fit thousands.csv bad.json --separator ';' --decimal ,
# names of units that a program rounded, with its comma
printf 'shop;x;y;who\nc;0,5;1,5;1,23E+16\n' >rounded.csv
sed 's/}$/, "unit": {"column": "who", "rows_per_unit": 1}}/' s.json >unit.json
expect 3 'may have been rounded' "$tacit" fit rounded.csv --schema unit.json --quantile .7 --mu 1 --seed 1 --out bad.json --separator ';' --decimal ,

looks() { printf "$2" >strange; expect 3 "looks like $1" fit strange bad.json; }
looks 'a Feather file of version 1; write it again' 'FEA1rest'
printf 'ARROW1\000\000rest' >strange
expect 3 'no end mark: it was cut off' fit strange bad.json
expect 3 'an Arrow .Feather. file, which has neither separators' fit strange bad.json --separator ';'
printf '\377\377\377\377rest' >strange
expect 3 'Arrow file or stream is damaged' fit strange bad.json
looks 'an HDF5' '\211HDF\r\n'
looks 'a numpy file' '\223NUMPY\001'
looks 'a spreadsheet' 'PK\003\004rest'
looks 'a bzip2' 'BZh91AY'
looks 'an xz' '\3757zXZ\000'
looks 'text in UTF-16' '\377\376a\000'
looks 'text in UTF-16' '\376\377\000a'
expect 3 'looks like a spreadsheet' sh -c "printf 'PK\003\004rest' | '$tacit' fit - --schema s.json --quantile .7 --mu 1 --seed 1 --out bad.json"
: >empty.csv
expect 3 'is empty' fit empty.csv bad.json
printf '\037\213' >tiny.gz
expect 3 'gzip file is damaged' fit tiny.gz bad.json

# a schema says the form once: fit, order, evaluate, check and pack read by it, and an option goes before it
sed '$s/}$/, "csv": {"separator": ";", "decimal": ","}}/' s.json >said.json
says() { "$tacit" fit "$1" --schema said.json --quantile .7 --mu 1 --seed 1 --out said.p --force; }
expect 0 written says comma.csv
sed '/"schema"/,$d' p.json >want
sed '/"schema"/,$d' said.p >got
same want got
"$tacit" order said.p comma.csv 2>err | sed 's/.*;//; s/,/./' >others
same orders others
"$tacit" evaluate said.p comma.csv --json >e2.json
same e.json e2.json
expect 0 '^x +number +0 +0 +0 +0$' "$tacit" schema check said.json comma.csv
expect 0 packed "$tacit" pack comma.csv --schema said.json --out said.tacit --json
expect 0 written says comma.csv.gz
"$tacit" order said.p t.csv --separator , 2>err | sed 's/.*,//' >others
same orders others
expect 3 'looks separated by commas.*add --separator ,' "$tacit" order said.p t.csv
if [ -n "${TACIT_DUCKDB:-}" ]; then # queries have no form
  expect 0 written "$tacit" fit --sql "SELECT shop, x, y FROM 't.csv'" --schema said.json --quantile .7 --mu 1 --seed 1 --out sql.p
fi
refuses() { printf '{"target": {"name": "y", "min": 0, "max": 9}, "features": [], "csv": %s}' "$1" >bad.s; expect 3 "$2" "$tacit" schema check bad.s; }
refuses '{"separator": ":"}' '"separator" in csv must be'
refuses '{"separator": ""}' '"separator" in csv must be'
refuses '{"decimal": ";"}' '"decimal" in csv must be'
refuses '{"quote": "x"}' 'quote'
refuses '";"' 'csv'

# levels in any case are one group
printf 'shop;x;y\nA, B;0,5;70\na, b;0,5;60\nc;0,1;50\n' >case.csv
sed 's/"levels": \["a, b", "c"\]/&, "fold": true/' said.json >fold.json
expect 0 written "$tacit" fit comma.csv --schema fold.json --quantile .7 --mu 1 --seed 1 --out fold.p
expect 0 '^  a, b +2 ' "$tacit" evaluate fold.p case.csv --by shop

finish
