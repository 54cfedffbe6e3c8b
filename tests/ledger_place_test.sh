#!/bin/sh
# One ledger, one place: hard links, moved, copied, restored and mounted ledgers, by whole programs; and the attack that
# a second name makes possible.
. tests/lib.sh
wrong() { failed=$((failed + 1)); echo "FAILED: $*"; }
trap 'umount "$work/m/one.db" "$work/n" 2>/dev/null; rm -rf "$work"' EXIT

"$tacit" simulate zhao-normal --rows 300 --seed 5 --schema-out s.json >t.csv
fit() { "$tacit" fit t.csv --schema s.json --quantile 0.5 --threads 1 --label a "$@"; }
open_new() { rm -f "$1" "$1-journal" && "$tacit" ledger open "$1" --label a --mu 1 >/dev/null; }

# a program that is killed while it writes leaves a journal that undoes what comes after: here by hand, with a statement
# that touches the entries' page, and one that touches the first, as every commit does
kill_writer() {
  printf '%s\n' 'PRAGMA synchronous = OFF; BEGIN IMMEDIATE;' \
    "INSERT INTO entries SELECT 99, kind, label, measure, amount, method, schema, date, nonce, previous, hash, commitment FROM entries WHERE sequence = 1;" \
    'PRAGMA application_id = 1952672871;' \
    ".shell kill -9 \$PPID" | sqlite3 "$1" >/dev/null 2>&1
  [ -s "$1-journal" ] || wrong "no journal is left at $1"
}
try() { fit --mu 0.95 --ledger "$1" --out "$2" >/dev/null 2>&1; [ -e "$2" ] && released=$((released + 1)); }
if command -v sqlite3 >/dev/null; then
  open_new a.db
  ln a.db b.db
  kill_writer a.db
  released=0
  try b.db p1.json
  try a.db p2.json
  rm -f b.db
  try a.db p3.json
  checks=$((checks + 1))
  [ $released = 1 ] || wrong "$released policies of 0.95-GDP on a budget of 1, through two names"
  expect 0 'holds' "$tacit" ledger show a.db --check p[123].json

  # the same with names that follow each other, said to be moves
  open_new a.db
  kill_writer a.db
  released=0
  mv a.db b.db
  expect 4 'not where it was written last' fit --mu 0.95 --ledger b.db --out q1.json
  expect 4 "journal is left" "$tacit" ledger move b.db
  try b.db q1.json
  mv a.db-journal hidden
  expect 0 'at home where it is now' "$tacit" ledger move b.db
  mv hidden a.db-journal
  try b.db q2.json
  mv b.db a.db
  expect 4 'is a journal' "$tacit" ledger show a.db
  expect 4 'is a journal' "$tacit" ledger move a.db
  try a.db q3.json
  rm a.db-journal # what is in the ledger counts
  "$tacit" ledger move a.db >/dev/null
  try a.db q4.json
  checks=$((checks + 1))
  [ $released = 1 ] || wrong "$released policies of 0.95-GDP on a budget of 1, after moves"
  expect 0 'holds  q2.json' "$tacit" ledger show a.db --check q2.json
else
  echo "skipped: no sqlite3 to leave a journal with"
fi

# hard links
open_new L.db
ln L.db other.db
expect 4 'has 2 names \(hard links\).*Nothing was spent' fit --mu 0.1 --ledger L.db --out no.json
expect 4 'has 2 names' fit --mu 0.1 --ledger other.db --out no.json
expect 4 'has 2 names' "$tacit" ledger show L.db
expect 4 'has 2 names' "$tacit" ledger show other.db --check
expect 4 'has 2 names' "$tacit" ledger open L.db --label a --mu 1
expect 4 'has 2 names' "$tacit" ledger move other.db
rm other.db
expect 0 written fit --mu 0.1 --ledger L.db --out l.json
# what a program that was killed while it made the ledger left is no second name
ln L.db L.db.4711-0.tacit-tmp
expect 0 'holds  l.json' "$tacit" ledger show L.db --check l.json
[ -e L.db.4711-0.tacit-tmp ] && wrong "the second name is still there"

# symbolic links, another way to the same folder, a folder that is renamed: the same place
ln -s L.db sym.db
mkdir there && ln -s there way
expect 0 written fit --mu 0.1 --ledger sym.db --out sym.json
"$tacit" ledger open there/L.db --label a --mu 1 >/dev/null
expect 0 written fit --mu 0.1 --ledger way/L.db --out way.json
mv there then
expect 0 written fit --mu 0.1 --ledger then/L.db --out then.json
expect 0 'holds  then.json' "$tacit" ledger show then/L.db --check way.json then.json

