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
    expect 3 "^tacit: record 2, column \"$1\": $3; fix this cell: the policy's schema has no value for it\$" "$tacit" $command p.pol bad.csv
    ! grep -q '"missing"\|"flag"\|"format"' err || { failed=$((failed + 1)); echo "FAILED: $command says to change the schema"; }
  done
}
bad promo '2024-01-01,maybe,0.5,3' 'neither true nor false: a flag is true/false, yes/no, t/f, y/n or 1/0'
bad day '2024-02-31,true,0.5,3' 'not a date like 2024-01-31'
bad x '2024-02-28,true,,3' 'the cell is empty'
bad x '2024-02-28,true,yes,3' 'not a number'
bad x '2024-02-28,true,1e999,3' 'not a finite number'
sed '2s/true/ja/' t.csv >ja.csv
expect 3 'neither true nor false: a flag is true/false, yes/no, t/f, y/n or 1/0 .other words are levels: write "levels": \["nein", "ja"\] in place of "flag".; ' "$tacit" fit ja.csv --schema s.json --quantile 0.7 --mu 1 --no-ledger --out q.pol
expect 3 'add "missing" to this column in the schema' "$tacit" fit bad.csv --schema s.json --quantile 0.7 --mu 1 --no-ledger --out q.pol
sed '2s/true/maybe/' t.csv >bad.csv
"$tacit" order p.pol bad.csv >out 2>err
is "bytes before a first row that is bad" "$(wc -c <out)" 0
head -1 t.csv >none.csv
expect 0 '^day,promo,x,y,order$' "$tacit" order p.pol none.csv

# a condition that is not understood is a condition, not a query
wrong() { # CONDITION WORDS
  expect 4 "^tacit: --where: $2" "$tacit" order p.pol t.csv --where "$1"
  ! grep -q 'result-rows\|SELECT is taken\|query' err || { failed=$((failed + 1)); echo "FAILED: --where $1 speaks of queries"; }
}
wrong 'x == 3 ANDD' 'the condition is not understood: expected the end of the condition at "ANDD" \(character 8\)'
wrong '' 'the condition is not understood: expected an expression at its end'
wrong 'x = (SELECT 1)' 'the condition is not understood: expected an expression of one record at "SELECT"'
wrong 'X = 1' 'the table has no column "X"'
expect 4 'result-rows' "$tacit" fit --sql "SELECT max(x) FROM 't.csv'" --schema s.json --quantile 0.7 --mu 1 --no-ledger --out q.pol

# dates of another form are not compared letter by letter with a date
awk -F, 'NR == 1 { print; next } { split($1, d, "-"); print d[3] "." d[2] "." d[1] "," $2 "," $3 "," $4 }' t.csv >german.csv
sed 's/"date": \["weekday"\]/"date": ["weekday"], "format": "%d.%m.%Y"/' s.json >german.json
expect 0 written "$tacit" fit german.csv --schema german.json --quantile 0.7 --mu 1 --no-ledger --out german.pol
for condition in "day >= '2024-06-01'" "'2024-06-01' > day" "day BETWEEN '2024-01-01' AND '2024-06-01'"; do
  expect 3 "^tacit: record 1: what is compared with a date is no date like 2024-01-31; write strptime" "$tacit" order german.pol german.csv --where "$condition"
