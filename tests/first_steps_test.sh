#!/bin/sh
# Where newcomers stumbled: misspelt words, files in the wrong place or in another encoding, and commands that were
# given twice. usage: first_steps_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"
unset TACIT_FORCE

awk 'BEGIN { srand(3); print "shop,x,demand"; for (i = 0; i < 900; i++) { x = rand(); printf "%s,%.4f,%.3f\n", i % 3 ? "café" : "bar", x, 40 + 60 * x + 40 * rand() } }' >t.csv
echo '{"target": {"name": "demand", "min": 0, "max": 300}, "features": [{"name": "shop", "levels": ["bar", "café"]}, {"name": "x", "min": 0, "max": 1}]}' >s.json
fit() { "$tacit" fit t.csv --schema s.json --quantile .7 --mu 1 "$@"; }

# words that are nearly right
expect 2 'no command "evlauate"; did you mean evaluate' "$tacit" evlauate
expect 2 'no command "xyzzy"; see tacit --help' "$tacit" xyzzy
expect 2 'no option --quantil; did you mean --quantile\? see tacit fit --help' fit --quantil 0.5
expect 2 'no option --zzz; see tacit fit --help' fit --zzz
sed 's/"x"/"X"/' s.json >case.json
expect 3 'no column "X"; did you mean "x"' "$tacit" fit t.csv --schema case.json --quantile .7 --mu 1 --out no.json
sed 's/"demand"/"demnad"/' s.json >swap.json
expect 3 'no column "demnad"; did you mean "demand"' "$tacit" schema check swap.json t.csv
# a first line that is a record is not told
sed 's/"demand"/"sold"/' s.json >sold.json
expect 3 'no column "sold"; does its first line hold the column names\?' "$tacit" fit t.csv --schema sold.json --quantile .7 --mu 1 --out no.json
checks=$((checks + 1))
if grep -q 'shop' err; then failed=$((failed + 1)); echo "FAILED: the first line is quoted"; fi
expect 3 'no column "x"; it has kind, shop, day, at, price' "$tacit" fit "$here/tests/fuzz/corpus/ipc/lz4.feather" --schema s.json --quantile .7 --mu 1 --out no.json

# files in each other's place
expect 2 'the schema comes first: tacit schema check s.json t.csv' "$tacit" schema check t.csv s.json
expect 3 'does not begin as JSON does, with \{ .line 1.*is this a table' "$tacit" schema check t.csv
echo '{"target": {"name": "demand", "min": 0, "max": 300}, "features": [{"name": "shop", "levels": [01, 02]}]}' >codes.json
expect 3 'stands in quotes, such as "01"' "$tacit" schema check codes.json

# other encodings
iconv -f UTF-8 -t LATIN1 t.csv >latin.csv
expect 3 '600 of these cells are no UTF-8: iconv -f LATIN1 -t UTF-8' "$tacit" schema check s.json latin.csv
"$tacit" ledger open latin.db --mu 1 >out
expect 3 'nothing was spent: .*none of its levels, and no UTF-8: iconv' "$tacit" fit latin.csv --schema s.json --quantile .7 --mu 1 --ledger latin.db --out latin.json
expect 0 '600 of these cells are no UTF-8: iconv -f LATIN1 -t UTF-8' "$tacit" fit latin.csv --schema s.json --quantile .7 --mu 1 --seed 1 --out latin.json
sed 's/^shop,/büro,/' t.csv | iconv -f UTF-8 -t LATIN1 >header.csv
expect 3 'no UTF-8.*iconv -f LATIN1' "$tacit" fit header.csv --schema s.json --quantile .7 --mu 1 --out no.json
iconv -f UTF-8 -t UTF-16 t.csv >wide.csv
expect 3 'text in UTF-16.*iconv -f UTF-16 -t UTF-8' "$tacit" fit wide.csv --schema s.json --quantile .7 --mu 1 --out no.json

# what a fit would stop at fails the check, in the fit's own words
awk 'NR == 7 { sub(/,[0-9.]*,/, ",,") } 1' t.csv >gap.csv
expect 3 'fit would stop here: record 6, column "x": the cell is empty; add "missing"' "$tacit" schema check s.json gap.csv
expect 3 'fit stops at 1 cells of x' "$tacit" schema check s.json gap.csv
expect 3 'record 6, column "x": the cell is empty; add "missing"' "$tacit" fit gap.csv --schema s.json --quantile .7 --mu 1 --out no.json
expect 3 '"refused": 1' "$tacit" schema check s.json gap.csv --json
expect 0 encoded "$tacit" schema check s.json t.csv

# bounds in other units than the table's
sed 's/"max": 1}/"max": 100}/' s.json >wide.json
expect 0 'x .number.: its numbers spread over 1 % of its bounds: are the bounds in the table' "$tacit" schema check wide.json t.csv
checks=$((checks + 1))
if "$tacit" schema check s.json t.csv | grep -q 'spread over'; then failed=$((failed + 1)); echo "FAILED: good bounds are blamed"; fi

