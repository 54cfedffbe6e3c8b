#!/bin/sh
# Nothing is silent: cells that the schema did not foresee are counted for the data holder, by every way of reading, and
# never in the policy; what the budget does not buy is said; a level that never occurs gets no wild coefficient.
# usage: silence_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

awk 'BEGIN { srand(5); print "day,x,shop,y"; split("MON TUE WED THU FRI SAT", d, " ")
  for (i = 0; i < 2000; i++) { k = int(rand() * 6) + 1; x = rand(); printf "%s,%.4f,%d,%.2f\n", d[k], x, i % 400, 300 + 100 * k + 200 * x * rand() } }' >good.csv
cat >s.json <<'S'
{"target": {"name": "y", "min": 0, "max": 1500, "missing": 10},
 "features": [{"name": "day", "levels": ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"]},
              {"name": "x", "min": 0, "max": 1, "missing": 0.5}]}
S
# records 10 to 16: two misspelt days, an empty one, two beyond bounds, one no number, a target beyond its bounds
sed -e '11s/^[A-Z]*/Mon/' -e '12s/^[A-Z]*/monday/' -e '13s/^[A-Z]*//' -e '14s/,[^,]*/,1.5/' -e '15s/,[^,]*/,-3/' \
  -e '16s/,[^,]*/,about 1/' -e '17s/[^,]*$/1501/' good.csv >odd.csv
# a number at its bound is not beyond it
sed -e '20s/,[^,]*/,1/' -e '21s/,[^,]*/,0/' -e '22s/[^,]*$/1500/' odd.csv >table.csv

fit() { "$tacit" fit "$1" --schema "$2" --quantile .9 --mu 1 --seed 1 --out "$3" --threads "$4"; }
told() { # what was said of the cells, without the heading
  checks=$((checks + 1))
  grep '^  ' err | sort >got
  printf '%s\n' "$@" | sort | grep . >want
  cmp -s want got || { failed=$((failed + 1)); echo "FAILED: told of cells:"; cat err; }
}
DAY='  day: 2 of no listed level, taken as MON, 1 empty'
X='  x: 2 beyond the bounds, clamped, 1 not a number'
Y='  y: 1 beyond the bounds, clamped'
expect 0 written fit table.csv s.json p.json 2
told "$DAY" "$X" "$Y"
# record by record: a pipe, and a schema that limits a unit's rows
sed '$s/}$/, "unit": {"column": "shop", "rows_per_unit": 5}}/' s.json >unit.json
expect 0 written fit table.csv unit.json u.json 2
told "$DAY" "$X" "$Y"
cat table.csv >pipe.csv
expect 0 written sh -c "cat pipe.csv | '$tacit' fit - --schema s.json --quantile .9 --mu 1 --seed 1 --out q.json"
told "$DAY" "$X" "$Y"
same p.json q.json
# a record that many threads leave to the source, in the midst of the table, is counted once, and so are the others
awk 'BEGIN { q = "\"\""; while (length(q) < 70000) q = q q; print "day,x,shop,y,remark" } NR > 1 { print $0 "," (NR == 1000 ? "\"" q "\"" : "") }' table.csv >quoted.csv
sed '$s/}$/}/; s/"features": \[/"features": [{"name": "remark", "levels": ["a", "b"]}, /' s.json >remark.json
expect 0 written fit quoted.csv remark.json r.json 2
told "$DAY" "$X" "$Y" '  remark: 1 of no listed level, taken as a, 1999 empty'
# packed
expect 0 packed "$tacit" pack table.csv --schema s.json --out t.tacit
told "$DAY" "$X" "$Y"
# in an order the target is of no interest
expect 0 order "$tacit" order p.json table.csv
told '  day: 2 of no listed level, taken as MON, first in record 10, 1 empty' "$X"
expect 0 'NOT PRIVATE' "$tacit" evaluate p.json table.csv
told "$DAY" "$X" "$Y"
# nothing to tell: nothing is said
expect 0 written fit good.csv s.json good.json 2
told ''
# for machines, in a place of its own
expect 0 '"data_holder_only"' "$tacit" fit table.csv --schema s.json --quantile .9 --mu 1 --seed 1 --out j.json --json
cells=$(tr -d ' \n' <out | grep -o '"cells":.*]' | tr -d '{}')
checks=$((checks + 1))
[ "$cells" = '"cells":["column":"day","clamped":0,"unlisted":2,"missing":1,"unreadable":0,"column":"x","clamped":2,"unlisted":0,"missing":1,"unreadable":1,"column":"y","clamped":1,"unlisted":0,"missing":0,"unreadable":0]' ] ||
  { failed=$((failed + 1)); echo "FAILED: $cells"; }
expect 0 '"unlisted": 2' sh -c "'$tacit' order p.json table.csv --json"
expect 0 '"unlisted": 2' sh -c "'$tacit' evaluate p.json table.csv --json"
# the policy has none of it: the same bytes as for a table whose cells are what the odd ones were taken for
sed -e '11s/^[A-Za-z]*/MON/' -e '12s/^[a-z]*/MON/' -e '13s/^/MON/' -e '14s/,1.5/,1/' -e '15s/,-3/,0/' -e '16s/,about 1/,0.5/' -e '17s/1501$/1500/' table.csv >plain.csv
expect 0 written fit plain.csv s.json plain.json 2
told ''
same p.json plain.json
same p.json j.json
checks=$((checks + 1))
grep -Eq 'clamped|unlisted|cells|foresee' p.json && { failed=$((failed + 1)); echo "FAILED: the policy tells of cells"; }

# A level that never occurs: its coefficient stays within what the target can be.
echo '{"target": {"name": "y", "min": 0, "max": 1500}, "features": [{"name": "day", "levels": ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN", "A", "B", "C"]}, {"name": "x", "min": 0, "max": 1}]}' >never.json
for method in location-scale median-newton; do
  for mu in 0.1 0.5 2; do
    for seed in 1 2 3; do
      expect 0 written "$tacit" fit good.csv --schema never.json --quantile .9 --mu $mu --seed $seed --method $method --out n.json
      checks=$((checks + 1))
      awk '/^order of/ { on = 1 } /^plus/ { on = 0 } on && /^  day=(SUN|A|B|C)/ && ($2 > 1500 || $2 < -1500) { bad = 1 } END { exit bad }' out ||
        { failed=$((failed + 1)); echo "FAILED: $method with mu $mu has a wild level"; grep day= out; }
    done
  done
done

# What the budget does not buy is said.
head -61 good.csv >few.csv
expect 0 'buys no slopes' "$tacit" fit few.csv --schema s.json --quantile .5 --mu 0.1 --seed 1 --out f.json
expect 0 'buys no slopes' "$tacit" fit few.csv --schema s.json --quantile .5 --mu 0.1 --seed 1 --out f.json --json
expect 0 'one spread is taken' "$tacit" fit few.csv --schema s.json --quantile .95 --mu 0.8 --seed 1 --out f.json
expect 0 'teaches nothing' "$tacit" fit few.csv --schema s.json --quantile .5 --mu 0.05 --seed 1 --method noisy-gd --out f.json
expect 4 'too little to learn anything' "$tacit" fit good.csv --schema s.json --quantile .5 --mu 0.00001 --seed 1 --out f.json
# lags that count records take another series' demand where a column of levels tells series apart: in blocks, or side by
# side on each date; a weekday and a table of one series are left in peace, and so is a lag that is looked up
awk 'BEGIN { split("mon tue wed thu fri sat sun", w, " ")
  for (k = 0; k < 3; k++) for (d = 0; d < 28; d++) for (m = 1; m <= 2; m++)
    printf "%s,2024-%02d-%02d,%s,%d\n", substr("abc", k + 1, 1), m, d + 1, w[(d + 3 * m) % 7 + 1], (d * 7 + k * 31 + m) % 90 }' | sort -t, -k1,1 -k2,2 >all