done
"$tacit" order p.pol t.csv --where "day >= '2024-06-01'" 2>err | cut -d, -f2-4 >wanted
"$tacit" order german.pol german.csv --where "strptime(day, '%d.%m.%Y') >= '2024-06-01'" 2>err | cut -d, -f2-4 >got
same wanted got
is "records from June on" "$(sed 1d got | wc -l)" 350
expect 0 '' "$tacit" order german.pol german.csv --where "day = '2024-06-01'" # a text like another
sed '3s/^[^,]*/soon/' german.csv >odd.csv
expect 3 'record 2: strptime has no value for it; try_strptime' "$tacit" order german.pol odd.csv --where "strptime(day, '%d.%m.%Y') >= '2024-06-01'"
sed 's/"format"/"missing": "2024-01-01", "format"/' german.json >odd.json
expect 0 'from 350 rows' "$tacit" fit odd.csv --schema odd.json --quantile 0.7 --mu 1 --no-ledger --out odd.pol --adjacency add-remove --nominal-rows 350 --where "try_strptime(day, '%d.%m.%Y') >= '2024-06-01'"
expect 3 'record 1: strptime needs a format' "$tacit" order german.pol german.csv --where "strptime(day, '%q') >= '2024-06-01'"
# the schema's format is checked first, and quoted; "missing" comes last
expect 3 'record 1, column "day": not a date in the schema.s format "%d.%m.%Y"; check the column.s "format", or fix the row, or add "missing"$' "$tacit" fit t.csv --schema german.json --quantile 0.7 --mu 1 --no-ledger --out q.pol
expect 3 'record 1, column "day": not a date like 2024-01-31; say in the column.s "format" how its dates are written .*, or fix the row, or add "missing"$' "$tacit" fit german.csv --schema s.json --quantile 0.7 --mu 1 --no-ledger --out q.pol
expect 3 'not a date in the schema.s format "%d.%m.%Y"; fix this cell' "$tacit" order german.pol t.csv
# nor is a table cut by them
expect 3 '^tacit: --format says how the dates of day are written, such as --format %d.%m.%Y$' "$tacit" split german.csv --first a.csv --second b.csv --by day --at 2024-06-01
expect 3 'record 1, column "day": not a date like 2018-01-31, as where to cut is; fix the record, give the format' "$tacit" split german.csv --first a.csv --second b.csv --by day --at 2024-06-01
expect 0 'a.csv, 250 rows; b.csv, 350 rows' "$tacit" split t.csv --first a.csv --second b.csv --by day --at 2024-06-01
for at in 2024-06-01 1.6.2024; do
  expect 0 'c.csv, 250 rows; d.csv, 350 rows' "$tacit" split german.csv --first c.csv --second d.csv --by day --at $at --format %d.%m.%Y
done
cut -d, -f2- b.csv >wanted
cut -d, -f2- d.csv >got
same wanted got
expect 3 'record 2, column "day": not a date in the format that dates have' "$tacit" split odd.csv --first c.csv --second d.csv --by day --at 2024-06-01 --format %d.%m.%Y
expect 2 'a format has %Y, %m and %d' "$tacit" split german.csv --first c.csv --second d.csv --by day --at 2024-06-01 --format %d.%m
expect 2 'for a cut by' "$tacit" split german.csv --first c.csv --second d.csv --share 0.5 --format %d.%m.%Y
expect 2 'in the format that dates have, or like' "$tacit" split german.csv --first c.csv --second d.csv --by day --at June --format %d.%m.%Y

# what was asked for stands beside what came of it, and what a comparison is
expect 0 'service level .* of rows are covered; 70 % were asked for' "$tacit" evaluate p.pol t.csv
expect 0 'to order what the row before asked for: a rival where rows are one series in time' "$tacit" evaluate p.pol t.csv
expect 0 'to order what the row before with the same promo asked for' "$tacit" evaluate p.pol t.csv --by promo

# the one file in the place of the other
expect 3 'this is a policy, not a schema' "$tacit" fit t.csv --schema p.pol --quantile 0.7 --mu 1 --no-ledger --out q.pol
expect 3 'this is a policy, not a schema' "$tacit" schema check p.pol
for command in order evaluate; do expect 3 'this is a schema, not a policy' "$tacit" $command s.json t.csv; done

# two tables, and which of them it is
tr , ';' <t.csv >semicolons.csv
expect 3 '^tacit: the table to learn comparisons from: the table has no column "day"; its first line looks separated by semicolons' "$tacit" evaluate p.pol t.csv --train semicolons.csv
expect 3 '^tacit: the table to learn comparisons from: the table has no column "day"; its first line looks separated by commas' "$tacit" evaluate p.pol semicolons.csv --train t.csv --separator ';'
expect 3 '^tacit: the table to learn comparisons from: record 1, column "promo": .*; fix this cell' "$tacit" evaluate p.pol t.csv --train bad.csv
expect 3 '^tacit: --train: no such file' "$tacit" evaluate p.pol t.csv --train nowhere.csv
expect 0 'learned without privacy from --train' "$tacit" evaluate p.pol semicolons.csv --train semicolons.csv --separator ';'

# decisions over a region from a table in another form
"$tacit" simulate spo-shortest-path --rows 200 --seed 2 --schema-out grid.json --region-out grid.region >p.csv
"$tacit" spo fit p.csv --schema grid.json --region grid.region --mu 1 --seed 1 --no-ledger --out grid.pol >/dev/null
"$tacit" spo decide grid.pol p.csv >wanted 2>err
tr ',.' ';,' <p.csv >comma.csv
"$tacit" spo decide grid.pol comma.csv --separator ';' --decimal , 2>err | sed '1!s/,/./g; s/;/,/g' >got
same wanted got
"$tacit" spo evaluate grid.pol p.csv >wanted 2>err
"$tacit" spo evaluate grid.pol comma.csv --separator ';' --decimal , >got 2>err
same wanted got
expect 3 'semicolons' "$tacit" spo decide grid.pol comma.csv