# a policy that cost something is not lost to the same command, and nothing is spent
"$tacit" ledger open l.db --label shops --mu 2 >out
expect 3 'to begin it: tacit ledger open none.db --label shops --mu M' fit --ledger none.db --label shops --out p.json
expect 0 'left: 1.732 of 2 .what is spent adds up in squares' fit --ledger l.db --label shops --out p.json
cp p.json kept.json
expect 2 'p.json is there already, a private policy that cost some of a budget; nothing was spent' fit --ledger l.db --label shops --out p.json
same p.json kept.json
expect 0 '^shops +2 +1 +1.732 +1$' "$tacit" ledger show l.db
expect 0 'add up in squares: of a budget of 1, 0.6 leaves 0.8' "$tacit" ledger show l.db
# nor to one that was begun before it was there: its table comes slowly
(awk '{print} NR == 2 {fflush(); system("sleep 3")}' t.csv | "$tacit" fit - --schema s.json --quantile .7 --mu 1 --no-ledger --out slow.json >slow.out 2>slow.err) &
sleep 1
"$tacit" fit t.csv --schema s.json --quantile .7 --mu 1 --no-ledger --out slow.json >out 2>err
cp slow.json first.json
wait
same slow.json first.json
expect 0 'this one is at slow.json.2' cat slow.err
cp t.csv notes.txt
expect 2 'notes.txt is there already and is no policy' fit --out notes.txt
expect 0 written fit --ledger l.db --label shops --out p.json --force
expect 0 written env TACIT_FORCE=1 "$tacit" fit t.csv --schema s.json --quantile .7 --mu 1 --no-ledger --out p.json
expect 0 written fit --seed 1 --out seeded.json
expect 0 written fit --seed 2 --out seeded.json
: >empty.json
expect 0 written fit --no-ledger --out empty.json
expect 2 'empty.json is there already' fit --no-ledger --out empty.json

# parts are written again where they are the same
expect 0 written "$tacit" split t.csv --share .5 --first a.csv --second b.csv
expect 0 written "$tacit" split t.csv --share .5 --first a.csv --second b.csv
cp a.csv a.kept
expect 2 'a.csv is there already and holds something else' "$tacit" split t.csv --share .5 --seed 2 --first a.csv --second c.csv
expect 2 '--force replaces it' "$tacit" split t.csv --share .5 --seed 2 --first a.csv --second c.csv
same a.csv a.kept
checks=$((checks + 1))
[ ! -e c.csv ] || { failed=$((failed + 1)); echo "FAILED: one part is left"; }
expect 0 written "$tacit" split t.csv --share .5 --seed 2 --first a.csv --second b.csv --force
# the way from a table to orders, and each command's help, are found from the first words that one tries
expect 0 'tacit schema draft T.csv --out s.json' "$tacit" --help
"$tacit" fit --help >want
"$tacit" help fit >got
same want got
expect 0 'usage: tacit schema draft TABLE' "$tacit" help schema draft
expect 2 'no command "fti"' "$tacit" help fti
expect 2 '^tacit: --schema is needed.*tacit schema draft t.csv --out s.json$' "$tacit" fit t.csv
expect 3 'the name of column 1 is no UTF-8' "$tacit" schema draft header.csv
expect 2 'write --quantile 0.8 0.95$' "$tacit" fit t.csv --schema s.json --quantile 0.8,0.95 --mu 1 --out no.json
expect 2 'did you mean 0.8\?' "$tacit" fit t.csv --schema s.json --quantile 80 --mu 1 --out no.json
# levels that the schema does not list: what they count as, before a fit and behind orders
awk 'BEGIN { print "shop,sold"; for (i = 0; i < 300; i++) printf "%s,%d\n", i % 10 ? (i % 2 ? "a" : "b") : "new", i * 7 % 30 }' >unlisted.csv
echo '{"target": {"name": "sold", "min": 0, "max": 30}, "features": [{"name": "shop", "levels": ["a", "b"]}]}' >unlisted.json
expect 0 '^shop .levels.: 30 cells are none of the levels and will count as a; "other": true gives them a level of their own$' "$tacit" schema check unlisted.json unlisted.csv
expect 0 written "$tacit" fit unlisted.csv --schema unlisted.json --quantile .7 --mu 1 --seed 1 --out unlisted.pol
expect 0 '^tacit: 30 rows have a level of shop that the policy does not know, and were ordered for as a \(first: record 1\)$' "$tacit" order unlisted.pol unlisted.csv
# a policy that looks back, and a table of the days to come alone
echo '{"target": {"name": "sold", "min": 0, "max": 30}, "features": [{"name": "shop", "levels": ["a", "b"]}, {"name": "sold", "lag": 7}], "unit": {"rows_per_unit": 2}}' >lag.json
expect 0 written "$tacit" fit unlisted.csv --schema lag.json --quantile .7 --mu 1 --seed 1 --out lag.pol
printf 'shop,price\na,1\n' >ahead.csv
expect 3 'no column "sold", which the policy looks up 7 records before: give order a table that also holds those earlier rows' "$tacit" order lag.pol ahead.csv
# what is odd stands before the numbers, and of many numbers the first
awk 'BEGIN { printf "{\"target\": {\"name\": \"sold\", \"min\": 0, \"max\": 30}, \"features\": [{\"name\": \"shop\", \"levels\": [\"a\", \"b\""; for (i = 0; i < 48; i++) printf ", \"l%d\"", i; print "]}]}" }' >long.json
"$tacit" fit unlisted.csv --schema long.json --quantile .7 --mu 1 --seed 1 --out long.pol >fitted.txt 2>&1
expect 0 '^  \.\.\. 20 more, in the policy file$' cat fitted.txt
checks=$((checks + 1))
[ "$(grep -n 'shop: 30 of no listed level' fitted.txt | cut -d: -f1)" -lt "$(grep -n '^order of' fitted.txt | cut -d: -f1)" ] || { failed=$((failed + 1)); echo "FAILED: what is odd comes behind the numbers"; }
finish
