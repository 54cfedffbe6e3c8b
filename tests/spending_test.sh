#!/bin/sh
# Spending by whole programs: budgets, many spenders at once, kill -9 at hundreds of points, a full disk, and ledgers
# that are damaged, read-only, locked, cut or rolled back. Figures are printed.
. tests/lib.sh
full="$work/full"
trap 'umount "$full" 2>/dev/null; chmod -f 755 "$work/closed"; rm -rf "$work"' EXIT
wrong() { failed=$((failed + 1)); echo "FAILED: $*"; }
is() { checks=$((checks + 1)); [ "$2" = "$3" ] || wrong "$1: $2, expected $3"; }

"$tacit" simulate zhao-normal --rows 300 --seed 5 --schema-out s.json >t.csv
fit() { "$tacit" fit t.csv --schema s.json --quantile 0.5 --threads 1 "$@"; }
show() { "$tacit" ledger show "$@" --json >shown.json 2>/dev/null; }

# a budget, spent to its last digit
expect 0 'lamb +0.5 +0 +0.5' "$tacit" ledger open L.db --label lamb --mu 0.5
expect 0 'left: 0.4 of 0.5' fit --mu 0.3 --ledger L.db --label lamb --out a.json
expect 4 'mu = 0.41 is asked, 0.4 is left of 0.5' fit --mu 0.41 --ledger L.db --label lamb --out no.json
expect 0 '"left_mu": 0.0' fit --mu 0.4 --ledger L.db --label lamb --out b.json --json
expect 4 'not enough' fit --mu 1e-9 --ledger L.db --label lamb --out no.json
sed 's/"max": [0-9]*/&.5/; s/"scale": 1,/"scale": 2,/' s.json >s2.json
expect 4 'not enough' "$tacit" fit t.csv --schema s2.json --quantile 0.9 --mu 0.1 --ledger L.db --label lamb --out no.json
expect 4 'no budget' fit --mu 0.1 --ledger L.db --label lmab --out no.json
[ -e no.json ] && wrong "a refused fit left a policy"
show L.db --label lamb
is spent "$(field shown.json spent_mu) $(field shown.json left_mu) $(field shown.json releases) $(field shown.json budget_mu)" "0.5 0.0 2 0.5"
expect 0 'holds  a.json' "$tacit" ledger show L.db --check a.json b.json
expect 4 'already.*--change' "$tacit" ledger open L.db --label lamb --mu 2
expect 0 'lamb +2 +0.5' "$tacit" ledger open L.db --label lamb --mu 2 --change
expect 0 'beef' "$tacit" ledger open L.db --label beef --epsilon 1 --delta 1e-6
expect 0 'left: 0 of' fit --epsilon 1 --delta 1e-6 --ledger L.db --label beef --out c.json
expect 4 'not enough' fit --epsilon 0.001 --delta 1e-6 --ledger L.db --label beef --out no.json
expect 0 '"labels": \[' "$tacit" ledger show L.db --json
expect 0 'Population "lamb": 2 releases' "$tacit" ledger export L.db
expect 0 '"tacit-ledger-statement"' "$tacit" ledger export L.db --json
expect 0 '^default +1 ' "$tacit" ledger open own.db --mu 1
expect 2 'budget' "$tacit" ledger open L.db --label x
expect 2 'no label' "$tacit" ledger show L.db --label x
expect 2 'not both' fit --mu 1 --ledger L.db --no-ledger --out no.json
expect 3 'ledger open' "$tacit" ledger show none.db
for part in open show export; do expect 0 'usage: tacit ledger' "$tacit" ledger $part --help; done

