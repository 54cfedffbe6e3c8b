#!/bin/sh
# Where people who were new to it have stumbled: each step says what to do, and nothing is spent by mistake.
# usage: stumbles_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"
export XDG_STATE_HOME="$PWD/state"

# months of four clinics with two wards each, 24 of them
awk 'BEGIN { print "month,clinic,ward,patients"
  for (m = 0; m < 24; m++) for (c = 1; c <= 4; c++) for (w = 1; w <= 2; w++)
    printf "%d-%02d-01,c%d,w%d,%d\n", 2022 + int(m / 12), m % 12 + 1, c, w, 100 + 20 * c + 7 * ((m * 5 + c) % 11) }' >t.csv
schema() { # UNIT PANEL FEATURES
  printf '{"target": {"name": "patients", "min": 0, "max": 400}, "features": [%s], "unit": %s, "panel": %s}' "$3" "$1" "$2"
}
WARD='{"name": "ward", "levels": ["w1", "w2"]}'
LAG='{"name": "patients", "lag": 12, "missing": 100}'
PANEL='{"by": ["clinic", "ward"], "time": "month", "every": "month"}'

# whose data it is: a draft asks, a check says how many rows count and whether the column is there
"$tacit" schema draft t.csv >draft.json 2>err
expect 4 'unit: Whose data is it: .*"column", "rows_per_unit" blank' "$tacit" schema check draft.json
schema '{"column": "clinic", "rows_per_unit": 30}' "$PANEL" "$WARD, $LAG" >s.json
expect 0 'fit learns from 120 rows, at most 30 of each clinic; 72 records are left out' "$tacit" schema check s.json t.csv
schema '{"column": "clinics", "rows_per_unit": 30}' '{"by": ["clinics", "ward"], "time": "month", "every": "month"}' "$WARD" >bad.json
expect 3 'fit would stop here: .*no column "clinics".*did you mean "clinic"' "$tacit" schema check bad.json t.csv
# what privacy costs is said for panels of dates too
! "$tacit" schema check s.json t.csv 2>&1 >out | grep -q 'cannot be said' || { failed=$((failed + 1)); echo "FAILED: no price for a panel"; }

# periods of another length find nothing, and nothing is spent on that
schema '{"column": "clinic", "rows_per_unit": 60}' '{"by": ["clinic", "ward"], "time": "month"}' "$WARD, $LAG" >days.json
expect 3 'fit would stop here: .*cells are not found: do "by", "time" and "every" .day, hour, week, month or number.' "$tacit" schema check days.json t.csv
expect 0 '^default +2 ' "$tacit" ledger open --mu 2
expect 3 'nothing was spent: column "patients.lag 12.": 192 of 192 cells are not found' "$tacit" fit t.csv --schema days.json --quantile .8 --mu 1 --out p.json
schema '{"column": "clinic", "rows_per_unit": 60}' "$PANEL" "$WARD, $LAG" >months.json
expect 0 written "$tacit" fit t.csv --schema months.json --quantile .8 --mu 1 --out p.json

# one's own ledger is the one that is asked, also about policies
expect 0 "^ledger $PWD/state/tacit/ledger.db$" "$tacit" ledger show
expect 0 'holds  p.json was paid for' "$tacit" ledger show --check p.json
expect 0 'holds  p.json was paid for' "$tacit" ledger show "$PWD/state/tacit/ledger.db" --check p.json
expect 1 'FAILS  s.json was paid for' "$tacit" ledger show --check s.json p.json
expect 4 'ledger open .* --label trial --mu M' "$tacit" fit t.csv --schema months.json --quantile .8 --mu 1 --label trial --out q.json

# a draft that is answered in place
printf '{"target": {"name": "patients", "min": 0, "max": 400}, "features": [{"name": "ward", "levels": ["w1", "w2"], "min": null, "max": null}]}' >place.json
expect 3 'remove "min": null from features.0.: it is for another kind' "$tacit" schema check place.json

# names in quotes, with other separators between them
sed '1s/[a-z]*/"&"/g; s/""//g; s/,/;/g' t.csv >quoted.csv
head -1 quoted.csv | grep -q '^"month";"clinic"' || { failed=$((failed + 1)); echo "FAILED: the test's own header"; }
expect 3 "first line looks separated by semicolons.* add --separator ';'" "$tacit" order p.json quoted.csv
expect 3 'first line looks separated by commas.* add --separator ,' sh -c "sed '1s/;/,/g' quoted.csv >commas.csv; '$tacit' evaluate p.json commas.csv --separator ';'"
expect 3 'header, column 1: text after a closing quote' sh -c "printf '\"a\"b,c\n1,2\n' >after.csv; '$tacit' schema draft after.csv"

