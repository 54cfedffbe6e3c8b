#!/bin/sh
# tacit audit: its answers for people and machines, exit code 1 for a broken promise, and its refusals.
# usage: audit_command_test.sh PROGRAM BUILD_DIR   (run in the project's root)
. tests/lib.sh
audit() { "$tacit" audit --seed 1 "$@"; }
expect 0 'no attack went beyond the promise .confidence 99.9' audit --method gaussian --mu 1 --runs 2000
expect 0 '"caught": false' audit --method gaussian --mu 1 --runs 2000 --json
cp out a.json
for key in method plant mu_promised mu_lower confidence caught runs; do
  grep -q "\"$key\":" a.json || expect 0 never echo "the key $key is missing"
done
expect 0 '"caught": false' audit --method gaussian --mu 1 --runs 2000 --json
same out a.json
expect 0 '"caught": false' audit --method gaussian --mu 1 --runs 2000 --json --threads 1
same out a.json
expect 1 'CAUGHT' audit --method gaussian --mu 1 --runs 2000 --plant half-sensitivity
expect 1 '"caught": true' audit --method noisy-gd --mu 1 --runs 200 --plant lost-count --json
expect 1 '"caught": true' audit --plant line-search --mu 1 --runs 200 --json
expect 1 '"caught": true' audit --plant exponential-descent --mu 1 --runs 200 --json
expect 0 'no attack' audit --method noisy-gd --mu 1 --runs 150 --adjacency add-remove
expect 0 'no attack' audit --method spo-gaussian --mu 1 --runs 100
expect 1 'CAUGHT' audit --method spo-gaussian --mu 1 --runs 100 --plant lost-count
expect 0 'guesses right' audit --method gaussian --mu 1 --one-run
expect 0 'no attack' "$tacit" audit --method gaussian --mu 0.5 --runs 500 # noise of the operating system
expect 0 'half-sensitivity.*' "$tacit" audit --help
expect 2 'no method' audit --method magic
expect 2 'no fault' audit --plant magic
expect 2 'mu must' audit --mu 0
expect 2 'runs must' audit --runs 3
expect 2 'clip norm' audit --method default --plant no-clipping
expect 2 'one run' audit --method default --one-run
finish
