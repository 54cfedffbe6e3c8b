#!/bin/sh
# Policies that were kept, in format 1 or 2: the same fit gives the same bytes in format 2, and every file the same verdict. A change
# that is meant to change them says so, and keeps new ones; the old ones, which still verify, lie in tests/kept/older. A new method keeps its first ones (tests/kept/make). usage: kept_policies_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"
kept="$here/tests/kept"
# judge POLICY: a fit with a seed, or without noise, is not private; nothing else is wrong with it
judge() {
  "$tacit" verify "$1" >out 2>err
  code=$?
  checks=$((checks + 1))
  wrong=$(grep '^FAILS' out | grep -Evc 'claims to be private|operating system.s entropy')
  [ $code = 1 ] && [ "$wrong" = 0 ] || { failed=$((failed + 1)); echo "FAILED: the verdict on $1"; cat out err; }
}
"$kept/make" "$tacit" made || failed=1
while read -r name arguments; do
  "$kept/translate" "$kept/seeded/$name.json" >"made/$name.kept"
  same "made/$name.kept" "made/$name.json"
  judge "$kept/seeded/$name.json"
done <"$kept/cases"
for policy in "$kept"/older/*.json; do judge "$policy"; done
for policy in "$kept"/private/*.json; do expect 0 'holds as claimed' "$tacit" verify "$policy"; done
finish
