#!/bin/sh
# Receipts: one pays for the release it was given for and for no other, whatever its amount; and what a ledger of an
# earlier version paid for still holds.
. tests/lib.sh
wrong() { failed=$((failed + 1)); echo "FAILED: $*"; }

# Everything as tacit lays it out, for verify takes nothing else. with_receipt FROM TO OUT: the policy TO, unpaid, with
# FROM's receipt.
with_receipt() {
  awk 'NR == FNR { if (/"ledger": \{/) inside = 1; if (inside) { block = block sep $0; sep = "\n"; if (/\}/) inside = 0 } next }
    /"ledger": null/ { end = /,$/ ? "," : ""; sub(/,$/, "", block); print block end; next } { print }' "$1" "$2" >"$3"
  cmp -s "$2" "$3" && wrong "$3 has no receipt"; }
without_commitment() { sed ':all;N;$!b all;s/,\n *"commitment": "[0-9a-f]*"//' "$1" >"$2"; cmp -s "$1" "$2" && wrong "$2 has a commitment"; }
claiming() { # claiming HASH POLICY OUT: the policy with this commitment in its receipt
  sed "s/\"commitment\": \"[0-9a-f]*\"/\"commitment\": \"$1\"/" "$2" >"$3"; cmp -s "$2" "$3" && wrong "$3 claims nothing new"; }
commitment() { sed -n 's/.*"commitment": "\([0-9a-f]*\)".*/\1/p' "$1"; }

"$tacit" simulate zhao-normal --rows 300 --seed 5 --schema-out s.json >t.csv
fit() { "$tacit" fit t.csv --schema s.json --quantile 0.5 --threads 1 "$@" >/dev/null || exit 1; }
check() { "$tacit" ledger show L.db --check "$@"; }
"$tacit" ledger open L.db --label a --mu 3 >/dev/null

# two releases of one method that promise the same (epsilon, delta) but have other Renyi divergences: 60 of the first fit
# a budget of mu = 3, of the second 28
pair="--method sgd --epsilon 2 --delta 1e-5"
fit $pair --steps 50 --batch 3 --ledger L.db --label a --out cheap.json
fit $pair --steps 1 --batch 300 --no-ledger --out free.json
expect 0 'holds  cheap.json was paid for' check cheap.json
expect 0 'holds  the receipt was given for this release' "$tacit" verify cheap.json
with_receipt cheap.json free.json moved.json
expect 1 'FAILS  the receipt was given for this release' "$tacit" verify moved.json
expect 1 'FAILS  moved.json.*its own guarantee' check moved.json
without_commitment moved.json silent.json
expect 0 'holds as claimed' "$tacit" verify silent.json
expect 1 'FAILS  silent.json.*entry 2 paid for another release' check silent.json
fit $pair --steps 1 --batch 300 --ledger L.db --label a --out dear.json
expect 0 'holds  dear.json' check dear.json
claiming "$(commitment dear.json)" moved.json knowing.json
expect 0 'holds as claimed' "$tacit" verify knowing.json
expect 1 'FAILS  knowing.json.*entry 2 paid for another release' check knowing.json

