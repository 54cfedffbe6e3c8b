#!/bin/sh
# tacit impact with a policy of one's own: profits by hand, several policies, refusals.
. tests/lib.sh

printf 'n,y\n0,10\n1,20\n2,30\n' >t.csv
echo '{"target": {"name": "y", "min": 0, "max": 40}, "features": []}' >s.json
"$tacit" fit t.csv --schema s.json --quantile 0.5 --method saa --no-ledger --out half.json >/dev/null 2>&1
"$tacit" fit t.csv --schema s.json --quantile 0.9 --method saa --no-ledger --out most.json >/dev/null 2>&1
# orders 20: 10 (10 + 20 + 20) / 3 - 6 * 20 to the shop, (6 - 4) 20 to the supplier, (4 * 10 + 6 * 10) / 3 lost
expect 0 'half.json +y +20 +20 +46.6667 +40 +0.5385 +33.3333' "$tacit" impact --policy half.json t.csv
expect 0 'NOT PRIVATE' "$tacit" impact --policy half.json t.csv
# orders 30: 10 * 20 - 6 * 30 to the shop, 2 * 30 to the supplier, 6 (20 + 10) / 3 lost
expect 0 'most.json +y +30 +20 +20 +60 +0.2500 +60' "$tacit" impact --policy half.json --policy most.json t.csv
# at other prices: 20 (50 / 3) - 5 * 20, 5 * 20 - 0
expect 0 '"newsvendor_profit": 233.33' "$tacit" impact --policy half.json t.csv --retail 20 --wholesale 5 --cost 0 --json
expect 0 '"private": false' "$tacit" impact --policy half.json t.csv --json
expect 2 'prices must rise' "$tacit" impact --policy half.json t.csv --wholesale 12
expect 2 'and a table, or neither' "$tacit" impact --policy half.json
expect 2 'and a table, or neither' "$tacit" impact t.csv
expect 3 . "$tacit" impact --policy missing.json t.csv
finish
