#!/bin/sh
# A ledger among other files, by whole programs: nothing is written over it, what was put aside is found, a stranger's
# policy takes no receipt away, and a statement is of one moment.
. tests/lib.sh
wrong() { failed=$((failed + 1)); echo "FAILED: $*"; }
is() { checks=$((checks + 1)); [ "$2" = "$3" ] || wrong "$1: $2, expected $3"; }

"$tacit" simulate zhao-normal --rows 300 --seed 5 --schema-out s.json >t.csv
fit() { "$tacit" fit t.csv --schema s.json --quantile 0.5 --threads 1 "$@"; }
open_new() { rm -f "$1" "$1-journal" && "$tacit" ledger open "$1" --label a --mu 1 >/dev/null; }

# no command writes over a ledger, its own or another, nor over what belongs to it, however it is spelled
open_new L.db
open_new other.db
mkdir in && ln -s .. in/up && ln -s L.db link.db
cp L.db before.db
for name in L.db ./L.db "$work/L.db" in/up/L.db link.db L.db-journal ./L.db-journal "$work/L.db-journal" in/up/L.db-wal L.db-shm other.db; do
  expect 5 'cannot write' fit --mu 0.1 --ledger L.db --label a --out $name
  expect 5 'cannot write' fit --mu 0.1 --no-ledger --out $name
  expect 5 'cannot write' fit --mu 0.1 --seed 3 --out $name
  [ $name = link.db ] || expect 5 'cannot write' "$tacit" pack t.csv --schema s.json --out $name
  expect 5 'cannot write' "$tacit" simulate zhao-normal --rows 3 --schema-out $name
done
# nor through links to a journal, be it there or not
mkdir figs && ln -s ../L.db-journal in/log.json && ln -s in/log.json log.json && ln -s "$work/L.db-wal" figs/chen-smoothing.csv
expect 5 'cannot write' "$tacit" simulate zhao-normal --rows 3 --schema-out log.json
expect 5 'cannot write' "$tacit" simulate zhao-normal --rows 3 --schema-out in/log.json
expect 5 'cannot write' "$tacit" reproduce chen-smoothing --out figs
printf JJJJ >L.db-journal
expect 5 'cannot write' "$tacit" simulate zhao-normal --rows 3 --schema-out log.json
[ "$(cat L.db-journal)" = JJJJ ] || wrong "something was written over the journal through a link"
[ -e L.db-wal ] && wrong "something was written where SQLite would look for its log"
rm L.db-journal
same L.db before.db
expect 0 'whole' "$tacit" ledger show L.db --check
[ -e L.db-journal ] && wrong "something was written over the journal"
# one that is not there yet: the user's own
mkdir -p state/tacit
for name in state/tacit/ledger.db ./state/tacit/ledger.db-journal "$work/state/../state/tacit/ledger.db-wal"; do
  expect 2 'names the ledger' fit --mu 0.1 --out $name
done
[ -e state/tacit/ledger.db-journal ] && wrong "a policy is where the own ledger's journal goes"
# its folders are on the disk before it is, also those that somebody else made
mkdir -p made/tacit
if strace -o /dev/null true 2>/dev/null; then
  XDG_STATE_HOME="$work/made" strace -f -y -e trace=fsync -o trace "$tacit" ledger open --label a --mu 1 >/dev/null
  checks=$((checks + 1))
  grep -q "fsync([0-9]*<$work/made>)" trace || wrong "the folder of the own ledger's folder was not synced"
  # and where one cannot be put there, nothing is begun: each of them in turn, whoever made it
  own() { XDG_STATE_HOME="$work/failing" strace -f -e trace=fsync -e "inject=fsync:error=EIO:when=$1" -o /dev/null "$tacit" ledger open --label a --mu 1; }
  folders=$(printf '%s' "$work/failing/tacit" | tr -cd / | wc -c)
  i=1
  while [ $i -le "$folders" ]; do
    expect 4 'cannot make the folder of your own ledger' own $i
    [ -e failing/tacit/ledger.db ] && wrong "a ledger in a folder that is not on the disk"
    i=$((i + 1))
  done
  expect 0 'label' own 1000
else
  echo "skipped: no strace to see folders synced with"
fi
# a policy may take the place of a database that is no ledger, and of an older policy
expect 0 written fit --mu 0.1 --ledger L.db --label a --out p.json
expect 0 written fit --mu 0.1 --ledger L.db --label a --out p.json

# nor do figures, through links that lead to one: tables, scripts, and the pictures that gnuplot would write
mkdir bin figures pictures
printf '#!/bin/sh\nsed -n "s/^set output .\\(.*\\).$/\\1/p" "$1" | { read -r file; echo picture >"$file"; }\n' >bin/gnuplot
chmod +x bin/gnuplot
with() { env PATH="$work/bin:$PATH" "$tacit" "$@"; }
plan() { with plan --schema s.json --reps 2 --rows 100 --quantile 0.5 "$@"; }
cp L.db before.db
ln -s ../L.db figures/plan.gp && ln -s ../L.db figures/chen-smoothing.csv
ln -s ../L.db pictures/plan.svg && ln -s ../L.db pictures/chen-smoothing.png
expect 5 'cannot write plan.gp' plan --out figures/plan.png
expect 5 'cannot write chen-smoothing.csv' with reproduce chen-smoothing --out figures
expect 0 '"drawn": false' with reproduce chen-smoothing --out pictures --json
plan --out pictures/plan.svg >/dev/null 2>&1
same L.db before.db

