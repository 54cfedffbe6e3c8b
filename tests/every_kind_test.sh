#!/bin/sh
# Every kind of column goes through fit, verify and order: what a policy says of its columns is recomputed from its own
# schema, and a policy whose schema was changed behind its back does not hold.
# usage: every_kind_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

awk 'BEGIN { srand(5); print "day,promo,shop,code,product,price,y"
  for (i = 0; i < 1200; i++) {
    d = i % 300; month = 1 + int(d / 25); price = 1 + 4 * rand()
    printf "2024-%02d-%02d %02d:30,%s,%s,%02d,p%d,%.2f,%.1f\n", month, 1 + d % 25, i % 24, i % 3 ? "True" : "no", i % 2 ? "North" : "SOUTH ", 1 + i % 3, i % 40, price, 20 + 5 * (i % 3 > 0) - 2 * price + 10 * rand() } }' >t.csv
cat >s.json <<'END'
{"target": {"name": "y", "min": 0, "max": 60}, "features": [
  {"name": "day", "date": ["weekday", "month", "hour", "day-of-year", "trend"], "start": "2024-01-01", "end": "2024-12-31", "holidays": ["2024-05-01", "2024-12-25"]},
  {"name": "promo", "flag": true},
  {"name": "shop", "levels": ["north", "south"], "fold": true},
  {"name": "code", "levels": [1, 2, 3]},
  {"name": "product", "hash": 8},
  {"name": "price", "min": 0, "max": 10},
  {"interaction": ["shop", "promo"]}, {"interaction": ["shop", "price"]}, {"interaction": ["price", "promo"]}]}
END
expect 0 'encoded columns' "$tacit" schema check s.json t.csv
checks=$((checks + 1))
"$tacit" schema check s.json t.csv | awk '$2 ~ /^(weekday|levels|number|flag|buckets)$/ && NF == 6 { if ($4 + $5 + $6 > 0) bad = 1 } END { exit bad }' ||
  { failed=$((failed + 1)); echo "FAILED: cells that every kind should know"; }
expect 0 written "$tacit" fit t.csv --schema s.json --quantile .7 --mu 2 --out p.json
expect 0 'The guarantee holds' "$tacit" verify p.json
"$tacit" order p.json t.csv >orders 2>err
checks=$((checks + 1))
[ "$(wc -l <orders)" = 1201 ] || { failed=$((failed + 1)); echo "FAILED: not every record has an order"; }

# each fact of a column is one of the promise's: another one is another schema, and no longer what was certified
changed() { # WHAT OLD NEW
  checks=$((checks + 1))
  sed "s/$2/$3/" p.json >changed.json
  if cmp -s p.json changed.json; then failed=$((failed + 1)); echo "FAILED: $1 is not in the policy"; return; fi
  "$tacit" verify changed.json >out 2>err && { failed=$((failed + 1)); echo "FAILED: $1 was changed, and the policy still holds"; }
}
changed 'a holiday' '2024-05-01' '2024-05-02'
changed 'the end of a trend' '2024-12-31' '2025-12-31'
changed 'a flag' '"flag": true' '"min": 0, "max": 1'
changed 'a folded level' '"fold": true' '"fold": false'
changed 'the number of buckets' '"hash": 8' '"hash": 9'
changed 'a bound' '"max": 10' '"max": 11'

# panels and sums of the next periods
awk 'BEGIN { srand(6); print "shop,t,y"; for (t = 1; t <= 300; t++) for (s = 0; s < 2; s++) printf "%d,%d,%.1f\n", s, t, 10 + 5 * s + 5 * rand() }' >panel.csv
cat >panel.json <<'END'
{"target": {"name": "y", "min": 0, "max": 80, "sum_of_next": 3}, "features": [{"name": "y", "lag": 1, "min": 0, "max": 30}, {"name": "shop", "levels": [0, 1]}],
 "panel": {"by": "shop", "time": "t", "every": "number"}, "unit": {"rows_per_unit": 20}}
END
expect 0 written "$tacit" fit panel.csv --schema panel.json --quantile .7 --mu 2 --out p.json --label panel
expect 0 'The guarantee holds' "$tacit" verify p.json
changed 'how many periods are summed' '"sum_of_next": 3' '"sum_of_next": 2'
changed 'a lag' '"lag": 1' '"lag": 2'
changed 'the rows of a unit' '"rows_per_unit": 20' '"rows_per_unit": 19'
finish