# levels that the releases cannot tell from ones that never occur are named, at any quantile; others are not
awk 'BEGIN { print "k,x,y"; for (i = 0; i < 4000; i++) printf "%s,%.2f,%d\n", i < 2 ? "once" : i % 20 ? substr("abc", i % 3 + 1, 1) : "some", i % 100 / 100, 10 + i * 7 % 30 }' >levels.csv
echo '{"target": {"name": "y", "min": 0, "max": 50}, "nominal_rows": 4000, "features": [{"name": "k", "levels": ["a", "b", "c", "some", "once", "never"]}, {"name": "x", "min": 0, "max": 1}]}' >levels.json
for how in '--quantile 0.5' '--quantile 0.9' '--quantile 0.6 0.95 --adjacency add-remove'; do
  "$tacit" fit levels.csv --schema levels.json $how --mu 0.5 --seed 4 --no-ledger --out levels.pol >fitted.txt
  expect 0 '^note: too rare to be told from noise at this guarantee: k=once, k=never\. ' cat fitted.txt
done
sed 's/"once", "never"/"once"/' levels.json >listed.json
sed '/once/d' levels.csv | sed '1~30s/^[a-z]*/once/; 1s/.*/k,x,y/' >often.csv
expect 0 written "$tacit" fit often.csv --schema listed.json --quantile 0.9 --mu 0.5 --seed 4 --no-ledger --out levels.pol
! grep -q 'too rare' out || { failed=$((failed + 1)); echo "FAILED: a level of one row in thirty is too rare"; }
! grep -q 'too rare' levels.pol || { failed=$((failed + 1)); echo "FAILED: the note is in the policy"; }
awk 'BEGIN { printf "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 50}, \"features\": [{\"name\": \"k\", \"levels\": [\"a\", \"b\", \"c\", \"some\""; for (i = 0; i < 6; i++) printf ", \"l%d\"", i; print "]}, {\"name\": \"x\", \"min\": 0, \"max\": 1}]}" }' >many.json
expect 0 '"note": "too rare to be told from noise at this guarantee: k=l0, k=l1, k=l2 and 3 more\. ' "$tacit" fit levels.csv --schema many.json --quantile 0.9 --mu 2 --seed 4 --no-ledger --out levels.pol --json

# a column that is mostly not what the schema says: which share, and what is likely; for the data holder alone
awk 'BEGIN { split("MO TU WE TH FR SA SU", d, " "); print "day,when,hot,x,y"
  for (i = 0; i < 600; i++) printf "%s,%02d.%02d.2024,%s,\"%d,%d\",%d\n", d[i % 7 + 1], 1 + i % 28, 1 + i % 12, i % 20 ? (i % 3 ? "nein" : "ja") : "", i % 9, i % 10, 10 + i * 7 % 30 }' >mostly.csv
cat >mostly.json <<'END'
{"target": {"name": "y", "min": 0, "max": 30}, "features": [{"name": "day", "levels": ["mo", "tu", "we", "th", "fr", "sa", "SU"]},
 {"name": "when", "date": ["weekday", "month"], "missing": "2024-01-01"}, {"name": "hot", "flag": true, "missing": false}, {"name": "x", "min": 0, "max": 9, "missing": 0}]}