# the user's own ledger, and who does not touch it
expect 0 'label "default", entry 1.*no budget' fit --mu 5 --out own.json
expect 0 'entry 2; spent so far: mu = 13 in 2' fit --mu 12 --out own2.json
is folder "$(stat -c %a state/tacit)$(stat -c %a state/tacit/ledger.db)" 700600
expect 0 written fit --mu 1 --seed 3 --out seeded.json
expect 0 written fit --method erm --out erm.json
expect 0 written fit --mu 1 --no-ledger --out free.json
expect 3 'no such file' "$tacit" fit none.csv --schema s.json --quantile 0.5 --mu 1 --out no.json
expect 5 'cannot write' fit --mu 1 --out no/folder/p.json
show
is own "$(field shown.json releases) $(field shown.json spent_mu)" "2 13.0"
for name in seeded erm free; do grep -q '"ledger": null' $name.json || wrong "$name has a receipt"; done
expect 0 'holds.*whole' "$tacit" ledger show --check
expect 1 'no receipt' "$tacit" ledger show state/tacit/ledger.db --check free.json
expect 0 'entry 1;' env -u XDG_STATE_HOME HOME="$work/home" "$tacit" fit t.csv --schema s.json --quantile 0.5 --mu 1 --out home.json
[ -f home/.local/state/tacit/ledger.db ] || wrong "no ledger under HOME"
expect 4 'no home' env -u XDG_STATE_HOME -u HOME "$tacit" fit t.csv --schema s.json --quantile 0.5 --mu 1 --out no.json

# a ledger that is named must be there: a mistyped name is no fresh budget
expect 3 'no ledger typo.db .*tacit ledger open typo.db --label NAME --mu M makes one' fit --mu 0.1 --ledger typo.db --label lamb --out no.json
[ -e typo.db ] && wrong "a mistyped ledger was made"

# a label counts for one unit and one adjacency; entries name the learner
expect 0 'pinned' "$tacit" ledger open L.db --label pinned --mu 5 --adjacency add-remove --rows-per-unit 1
expect 4 'add-remove, and this is for 1 row, replace-one.*another --label' fit --mu 0.1 --ledger L.db --label pinned --out no.json
expect 0 written fit --mu 0.1 --ledger L.db --label pinned --adjacency add-remove --nominal-rows 300 --out pinned.json
expect 4 'replace-one, and this is for 1 row, add-remove' fit --mu 0.1 --ledger L.db --label lamb --adjacency add-remove --nominal-rows 300 --out no.json
sed 's/^{/{"unit": {"rows_per_unit": 2},/' s.json >s3.json
expect 4 'units of 1 row, replace-one, and this is for 2 rows' "$tacit" fit t.csv --schema s3.json --quantile 0.5 --mu 0.1 --ledger L.db --label lamb --out no.json
# a day is a day, with lags (which put it into three rows) and without
awk 'BEGIN { print "day,demand"; for (i = 1; i <= 60; i++) printf "%d,%d\n", i, 30 + 10 * (i % 7) }' >days.csv
echo '{"target": {"name": "demand", "min": 0, "max": 120}, "features": []}' >day.json
echo '{"target": {"name": "demand", "min": 0, "max": 120}, "features": [{"name": "demand", "lag": 7}, {"name": "demand", "lag": 14}], "unit": {"rows_per_unit": 3}}' >lag.json
"$tacit" ledger open L.db --label days --mu 5 >/dev/null
for schema in day lag; do
  expect 0 written "$tacit" fit days.csv --schema $schema.json --quantile 0.5 --mu 1 --ledger L.db --label days --out $schema-policy.json
