#!/bin/sh
# Fits at the limits of a method: what was fitted verifies, and what could not be read again is not paid for.
# usage: method_limits_test.sh PROGRAM BUILD_DIR
set -u
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0
complain() { echo "limits: $*"; failed=1; }

# A bandwidth narrower than exact arithmetic holds is held to the narrowest one, for several targets too.
awk 'BEGIN { print "y,x"; for (i = 0; i < 400; i++) printf "%d,%.3f\n", i % 11, (i % 7) / 7 }' >two.csv
echo '{"target": [{"name": "y", "min": 0, "max": 10}, {"name": "x", "min": 0, "max": 1}], "features": [], "clip_norm": 0.01}' >two.json
for width in 1e-6 1e-8; do
  "$program" fit two.csv --schema two.json --quantile .7 --quantile .7 --method objective --epsilon 1 --delta 1e-5 \
    --bandwidth $width --no-ledger --out two.policy >/dev/null || complain "objective with bandwidth $width is refused"
  "$program" verify two.policy >/dev/null || complain "an honest policy with bandwidth $width does not verify"
done

# A policy that no command could read is refused while nothing is spent.
awk 'BEGIN { word = sprintf("%250s", ""); gsub(/ /, "w", word)
  printf "{\"target\": ["; for (t = 0; t < 1024; t++) printf "%s{\"name\": \"t%d\", \"min\": 0, \"max\": 1}", t ? ", " : "", t
  printf "], \"features\": [{\"name\": \"%s\", \"levels\": [", word
  for (l = 0; l < 520; l++) printf "%s\"%s%d\"", l ? ", " : "", substr(word, 1, 245), l; print "]}]}" }' >wide.json
awk 'BEGIN { word = sprintf("%250s", ""); gsub(/ /, "w", word)
  printf "%s", word; for (t = 0; t < 1024; t++) printf ",t%d", t; print ""
  for (i = 0; i < 530; i++) { printf "%s%d", substr(word, 1, 245), i % 520; for (t = 0; t < 1024; t++) printf ",0.5"; print "" } }' >wide.csv
"$program" ledger open l.db --label a --mu 1 >/dev/null || complain "no ledger"
"$program" fit wide.csv --schema wide.json --quantile .5 --method noisy-gd --steps 1 --mu 1 --ledger l.db --label a \
  --out wide.policy >/dev/null 2>said && complain "a policy that nobody can read was fitted"
grep -q "larger than a policy file can be" said || complain "it was refused for another reason: $(cat said)"
"$program" ledger show l.db | grep -Eq '^a +1 +0 +1 +0$' || complain "the refused fit was paid for"

# Names full of commas and quotes count as one value each.
awk 'BEGIN { name = sprintf("%200s", ""); gsub(/ /, ",", name); print "\"" name "\""; for (i = 0; i < 20; i++) print i / 20 }' >commas.csv
awk 'BEGIN { name = sprintf("%200s", ""); gsub(/ /, ",", name); printf "{\"target\": {\"name\": \"%s\", \"min\": 0, \"max\": 1}, \"features\": []}", name }' >commas.json
"$program" fit commas.csv --schema commas.json --quantile .5 --method noisy-gd --steps 45000 --growth 1.0001 --mu 1 --no-ledger \
  --out commas.policy >/dev/null || complain "a name of commas is refused"
"$program" verify commas.policy >/dev/null || complain "a policy with a name of commas does not verify"
exit $failed
