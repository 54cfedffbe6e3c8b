#!/bin/sh
# The program from table to order: what it prints, units, lags, several targets, and what must not change a result.
. tests/lib.sh

"$tacit" simulate zhao-normal --rows 2000 --seed 5 --schema-out s.json >t.csv

# the same seed gives the same bytes for every number of threads and every order of rows
for threads in 1 2 7; do
  "$tacit" fit t.csv --schema s.json --underage 3 --overage 1 --mu 0.5 --seed 9 --threads $threads --out $threads.json >/dev/null || exit 1
done
same 1.json 2.json
same 1.json 7.json
{ head -1 t.csv; tail -n +2 t.csv | sort; } >shuffled.csv
"$tacit" fit shuffled.csv --schema s.json --underage 3 --overage 1 --mu 0.5 --seed 9 --out shuffled.json >/dev/null
same 1.json shuffled.json
"$tacit" fit t.csv --schema s.json --underage 3 --overage 1 --mu 0.5 --seed 10 --out other.json >/dev/null
cmp -s 1.json other.json && { failed=$((failed + 1)); echo "FAILED: another seed, the same policy"; }

# what an attacker could come to believe, for people and machines
expect 0 'but for 1 in 20' "$tacit" fit t.csv --schema s.json --quantile 0.5 --mu 0.5 --no-ledger --out beliefs.json
expect 0 '0.76' sh -c "'$tacit' fit t.csv --schema s.json --quantile 0.5 --mu 0.5 --no-ledger --out beliefs.json --json | tr -d '\n ' | sed 's/.*\"attacker\"//; s/0.757[0-9]*/0.76/'"

# an order is the dot product of the coefficients with the row
"$tacit" order 1.json t.csv 2>err >ordered.csv
grep -q 'reveals the features' err || { failed=$((failed + 1)); echo "FAILED: order does not say what it reveals"; }
awk -F, -v a="$(field 1.json '(intercept)')" -v b1="$(field 1.json z1)" -v b2="$(field 1.json z2)" -v b3="$(field 1.json z3)" \
  -v b4="$(field 1.json z4)" 'NR > 1 { d = a + b1 * $1 + b2 * $2 + b3 * $3 + b4 * $4 - $6; if (d * d > 1e-12) bad++ } END { exit bad > 0 }' ordered.csv ||
  { failed=$((failed + 1)); echo "FAILED: an order is not the dot product"; }
[ "$(head -1 ordered.csv)" = "$(head -1 t.csv),order" ] || { failed=$((failed + 1)); echo "FAILED: header of order"; }
cut -d, -f1-5 ordered.csv >columns.csv
same columns.csv t.csv
checks=$((checks + 4))

# evaluation is stamped, and adds up
expect 0 'NOT PRIVATE' "$tacit" evaluate 1.json t.csv
expect 0 '"rows": 2000' "$tacit" evaluate 1.json t.csv --json
for key in mean_cost mean_underage_cost mean_overage_cost service_level mean_pinball; do
  expect 0 "\"$key\": [0-9]" "$tacit" evaluate 1.json t.csv --json
done

# a day-level promise with lags: rows dropped and counted, tomorrow's row can be ordered
printf 'day,demand\n' >lag.csv
awk 'BEGIN { for (i = 1; i <= 60; i++) printf "%d,%d\n", i, 30 + 10 * (i % 7) }' >>lag.csv
echo '{"target": {"name": "demand", "min": 0, "max": 120}, "features": [{"name": "demand", "lag": 7}, {"name": "demand", "lag": 14}], "unit": {"rows_per_unit": 3}}' >lag.json
expect 0 'learned from 46 rows; 14 dropped' "$tacit" fit lag.csv --schema lag.json --quantile 0.5 --mu 5 --label days --out lagged.json
expect 0 '3 rows.*asserted' "$tacit" verify lagged.json
echo '61,' >>lag.csv
"$tacit" order lagged.json lag.csv >lag.out 2>err
[ "$(sed -n 15p lag.out)" = "14,30," ] || { failed=$((failed + 1)); echo "FAILED: a row before the lags' reach has an order"; }
tail -1 lag.out | grep -Eq '^61,,[-0-9.]+$' || { failed=$((failed + 1)); echo "FAILED: tomorrow has no order"; }
grep -q '14 rows have no order' err || { failed=$((failed + 1)); echo "FAILED: undecided rows are not counted"; }
checks=$((checks + 3))

# unit.column drops surplus rows
printf 'who,x,y\n' >unit.csv
awk 'BEGIN { for (i = 0; i < 90; i++) printf "p%d,%d,%d\n", i % 30, i % 10, i % 7 }' >>unit.csv
echo '{"target": {"name": "y", "min": 0, "max": 10}, "features": [{"name": "x", "min": 0, "max": 10}], "unit": {"rows_per_unit": 2, "column": "who"}}' >unit.json
expect 0 'learned from 60 rows; 30 dropped beyond' "$tacit" fit unit.csv --schema unit.json --quantile 0.5 --mu 1 --label people --out unitp.json
expect 0 'enforced' "$tacit" verify unitp.json

