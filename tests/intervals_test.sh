#!/bin/sh
# How sure a rule is, as a user asks for it: fit --intervals, order --interval, and what refuses.
# usage: intervals_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

awk 'BEGIN { srand(3); print "c,x,y"; for (i = 0; i < 3000; i++) { c = i % 3; x = 2 * rand() - 1; e = 0; for (j = 0; j < 12; j++) e += rand()
  printf "%d,%.6f,%.6f\n", c, x, 20 + 3 * c + 5 * x + (1 + c) * (e - 6) } }' >t.csv
echo '{"target": {"name": "y", "min": 0, "max": 60}, "features": [{"name": "c", "levels": ["0", "1", "2"]}, {"name": "x", "min": -1, "max": 1}]}' >s.json
printf 'c,x\n0,0\n2,0.5\n' >rows.csv
fit() { "$tacit" fit t.csv --schema s.json --mu 1 --no-ledger "$@"; }

for tau in 0.5 0.9; do
  expect 0 'std\. error +90 % from +to' fit --quantile $tau --intervals --out p.json
  expect 0 '"intervals": "yes"' cat p.json
  expect 0 '"standard_errors": \{' fit --quantile $tau --intervals --json --out p.json
  expect 0 'The guarantee holds as claimed' "$tacit" verify p.json
  expect 0 '^c,x,order,lower,upper$' "$tacit" order p.json rows.csv --interval 0.9
  # rows of larger spread are less sure, and more has to be held to be surer
  "$tacit" order p.json rows.csv --interval 0.9 2>err | sed 1d >ninety
  "$tacit" order p.json rows.csv --interval 0.5 2>err | sed 1d >half
  expect 0 '^right$' awk -F, 'NR == FNR { wide[FNR] = $5 - $4; next } { if (!($4 < $3 && $3 < $5 && $5 - $4 < 0.5 * wide[FNR])) bad = 1 }
    END { print bad || wide[2] < wide[1] ? "wrong" : "right" }' ninety half
  expect 0 '"lower": ' "$tacit" order p.json rows.csv --interval 0.9 --json
  # another covariance is nothing that verification can know; a negative variance is no policy
  expect 0 '"uncertainty"' cat p.json
  sed '/"uncertainty": \[/{n;n;s/^ *[0-9.e-]*/      -1.0/}' p.json >broken.json
  expect 3 '"uncertainty" is malformed' "$tacit" order broken.json rows.csv
done
expect 0 'NOT PRIVATE' fit --quantile 0.5 --seed 1 --out plain.json
expect 3 'fit --intervals' "$tacit" order plain.json rows.csv --interval 0.9
expect 2 'above 0 and below 1' "$tacit" order p.json rows.csv --interval 1
expect 2 'has no option intervals' fit --quantile 0.5 --intervals --method median-newton --out q.json
# it must be asked for where it is stated, and stated where it is asked for
awk '/"intervals": "yes"/ { sub(/,$/, "", held) ; print held; held = ""; next } NR > 1 && held != "" { print held } { held = $0 } END { print held }' p.json >unasked.json
expect 1 'FAILS +the coefficients are within' "$tacit" verify unasked.json
finish
