#!/bin/sh
# Methods whose guarantee is a pair (epsilon, delta): fit, verify, refusals, and the arithmetic behind them.
. tests/lib.sh

"$tacit" simulate zhao-normal --rows 400 --seed 3 --schema-out s.json >t.csv
fit() {
  method=$1
  shift
  "$tacit" fit t.csv --schema s.json --quantile 0.7 --method "$method" --out p.json --no-ledger "$@"
}
expect 0 '\(1, 0.0001\)-' fit objective --epsilon 1 --delta 1e-4
expect 0 'guarantee holds' "$tacit" verify p.json
expect 0 '"kind": "\(epsilon, delta\)"' cat p.json
expect 0 '"delta_claimed": 0.0001' "$tacit" verify p.json --json
sed 's/"delta": 0.0001,*/"delta": 0.00001/; s/"delta": 1.0[0-9]*e-4/"delta": 1.0e-5/' p.json >less.json
expect 1 'FAILS' "$tacit" verify less.json
expect 0 'written' fit objective --epsilon 1 --delta 1e-4 --preset part-2 --kernel gaussian
expect 0 'guarantee holds' "$tacit" verify p.json
expect 0 'written' fit objective --epsilon 1 --delta 1e-4 --adjacency add-remove --nominal-rows 300
expect 0 'guarantee holds' "$tacit" verify p.json
expect 0 'written' fit gradient --epsilon 1 --delta 1e-4
expect 0 'GDP' "$tacit" verify p.json
expect 0 'written' fit sgd --epsilon 1 --delta 1e-4 --rate 0.05 --steps 300
expect 0 'guarantee holds' "$tacit" verify p.json
expect 0 'note: .*at most 1' fit sgd --epsilon 2 --delta 1e-4 --rate 0.05 --steps 100
expect 0 'seed' fit objective --epsilon 1 --delta 1e-4 --seed 4
cp p.json a.json
expect 0 'seed' fit objective --epsilon 1 --delta 1e-4 --seed 4 --threads 2
same a.json p.json
expect 1 'FAILS' "$tacit" verify p.json

# refusals
expect 2 'not Gaussian' fit objective --mu 0.5
expect 2 'not Gaussian' fit sgd --mu 0.5
expect 2 'delta = 0' fit objective --epsilon 1 --delta 0
expect 2 'delta = 0' fit sgd --epsilon 1 --delta 0
expect 2 'go together' fit objective --epsilon 1
expect 4 'lambda is too small.*at least' fit objective --epsilon 1 --delta 1e-4 --lambda 1e-4 --bandwidth 0.05
expect 4 'keeps private' fit sgd --epsilon 1 --delta 1e-4 --adjacency add-remove --nominal-rows 300
expect 4 'keeps private' fit sgd --epsilon 1 --delta 1e-4 --adjacency add-remove --nominal-rows 300 --batch 5
expect 2 'not both' fit sgd --epsilon 1 --delta 1e-4 --rate 0.1 --batch 5
expect 2 'steps must be a whole number above 0 and at most 1000000$' fit gradient --mu 1 --steps 1000000000
sed 's/"target"/"unit": {"rows_per_unit": 2}, "target"/' s.json >unit.json
expect 4 'rows per unit' "$tacit" fit t.csv --schema unit.json --quantile 0.7 --method objective --epsilon 1 --delta 1e-4 --out p.json --no-ledger
expect 4 'rows per unit' "$tacit" fit t.csv --schema unit.json --quantile 0.7 --method sgd --epsilon 1 --delta 1e-4 --out p.json --no-ledger

# the arithmetic alone: reference/privacy.md, c = 0.1 and m = 0.4 at epsilon = 1
account() { "$tacit" account objective --lipschitz 1 --smoothness 0.10517091807564763 --lambda 1 "$@"; }
expect 0 '"delta_upper": 0.00522747179' account --sigma 2.5 --adjacency add-remove --epsilon 1 --json
expect 0 '"delta_upper": 0.00522747179' account --sigma 5 --epsilon 1 --json
expect 0 '"epsilon_lower"' account --sigma 5 --delta 1e-5 --json
expect 0 'at most' account --sigma 5 --delta 1e-5
expect 2 'one of --epsilon and --delta' account --sigma 5
expect 2 'calibrate' account --epsilon 1
expect 2 'delta = 0' account --sigma 5 --delta 0
calibrate() { "$tacit" account calibrate objective --lipschitz 1 --smoothness 1 --epsilon 1 "$@"; }
expect 0 'sigma +12.53' calibrate --lambda 2 --delta 1e-5
expect 0 'sigma +6.26' calibrate --lambda 2 --delta 1e-5 --adjacency add-remove
expect 4 'lambda must be above' calibrate --lambda 0.5 --delta 1e-5
expect 4 'sigma is too small' calibrate --sigma 0.5 --delta 1e-5
expect 0 'OP, companion, Lemma EC.1 +9.80' "$tacit" account published --epsilon 1 --delta 1e-5 --rows 100
finish