# the schema's form and dates, for a split; of two options each goes before the schema's
printf 'tag;x;y\n' >d.csv
awk 'BEGIN { for (i = 0; i < 400; i++) printf "%02d.%02d.2024;%d,%d;%d\n", i % 28 + 1, int(i / 28) % 12 + 1, i % 5, i % 10, 10 + i % 17 }' >>d.csv
printf '{"target": {"name": "y", "min": 0, "max": 50}, "features": [{"name": "tag", "date": ["weekday"], "format": "%%d.%%m.%%Y"}, {"name": "x", "min": 0, "max": 5}], "csv": {"separator": ";", "decimal": ","}}' >d.json
expect 2 'other dates need the format that they have: --format' "$tacit" split d.csv --separator ';' --by tag --at 01.07.2024 --first a.csv --second b.csv
expect 0 'written: a.csv' "$tacit" split d.csv --schema d.json --by tag --at 01.07.2024 --first a.csv --second b.csv
expect 0 written "$tacit" fit a.csv --schema d.json --quantile .5 --mu 1 --seed 1 --out d.p
sed 's/;/|/g' b.csv >bar.csv
expect 0 '^[0-9.]+.[0-9],[0-9].[0-9]+.[0-9]+,[0-9]+$' "$tacit" order d.p bar.csv --separator '|'
sed 's/,/./g; s/;/,/g' b.csv >comma.csv
expect 0 '^[0-9.]+,[0-9]\.[0-9],[0-9]+,[0-9]+\.[0-9]+$' "$tacit" order d.p comma.csv --separator ,
expect 2 'write --underage 4.5; or, for two numbers, --underage 4 5' "$tacit" fit a.csv --schema d.json --underage 4,5 --overage 1 --mu 1 --out e.p

# the stock is the decision, not something to decide by
printf '{"target": {"name": "y", "min": 0, "max": 50, "stock": "x"}, "features": [{"name": "x", "min": 0, "max": 5}]}' >stock.json
expect 3 'says what sold out, which nobody knows when the order is made: remove it from the features' "$tacit" schema check stock.json

# lags that come from another series are told before anything is paid for, and --where says what it takes away
awk 'BEGIN { print "shop,x,y"; for (i = 0; i < 300; i++) printf "s%d,%d,%d\n", i / 100, i % 5, 20 + i % 7 }' >turns.csv
printf '{"target": {"name": "y", "min": 0, "max": 80}, "features": [{"name": "shop", "levels": ["s0", "s1", "s2"]}, {"name": "y", "lag": 1}], "unit": {"rows_per_unit": 2}}' >turns.json
expect 0 '^shop: 2 rows whose lags come from another one; "panel"' "$tacit" schema check turns.json turns.csv
expect 0 'where also takes away the rows that lags look up' "$tacit" order p.json t.csv --where "ward = 'w1'"
expect 4 'the schema may say so: "private": "target"' "$tacit" fit d.csv --schema d.json --quantile .5 --mu 1 --no-ledger --where "x > 2" --out w.p

# the hour of dates without a time: nothing is spent on it, and an order says what it was taken for
"$tacit" ledger open clock.db --mu 2 >out
awk 'BEGIN { print "when,y"; for (i = 0; i < 600; i++) printf "2024-%02d-%02dT%02d:00:00,%d\n", int(i / 84) + 1, int(i / 3) % 28 + 1, 6 + 8 * (i % 3), 20 + 10 * (i % 3) + i % 5 }' >clock.csv
printf '{"target": {"name": "y", "min": 0, "max": 80}, "features": [{"name": "when", "date": ["weekday", "hour"]}]}' >clock.json
sed 's/T[0-9:]*//' clock.csv >dates.csv
expect 0 'fit learns from 600 rows' "$tacit" schema check clock.json clock.csv
expect 0 '^when .hour.: 21 of its 24 levels occur in no record' "$tacit" schema check clock.json clock.csv
"$tacit" schema check clock.json clock.csv >out
! grep -q 'weekday.: .*in no record' out || { failed=$((failed + 1)); echo "FAILED: weekdays are there"; }
expect 3 'fit would stop here: column "when": 600 of 600 cells have no time of day' "$tacit" schema check clock.json dates.csv
expect 3 'nothing was spent: column "when": 600 of 600 cells have no time of day' "$tacit" fit dates.csv --schema clock.json --quantile .5 --mu 1 --ledger clock.db --out c.p
expect 0 written "$tacit" fit clock.csv --schema clock.json --quantile .5 --mu 1 --seed 1 --out c.p
for rows in dates.csv "dates.csv --where y>0"; do # by many threads, and record by record
  expect 0 'when: 600 without a time of day, taken as 0:00' "$tacit" order c.p $rows
done
"$tacit" order c.p clock.csv >out 2>err
! grep -q 'time of day' err || { failed=$((failed + 1)); echo "FAILED: times of day are there"; }
# figures on the rows that it was learned from, and orders at the bound
expect 0 'as many rows as the policy was learned from' "$tacit" evaluate c.p clock.csv
head -400 clock.csv >fewer.csv
"$tacit" evaluate c.p fewer.csv >out
! grep -q 'as many rows' out || { failed=$((failed + 1)); echo "FAILED: other rows are taken for the same"; }
printf '{"target": {"name": "y", "min": 30, "max": 80}, "features": [{"name": "when", "date": ["weekday"]}]}' >least.json
expect 0 written "$tacit" fit clock.csv --schema least.json --quantile .1 --method erm-exact --out least.p
expect 0 'orders are held at the least that the schema allows: where effects multiply' "$tacit" order least.p clock.csv
finish
