#!/bin/sh
# Fits at the limits of a method: what was fitted verifies, and what could not be read again is not paid for.
# usage: method_limits_test.sh PROGRAM BUILD_DIR
set -u
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TACIT_FORCE=1 # policies are written again and again
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
grep -q "256 MB" said || complain "how large a policy file can be is not said"

# Whitening by a moment of nearly nothing would carry coefficients out of the range of numbers.
echo '{"target": {"name": "y", "min": 0, "max": 1e60}, "features": [{"name": "x", "min": 0, "max": 1}], "second_moment": [[1e-300, 0], [0, 1e-300]]}' >white.json
echo '{"target": {"name": "y", "min": 0, "max": 1e-90}, "features": []}' >tiny.json
awk 'BEGIN { print "y,x"; for (i = 0; i < 50; i++) print i * 1e57 "," i / 50 }' >white.csv
"$program" fit white.csv --schema white.json --quantile .5 --method noisy-gd --whiten --mu 1 --ledger l.db --label a \
  --out white.policy >/dev/null 2>said && complain "whitening has no limit"
grep -q "whitening by" said || complain "it was refused for another reason: $(cat said)"
"$program" ledger show l.db | grep -Eq '^a +1 +0 +1 +0$' || complain "the refused fit was paid for"

# A bandwidth that follows from the step size is above 0 in the target's own units.
for method in gradient noisy-gd; do
  "$program" fit white.csv --schema tiny.json --quantile .5 --method $method --step-size 1e-300 --mu 1 --no-ledger \
    --out step.policy >/dev/null 2>said && complain "$method takes a step size of nothing"
  grep -q "step size must be at least" said || complain "it was refused for another reason: $(cat said)"
  "$program" fit white.csv --schema tiny.json --quantile .5 --method $method --step-size 1e-100 --mu 1 --no-ledger \
    --out step.policy >/dev/null || complain "$method refuses the least step size"
  "$program" verify step.policy >/dev/null || complain "a policy of $method with the least step size does not verify"
done

# So many rows as exact arithmetic holds, and no more.
for rows in 17179869184 17179869185; do
  "$program" fit two.csv --schema two.json --quantile .5 --quantile .5 --clip-norm 1 --method objective --epsilon 1 \
    --delta 1e-5 --adjacency add-remove --nominal-rows $rows --no-ledger --out rows.policy >/dev/null 2>said && fitted=$rows
done
[ "${fitted-}" = 17179869184 ] || complain "objective with many nominal rows: ${fitted-none} were the last"
grep -q "at most 17179869184 rows" said || complain "it was refused for another reason: $(cat said)"
"$program" verify rows.policy >/dev/null || complain "an objective policy with many nominal rows does not verify"

# Units of more rows than 32 bits hold are read as they were written.
echo '{"target": {"name": "y", "min": 0, "max": 100}, "features": [], "unit": {"rows_per_unit": 8589934592}}' >unit.json
"$program" fit white.csv --schema unit.json --quantile .5 --method bisection --mu 10000 --no-ledger --out unit.policy >/dev/null ||
  complain "units of many rows are refused"
"$program" verify unit.policy >/dev/null || complain "a policy for units of many rows does not verify"

# Names full of commas and quotes count as one value each.
awk 'BEGIN { name = sprintf("%200s", ""); gsub(/ /, ",", name); print "\"" name "\""; for (i = 0; i < 20; i++) print i / 20 }' >commas.csv
awk 'BEGIN { name = sprintf("%200s", ""); gsub(/ /, ",", name); printf "{\"target\": {\"name\": \"%s\", \"min\": 0, \"max\": 1}, \"features\": []}", name }' >commas.json
"$program" fit commas.csv --schema commas.json --quantile .5 --method noisy-gd --steps 45000 --growth 1.0001 --mu 1 --no-ledger \
  --out commas.policy >/dev/null || complain "a name of commas is refused"
"$program" verify commas.policy >/dev/null || complain "a policy with a name of commas does not verify"
exit $failed