done
expect 0 'holds  lag-policy' "$tacit" ledger show L.db --label days --check day-policy.json lag-policy.json
# a release that is not Gaussian: the label then keeps an (epsilon, delta)
"$tacit" ledger open L.db --label mixed --mu 1 >/dev/null
expect 0 'left: 0.95' fit --mu 0.3 --ledger L.db --label mixed --out mixed1.json
expect 0 'spent so far: epsilon = .* at delta = 1e-06 in 2 releases; of 5.03' fit --method objective --epsilon 1 --delta 1e-6 --ledger L.db --label mixed --out mixed2.json
expect 4 'not enough budget: epsilon = 6' fit --method objective --epsilon 6 --delta 1e-6 --ledger L.db --label mixed --out no.json
expect 4 'not enough budget: mu = 0.95' fit --mu 0.95 --ledger L.db --label mixed --out no.json
expect 0 '"measure": "rdp"' "$tacit" ledger show L.db --label mixed --json
expect 0 '"spent_mu": null' "$tacit" ledger show L.db --label mixed --json
expect 0 'holds  mixed2.json' "$tacit" ledger show L.db --label mixed --check mixed1.json mixed2.json
expect 0 'not all of them are Gaussian' "$tacit" ledger export L.db
expect 0 '\(1, 2e-06\)' "$tacit" ledger open L.db --label pair --epsilon 1 --delta 1e-6
expect 2 'together' "$tacit" ledger open L.db --label x --mu 1 --adjacency add-remove
expect 4 'different promises' "$tacit" ledger open L.db --label lamb --mu 2 --adjacency add-remove --rows-per-unit 1
expect 0 '"method": "location-scale"' "$tacit" ledger export L.db --json
expect 0 'gdp replace-one 1 rows' "$tacit" ledger export L.db --json
expect 0 'protects units of 1 row; neighbouring tables have one unit more' "$tacit" ledger export L.db
expect 0 '"adjacency": "add-remove"' "$tacit" ledger show L.db --label pinned --json
[ -e no.json ] && wrong "a refused fit left a policy"

# one entry pays for one policy
sed 's|"z1": [-+0-9.e]*|"z1": 1.5|' a.json >forged.json
expect 1 'FAILS  forged.json.*another of these' "$tacit" ledger show L.db --check a.json forged.json
expect 0 holds "$tacit" ledger show L.db --check a.json a.json

# 100 spenders at once, a budget for 36
"$tacit" ledger open many.db --label crowd --mu 0.6 >/dev/null
i=0
while [ $i -lt 100 ]; do
  { fit --mu 0.1 --ledger many.db --label crowd --wait 300 --out crowd$i.json >/dev/null 2>crowd$i.err; echo $? >crowd$i.code; } &
  i=$((i + 1))
done
wait
is "spenders that got through" "$(cat crowd*.code | grep -c '^0$') $(cat crowd*.code | grep -c '^4$')" "36 64"
is policies "$(ls crowd*.json | wc -l)" 36
show many.db
is "spent together" "$(field shown.json spent_mu) $(field shown.json left_mu) $(field shown.json releases)" "0.59999999999999998 0.0 36"
expect 0 'holds' "$tacit" ledger show many.db --check crowd*.json
echo "100 spenders at once, budget for 36: $(grep -l '^0$' crowd*.code | wc -l) released, never more"

# kill -9 swept over a fit in 240 steps, and over the making of a ledger in 40
now() { date +%s%N; }
"$tacit" ledger open kill.db --label default --mu 100 >/dev/null
began=$(now)
fit --mu 0.1 --method noisy-gd --steps 400 --growth 1 --ledger kill.db --out k.json >/dev/null
took=$((($(now) - began) / 1000)) # microseconds
rm -f kill.db k.json
before=0 unpaid=0 paid=0 lost=0 released=0 i=0
"$tacit" ledger open kill.db --label default --mu 100 >/dev/null
while [ $i -lt 240 ]; do
  rm -f k.json
  delay=$((took * i / 200)) # beyond the end too
  timeout -s KILL "$(printf '%d.%06d' $((delay / 1000000)) $((delay % 1000000 + 1)))" \
    "$tacit" fit t.csv --schema s.json --quantile 0.5 --threads 1 --method noisy-gd --steps 400 --growth 1 --mu 0.1 --ledger kill.db --out k.json >/dev/null 2>&1
  policy=
  [ -e k.json ] && policy=k.json
  "$tacit" ledger show kill.db --json --check $policy >shown.json 2>err || { wrong "kill point $i: $(cat err shown.json | grep -A2 false | head -3)"; break; }
  releases=$(field shown.json releases)
  case $((releases - before))$policy in
    0) unpaid=$((unpaid + 1)) ;;
    1) lost=$((lost + 1)) ;;
    1k.json) released=$((released + 1)) ;;
    *) wrong "kill point $i: $((releases - before)) entries, policy: $policy" ;;
  esac
  before=$releases
  i=$((i + 1))