# equal amounts, other inputs
gaussian="--method noisy-gd --mu 0.3 --steps 5"
fit $gaussian --step-size 0.5 --ledger L.db --label a --out slow.json
fit $gaussian --step-size 0.7 --no-ledger --out other.json
with_receipt slow.json other.json moved.json
expect 0 'holds  slow.json' check slow.json
expect 1 'FAILS  the receipt was given for this release' "$tacit" verify moved.json
without_commitment moved.json silent.json
expect 1 'paid for another release' check silent.json
fit --mu 0.3 --ledger L.db --label a --out default.json
fit --mu 0.3 --no-ledger --out other.json
sed 's/"quantile": 0.5/"quantile": 0.4/' default.json >quantile.json
expect 1 'FAILS  the receipt was given for this release' "$tacit" verify quantile.json
with_receipt default.json other.json again.json # the same inputs: nothing but the noise differs
expect 0 'holds as claimed' "$tacit" verify again.json
expect 1 'FAILS  again.json.*paid for another of these' check default.json again.json
# a policy that never had a receipt has none to compare
sed 's/"commitment": "0*\(.\)/"commitment": "g\1/' default.json >odd.json
expect 3 'ledger' "$tacit" verify odd.json
expect 0 '"commitment": "[0-9a-f]{64}"' "$tacit" ledger export L.db --json
expect 0 '"commitment": "[0-9a-f]{64}"' "$tacit" evaluate default.json t.csv --mu 0.1 --ledger L.db --label a --json
evaluated=$(commitment out)
"$tacit" ledger export L.db --json >statement.json
grep -q "$evaluated" statement.json || wrong "the evaluation is not the one that the ledger names"
"$tacit" evaluate slow.json t.csv --mu 0.1 --ledger L.db --label a --json >out
[ "$(commitment out)" = "$evaluated" ] && wrong "evaluations of two rules have one commitment"
checks=$((checks + 2))

# a ledger of version 2 and its policies: read as they are, and by the same rule for amounts; then upgraded
old="$here/tests/old_ledger"
cp "$old/version-2.db" old.db && cp "$old"/*.json .
chmod 444 old.db
expect 0 'holds  gaussian.json' "$tacit" ledger show old.db --check gaussian.json cheap.json
chmod 600 old.db
for policy in gaussian cheap dear; do expect 0 'holds as claimed' "$tacit" verify $policy.json; done
expect 1 'FAILS  dear.json.*entry 3 pays for less' "$tacit" ledger show old.db --check dear.json
cp "$old/version-2.db" untouched.db
expect 4 'not enough' "$tacit" fit t.csv --schema s.json --quantile 0.5 --mu 9 --ledger old.db --label days --out no.json
same old.db untouched.db # refused: still version 2
awk 'BEGIN { print "day,demand"; for (i = 1; i <= 60; i++) printf "%d,%d\n", i, 30 + 10 * (i % 7) }' >days.csv
echo '{"target": {"name": "demand", "min": 0, "max": 120}, "features": []}' >day.json
expect 0 written "$tacit" fit days.csv --schema day.json --quantile 0.5 --mu 0.5 --method median-newton --ledger old.db --label days --out new.json
expect 0 'holds  new.json' "$tacit" ledger show old.db --check gaussian.json cheap.json new.json
expect 1 'FAILS  dear.json.*entry 3 pays for less' "$tacit" ledger show old.db --check dear.json
if command -v sqlite3 >/dev/null; then
  [ "$(sqlite3 old.db 'SELECT version FROM meta')" = 3 ] || wrong "the ledger was not upgraded"
  [ "$(sqlite3 old.db "SELECT group_concat(length(commitment)) FROM entries")" = 0,0,0,64 ] || wrong "commitments"
  checks=$((checks + 2))
fi
# a policy with a commitment is not paid for by an entry without one
number=$(sed -n '/"ledger": {/,/}/s/.*"sequence": \([0-9]*\).*/\1/p' gaussian.json)
head=$(sed -n '/"ledger": {/,/}/s/.*"head": "\([0-9a-f]*\)".*/\1/p' gaussian.json)
sed "s/\"sequence\": 4/\"sequence\": $number/; s/\"head\": \"[0-9a-f]*\"/\"head\": \"$head\"/" new.json >borrowed.json
expect 0 'holds as claimed' "$tacit" verify borrowed.json
expect 1 'FAILS  borrowed.json.*entry 2 paid for another release' "$tacit" ledger show old.db --check borrowed.json

# the chain as the format page has it, on a ledger with entries of both kinds
if command -v python3 >/dev/null; then
  sed -n '/^```python$/,/^```$/p' "$here/docs/formats/ledger.md" | sed '/^```/d; s/"ledger.db"/"old.db"/' >chain.py
  expect 0 'whole; the head is [0-9a-f]{64}' python3 chain.py
fi
finish
