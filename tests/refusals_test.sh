#!/bin/sh
# Every refusal: its exit code, its text, and that no private value is in it.
. tests/lib.sh

cat >good.csv <<'CSV'
day,rain,kind,demand
1,0.5,a,10
2,1.5,b,20
3,2.5,a,30
4,3.5,c,40
5,4.5,a,50
CSV
schema() { printf '{"target": {"name": "demand", "min": 0, "max": 100}, "features": [%s]%s}' "$1" "${2:-}" >"$3"; }
schema '{"name": "rain", "min": 0, "max": 40}' '' good.json
fit() { "$tacit" fit "$1" --schema "$2" --underage 50 --overage 30 --mu 0.5 --out p.json --no-ledger; }

expect 0 'written: p.json' fit good.csv good.json
expect 0 'written' sh -c "'$tacit' fit - --schema good.json --quantile 0.7 --mu 1 --out q.json <good.csv"

# files
expect 3 'no such file' fit missing.csv good.json
: >empty.csv
expect 3 'empty' fit empty.csv good.json
head -1 good.csv >header.csv
expect 3 'no (rows|records)' fit header.csv good.json
expect 3 'no such file' fit good.csv missing.json

# columns and cells; 987654 stands for somebody's value and must never be quoted
sed 's/rain/hail/' good.csv >nocolumn.csv
expect 3 'no column "rain"' fit nocolumn.csv good.json
sed '1s/day/rain/' good.csv >twice.csv
expect 3 'duplicate column' fit twice.csv good.json
sed '3s/$/,987654/' good.csv >ragged.csv
expect 3 'record 2.*found 5.*expected 4' fit ragged.csv good.json
sed '4s/2.5/x987654/' good.csv >text.csv
expect 3 'record 3, column "rain".*not a number.*missing' fit text.csv good.json
sed '4s/2.5/nan/' good.csv >nan.csv
expect 3 'record 3, column "rain"' fit nan.csv good.json
sed '4s/2.5/inf/' good.csv >inf.csv
expect 3 'record 3, column "rain"' fit inf.csv good.json
sed '4s/2.5/1e987654/' good.csv >huge.csv
expect 3 'record 3, column "rain"' fit huge.csv good.json
sed '4s/2.5//' good.csv >blank.csv
expect 3 'record 3, column "rain".*(empty|missing)' fit blank.csv good.json
sed '4s/,30/,x987654/' good.csv >target.csv
expect 3 'record 3, column "demand"' fit target.csv good.json
sed '4s/a/"a/' good.csv >quote.csv
expect 3 'record 3' fit quote.csv good.json
for file in ragged text huge target; do
  fit $file.csv good.json >out 2>&1
  grep -q 987654 out && { echo "FAILED: $file quotes a private value"; failed=$((failed + 1)); }
  checks=$((checks + 1))
done
# with a value for `missing` the same cells are taken
schema '{"name": "rain", "min": 0, "max": 40, "missing": 2}' '' missing-given.json
for file in text nan inf huge blank; do expect 0 'written' fit $file.csv missing-given.json; done

# the schema
schema '{"name": "rain"}' '' nobounds.json
expect 4 'column "rain".*min.*max' fit good.csv nobounds.json
printf '{"target": {"name": "demand"}, "features": []}' >nobounds2.json
expect 4 '"demand".*min.*max' fit good.csv nobounds2.json
schema '{"name": "rain", "min": 0, "max": 40, "colour": 1}' '' unknown.json
expect 3 'unknown key.*colour|colour.*unknown' fit good.csv unknown.json
schema '{"name": "rain", "min": 0, "max": 40}' ', "colour": 1' unknown2.json
expect 3 'colour' fit good.csv unknown2.json
schema '{"name": "rain", "min": 40, "max": 0}' '' backwards.json
expect 3 'min.*below' fit good.csv backwards.json
echo '{"target": ' >broken.json
expect 3 'line' fit good.csv broken.json

# promises
schema '{"name": "demand", "lag": 1}' '' lag.json
expect 4 'rows_per_unit.*2' fit good.csv lag.json
schema '{"name": "demand", "lag": 1}' ', "unit": {"rows_per_unit": 2}' lag2.json
expect 0 '1 dropped before the lags' fit good.csv lag2.json
schema '{"name": "demand", "lag": 1}, {"name": "demand", "lag": 2}' ', "unit": {"rows_per_unit": 2}' lag3.json
expect 4 'rows_per_unit.*3' fit good.csv lag3.json
expect 4 'lag.*add-remove|add-remove.*lag' "$tacit" fit good.csv --schema lag2.json --quantile 0.5 --mu 1 --out p.json --adjacency add-remove --nominal-rows 10 --label added
expect 4 'nominal' "$tacit" fit good.csv --schema good.json --quantile 0.5 --mu 1 --out p.json --adjacency add-remove --label added
expect 0 'written' "$tacit" fit good.csv --schema good.json --quantile 0.5 --mu 1 --out p.json --adjacency add-remove --nominal-rows 10 --label added
schema '{"name": "rain", "min": 0, "max": 40, "transform": "spline", "knots": 9}' '' wide.json
expect 3 '5 rows are too few for 13' fit good.csv wide.json
expect 0 'written' "$tacit" fit header.csv --schema good.json --quantile 0.5 --mu 1 --out p.json --adjacency add-remove --nominal-rows 50 --label added
expect 0 'written' "$tacit" fit good.csv --schema wide.json --quantile 0.5 --mu 1 --out p.json --adjacency add-remove --nominal-rows 50 --label added

