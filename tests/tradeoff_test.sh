#!/bin/sh
# tacit account tradeoff, and account compose with unlike releases: figures by hand, the warning, refusals.
. tests/lib.sh

# near FILE KEY VALUE: within 1e-5
near() {
  checks=$((checks + 1))
  awk -v a="$(field "$1" "$2")" -v b="$3" 'BEGIN { exit !(a != "" && a - b < 1e-5 && b - a < 1e-5) }' ||
    { failed=$((failed + 1)); echo "FAILED: $2 is $(field "$1" "$2"), not $3"; }
}

# Phi(Phi^-1(0.05) + 0.5) = Phi(-1.144854); e^1 0.05 + 0.01; e^0.4 0.05 for one response below its corner
"$tacit" account tradeoff --mu 0.5 --epsilon 1 --delta 0.01 --release response=0.4 --level 0.05 --json >a.json
near a.json mu 0.126135
near a.json pair 0.145914
near a.json releases 0.0745912
expect 0 '^0.05 +0.126135' "$tacit" account tradeoff --mu 0.5
expect 0 'almost nothing' "$tacit" account tradeoff --mu 6.5 --level 0.05
expect 0 'almost nothing' "$tacit" account compose --mu 4 --mu 5
expect 0 'almost nothing' "$tacit" account convert --mu 7 --delta 1e-5
"$tacit" account tradeoff --mu 5.9 --level 0.05 >quiet 2>quiet.err
expect 0 no sh -c "test -s $work/quiet.err || echo no"
expect 0 . "$tacit" account tradeoff --mu 0.5 --out curves
expect 0 '^level,mu$' head -1 curves/tradeoff.csv
expect 0 '^0.5,0.30853' grep '^0.5,' curves/tradeoff.csv

# two pairs; a release that is made every other time
"$tacit" account compose --release epsilon=1,delta=0.1,times=2 --epsilon 1.5 --json >b.json
# 1 - 0.81 + 0.81 t^2 (1 - e^(1.5 - 2)), t = e/(1 + e)
near b.json delta_upper 0.360334
"$tacit" account compose --release mu=1,chance=0.5 --epsilon 1 --json >c.json
# (Phi(-0.5) - e Phi(-1.5)) / 2, to the width of its interval
expect 0 . awk -v l="$(field c.json delta_lower)" -v u="$(field c.json delta_upper)" 'BEGIN { print l, u; exit !(l <= 0.0634684 && 0.0634684 <= u && u < 1.005 * l) }'
expect 0 'Wang and Qin, Lemma 3 +9.81129' "$tacit" account compose --release epsilon=0.1,times=100 --delta 1e-5
expect 0 '"mu": 5' "$tacit" account compose --release mu=3 --mu 4 --json
expect 0 '"epsilon_upper": null' "$tacit" account compose --release epsilon=1,delta=0.1 --delta 0.01 --json
expect 2 'these have no mu' "$tacit" account compose --release epsilon=1
expect 2 'they do not cost the same' "$tacit" account compose --release sigma=1,rate=0.1 --delta 1e-5
expect 2 'one of mu' "$tacit" account compose --release mu=1,epsilon=2 --delta 1e-5
expect 2 'add up to at most 1' "$tacit" account compose --release mu=1,chance=0.6/epsilon=1,chance=0.6 --delta 1e-5
expect 2 'above 0 and below 1' "$tacit" account tradeoff --mu 1 --level 1
expect 2 'no field' "$tacit" account compose --release mo=1 --delta 1e-5
finish
