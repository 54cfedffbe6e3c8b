#!/bin/sh
# Customers behind a total: "unit": {"rows_per_unit": k, "change": q} is learned by its own default, said in words, kept apart in the
# ledger, and verified.
# usage: bounded_change_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

awk 'BEGIN {
  srand(3)
  print "x,day,y" >"t.csv"
  for (i = 0; i < 800; i++)
    printf "%.3f,%d,%d\n", (i * 37 % 100) / 100, i % 7, 20 + 5 * (i % 7) + 20 * (i * 37 % 100) / 100 + 8 * (rand() + rand() + rand()) >"t.csv"
}'
schema() { # NAME UNIT
  cat >"$1" <<END
{"private": "target", "target": {"name": "y", "min": 0, "max": 200}, "unit": $2,
 "features": [{"name": "x", "min": 0, "max": 1}, {"name": "day", "levels": [0, 1, 2, 3, 4, 5, 6]}]}
END
}
schema some.json '{"rows_per_unit": 12, "change": 2}'
schema more.json '{"rows_per_unit": 12, "change": 3}'
schema rows.json '{"rows_per_unit": 12}'
fit() { "$tacit" fit "$@" --quantile 0.8 --mu 0.5 >out 2>err; }

fit t.csv --schema some.json --out p.json || cat err
checks=$((checks + 1))
grep -q '"method": "bounded-change"' p.json || { failed=$((failed + 1)); echo "FAILED: another default"; }
expect 0 'changes at most 12 totals by at most 2 each' "$tacit" verify p.json
expect 0 'The guarantee holds' "$tacit" verify p.json
expect 0 'reveals nothing that the policy' "$tacit" order p.json t.csv
expect 0 'by a limited change' "$tacit" ledger show
expect 0 'holds  .*p.json' "$tacit" ledger show "$XDG_STATE_HOME/tacit/ledger.db" --check p.json
expect 0 'moves by the schema' "$tacit" plan --schema some.json --rows 500 --quantile 0.8 --mu 0.5 --verbose
# another change is another promise, and so are whole targets
expect 4 'by 2 each.*by 3 each' "$tacit" fit t.csv --schema more.json --quantile 0.8 --mu 0.5 --out q.json
expect 4 'by 2 each' "$tacit" fit t.csv --schema rows.json --quantile 0.8 --mu 0.5 --out q.json
# a file that says less moved than the schema does not verify
sed 's/"change": 0\.02[0-9]*/"change": 0.01/' p.json >edited.json
expect 1 'FAILS' "$tacit" verify edited.json
# other methods learn from such a schema, at the price of whole targets
fit t.csv --schema some.json --method location-scale --no-ledger --out l.json || cat err
expect 0 'The guarantee holds' "$tacit" verify l.json
fit t.csv --schema some.json --no-ledger --out several.json --quantile 0.5 || cat err
expect 0 'The guarantee holds' "$tacit" verify several.json
# closer to the truth than protecting 12 whole days: costs over what a rule without privacy costs
cost() { "$tacit" evaluate "$1" t.csv --json 2>/dev/null | sed -n 's/.*"mean_pinball": \([0-9.]*\).*/\1/p'; }
fit t.csv --schema some.json --no-ledger --seed 5 --out some.pol || cat err
fit t.csv --schema rows.json --no-ledger --seed 5 --out rows.pol || cat err
checks=$((checks + 1))
awk -v some="$(cost some.pol)" -v rows="$(cost rows.pol)" 'BEGIN { exit !(some > 0 && some < 0.8 * rows) }' ||
  { failed=$((failed + 1)); echo "FAILED: $(cost some.pol) against $(cost rows.pol)"; }

# what is refused
sed 's/"private": "target", //' some.json >private.json
expect 4 'add "private": "target"' "$tacit" fit t.csv --schema private.json --quantile 0.8 --mu 0.5 --out r.json
schema column.json '{"rows_per_unit": 12, "change": 2, "column": "day"}'
expect 3 'leave out "column"' "$tacit" fit t.csv --schema column.json --quantile 0.8 --mu 0.5 --out r.json
schema none.json '{"rows_per_unit": 12, "change": 0}'
expect 3 'change' "$tacit" fit t.csv --schema none.json --quantile 0.8 --mu 0.5 --out r.json
echo '{"target": {"name": "y", "min": 0, "max": 200}, "features": []}' >plain.json
expect 4 "whose features are public" "$tacit" fit t.csv --no-ledger --schema plain.json --quantile 0.8 --mu 0.5 --method bounded-change --out r.json
finish
