#!/bin/sh
# Policies that were kept, in format 1 or 2: the same fit gives the same bytes in format 2, and every file the same verdict. A change
# that is meant to change them says so, and keeps new ones; a new method keeps its first ones (tests/kept/make). usage: kept_policies_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"
kept="$here/tests/kept"
"$kept/make" "$tacit" made || failed=1
while read -r name arguments; do
  "$kept/translate" "$kept/seeded/$name.json" >"made/$name.kept"
  same "made/$name.kept" "made/$name.json"
  # a fit with a seed, or without noise, is not private; nothing else is wrong with it
  "$tacit" verify "$kept/seeded/$name.json" >out 2>err
  code=$?
  checks=$((checks + 1))
  wrong=$(grep '^FAILS' out | grep -Evc 'claims to be private|operating system.s entropy')
  [ $code = 1 ] && [ "$wrong" = 0 ] || { failed=$((failed + 1)); echo "FAILED: the verdict on $name"; cat out err; }
done <"$kept/cases"
for policy in "$kept"/private/*.json; do expect 0 'holds as claimed' "$tacit" verify "$policy"; done
finish
