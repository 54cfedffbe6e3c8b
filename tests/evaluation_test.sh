#!/bin/sh
# The private evaluation: paid for, refused, and silent about the number of rows under add-remove.
. tests/lib.sh

"$tacit" simulate zhao-normal --rows 2000 --seed 5 --schema-out s.json >t.csv
"$tacit" simulate zhao-normal --rows 2000 --seed 6 >fresh.csv
"$tacit" fit t.csv --schema s.json --underage 3 --overage 1 --mu 0.5 --no-ledger --out p.json >/dev/null
evaluate() { "$tacit" evaluate p.json fresh.csv "$@"; }

"$tacit" ledger open L.db --label a --mu 1 >/dev/null
expect 0 'may leave the building' evaluate --mu 0.6 --ledger L.db --label a
expect 4 'not enough' evaluate --mu 0.9 --ledger L.db --label a
expect 0 '"private": true' evaluate --mu 0.8 --ledger L.db --label a --json
for key in mean_cost standard_error interval_95 cost_bound share_of_rows_cut rows_are_public sensitivity sigma head; do
  grep -q "\"$key\"" out || { failed=$((failed + 1)); echo "FAILED: no $key"; }
done
# an evaluation's payment is no policy's: p.json was never paid for
head=$(sed -n 's/.*"head": "\([0-9a-f]*\)".*/\1/p' out)
sed "s/^\( *\)\"ledger\": null/\1\"ledger\": {\n\1  \"label\": \"a\",\n\1  \"sequence\": 3,\n\1  \"head\": \"$head\"\n\1}/" p.json >borrowed.json
expect 0 'holds as claimed' "$tacit" verify borrowed.json
expect 1 'another kind of release' "$tacit" ledger show L.db --check borrowed.json
expect 0 '"left_mu": 0.0' "$tacit" ledger show L.db --json
expect 0 'evaluate' "$tacit" ledger export L.db
expect 0 'entry 1;' evaluate --mu 1
expect 3 'no ledger' evaluate --mu 1 --ledger typo.db

# near the truth: the noise is public, five standard errors are never seen
"$tacit" evaluate p.json fresh.csv --json >open.json
expect 0 mean_cost evaluate --mu 2 --no-ledger --cost-bound 20 --json
awk -v a="$(field open.json mean_cost)" -v b="$(field out mean_cost)" -v s="$(field out standard_error)" \
  'BEGIN { exit !(s > 0 && (a - b) ^ 2 < (5 * s + 0.05 * a) ^ 2) }' ||
  { failed=$((failed + 1)); echo "FAILED: $(field open.json mean_cost) and $(field out mean_cost) +- $(field out standard_error)"; }
grep -q '"rows": 2000' out || { failed=$((failed + 1)); echo "FAILED: rows"; }

# refusals: before anything is spent
expect 4 'does not verify' sh -c "'$tacit' fit t.csv --schema s.json --underage 3 --overage 1 --method erm --out erm.json >/dev/null; '$tacit' evaluate erm.json fresh.csv --mu 1"
expect 4 'does not verify' sh -c "'$tacit' fit t.csv --schema s.json --quantile 0.5 --mu 1 --seed 3 --out seeded.json >/dev/null; '$tacit' evaluate seeded.json fresh.csv --mu 1"
expect 2 'goes with --mu' evaluate --label a
expect 2 'goes with --mu' evaluate --cost-bound 3
expect 2 'mu must be' evaluate --mu 0 --no-ledger
expect 2 'bound' evaluate --mu 1 --cost-bound -3 --no-ledger
expect 2 'not both' evaluate --mu 1 --ledger L.db --no-ledger
expect 4 'nominal' evaluate --mu 1 --adjacency add-remove --label added
sed '3s/$/,987654/' fresh.csv >bad.csv
expect 3 'record 2' "$tacit" evaluate p.json bad.csv --mu 1
grep -q 987654 err && { failed=$((failed + 1)); echo "FAILED: a private value is quoted"; }
expect 0 '"releases": 1' "$tacit" ledger show --label default --json

# add-remove: but for the estimate, tables of different length give the same bytes
head -4 fresh.csv >short.csv
for table in fresh short; do
  "$tacit" evaluate p.json $table.csv --mu 1 --adjacency add-remove --nominal-rows 500 --no-ledger --json |
    sed '/"mean_cost"/d; /interval_95"/,/\]/d; /"standard_error"/d; /"cost_bound"/d; /"share_of_rows_cut"/d; /^  "rows"/d' >$table.rest
done
same fresh.rest short.rest
grep -q '"rows_are_public": false' fresh.rest || { failed=$((failed + 1)); echo "FAILED: their number is not public"; }
# the releases compose to what is asked: rows, bound (five times), cost, cut
expect 0 mean_cost evaluate --mu 1 --adjacency add-remove --nominal-rows 500 --no-ledger --json
mus=$(tr -d ' \n' <out | grep -o '"mechanisms":.*' | grep -oE '"mu":[0-9.]+,"count":[0-9]+' | tr -d '"a-z:' | awk -F, '{ n += $2; s += $1 * $1 * $2 } END { printf "%d %.9f", n, s }')
[ "$mus" = '8 1.000000000' ] || [ "$mus" = '8 0.999999999' ] || { failed=$((failed + 1)); echo "FAILED: the releases' mu: $mus"; }
# a public bound is not searched for
expect 0 '"cost_bound": 20.0' evaluate --mu 1 --cost-bound 20 --no-ledger --json
grep -q '"cost_bound_is_private": false' out || { failed=$((failed + 1)); echo "FAILED: a public bound"; }
grep -q '"release": "bound"' out && { failed=$((failed + 1)); echo "FAILED: a public bound is searched for"; }
checks=$((checks + 7))
finish
