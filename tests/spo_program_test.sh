#!/bin/sh
# Predict-then-optimize from CSV to decisions: fit, verify, decide, evaluate; refusals; tampering.
. tests/lib.sh

# A courier's days: two bridges into town, minutes on four roads, from rain and the hour.
awk 'BEGIN {
  srand(7)
  print "rain,hour,north,south,north_bridge,south_bridge"
  for (i = 0; i < 800; i++) {
    rain = 20 * rand() * rand(); hour = 6 + int(14 * rand()); rush = (hour < 9 || (hour > 15 && hour < 18)) ? 1 : 0
    printf "%.2f,%d,%.2f,%.2f,%.2f,%.2f\n", rain, hour, 10 + 8 * rush + 3 * rand(), 12 + 0.9 * rain + 3 * rand(), 6 + 9 * rush + 2 * rand(), 9 + 0.3 * rain + 2 * rand()
  }
}' >days.csv
cat >days.json <<'J'
{"target": [{"name": "north", "min": 5, "max": 40}, {"name": "south", "min": 5, "max": 40},
            {"name": "north_bridge", "min": 0, "max": 40}, {"name": "south_bridge", "min": 0, "max": 40}],
 "features": [{"name": "rain", "min": 0, "max": 30}, {"name": "hour", "transform": "spline", "min": 6, "max": 20, "knots": [9, 12, 15, 18]}]}
J
echo '{"kind": "graph", "nodes": 4, "edges": [[1, 2], [1, 3], [2, 4], [3, 4]], "source": 1, "sink": 4}' >roads.json
fit() { "$tacit" spo fit days.csv --schema days.json --region roads.json --no-ledger --out "$@"; }

absent() { checks=$((checks + 1)); [ -e "$1" ] && { failed=$((failed + 1)); echo "FAILED: $1 was written"; }; }

# what works
expect 0 'written: p.json' fit p.json --mu 1
expect 0 'guarantee holds' "$tacit" verify p.json
expect 0 '"mean_spo_loss"' "$tacit" spo evaluate p.json days.csv --json
grep -q '"normalized_spo_loss"' out && grep -q '"mean_optimal_cost"' out && grep -q '"private": false' out || { failed=$((failed + 1)); echo "FAILED: evaluate lacks a key"; }
private=$(field out mean_spo_loss)
expect 0 'NOT PRIVATE' "$tacit" spo evaluate p.json days.csv
expect 0 'NOT PRIVATE' fit plus.json --method spo-plus
expect 0 'mean_spo_loss' "$tacit" spo evaluate plus.json days.csv --json
plus=$(field out mean_spo_loss)
expect 0 'near' sh -c "echo near; awk 'BEGIN { exit !($private < 1.5 * $plus + 0.3) }'"

# decisions are paths, and say what they reveal; targets need not be there
cut -d, -f1,2 days.csv >features.csv
expect 0 'decide:north' "$tacit" spo decide p.json features.csv
expect 0 'reveals the features' "$tacit" spo decide p.json features.csv
awk -F, 'NR > 1 && !($3 + $4 == 1 && $3 == $5 && $4 == $6) { bad++ } END { exit bad > 0 }' out || { failed=$((failed + 1)); echo "FAILED: a decision is not a path"; }
expect 0 '"decisions"' "$tacit" spo decide p.json features.csv --json

# reproducible, for every number of threads; not private then
expect 0 'written' fit s1.json --mu 0.5 --seed 3 --threads 1
expect 0 'written' fit s2.json --mu 0.5 --seed 3 --threads 3
same s1.json s2.json
expect 1 'FAILS.*seed' "$tacit" verify s1.json
expect 1 'FAILS.*without noise' "$tacit" verify plus.json

# every private method verifies
expect 0 'written' fit ls.json --mu 1 --method least-squares
expect 0 'every release of spo-least-squares is listed: 1 of 1' "$tacit" verify ls.json
expect 0 'written' fit e.json --epsilon 2 --delta 1e-6 --method exponential --steps 100
expect 0 'delta .* at epsilon 2' "$tacit" verify e.json
expect 0 'written' fit few.json --epsilon 2 --delta 1e-6 --method exponential
expect 0 'every release of spo-exponential' "$tacit" verify few.json
expect 0 'written' fit pair.json --epsilon 1 --delta 1e-6
expect 0 'guarantee holds' "$tacit" verify pair.json
expect 0 'written' fit ar.json --mu 1 --adjacency add-remove --nominal-rows 800
expect 0 'add-remove' "$tacit" verify ar.json

# the ledger pays, once, and a budget stops it
"$tacit" ledger open l.db --label couriers --mu 1 >/dev/null
expect 0 'label "couriers", entry 2' "$tacit" spo fit days.csv --schema days.json --region roads.json --mu 0.8 --ledger l.db --label couriers --out paid.json
expect 0 'guarantee holds' "$tacit" verify paid.json
expect 4 'budget' "$tacit" spo fit days.csv --schema days.json --region roads.json --mu 0.8 --ledger l.db --label couriers --out unpaid.json
absent unpaid.json
"$tacit" ledger open pairs.db --label couriers --epsilon 4 --delta 1e-5 >/dev/null
expect 0 'spent so far: epsilon' "$tacit" spo fit days.csv --schema days.json --region roads.json --method exponential --epsilon 2 --delta 1e-6 --ledger pairs.db --label couriers --out told.json
expect 4 'not enough budget' "$tacit" spo fit days.csv --schema days.json --region roads.json --method exponential --epsilon 3 --delta 1e-6 --ledger pairs.db --label couriers --out unpaid.json
absent unpaid.json

