#!/bin/sh
# Lags that are looked up by group and time: the same policy whatever the order of the records and whatever holds them,
# what certificate and verify say, and what is refused.
# usage: panel_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

# Six shops, 80 days; the same table with its lags worked out by hand; and in other orders.
awk 'BEGIN {
  print "shop,date,y" >"t.csv"; print "shop,date,y,l1,l7" >"hand.csv"; print "shop,date,y" >"back.csv"
  for (s = 0; s < 6; s++) for (d = 0; d < 80; d++)
    y[s, d] = int(20 + 8 * s + 10 * sin(d / 4 + s) + (d * 7919 + s * 104729) % 13)
  for (d = 0; d < 80; d++) for (s = 0; s < 6; s++) { # by day: the record above is another shop
    date = sprintf("2024-%02d-%02d", int(d / 28) + 1, d % 28 + 1) # with gaps at the ends of months
    at[s, date] = d; order[++n] = s SUBSEP date
  }
  days["2024-01-01"] = 0
  for (i = 1; i <= n; i++) {
    split(order[i], k, SUBSEP); d = at[k[1], k[2]]
    # the day before and the day a week before, in the calendar
    m = int(d / 28); before = m == 0 ? 0 : m == 1 ? 31 : 60; day = before + d % 28
    abs_day[k[1], day] = y[k[1], d] + 1; mine[i] = day
  }
  for (i = 1; i <= n; i++) {
    split(order[i], k, SUBSEP); d = at[k[1], k[2]]
    l1 = abs_day[k[1], mine[i] - 1] - 1; l7 = abs_day[k[1], mine[i] - 7] - 1
    print k[1] "," k[2] "," y[k[1], d] >"t.csv"
    print k[1] "," k[2] "," y[k[1], d] "," (l1 < 0 ? 30 : l1) "," (l7 < 0 ? 30 : l7) >"hand.csv"
  }
  for (i = n; i >= 1; i--) { split(order[i], k, SUBSEP); print k[1] "," k[2] "," y[k[1], at[k[1], k[2]]] >"back.csv" }
}'
cat >s.json <<'END'
{"target": {"name": "y", "min": 0, "max": 100}, "features": [{"name": "y", "lag": 1, "missing": 30}, {"name": "y", "lag": 7, "missing": 30}],
 "panel": {"by": "shop", "time": "date"}, "unit": {"rows_per_unit": 6}, "nominal_rows": 500}
END
cat >hand.json <<'END'
{"target": {"name": "y", "min": 0, "max": 100}, "features": [{"name": "l1", "min": 0, "max": 100}, {"name": "l7", "min": 0, "max": 100}],
 "unit": {"rows_per_unit": 6}, "nominal_rows": 500}
END
learn() { out=$1; shift; "$tacit" fit "$@" --quantile 0.8 --mu 2 --seed 3 --out "$out" >said 2>err || { echo "FAILED: fit $*"; failed=$((failed + 1)); cat err; }; }
learn t.pol t.csv --schema s.json
learn hand.pol hand.csv --schema hand.json
coefficients() { sed -n '/"coefficients"/,/}/p' "$1" | sed 's/y\[lag \([17]\)\]/l\1/'; }
coefficients t.pol >a; coefficients hand.pol >b
checks=$((checks + 1)); [ -s a ] || { failed=$((failed + 1)); echo "FAILED: no coefficients"; }
same a b

# the order of the records does not matter, and neither does what holds them
learn back.pol back.csv --schema s.json
same t.pol back.pol
learn piped.pol - --schema s.json <t.csv
same t.pol piped.pol
"$tacit" pack t.csv --schema s.json --out t.tacit >/dev/null
learn packed.pol t.tacit --schema s.json
same t.pol packed.pol
gzip -kc t.csv >t.csv.gz
learn gz.pol t.csv.gz --schema s.json
same t.pol gz.pol
learn sql.pol --sql "SELECT shop, date, y FROM 't.csv'" --schema s.json
same t.pol sql.pol
# under add-remove too, and then with a condition
learn all.pol t.csv --schema s.json --adjacency add-remove
(sed 1q t.csv; sed 1d t.csv | grep -E '^[123],') >three.csv
learn three.pol three.csv --schema s.json --adjacency add-remove
learn where.pol t.csv --schema s.json --adjacency add-remove --where 'shop IN (1, 2, 3)'
same three.pol where.pol

# the demand of the next three days, worked out by hand: where one of them is not in the table the row counts for nothing
awk -F, 'NR == FNR { if (FNR > 1) { y[$1, day($2)] = $3 + 1 } next }
  function day(d) { split(d, p, "-"); return (p[2] == 1 ? 0 : p[2] == 2 ? 31 : 60) + p[3] }
  FNR == 1 { print "shop,x,sum"; next }
  { n = day($2); a = y[$1, n]; b = y[$1, n + 1]; c = y[$1, n + 2]; if (a && b && c) print $1 "," $1 "," a + b + c - 3 }' t.csv t.csv >sums.csv