for part in 'blocks:cat all' 'sides:sort -t, -k2,2 -k1,1 all' 'one:grep ^a all'; do
  { echo shop,date,day,y; sh -c "${part#*:}"; } >"${part%%:*}.csv"
done
cat >lag.json <<'S'
{"target": {"name": "y", "min": 0, "max": 100}, "features": [{"name": "shop", "levels": ["a", "b", "c"]}, {"name": "date", "date": ["month"]},
 {"name": "day", "levels": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]}, {"name": "y", "lag": 2, "missing": 50}], "unit": {"rows_per_unit": 4}}
S
CROSSED='rows whose lags come from another one; "panel" in the schema looks lags up by group and time'
expect 0 written fit blocks.csv lag.json lag.pol 1
told "  shop: 4 $CROSSED"
checks=$((checks + 1)); ! grep -q 'cross' lag.pol || { failed=$((failed + 1)); echo "FAILED: a count in the policy"; }
expect 0 written fit sides.csv lag.json lag.pol 1
told "  shop: 166 $CROSSED"
expect 0 written fit one.csv lag.json lag.pol 1
told ''
sed 's/{"name": "date", "date": \["month"\]},//' lag.json >undated.json
expect 0 written fit blocks.csv undated.json lag.pol 1
told "  shop: 4 $CROSSED"
sed 's/"unit"/"panel": {"by": "shop", "time": "date"}, "unit"/' lag.json >panel.json
expect 0 written fit sides.csv panel.json lag.pol 1
told ''
cp err said
expect 0 'empty cells, read as the schema says .for the data holder.s eyes only.: y.lag 2. 12$' cat said
finish
