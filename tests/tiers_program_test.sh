#!/bin/sh
# Costs in tiers, as a user meets them: the order without privacy is the one that a search over all orders finds, and
# evaluate's costs are those that are added up here, row by row.
. tests/lib.sh

seq 1 40 | awk 'BEGIN { print "y" } { print 20 + ($1 * 37) % 101 }' >t.csv
cat >s.json <<'EOF'
{"target": {"name": "y", "min": 0, "max": 200,
            "cost": {"shortage": [{"below": 5, "rate": 3}, {"below": 30, "rate": 7}, {"rate": 12}],
                     "leftover": [{"below": 10, "rate": 1}, {"rate": 4}]}}, "features": []}
EOF
# costs ORDER: the mean cost, and its parts of what was missing and left over
costs() {
  sed 1d t.csv | awk -v q="$1" '
    function least(a, b) { return a < b ? a : b }
    function more(a) { return a > 0 ? a : 0 }
    { s = more($1 - q); l = more(q - $1)
      under += 3 * least(s, 5) + 7 * least(more(s - 5), 25) + 12 * more(s - 30)
      over += least(l, 10) + 4 * more(l - 10) }
    END { printf "%.9g %.9g %.9g\n", (under + over) / NR, under / NR, over / NR }'
}
# near WHAT A B: to 1e-6 of B
near() {
  checks=$((checks + 1))
  awk -v a="$2" -v b="$3" 'BEGIN { d = a - b; d = d < 0 ? -d : d; exit !(a != "" && d <= 1e-6 * (b < 0 ? -b : b)) }' ||
    { failed=$((failed + 1)); echo "FAILED: $1: $2, not $3"; }
}
"$tacit" fit t.csv --schema s.json --method saa --no-ledger --out p.json >out 2>&1 || cat out
order=$("$tacit" order p.json t.csv 2>err | sed -n 2p | sed 's/.*,//')
least=$(for q in $(seq 20 120); do costs "$q"; done | sort -g | sed -n '1s/ .*//p')
found=$(costs "$order")
near "the order's cost" "${found%% *}" "$least"
"$tacit" evaluate p.json t.csv --json >e.json 2>err || cat err
near "evaluate's cost" "$(field e.json mean_cost)" "$least"
# another order, which is not the best
"$tacit" fit t.csv --schema s.json --mu 0.3 --seed 2 --no-ledger --out q.json >out 2>&1 || cat out
order=$("$tacit" order q.json t.csv 2>err | sed -n 2p | sed 's/.*,//')
"$tacit" evaluate q.json t.csv --json >e.json 2>err || cat err
found=$(costs "$order")
near "a private order's cost" "$(field e.json mean_cost)" "${found%% *}"
finish
