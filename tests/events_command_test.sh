#!/bin/sh
# Events of customers and a public calendar, from the command line: limits are kept and said to be, and no policy tells of
# events or customers.
# usage: events_command_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

awk 'BEGIN {
  srand(3)
  split("MON TUE WED THU FRI SAT SUN", name, " ")
  print "day,weekday" >"days.csv"; print "card,day,portions" >"sales.csv"; print "day,weekday,demand" >"totals.csv"
  for (d = 0; d < 400; d++) {
    printf "%d,%s\n", d, name[d % 7 + 1] >"days.csv"
    sold = 10 + 5 * (d % 7) + int(8 * rand()); total = 0
    for (i = 0; i < sold; i++) { n = 1 + int(2 * rand()); total += n; printf "card-%d-%d,%d,%d\n", d, i, d, n >"sales.csv" }
    printf "%d,%s,%d\n", d, name[d % 7 + 1], total >"totals.csv"
  }
}'
cat >schema.json <<'END'
{"target": {"name": "demand", "min": 0, "max": 200}, "private": "target",
 "features": [{"name": "weekday", "levels": ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"]}],
 "unit": {"rows_per_unit": 2, "change": 2}, "events": {"customer": "card", "key": "day", "quantity": "portions"}}
END
grep -v '"unit"' schema.json >asserted.json
printf ' "unit": {"rows_per_unit": 2, "change": 2}}\n' >>asserted.json
fit() { "$tacit" fit "$@" --quantile 0.8 --no-ledger >said 2>told; }

# every customer is within the limits: the totals, and so the policy, are those of the table that was added up by hand
fit --events sales.csv --calendar days.csv --schema schema.json --mu 1 --seed 4 --out added.json || cat told
fit totals.csv --schema asserted.json --mu 1 --seed 4 --out totals.json || cat told
checks=$((checks + 1))
for p in added totals; do sed -n '/"coefficients"/,/}/p' $p.json >$p.coefficients; done
cmp -s added.coefficients totals.coefficients || { failed=$((failed + 1)); echo "FAILED: other coefficients from events"; }

# limits are enforced, or only asserted; the file tells of no customer and no event
fit --events sales.csv --calendar days.csv --schema schema.json --mu 1 --out p.json || cat told
expect 0 'events of' cat told
expect 0 'enforced in adding them up' "$tacit" verify p.json
expect 0 'purchases are among the events at all' "$tacit" verify p.json
expect 0 'limit enforced while reading' "$tacit" verify p.json
expect 0 '"limit": "enforced"' cat p.json
fit totals.csv --schema asserted.json --mu 1 --out q.json || cat told
expect 0 'asserted, not enforced' "$tacit" verify q.json
for word in card- "$(wc -l <sales.csv)" "$(($(wc -l <sales.csv) - 1))"; do
  checks=$((checks + 1))
  ! grep -q -- "$word" p.json || { failed=$((failed + 1)); echo "FAILED: the policy says $word"; }
done
sed 's/"limit": "enforced"/"limit": "asserted"/' p.json >edited.json
expect 1 'FAILS' "$tacit" verify edited.json

# busy customers are cut, and the data holder is told
sed 's/card-[0-9]*-/card-/' sales.csv >busy.csv
fit --events busy.csv --calendar days.csv --schema schema.json --mu 1 --out busy.json || cat told
expect 0 'customers with more rows' cat told
"$tacit" fit --events busy.csv --calendar days.csv --schema schema.json --quantile 0.8 --mu 1 --no-ledger --out busy.json --json >said
expect 0 '"customers_over_rows_per_unit"' cat said
expect 0 'mean cost' "$tacit" evaluate p.json --events sales.csv --calendar days.csv

# what does not go together
expect 2 'go together' "$tacit" fit --events sales.csv --schema schema.json --quantile 0.8 --mu 1 --no-ledger --out x.json
expect 2 'not both' "$tacit" fit totals.csv --events sales.csv --calendar days.csv --schema schema.json --quantile 0.8 --mu 1 --no-ledger --out x.json
expect 4 'added up from events' "$tacit" fit totals.csv --schema schema.json --quantile 0.8 --mu 1 --no-ledger --out x.json
expect 4 'does not say how events' "$tacit" fit --events sales.csv --calendar days.csv --schema asserted.json --quantile 0.8 --mu 1 --no-ledger --out x.json
expect 4 "use replace-one" "$tacit" fit --events sales.csv --calendar days.csv --schema schema.json --adjacency add-remove --quantile 0.8 --mu 1 --no-ledger --out x.json
# With noise the same figure is for anybody: a customer is in it with as many rows as the schema says, and counts are not told.
expect 0 'this figure may leave the building' "$tacit" evaluate p.json --events sales.csv --calendar days.csv --mu 1 --no-ledger
grep -q 'customers' out && { failed=$((failed + 1)); echo "FAILED: a count of customers leaves the building"; }
expect 0 '"records_per_unit"' "$tacit" evaluate p.json --events sales.csv --calendar days.csv --mu 1 --no-ledger --json
expect 2 'not both' "$tacit" evaluate p.json days.csv --events sales.csv --calendar days.csv --mu 1 --no-ledger
checks=$((checks + 1))
[ ! -e x.json ] || { failed=$((failed + 1)); echo "FAILED: a refused fit left a policy"; }

# customers and days that are numbers go by their value, also where numbers have decimal commas: the same rows are kept
awk 'BEGIN { print "card;day;portions"; for (i = 0; i < 3000; i++) printf "%d;%d;%d\n", i * 7 % 90, i * 13 % 400, 1 + i % 3 }' >plain.csv
awk -F';' 'NR > 1 { $1 = $1 ",0"; $2 = $2 ",0" } { print $1 ";" $2 ";" $3 }' plain.csv >respelt.csv
tr ',' ';' <days.csv >semi.csv
for events in plain respelt; do
  fit --events $events.csv --calendar semi.csv --separator ';' --decimal , --schema schema.json --mu 1 --seed 4 --out $events.json || cat told
done
same plain.json respelt.json

# days that the calendar does not have, nearly all of them: nothing is spent on that
"$tacit" ledger open e.db --mu 2 >/dev/null
awk -F, 'NR > 1 { $2 += 5000 } { print $1 "," $2 "," $3 }' sales.csv >later.csv
expect 3 'nothing was spent: .* events belong to no row of the calendar' "$tacit" fit --events later.csv --calendar days.csv --schema schema.json --quantile 0.8 --mu 1 --ledger e.db --out no.json
finish
