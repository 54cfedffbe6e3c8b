#!/bin/sh
# tacit bounds: every method runs, conditions are named, a schema fills in what is missing.
. tests/lib.sh

setting="--rows 1000 --columns 3 --quantile 0.7 --clip-norm 10.05 --theta-bound 24"
expect 0 'EC.32 +7.75907' "$tacit" bounds --method sgd $setting --epsilon 1 --delta 0.01
expect 0 'FAILS: epsilon <= 1' "$tacit" bounds --method sgd $setting --epsilon 1.5 --delta 0.01
expect 0 'EC.25 +[0-9.]+ +7.75972' "$tacit" bounds --method gradient $setting --epsilon 1 --delta 0.01
expect 0 'EC.25 +[0-9.]+ +-' "$tacit" bounds --method gradient $setting --mu 1
expect 0 'part 1 +[0-9.]+ +16.8597' "$tacit" bounds $setting --epsilon 1 --delta 0.01
expect 0 'FAILS: f_l > h l_1' "$tacit" bounds $setting --epsilon 1 --delta 0.01 --spread 3
expect 0 'T_0 +144 ' "$tacit" bounds --method noisy-gd --rows 100000 --columns 5 --quantile 0.5 --clip-norm 4 --theta-bound 5 --mu 0.5 --spread 1
decisions="--rows 500 --columns 3 --outputs 3 --diameter 2 --clip-norm 3 --theta-bound 2 --epsilon 1 --delta 0.1"
expect 0 'Theorem 7 +[0-9.]+ +1.56002' "$tacit" bounds --method gaussian $decisions
expect 0 'Theorem 4 +740.574 +0.0167948' "$tacit" bounds --method exponential $decisions
expect 0 '"published": 0.01679477' "$tacit" bounds --method exponential $decisions --json
echo '{"target": {"name": "y", "min": 0, "max": 100}, "features": [{"name": "x", "min": 0, "max": 1}]}' >s.json
expect 0 'holds: delta' "$tacit" bounds --schema s.json --rows 1000 --quantile 0.7 --epsilon 1 --delta 0.01
expect 2 'longest row' "$tacit" bounds --rows 10 --columns 2 --quantile 0.5 --epsilon 1 --delta 0.1
expect 2 'this method.s theorem' "$tacit" bounds --method sgd $setting --mu 1
expect 0 'the default: objective sgd gradient noisy-gd gaussian exponential' "$tacit" bounds --help
expect 2 'no bounds are published for' "$tacit" bounds --method default $setting --mu 1
finish