cat >sums.json <<'END'
{"target": {"name": "sum", "min": 0, "max": 300}, "features": [{"name": "x", "min": 0, "max": 5}], "unit": {"rows_per_unit": 6}, "nominal_rows": 500}
END
cat >next3.json <<'END'
{"target": {"name": "y", "min": 0, "max": 300, "sum_of_next": 3}, "features": [{"name": "shop", "min": 0, "max": 5}],
 "panel": {"by": "shop", "time": "date"}, "unit": {"rows_per_unit": 6}, "nominal_rows": 500}
END
learn sums.pol sums.csv --schema sums.json --adjacency add-remove
learn next3.pol t.csv --schema next3.json --adjacency add-remove
coefficients sums.pol >a; coefficients next3.pol | sed 's/"shop"/"x"/' >b
same a b
"$tacit" evaluate sums.pol sums.csv --json >a 2>/dev/null; "$tacit" evaluate next3.pol t.csv --json >b 2>/dev/null
for f in a b; do tr ',' '\n' <$f | grep -E 'mean_cost|fill_rate|service_level|mean_demand' >$f.costs; done
same a.costs b.costs
checks=$((checks + 1)); [ -s a.costs ] || { failed=$((failed + 1)); echo "FAILED: no costs"; }
sed 's/"rows_per_unit": 6/"rows_per_unit": 5/' next3.json >few.json
expect 4 'one record can change 6 rows' "$tacit" fit t.csv --schema few.json --quantile 0.8 --mu 1 --out f.json
expect 0 . "$tacit" plan --schema next3.json --rows 500 --mu 2 --quantile 0.8

# one record is in six rows, and verify asks for it
"$tacit" fit t.csv --schema s.json --quantile 0.8 --mu 1 --out p.json >/dev/null
expect 0 'unit: 6 rows.*rows that look a record up are counted with it' "$tacit" verify p.json
expect 0 'one record \(its own row and those that look it up\) \(6 rows\)' cat p.json
sed 's/"rows_per_unit": *6/"rows_per_unit": 5/' s.json >five.json
expect 4 'one record can change 6 rows: set "unit": \{"rows_per_unit": 6\}' "$tacit" fit t.csv --schema five.json --quantile 0.8 --mu 1 --out f.json
sed 's/"time": "date"/"time": "date", "unique": true/' five.json >unique.json
learn u.pol t.csv --schema unique.json
(cat t.csv; tail -1 t.csv) >twin.csv
expect 3 'record 481 has the group and time of an earlier one' "$tacit" fit twin.csv --schema unique.json --quantile 0.8 --mu 1 --out f.json
expect 0 '480 rows; 1 dropped beyond a unit.s limit, behind a record with the same key' "$tacit" fit twin.csv --schema s.json --quantile 0.8 --mu 1 --out f.json

# where no row finds what it looks up a private fit is noise, and one without privacy is refused
sed 's/, "missing": 30//g; s/"time": "date"/"time": "date", "every": "month"/' s.json >never.json
sed 1q t.csv >few.csv; sed -n '2,7p' t.csv >>few.csv
expect 0 'learned from 0 rows; 6 dropped.*noise alone' "$tacit" fit few.csv --schema never.json --quantile 0.8 --mu 1 --out f.json
expect 3 'none finds all that it looks up' "$tacit" fit few.csv --schema never.json --quantile 0.8 --method erm-exact --out f.json

# a unit that its groups lie in may have a column; another may not
sed 's/"unit": {[^}]*}/"unit": {"rows_per_unit": 80, "column": "shop"}/' s.json >unit.json
expect 0 'learned from 480 rows' "$tacit" fit t.csv --schema unit.json --quantile 0.8 --mu 50 --label shops --out unit.pol
expect 0 'holds  unit: 80 rows, .* limit enforced while reading' "$tacit" verify unit.pol
sed 's/"column": "shop"/"column": "y"/' unit.json >other.json
expect 4 'add "y" to "by" in "panel"' "$tacit" fit t.csv --schema other.json --quantile 0.8 --mu 50 --no-ledger --out f.json

# orders find the past in their own table, and are given for every row, in its place
(cat t.csv; echo '0,2024-03-25,'; echo '0,2024-03-25,'; echo '9,2024-03-25,') >next.csv
expect 0 '^9,2024-03-25,,[0-9.]+$' "$tacit" order p.json next.csv
"$tacit" order p.json next.csv 2>/dev/null | sed -n '482,483p' | sed 's/.*,//' >two
checks=$((checks + 1)); [ "$(sort -u two | wc -l)" = 1 ] || { failed=$((failed + 1)); echo "FAILED: two orders for one key"; }
"$tacit" order p.json next.csv 2>/dev/null | cut -d, -f1-3 >lines
same next.csv lines
expect 0 'cost' "$tacit" evaluate p.json t.csv
expect 0 . "$tacit" plan --schema s.json --rows 500 --mu 2 --quantile 0.8
finish