done
checks=$((checks + 240))
echo "kill -9 at $i points of a fit: $unpaid before paying, $lost paid and not released, $released released; none unpaid for"
{ [ $unpaid -gt 5 ] && [ $((lost + released)) -gt 5 ]; } || echo "note: the sweep missed a phase on this machine"
began=$(now)
"$tacit" ledger open first.db --label a --mu 1 >/dev/null
took=$((($(now) - began) / 1000))
i=0 whole=0
while [ $i -lt 40 ]; do
  rm -f new.db*
  timeout -s KILL "0.$(printf '%06d' $((took * i / 25 + 1)))" "$tacit" ledger open new.db --label a --mu 1 >/dev/null 2>&1
  if [ -e new.db ]; then
    "$tacit" ledger show new.db --check >/dev/null || wrong "half a ledger after kill point $i"
    whole=$((whole + 1))
  fi
  i=$((i + 1))
done
checks=$((checks + 40))
echo "kill -9 at $i points of making a ledger: $whole whole, $((i - whole)) not there, none half"
echo "temporary files left by those kills: $(ls | grep -c 'tacit-tmp$')"
expect 0 written fit --mu 0.1 --ledger kill.db --out k.json
expect 0 'a +1' "$tacit" ledger open new2.db --label a --mu 1
rm -f new.db && "$tacit" ledger open new.db --label a --mu 1 >/dev/null
ls ./*.tacit-tmp >/dev/null 2>&1 && wrong "temporary files outlive the next run: $(ls ./*.tacit-tmp)"
checks=$((checks + 1))

# Ctrl-C in the middle: the record is whole, and what was spent is said
"$tacit" simulate zhao-normal --rows 20000 --seed 5 >big.csv
sh -c "trap - INT; exec '$tacit' fit big.csv --schema s.json --quantile 0.5 --method noisy-gd --steps 20000 --growth 1 --mu 1 --ledger kill.db --out int.json" >/dev/null 2>int.err &
pid=$!
sleep 0.7
kill -INT $pid 2>/dev/null
wait $pid
code=$?
[ -e int.json ] && [ $code != 0 ] && wrong "a policy after Ctrl-C"
[ $code = 130 ] && { grep -q 'was spent before' int.err || grep -q 'stopped' int.err || wrong "Ctrl-C says nothing"; }
expect 0 holds "$tacit" ledger show kill.db --check

# damaged, cut, rolled back, no ledger at all
cp L.db good.db
head -c 4096 good.db >cut.db
expect 3 'damaged.*Nothing was spent.*Restore' fit --mu 0.1 --ledger cut.db --label lamb --out no.json
expect 1 'FAILS' "$tacit" ledger show cut.db --check
: >cut.db
expect 3 'cut to nothing' fit --mu 0.1 --ledger cut.db --label lamb --out no.json
LC_ALL=C sed 's/7e-1/1e-9/; s/3e-1/3e-9/' good.db >edited.db
cmp -s good.db edited.db && wrong "the edit changed nothing"
expect 3 'damaged' fit --mu 0.1 --ledger edited.db --label lamb --out no.json
expect 1 'FAILS.*(chain|pages|changed)' "$tacit" ledger show edited.db --check a.json
expect 3 'not an SQLite' fit --mu 0.1 --ledger t.csv --out no.json
expect 0 written fit --mu 0.1 --ledger L.db --label lamb --out d.json
expect 0 'holds  d.json' "$tacit" ledger show L.db --check a.json b.json d.json
expect 1 'FAILS  d.json.*rolled back' "$tacit" ledger show good.db --check a.json b.json d.json
cp good.db L.db
expect 0 written fit --mu 0.1 --ledger L.db --label lamb --out e.json
expect 1 'FAILS  d.json.*not the one that paid' "$tacit" ledger show L.db --check d.json e.json
expect 1 '"holds": false' "$tacit" ledger show L.db --check d.json e.json --json
if command -v sqlite3 >/dev/null; then
  cp good.db newer.db && sqlite3 newer.db 'UPDATE meta SET version = 7'
  expect 3 'newer tacit.*version 7' fit --mu 0.1 --ledger newer.db --label lamb --out no.json
  { echo 'BEGIN EXCLUSIVE;'; sleep 3; } | sqlite3 L.db &
  sleep 0.5
  expect 4 'in use' fit --mu 0.1 --ledger L.db --label lamb --wait 0 --out no.json
  expect 0 written fit --mu 0.1 --ledger L.db --label lamb --out waited.json
  wait
fi

# settle PATH: the good ledger as if it had always been there; the first one is hidden in another folder meanwhile
mkdir away
settle() { cp good.db "$1" && mv L.db away && "$tacit" ledger move "$1" >/dev/null && mv away/L.db L.db; }

# read-only: as a user whom the system stops
if [ "$(id -u)" != 0 ]; then as=; elif command -v setpriv >/dev/null; then as="setpriv --reuid=65534 --regid=65534 --clear-groups"; else as=skip; fi
chmod 755 "$work"
if [ "$as" = skip ] || ! $as "$tacit" --version >/dev/null 2>&1; then
  echo "skipped: no user to try a read-only ledger as"
else
  mkdir open closed && chmod 777 open && settle closed/L.db && settle open/L.db && chmod 444 closed/L.db open/L.db
  readonly_fit() { $as "$tacit" fit t.csv --schema s.json --quantile 0.5 --mu 0.1 --label lamb --out open/no.json --ledger "$1"; }
  chmod 644 t.csv s.json
  expect 4 'cannot be written.*writable' readonly_fit open/L.db
  chmod 666 closed/L.db && chmod 555 closed
  expect 4 'cannot be written.*writable' readonly_fit closed/L.db
  expect 3 'no ledger closed/new.db.*ledger open' readonly_fit closed/new.db
  expect 4 'cannot make the ledger' $as "$tacit" ledger open closed/new.db --label lamb --mu 1
  expect 0 'lamb' $as "$tacit" ledger show closed/L.db --check
  [ -e open/no.json ] && wrong "a policy without a payment"
fi

# a full disk
mkdir -p "$full"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=256k tmpfs "$full" 2>/dev/null; then
  settle "$full/L.db"
  dd if=/dev/zero of="$full/filler" bs=1k 2>/dev/null
  expect 5 'no space' fit --mu 0.1 --ledger "$full/L.db" --label lamb --out no.json
  expect 5 'no space' "$tacit" ledger open "$full/new.db" --label lamb --mu 1
  [ -e no.json ] && wrong "a policy without a payment"
  [ -e "$full/new.db" ] && wrong "half a ledger on a full disk"
  expect 5 'cannot write.*' fit --mu 0.1 --ledger L.db --label lamb --out "$full/p.json"
  grep -q 'was spent before that' err || wrong "a lost release is not said to be spent"
  [ -e "$full/p.json" ] && wrong "half a policy on a full disk"
  rm "$full/filler"
  expect 0 'holds' "$tacit" ledger show "$full/L.db" --check a.json b.json
  expect 0 written fit --mu 0.1 --ledger "$full/L.db" --label lamb --out "$full/p.json"
  echo "full disk: refused, nothing lost"
else
  echo "skipped: no small disk can be mounted to fill it"
fi
finish