# several targets from one table, each at mu / sqrt(2)
printf 'x,a,b\n' >two.csv
awk 'BEGIN { for (i = 0; i < 200; i++) printf "%g,%g,%g\n", i % 10, i % 10 + 5, 20 - i % 10 }' >>two.csv
echo '{"target": [{"name": "a", "min": 0, "max": 30}, {"name": "b", "min": 0, "max": 30}], "features": [{"name": "x", "min": 0, "max": 10}]}' >two.json
expect 0 'order of b' "$tacit" fit two.csv --schema two.json --underage 3 --underage 1 --overage 1 --overage 1 --mu 1 --out twop.json
expect 0 'together are (1|0.99)' "$tacit" verify twop.json
"$tacit" order twop.json two.csv 2>/dev/null | head -1 >header.txt
expect 0 'x,a,b,"order:a","order:b"' cat header.txt
expect 0 '"target": "b"' "$tacit" evaluate twop.json two.csv --json

# arithmetic
expect 0 '"delta": 0.126936737' "$tacit" account convert --mu 1 --epsilon 1 --json
expect 0 '"epsilon": 1.99309' "$tacit" account convert --mu 0.5 --delta 1e-5 --json
expect 0 '"mu": 0.29199' "$tacit" account convert --epsilon 1.0986122886681098 --delta 1e-5 --json
expect 0 '"mu": 5' "$tacit" account compose --mu 3 --mu 4 --json
expect 0 '"sigma": 20' "$tacit" account calibrate --mu 0.5 --sensitivity 1 --steps 100 --json
expect 2 'two of' "$tacit" account convert --mu 1

# a plan needs no table and takes none; the same seed gives the same bytes for every number of threads
plan() { "$tacit" plan --schema s.json --reps 2 "$@"; }
expect 0 'At 100 rows mu = 0\.5 costs between .* and .* %' plan --rows 100 --underage 3 --overage 1
expect 0 'No row was read' plan --rows 100 --underage 3 --overage 1 --verbose
expect 0 '^mu +low +middle +high +worst case' plan --rows 100 --quantile 0.7 --mu 0.4 --verbose
# the answer comes first, on one screen, with what its figures are and which rule they are of
plan --rows 100 --quantile 0.79 --mu 0.4 >first.txt
expect 0 '^At 100 rows mu = 0.4 costs between' sed -n 1p first.txt
expect 0 '^(High is no maximum: nine|Nine) problems in ten' cat first.txt
expect 0 '^At quantile 0.79 the order is a linear form; from 0.8 up' cat first.txt
expect 0 '^mu +low +middle +high$' cat first.txt
checks=$((checks + 1))
[ "$(wc -l <first.txt)" -le 17 ] || { failed=$((failed + 1)); echo "FAILED: the first screen of a plan is long"; wc -l first.txt; }
expect 0 '^At quantile 0.8 the order is a linear form plus a spread' plan --rows 100 --quantile 0.8
expect 0 '^0\.4 \(asked\) +[-+][0-9.]+ %' plan --rows 100 --quantile 0.7 --mu 0.4
expect 0 'with 100 rows from mu = [0-9.e+]+ on' plan --rows 100 --quantile 0.7 --percent 5
expect 0 '"n": 400,' plan --rows 100 --underage 3 --overage 1 --json
plan --rows 100 --underage 3 --overage 1 --percent 5 --json >plan.json
for key in mu low middle high middle_se simulated cost_without_privacy percent percent_se worst_case mu_from n_to; do
  expect 0 "\"$key\": -?[0-9]" cat plan.json
done
expect 0 '"mu": [0-9]' plan --rows 100 --quantile 0.7 --method noisy-gd --json
expect 2 'nothing to plan' plan --rows 100 --quantile 0.7 --method erm
"$tacit" simulate spo-shortest-path --rows 10 --schema-out costs.json --region-out region.json >costs.csv
expect 0 'spo-gaussian costs more than itself' "$tacit" plan --rows 60 --schema costs.json --region region.json --reps 2 --verbose
expect 2 'leave out --underage' "$tacit" plan --rows 60 --schema costs.json --region region.json --quantile 0.5
expect 3 'the region has 40 coordinates, the schema 1' plan --rows 60 --region region.json
plan --rows 100 --underage 3 --overage 1 --seed 4 --json --threads 1 >plan1.json
plan --rows 100 --underage 3 --overage 1 --seed 4 --json --threads 3 >plan3.json
same plan1.json plan3.json
expect 2 'too many arguments' plan t.csv --rows 100 --underage 3 --overage 1
expect 2 'rows is needed' plan --underage 3 --overage 1
expect 2 'give --underage' plan --rows 100
expect 2 'replace-one or add-remove' plan --rows 100 --quantile 0.5 --adjacency both
expect 2 '.png or .svg' plan --rows 100 --quantile 0.5 --out plan.pdf
expect 3 'too few for 5 encoded columns' plan --rows 4 --quantile 0.5
expect 3 'no such file' "$tacit" plan --rows 100 --schema missing.json --quantile 0.5
expect 4 'rows_per_unit' sh -c "sed 's/, \"unit.*/}/' lag.json >nounit.json; '$tacit' plan --rows 100 --schema nounit.json --quantile 0.5"
expect 5 'gnuplot is not installed' env PATH=/nonexistent "$tacit" plan --schema s.json --reps 2 --rows 100 --quantile 0.5 --out bare.png
[ -s bare.gp ] || { failed=$((failed + 1)); echo "FAILED: no script where gnuplot is missing"; }
if command -v gnuplot >/dev/null; then
  for ending in png svg; do
    expect 0 "written: plan.$ending" plan --rows 100 --quantile 0.5 --out plan.$ending
    [ -s plan.$ending ] || { failed=$((failed + 1)); echo "FAILED: no plan.$ending"; }
  done
fi

# help everywhere
for command in plan fit order evaluate verify simulate reproduce; do expect 0 'usage: tacit' "$tacit" $command --help; done
expect 0 'usage: tacit account' "$tacit" account --help
finish
