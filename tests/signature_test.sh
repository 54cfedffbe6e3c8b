#!/bin/sh
# Signatures: who vouches for a policy, and every way to make one that nobody gave.
. tests/lib.sh

"$tacit" simulate zhao-normal --rows 300 --seed 5 --schema-out s.json >t.csv
fit() { "$tacit" fit t.csv --schema s.json --quantile 0.5 --mu 0.5 --method noisy-gd --steps 5 --no-ledger "$@"; }

# keys
expect 0 'public key: [0-9a-f]{64}' "$tacit" keys --out me
expect 0 '"public_key": "[0-9a-f]{64}"' "$tacit" keys --out other --json
[ "$(stat -c %a me.secret) $(stat -c %a me.public)" = "600 644" ] || { failed=$((failed + 1)); echo "FAILED: permissions of keys"; }
cp me.secret before
expect 4 'never replaced' "$tacit" keys --out me
same me.secret before
expect 2 'out is needed' "$tacit" keys
expect 5 'cannot write' "$tacit" keys --out no/such/folder/key
grep -q "$(sed 's/.* //' me.secret)" me.public && { failed=$((failed + 1)); echo "FAILED: the public file has the secret"; }

# signed, and by whom
expect 0 written fit --sign me.secret --out p.json
expect 0 'holds  the signature fits' "$tacit" verify p.json
expect 0 'Whoever holds the key [0-9a-f]{64}' "$tacit" verify p.json
expect 0 'signed with the key that was asked for' "$tacit" verify p.json --public-key me.public
expect 0 "\"signer\": \"$(sed 's/.* //' me.public)\"" "$tacit" verify p.json --json
expect 1 'FAILS  it was signed with another key' "$tacit" verify p.json --public-key other.public
expect 0 written fit --out u.json
expect 0 'claimed, not proved' "$tacit" verify u.json
expect 0 '"signer": null' "$tacit" verify u.json --json
expect 1 'FAILS  nobody signed it' "$tacit" verify u.json --public-key me.public
grep -q "$(sed 's/.* //' me.secret)" p.json && { failed=$((failed + 1)); echo "FAILED: the policy has the secret key"; }
checks=$((checks + 3))

# what is signed is everything: a changed coefficient, schema, receipt, version or key, another policy's signature
tamper() { # tamper SED-SCRIPT
  sed "$1" p.json >x.json
  cmp -s p.json x.json && { failed=$((failed + 1)); echo "FAILED: $1 changed nothing"; }
  expect 1 'FAILS  the signature fits' "$tacit" verify x.json
  expect 1 'FAILS' "$tacit" verify x.json --public-key me.public
}
tamper 's/"z1": \(-*\)/"z1": \11/'
tamper 's/"tacit": "[^"]*"/"tacit": "9.9.9"/'
tamper 's/"ledger": null/"ledger": {"label": "a", "sequence": 1, "head": "'"$(printf '0%.0s' $(seq 64))"'"}/'
tamper 's/"quantile": 0.5/"quantile": 0.6/'
tamper "s/$(sed 's/.* //' me.public)/$(sed 's/.* //' other.public)/"
expect 0 written fit --sign me.secret --out q.json
sed "s/$(sed -n 's/.*"signature": "\(.*\)".*/\1/p' p.json)/$(sed -n 's/.*"signature": "\(.*\)".*/\1/p' q.json)/" p.json >swapped.json
expect 1 'FAILS  the signature fits' "$tacit" verify swapped.json
expect 3 'signature' sh -c "sed 's/\"public_key\": \"../\"public_key\": \"/' p.json >x.json; '$tacit' verify x.json"
expect 3 'signature' sh -c "sed 's/\"public_key\": \"../\"public_key\": \"ZZ/' p.json >x.json; '$tacit' verify x.json"
expect 1 'FAILS' sh -c "sed 's/\"algorithm\": \"Ed25519\"/\"algorithm\": \"none\"/' p.json >x.json; '$tacit' verify x.json"
# white space and the order of keys are not what is signed, but a file that is laid out anew does not verify
if command -v python3 >/dev/null; then
  expect 1 'FAILS  the file is, byte for byte.*laid out anew' sh -c "python3 -c 'import json,sys; d=json.load(open(\"p.json\")); json.dump(dict(reversed(d.items())), open(\"r.json\", \"w\"))'; '$tacit' verify r.json --public-key me.public"
  expect 1 'holds  the signature fits' "$tacit" verify r.json --public-key me.public
  expect 1 'holds  it was signed with the key that was asked for' "$tacit" verify r.json --public-key me.public
fi

# key files that are not as they should be: refused before anything is spent, and never quoted
printf 'tacit-secret-key-1 987654' >cut.secret && chmod 600 cut.secret
expect 3 'no secret key.*cut' fit --sign cut.secret --out no.json
grep -q 987654 err && { failed=$((failed + 1)); echo "FAILED: a key is quoted"; }
expect 3 'no public key' "$tacit" verify p.json --public-key cut.secret
expect 3 'no public key' "$tacit" verify p.json --public-key me.secret
expect 3 'no secret key' sh -c "cp me.public swapped.secret; chmod 600 swapped.secret; '$tacit' fit t.csv --schema s.json --quantile 0.5 --mu 1 --no-ledger --sign swapped.secret --out no.json"
head -c 40 me.public >cut.public
expect 3 'no public key' "$tacit" verify p.json --public-key cut.public
{ cat me.public; echo more; } >long.public
expect 3 'no public key' "$tacit" verify p.json --public-key long.public
expect 3 'cannot read' "$tacit" verify p.json --public-key none.public
for mode in 640 604 660 644; do
  cp me.secret weak.secret && chmod $mode weak.secret
  expect 4 'may be read by others' fit --sign weak.secret --out no.json
done
[ -e no.json ] && { failed=$((failed + 1)); echo "FAILED: a policy without its signature"; }
"$tacit" ledger open L.db --label a --mu 1 >/dev/null
expect 4 'may be read' "$tacit" fit t.csv --schema s.json --quantile 0.5 --mu 0.5 --ledger L.db --label a --sign weak.secret --out no.json
expect 0 '"releases": 0' "$tacit" ledger show L.db --json
# a policy that is not private may be signed; it still does not verify
expect 0 written "$tacit" fit t.csv --schema s.json --quantile 0.5 --method erm --sign me.secret --out erm.json
expect 1 'holds  the signature fits' "$tacit" verify erm.json
finish