# what is shown as spent is rounded up, what is shown as left down
open_new round.db
fit --mu 0.07 --ledger round.db --label a --out r1.json >/dev/null
expect 0 'spent so far: mu = 0.3081 in 2 releases; left: 0.9513 of 1' fit --mu 0.3 --ledger round.db --label a --out r2.json
expect 0 ' 0.3081 +0.9513 ' "$tacit" ledger show round.db
expect 0 'together 0.308058437-Gaussian' "$tacit" ledger export round.db
expect 0 'mu = 0.951367436 is left' "$tacit" ledger export round.db

# so are promises, of amounts, epsilon and delta; a budget, which promises and allows, and an entry are shown in full
rm -f full.db
expect 0 '^a +2.9999999996 ' "$tacit" ledger open full.db --label a --mu 2.9999999996
expect 0 'keep \(epsilon, delta\) = \(5.03012, 1.01e-06\)' "$tacit" ledger open full.db --label b --mu 1.0000001 --delta 1.0004e-6
expect 0 'left: 2.984 of 2.9999999996 ' fit --mu 0.30000049 --ledger full.db --label a --out f.json
expect 0 '^0.300001-Gaussian' "$tacit" evaluate f.json t.csv --mu 0.30000049 --cost-bound 10 --ledger full.db --label a
expect 0 'at delta = 1.01e-06 in 1 release; of 5.03012$' fit --method sgd --epsilon 1.00000049 --delta 1.0004e-7 --ledger full.db --label b --out g.json
expect 0 'spent of 5.03012, at delta = 1.01e-06' "$tacit" ledger show full.db
expect 0 '^a +2.9999999996 ' "$tacit" ledger show full.db
"$tacit" ledger export full.db >full
for line in 'A budget of mu = 2.9999999996 is in force' 'epsilon, delta) = (1.12843, 1.01e-06), from' '^(5.03012, 1.01e-06). Later' \
  ' budget  2.9999999996 a' ' spend   0.30000049 a' ' spend   (1.00001, 1.01e-07) b'; do
  checks=$((checks + 1))
  grep -q "$line" full || wrong "a statement without: $line"
done

# put aside by a rename, restored in its place, put back by a rename
open_new a.db
mv a.db aside.db && cp aside.db a.db
expect 4 'not where' fit --mu 0.95 --ledger a.db --label a --out no.json
expect 4 'aside.db is the ledger as it was put aside' "$tacit" ledger move a.db
mv aside.db a.db
expect 0 written fit --mu 0.95 --ledger a.db --label a --out p1.json
expect 0 'holds  p1.json' "$tacit" ledger show a.db --check p1.json
# moved, with a link left behind
mkdir new && mv a.db new/a.db && ln -s new/a.db a.db
expect 0 'at home' "$tacit" ledger move a.db
expect 0 'holds  p1.json' "$tacit" ledger show new/a.db --check p1.json

# a policy that holds, but was paid for elsewhere, takes no receipt away: in either order
open_new b.db
open_new c.db
fit --mu 0.3 --ledger b.db --label a --out honest.json >/dev/null
fit --mu 0.4 --ledger c.db --label a --out thief.json >/dev/null
head=$(sed -n 's/.*"head": "\([0-9a-f]*\)".*/\1/p' honest.json)
sed -i 's/"head": "[0-9a-f]*"/"head": "'"$head"'"/' thief.json
expect 0 'holds' "$tacit" verify thief.json
for order in 'honest.json thief.json' 'thief.json honest.json'; do
  expect 1 'holds  honest.json was paid for' "$tacit" ledger show b.db --check $order
  expect 1 'FAILS  thief.json was paid for: entry 2 paid for another release' "$tacit" ledger show b.db --check $order
done
# two that could both be the one: neither stands, in either order
fit --mu 0.3 --ledger c.db --label a --out twin.json >/dev/null
sed -i 's/"head": "[0-9a-f]*"/"head": "'"$head"'"/; s/"sequence": [0-9]*/"sequence": 2/' twin.json
for order in 'honest.json twin.json' 'twin.json honest.json'; do
  for name in honest twin; do
    expect 1 "FAILS  $name.json was paid for: its entry paid for another of these" "$tacit" ledger show b.db --check $order
  done
done
cp honest.json again.json
expect 0 'holds  again.json' "$tacit" ledger show b.db --check honest.json again.json

# a statement is of one moment: somebody spends while it is read by a slow reader
open_new m.db
column=$(printf '%0300d' 0 | tr 0 x)
i=0
while [ $i -lt 260 ]; do
  "$tacit" ledger open m.db --label "label$i" --mu 1 --adjacency replace-one --rows-per-unit 1 --unit-column "$column" >/dev/null
  i=$((i + 1))
done
"$tacit" ledger export m.db | { sleep 1; cat; } >statement &
sleep 0.4
expect 0 written fit --mu 0.1 --ledger m.db --label a --out m.json
wait
entries=$(sed -n 's/^Ledger .*, \([0-9]*\) entries.*/\1/p' statement)
is "entries of a statement" "$(sed '1,/^Entries/d' statement | grep -Ec ' (budget|spend) +[0-9]')" "$entries"
is "its last entry" "$(tail -1 statement | tr -d ' ')." "$(sed -n 4p statement)"
finish