# copied: it can be read, and is not spent from
cp L.db copy.db
chmod 444 copy.db
expect 0 'holds  l.json' "$tacit" ledger show copy.db --check l.json sym.json
expect 0 'tacit-ledger-statement' "$tacit" ledger export copy.db --json
chmod 600 copy.db
expect 4 'not where it was written last.*tacit ledger move copy.db' fit --mu 0.1 --ledger copy.db --out no.json
expect 4 'not where' "$tacit" ledger open copy.db --label a --mu 2 --change
expect 4 "still at $work/L.db" "$tacit" ledger move copy.db
# moved: said so, it goes on; the old place does not
mv L.db moved.db
expect 4 'not where' fit --mu 0.1 --ledger moved.db --out no.json
expect 0 '"sequence": 3' "$tacit" ledger move moved.db --json
expect 0 'tacit ledger show --check POLICY' "$tacit" ledger move moved.db # it is there already
expect 0 written fit --mu 0.1 --ledger moved.db --out moved.json
expect 0 'holds  moved.json' "$tacit" ledger show moved.db --check l.json moved.json
mv moved.db L.db
expect 4 'not where' fit --mu 0.1 --ledger L.db --out no.json
expect 0 'at home' "$tacit" ledger move L.db
# restored: another file in its place, which has forgotten the last spending; the policies have not
cp L.db saved.db
expect 0 written fit --mu 0.1 --ledger L.db --out last.json
mv saved.db L.db
expect 4 'restored' fit --mu 0.1 --ledger L.db --out no.json
expect 1 'FAILS  last.json.*rolled back' "$tacit" ledger show L.db --check last.json
expect 0 'at home' "$tacit" ledger move L.db
expect 0 written fit --mu 0.1 --ledger L.db --out no2.json
[ -e no.json ] && wrong "a policy from a ledger that is not at home"
expect 3 'no ledger' "$tacit" ledger move none.db
expect 3 'not an SQLite' "$tacit" ledger move t.csv
expect 0 'usage: tacit ledger move' "$tacit" ledger move --help

# a policy is not written over its ledger, nor over the ledger's journal
for name in L.db ./L.db L.db-journal; do expect 5 'cannot write' fit --mu 0.1 --ledger L.db --out $name; done
expect 0 'at home|whole' "$tacit" ledger show L.db --check
# restored by ordinary tools, perhaps with the same inode
tar cf saved.tar L.db
expect 0 written fit --mu 0.1 --ledger L.db --out before.json
tar xf saved.tar
expect 4 'restored' fit --mu 0.1 --ledger L.db --out no.json
expect 0 'at home' "$tacit" ledger move L.db
# a stranger's policy does not take away another's receipt
sed 's/"head": "[0-9a-f]*"/"head": "0000000000000000000000000000000000000000000000000000000000000000"/' l.json >junk.json
expect 1 'holds  l.json was paid for' "$tacit" ledger show L.db --check junk.json l.json

# the user's own ledger
expect 0 'entry 1;' "$tacit" fit t.csv --schema s.json --quantile 0.5 --mu 0.1 --out own.json
cp -r state restored && rm -r state && mv restored state
expect 4 'tacit ledger move' "$tacit" fit t.csv --schema s.json --quantile 0.5 --mu 0.1 --out no.json
expect 0 'at home' "$tacit" ledger move
expect 0 'entry 2;' "$tacit" fit t.csv --schema s.json --quantile 0.5 --mu 0.1 --out own2.json

# mounted: a folder takes its journals along, a single file does not
mkdir m n real && : >m/one.db
"$tacit" ledger open real/one.db --label a --mu 1 >/dev/null
if [ "$(id -u)" = 0 ] && mount --bind real n 2>/dev/null && mount --bind real/one.db m/one.db 2>/dev/null; then
  expect 0 written fit --mu 0.1 --ledger n/one.db --out folder.json
  expect 4 'mounted elsewhere' fit --mu 0.1 --ledger m/one.db --out no.json
  expect 0 'holds  folder.json' "$tacit" ledger show m/one.db --check folder.json
  expect 4 'still at' "$tacit" ledger move m/one.db
else
  echo "skipped: nothing can be mounted"
fi
finish