# refusals
expect 2 'usage: tacit spo' "$tacit" spo
expect 0 'usage: tacit spo' "$tacit" spo --help
expect 2 'leave out --underage' fit x.json --mu 1 --underage 3
expect 2 'give the guarantee' fit x.json
expect 2 'not private' fit x.json --mu 1 --method spo-plus
expect 2 'not Gaussian' fit x.json --mu 1 --method exponential
expect 2 'no method' fit x.json --mu 1 --method magic
expect 2 'region is needed' "$tacit" spo fit days.csv --schema days.json --mu 1 --out x.json
region() { echo "$1" >bad.json; "$tacit" spo fit days.csv --schema days.json --region bad.json --mu 1 --no-ledger --out x.json; }
expect 3 '3 coordinates, but the schema has 4' region '{"kind": "simplex", "dimension": 3}'
expect 3 'cycle' region '{"kind": "graph", "nodes": 3, "edges": [[1, 2], [2, 1], [2, 3], [1, 3]], "source": 1, "sink": 3}'
expect 3 'empty|no point' region '{"kind": "polytope", "A": [[1, 1, 1, 1], [-1, -1, -1, -1]], "b": [1, -2]}'
expect 3 'unbounded' region '{"kind": "polytope", "A": [[1, -1, 0, 0]], "b": [1]}'
expect 3 'interior' region '{"kind": "polytope", "A": [[1, 1, 1, 1], [-1, -1, -1, -1]], "b": [1, -1]}'
expect 3 '' region '{"kind": "graph"}'
expect 3 'not JSON' region '{"kind": '
expect 3 'no such file' "$tacit" spo fit days.csv --schema days.json --region none.json --mu 1 --no-ledger --out x.json
cut -d, -f1-5 days.csv >short.csv
expect 3 'south_bridge' "$tacit" spo fit short.csv --schema days.json --region roads.json --mu 1 --no-ledger --out x.json
expect 3 'south_bridge' "$tacit" spo evaluate p.json short.csv
absent x.json

# the two kinds of policy are not mixed up
"$tacit" simulate zhao-normal --rows 200 --seed 5 --schema-out z.json >z.csv
"$tacit" fit z.csv --schema z.json --quantile 0.5 --mu 1 --no-ledger --out order.json >/dev/null
expect 3 'use tacit order' "$tacit" spo decide order.json z.csv
expect 3 'use tacit evaluate' "$tacit" spo evaluate order.json z.csv
expect 3 'use tacit spo decide' "$tacit" order p.json days.csv
expect 2 'use tacit spo evaluate' "$tacit" evaluate p.json days.csv

# tampering
sigma=$(grep '"sigma"' p.json | tail -1 | sed 's/[^0-9.e-]//g') clip=$(grep '"clip"' p.json | tail -1 | sed 's/.*: *//; s/,//')
tamper() { # tamper FILE NAME SED-SCRIPT PATTERN
  sed "$3" "$1" >"$2.json"
  cmp -s "$1" "$2.json" && { failed=$((failed + 1)); echo "FAILED: tampering $2 changed nothing"; }
  expect 1 "$4" "$tacit" verify "$2.json"
}
tamper p.json t_sigma 's/"sigma": \([0-9]*\)\.[0-9]*/"sigma": \1.0/' 'FAILS.*GDP'
tamper p.json t_region 's/"sink": 4/"sink": 3/' 'FAILS.*region'
tamper p.json t_hash 's/"region_hash": "./"region_hash": "/' 'FAILS.*region'
tamper p.json t_nohash '/"region_hash"/d' 'FAILS.*region'
tamper p.json t_clip "s/\"clip\": $clip/\"clip\": 0.01/" 'FAILS.*listed'
tamper p.json t_norm 's/"clip_norm": [0-9.]*/"clip_norm": 9.0/' 'FAILS.*listed'
tamper p.json t_steps 's/"steps": 40.0/"steps": 39.0/' 'FAILS.*listed'
tamper p.json t_scales 's/"scales": "wide"/"scales": "known"/' 'FAILS.*listed'
tamper p.json t_moment '0,/"release": "moment"/s//"release": "outer"/' 'FAILS.*listed'
tamper p.json t_method 's/"method": "spo-gaussian"/"method": "spo-least-squares"/' 'FAILS.*listed'
tamper p.json t_plain 's/"method": "spo-gaussian"/"method": "noisy-gd"/' 'FAILS.*listed'
tamper p.json t_mu 's/"mu": 1.0/"mu": 0.9/' 'FAILS.*GDP'
tamper p.json t_extra 's/"version": 2,/"version": 2, "approved": true,/' 'FAILS.*follow'
tamper p.json t_schema 's/"max": 30/"max": 60/' 'FAILS.*schema'
tamper p.json t_private 's/"private": true/"private": false/' 'FAILS.*private'
told=$(sed -n 's/^ *"epsilon": *\([^,]*\),*$/\1/p' e.json | tail -1) # of a response; the guarantee's stands before it
tamper e.json t_told "s/\"epsilon\": $told/\"epsilon\": $(awk "BEGIN { print $told * 1.01 }")/" 'FAILS.*delta'
tamper e.json t_count 's/"count": 100/"count": 99/' 'FAILS.*listed'
tamper e.json t_both 's/"count": 100/"count": 120/; s/"releases": 100/"releases": 120/; s/"steps": 100.0/"steps": 120.0/' 'FAILS.*delta'
tamper e.json t_epsilon 's/"epsilon": 2.0/"epsilon": 1.9/' 'FAILS.*delta'
tamper e.json t_sampler 's/"exact randomised response"/"exact rounded Gaussian"/' 'FAILS.*follow'
tamper ls.json t_grid 's/"grid_bits": [0-9]*/"grid_bits": 20/' 'FAILS.*listed'
sed 's/"region": {/"regions": {/' p.json >t_none.json
expect 3 'targets' "$tacit" verify t_none.json
finish
