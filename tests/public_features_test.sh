#!/bin/sh
# "private": "target": the program says whom it protects, takes from public features what it can, chooses records by
# them, and refuses what would make them private.
# usage: public_features_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

awk 'BEGIN {
  srand(7)
  print "shop,x,y" >"all.csv"; print "shop,x,y" >"some.csv"
  for (i = 0; i < 900; i++) {
    line = sprintf("%d,%.3f,%d", i % 3 + 20, (i * 37 % 100) / 100, 20 + 10 * (i % 3) + 30 * (i * 37 % 100) / 100 + 20 * rand())
    print line >"all.csv"
    if (i % 3 != 0) print line >"some.csv"
  }
}'
cat >private.json <<'END'
{"target": {"name": "y", "min": 0, "max": 100}, "features": [{"name": "x", "min": 0, "max": 1},
 {"name": "shop", "levels": [20, 21, 22]}]}
END
sed 's/^{"target"/{"private": "target", "target"/' private.json >public.json
fit() { "$tacit" fit "$@" --quantile 0.8 --mu 0.5 >out 2>err; }

# whom it protects, in the certificate, the statement, the check and the plan
fit all.csv --schema public.json --out p.json || cat err
expect 0 'of which targets are private and features public' "$tacit" verify p.json
expect 0 'the target of one row of the table' "$tacit" verify p.json
expect 0 'someone who knows' "$tacit" verify p.json
expect 0 '"private": "target"' sed -n '/"unit"/,/}/p' p.json
expect 0 'the target is private and features are public' "$tacit" plan --schema public.json --rows 500 --quantile 0.8 --mu 0.5 --verbose
expect 0 'reveals nothing that the policy' "$tacit" order p.json all.csv
# nothing about the rows alone is released, and much less noise is drawn
for kind in rows moment; do
  checks=$((checks + 1))
  ! grep -q "\"release\": \"$kind\"" p.json || { failed=$((failed + 1)); echo "FAILED: a release of $kind"; }
done
# a file that says otherwise is none
sed 's/"limit": "one row"/"limit": "asserted"/' p.json >edited.json
expect 1 'FAILS' "$tacit" verify edited.json

# the same label counts for one of the two promises
expect 4 '1 row .their targets alone., replace-one, and this is for 1 row, replace-one' "$tacit" fit all.csv --schema private.json --quantile 0.8 --mu 0.5 --out q.json
expect 0 'their targets alone' "$tacit" ledger show
fit all.csv --schema private.json --label other --out q.json || cat err
expect 0 'reveals the features' "$tacit" order q.json all.csv
expect 4 'counts for units of 1 row, replace-one' "$tacit" fit all.csv --schema public.json --quantile 0.8 --mu 0.5 --label other --out p2.json
expect 0 'holds  .*p.json' "$tacit" ledger show "$XDG_STATE_HOME/tacit/ledger.db" --check p.json

# records may be chosen by what is public, and by nothing else
fit all.csv --schema public.json --no-ledger --seed 3 --where "shop > 20" --out chosen.json || cat err
fit some.csv --schema public.json --no-ledger --seed 3 --out some.json || cat err
same chosen.json some.json
expect 4 'chooses records by the private target' "$tacit" fit all.csv --schema public.json --quantile 0.8 --mu 0.5 --out r.json --where "shop > 20 AND y < 50"
expect 4 'chooses records by the private target' "$tacit" fit --sql "SELECT x, shop, y + 1 AS y FROM 'all.csv' WHERE y < 50" --schema public.json --quantile 0.8 --mu 0.5 --out r.json
expect 4 "computes a feature or a unit's name from the private target" "$tacit" fit --sql "SELECT y / 100 AS x, shop, y FROM 'all.csv'" --schema public.json --quantile 0.8 --mu 0.5 --out r.json
fit --sql "SELECT x / 2 + 0.5 AS x, shop, y FROM 'all.csv' WHERE x >= 0.1" --schema public.json --no-ledger --out sql.json || { failed=$((failed + 1)); cat err; }
[ ! -e r.json ] || { echo "FAILED: a policy was written"; failed=$((failed + 1)); }

# what would make features private, or rows come and go
expect 4 'rows are public' "$tacit" fit all.csv --schema public.json --quantile 0.8 --mu 0.5 --no-ledger --out r.json --adjacency add-remove --nominal-rows 900
sed 's/"features": \[/"unit": {"rows_per_unit": 2}, "features": [{"name": "y", "lag": 1}, /' public.json >lags.json
expect 4 'lags make features of private targets' "$tacit" fit all.csv --schema lags.json --quantile 0.8 --mu 0.5 --out r.json
# a target that is missing is the schema's, or an error before anything is spent
sed '5s/[0-9]*$//' all.csv >hole.csv
expect 3 'record 4, column "y": the cell is empty' "$tacit" fit hole.csv --schema public.json --quantile 0.8 --mu 0.5 --out r.json
sed 's/"max": 100/"max": 100, "missing": 40/' public.json >missing.json
sed '5s/[0-9]*$/40/' all.csv >forty.csv
fit hole.csv --schema missing.json --no-ledger --seed 1 --out hole.json || cat err
fit forty.csv --schema missing.json --no-ledger --seed 1 --out forty.json || cat err
same hole.json forty.json

# other methods keep what they always did, which is sound
for method in median-newton noisy-gd bisection; do
  fit all.csv --schema public.json --no-ledger --method $method --out m.json || cat err
  expect 0 'The guarantee holds' "$tacit" verify m.json
done
finish