END
likely() { # FILE: what is said of each column of mostly.csv
  cp "$1" said
  expect 0 '86 % of the records are of no listed level, taken as mo: are the levels spelt as in the table\? "fold": true ignores case' cat said
  expect 0 '100 % of the records are no dates as %Y-%m-%d writes them: another format\?' cat said
  expect 0 '95 % of the records are neither true nor false: a flag is true/false, yes/no, t/f, y/n or 1/0; other words are "levels": \["nein", "ja"\]' cat said
  expect 0 '100 % of the records are no numbers: this looks like a decimal comma: --decimal ,$' cat said
  expect 0 '30 % of the records lie beyond the bounds' cat said
}
expect 0 written "$tacit" fit mostly.csv --schema mostly.json --quantile 0.7 --method erm-exact --out mostly.pol
likely err
expect 0 '^  hot: 570 neither true nor false$' cat said
expect 0 'empty cells, read as the schema says .*: hot 30$' cat said
expect 0 '^  day: 515 of no listed level, taken as mo$' cat said
is "times that the dates are told of" "$(grep -c 'when:' said)" 1
! grep -q 'fold\|comma\|unlisted' mostly.pol || { failed=$((failed + 1)); echo "FAILED: the policy tells of cells"; }
expect 0 '"advice": \[' "$tacit" fit mostly.csv --schema mostly.json --quantile 0.7 --method erm-exact --out mostly.pol --json
# what is learned with privacy is not paid for then: "missing" would hide the mistake
expect 0 . "$tacit" ledger open mostly.db --label people --mu 2
stops() { # PATTERN SCHEMA OPTION...
  pattern=$1 schema=$2
  shift 2
  expect 3 "^tacit: nothing was spent: column $pattern" "$tacit" fit mostly.csv --schema "$schema" --quantile 0.7 --mu 1 --ledger mostly.db --label people --out no.pol "$@"
  [ ! -e no.pol ] || { failed=$((failed + 1)); echo "FAILED: a policy of unreadable cells"; }
}
stops '"day": 515 of 600 cells are none of its levels: spell them as the table does .*"fold": true' mostly.json
sed 's/"levels"/"fold": true, "levels"/' mostly.json >folded.json
stops '"when": 600 of 600 cells are not dates' folded.json
sed 's/"missing": "2024/"format": "%d.%m.%Y", "missing": "2024/' folded.json >dated.json
sed 's/"max": 30/"max": 9/' dated.json >low.json
sed 's/, {"name": "hot".*/]}/' low.json >below.json
stops '"y": 600 of 600 cells lie beyond its bounds: are these in the table' below.json
expect 3 'fit stops at 600 cells of y .target.: give bounds in the table' "$tacit" schema check below.json mostly.csv
expect 3 'fit stops at 515 cells of day .levels.: spell the levels as the table does' "$tacit" schema check mostly.json mostly.csv
# with a level for all others they are foreseen
echo '{"target": {"name": "y", "min": 0, "max": 40}, "features": [{"name": "day", "levels": ["mo", "tu"], "other": true}]}' >rest.json
expect 0 'fit learns from 600 rows$' "$tacit" schema check rest.json mostly.csv
stops '"hot": 570 of 570 cells are neither true nor false: .*"levels": ."nein", "ja".' dated.json
sed 's/"flag": true, "missing": false/"levels": ["nein", "ja"]/' dated.json >flagged.json
stops "\"x\": 600 of 600 cells are not numbers; .*: add --decimal ','\$" flagged.json
expect 0 '^people +2 +0 +2 +0$' "$tacit" ledger show mostly.db
expect 3 'fit stops at 600 cells of x .number.' "$tacit" schema check flagged.json mostly.csv
expect 0 '600 records' "$tacit" schema check flagged.json mostly.csv --decimal ,
expect 0 written "$tacit" fit mostly.csv --schema flagged.json --quantile 0.7 --mu 1 --ledger mostly.db --label people --out yes.pol --decimal ,
# half of them is not most of them
awk -F, 'NR > 1 && NR % 2 { sub(/"[0-9],[0-9]"/, "5") } { print }' mostly.csv >half.csv
expect 0 written "$tacit" fit half.csv --schema flagged.json --quantile 0.7 --mu 1 --seed 1 --no-ledger --out yes.pol
for command in order evaluate; do
  "$tacit" $command mostly.pol mostly.csv >out 2>err
  [ $command = order ] && echo '30 % of the records lie beyond the bounds' >>err # of demand, which no order looks at
  likely err
done
expect 3 'day .levels.: 86 %' "$tacit" schema check mostly.json mostly.csv
likely out
# right but for a few: no such line
sed 's/"fr", "sa", "SU"/"fr", "sa", "su"/; s/"levels"/"fold": true, "levels"/; s/"missing": "2024/"format": "%d.%m.%Y", "missing": "2024/; s/"max": 30/"max": 38/; s/"flag": true, "missing": false/"levels": ["nein", "ja"]/' mostly.json >right.json
expect 0 written "$tacit" fit mostly.csv --schema right.json --quantile 0.7 --method erm-exact --out mostly.pol
cp err said
is "columns that are mostly wrong" "$(grep -c '% of the records' said)" 1 # x alone
expect 0 '^  y: 20 beyond the bounds, clamped$' cat said

# what no reasonable mu and no reasonable number of rows can buy is said so
"$tacit" plan --schema s.json --rows 40 --quantile 0.9 --percent 1e-9 --reps 2 >plan.txt
expect 0 '^- with 40 rows (not up to mu = 20|from mu = .*; for nine problems in ten not up to 20)$' cat plan.txt
expect 0 '^- at mu = 0.5 (not up to 2[0-9]* rows|from .*; for nine problems in ten not up to 2[0-9]*)$' cat plan.txt
finish
