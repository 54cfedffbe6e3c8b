#!/bin/sh
# The studies of predict-then-optimize, the simulator with its region, and regions that are refused.
. tests/lib.sh

expect 0 'private least squares *100 ' "$tacit" reproduce spo-shortest-path --reps 2 --rows 100
expect 0 '"study": "spo-shortest-path"' "$tacit" reproduce spo-shortest-path --reps 1 --rows 100 --json
expect 0 '^files: wang-figure3.csv' "$tacit" reproduce wang-figure3 --reps 1 --rows 30 --out figures
expect 2 'at most 2000' "$tacit" reproduce wang-figure3 --rows 5000
expect 0 'simplex .* 0.5 *0.225 *0.5 ' "$tacit" reproduce wang-spo-vs-spoplus
expect 0 'wang-table1' "$tacit" reproduce --help

expect 0 '^x1,x2,x3,x4,x5,c1,' "$tacit" simulate spo-shortest-path --rows 300 --seed 2 --schema-out s.json --region-out r.json
"$tacit" simulate spo-shortest-path --rows 300 --seed 2 >t.csv
"$tacit" simulate spo-shortest-path --rows 300 --seed 2 >again.csv
same t.csv again.csv
expect 0 'learned from 300 rows' "$tacit" spo fit t.csv --schema s.json --region r.json --mu 2 --no-ledger --out p.json
expect 0 'normalized_spo_loss' "$tacit" spo evaluate p.json t.csv --json
expect 2 'has no region' "$tacit" simulate restaurant --region-out r2.json

# regions that are no regions: nothing is fitted, nothing is written
refuse() {
  printf '%s' "$2" >bad.json
  rm -f q.json
  expect 3 "$1" "$tacit" spo fit t.csv --schema s.json --region bad.json --mu 1 --no-ledger --out q.json
  [ -e q.json ] && { failed=$((failed + 1)); echo "FAILED: a policy was written for $2"; }
  checks=$((checks + 1))
}
refuse 'is empty' '{"kind": "polytope", "A": [[1, 1], [-1, -1]], "b": [1, -2]}'
refuse 'unbounded' '{"kind": "polytope", "A": [[1, -1]], "b": [1]}'
refuse 'no interior' '{"kind": "polytope", "A": [[1, 1], [-1, -1]], "b": [1, -1]}'
refuse 'has a cycle' '{"kind": "graph", "nodes": 3, "edges": [[1, 2], [2, 1], [2, 3]], "source": 1, "sink": 3}'
refuse 'no path' '{"kind": "graph", "nodes": 3, "edges": [[1, 2]], "source": 1, "sink": 3}'
refuse 'two nodes' '{"kind": "graph", "nodes": 3, "edges": [[1, 2, 3]], "source": 1, "sink": 3}'
refuse 'not JSON' '{"kind": '
refuse '"kind"' '{"kind": "sphere"}'
refuse '40 cost columns' '{"kind": "ball", "dimension": 3, "radius": 1}'
sed 's/"c40"/"c41"/' s.json >other.json
expect 3 'c41' "$tacit" spo fit t.csv --schema other.json --region r.json --mu 1 --no-ledger --out q.json

finish