# usage
expect 2 'usage|COMMAND' "$tacit"
expect 2 'no command' "$tacit" fly
expect 2 'no option --moo; see tacit fit --help' "$tacit" fit good.csv --moo 1
expect 2 'no option --moo; see tacit schema draft --help' "$tacit" schema draft good.csv --moo=1
expect 2 'no option -m; see tacit ledger show --help' "$tacit" ledger show -m
expect 2 'schema' "$tacit" fit good.csv --quantile 0.5 --mu 1 --out p.json
expect 2 'mu' "$tacit" fit good.csv --schema good.json --quantile 0.5 --out p.json
expect 2 'not both' "$tacit" fit good.csv --schema good.json --quantile 0.5 --underage 1 --overage 1 --mu 1 --out p.json
expect 2 'go together' "$tacit" fit good.csv --schema good.json --underage 1 --mu 1 --out p.json
expect 2 'above 0 and below 1' "$tacit" fit good.csv --schema good.json --quantile 1 --mu 1 --out p.json
expect 2 'costs must be above 0' "$tacit" fit good.csv --schema good.json --underage -1 --overage 1 --mu 1 --out p.json
expect 2 'mu' "$tacit" fit good.csv --schema good.json --quantile 0.5 --mu 0 --out p.json
expect 2 'number' "$tacit" fit good.csv --schema good.json --quantile 0.5 --mu nan --out p.json
expect 2 'go together' "$tacit" fit good.csv --schema good.json --quantile 0.5 --epsilon 1 --out p.json
expect 2 'delta' "$tacit" fit good.csv --schema good.json --quantile 0.5 --epsilon 1 --delta 0 --out p.json
expect 2 'not private' "$tacit" fit good.csv --schema good.json --quantile 0.5 --mu 1 --method erm --out p.json
expect 2 'no method' "$tacit" fit good.csv --schema good.json --quantile 0.5 --mu 1 --method magic --out p.json
expect 5 'cannot write' "$tacit" fit good.csv --schema good.json --quantile 0.5 --mu 1 --out no/such/folder/p.json
expect 5 'not a regular file' "$tacit" fit good.csv --schema good.json --quantile 0.5 --mu 1 --out .
[ -c /dev/null ] && expect 5 'not a regular file' "$tacit" fit good.csv --schema good.json --quantile 0.5 --mu 1 --out /dev/null
[ -c /dev/null ] || { failed=$((failed + 1)); echo "FAILED: /dev/null is gone"; }
expect 5 'cannot write' "$tacit" fit good.csv --schema good.json --quantile 0.5 --mu 1 --out ''
echo old >real.json && ln -s real.json link.json
expect 0 'written' "$tacit" fit good.csv --schema good.json --quantile 0.5 --mu 1 --out link.json
[ -L link.json ] && grep -q tacit-policy real.json || { failed=$((failed + 1)); echo "FAILED: a link was replaced"; }
expect 0 'written' "$tacit" fit good.csv --schema good.json --quantile 0.5 --method erm-exact --out mine.json
[ "$(ls -l mine.json | cut -c1-10)" = "-rw-------" ] || { failed=$((failed + 1)); echo "FAILED: others may read what is not private"; }
ls ./*.tmp >/dev/null 2>&1 && { failed=$((failed + 1)); echo "FAILED: a temporary file was left"; }
expect 2 'at most' "$tacit" fit good.csv --schema good.json --quantile 0.5 --mu 1 --out p.json --method noisy-gd --step-size 1e300
# an option of another method is refused, not ignored
expect 2 'default has no option steps; it has intervals' "$tacit" fit good.csv --schema good.json --quantile 0.5 --mu 1 --out p.json --steps 9
expect 2 'noisy-gd has no option lambda' "$tacit" fit good.csv --schema good.json --quantile 0.5 --mu 1 --out p.json --method noisy-gd --lambda 1
expect 2 'objective has no option steps' "$tacit" fit good.csv --schema good.json --quantile 0.5 --epsilon 1 --delta 1e-3 --out p.json --method objective --steps 9
expect 2 'saa has no option kernel' "$tacit" fit good.csv --schema good.json --quantile 0.5 --out p.json --method saa --kernel uniform
expect 2 'no option -o' "$tacit" fit good.csv -o p.json
[ -e /dev/full ] && expect 5 'could not be written' sh -c "'$tacit' --help >/dev/full"

# a policy that is none
expect 3 'policy' "$tacit" verify good.csv
expect 3 'policy' "$tacit" order good.json good.csv
expect 3 'cannot read' "$tacit" evaluate missing.json good.csv
finish
