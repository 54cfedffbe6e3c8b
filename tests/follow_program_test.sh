#!/bin/sh
# Rules that are learned again as records arrive: chains of policies, budgets for each period, and what must not begin a policy.
# usage: follow_program_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"
wrong() { failed=$((failed + 1)); echo "FAILED: $*"; }
"$tacit" simulate restaurant --rows 2400 --schema-out s.json >t.csv
head -1 t.csv >head.csv
for month in 1 2 3 4; do
  { cat head.csv; sed 1d t.csv | sed -n "$((600 * (month - 1) + 1)),$((600 * month))p"; } >$month.csv
done
"$tacit" ledger open l.db --label lamb --mu 0.5 --per month >out
learn() { table=$1; shift; "$tacit" fit "$table" --schema s.json --quantile 0.7 --ledger l.db --label lamb "$@"; }

# What lags carry into the next period belongs to two of them.
cat >lagged.json <<'END'
{"target": {"name": "demand", "min": 0, "max": 100}, "features": [{"name": "demand", "lag": 1}], "unit": {"rows_per_unit": 2}}
END
expect 4 'from one period into' "$tacit" fit 1.csv --schema lagged.json --quantile 0.7 --mu 0.5 --ledger l.db --label lamb --period 2024-01 --out x.json

# A chain: each period has its budget once, and every policy holds, names the one before it and was paid for.
expect 4 'budget for each month, and it is not said' learn 1.csv --mu 0.5 --method follow --out 1.json
expect 4 'named like 2024-03' learn 1.csv --mu 0.5 --method follow --period 2024-1 --out 1.json
expect 2 '1 to 24 letters' "$tacit" fit 1.csv --schema s.json --quantile 0.7 --mu 0.5 --method follow --no-ledger --period 'a b' --out x.json
expect 0 'spent so far in 2024-01: mu = 0.5' learn 1.csv --mu 0.5 --method follow --period 2024-01 --out 1.json
expect 0 'left: 0.4 of 0.5' learn 2.csv --mu 0.3 --from 1.json --period 2024-02 --out 2.json
expect 0 'spent so far in 2024-03' learn 3.csv --mu 0.5 --from 2.json --period 2024-03 --out 3.json
expect 4 'not enough budget: mu = 0.41 is asked, 0.4' learn 2.csv --mu 0.41 --from 1.json --period 2024-02 --out x.json
expect 0 'goes on from the policy that was given, which holds' "$tacit" verify 3.json --from 2.json
expect 0 'goes on from the policy that was given, which holds' "$tacit" verify 2.json --from 1.json
expect 1 'goes on from another policy' "$tacit" verify 3.json --from 1.json
expect 0 '2 policies before it go on from each other and hold by themselves; the first began from nothing' "$tacit" verify 3.json --from 2.json 1.json
expect 1 'of the policy 1 back: it goes on from another policy' "$tacit" verify 3.json --from 2.json 3.json
expect 1 'of the policy 2 back: it goes on from no policy' "$tacit" verify 3.json --from 2.json 1.json 1.json
# A label that looks like another one's period is told from it.
"$tacit" ledger open l.db --label 'lamb in 2024-01' --mu 1 >out
expect 0 '"lamb in 2024-01"' "$tacit" ledger show l.db
expect 2 'one policy is verified at a time' "$tacit" verify 3.json 2.json
expect 1 'goes on from no policy' "$tacit" verify 1.json --from 2.json
expect 0 'every release of follow is listed: 14 of 14' "$tacit" verify 3.json
expect 0 'of the period 2024-03; that nobody has records in another one is asserted' cat 3.json
expect 0 '' "$tacit" ledger show l.db --check 1.json 2.json 3.json
expect 0 'lamb in 2024-02 +0.5 +0.3 +0.4' "$tacit" ledger show l.db
expect 0 'for each month by itself: that no unit has records' "$tacit" ledger export l.db
[ "$(sha256sum <2.json | cut -d' ' -f1)" = "$(sed -n 's/.*"goes_on_from": "\([0-9a-f]*\)".*/\1/p' 3.json)" ] || wrong "the hash is not the file's"

expect 4 'it is not said which one' "$tacit" evaluate 3.json 4.csv --mu 0.2 --ledger l.db --label lamb
expect 0 'spent so far in 2024-04: mu = 0.2' "$tacit" evaluate 3.json 4.csv --mu 0.2 --ledger l.db --label lamb --period 2024-04

# A label is of one kind, and one for all time adds every period up.
expect 4 'counts for each month already' "$tacit" ledger open l.db --label lamb --mu 0.5 --per year
"$tacit" ledger open l.db --label ever --mu 0.5 >out
expect 4 'counts for all time together already' "$tacit" ledger open l.db --label ever --mu 0.5 --per month
expect 2 'day, week, month, quarter or year' "$tacit" ledger open l.db --label other --mu 0.5 --per fortnight
expect 0 'left: 0.3 of 0.5' learn 1.csv --mu 0.4 --method follow --period 2024-01 --label ever --out e.json
expect 4 'not enough budget' learn 2.csv --mu 0.4 --from e.json --period 2024-02 --label ever --out x.json

# What must not begin a policy, and what cannot.
alone() { "$tacit" fit 4.csv --schema s.json --quantile 0.7 --mu 0.5 --no-ledger "$@"; }
alone --method follow --seed 3 --out seeded.json >out
expect 4 'is not private' alone --from seeded.json --out x.json
expect 0 'written: next.json' alone --from seeded.json --seed 4 --out next.json
cp next.json again.json
alone --from seeded.json --seed 4 --threads 3 --out next.json >out
same next.json again.json
sed 's/"mu": 0.5/"mu": 0.4/' 3.json >bent.json
expect 4 'does not verify' alone --from bent.json --out x.json
alone --out default.json >out
expect 4 'says nothing of what was learned' alone --from default.json --out x.json
expect 2 'cannot go on from a policy; follow can' alone --method default --method noisy-gd --from 3.json --out x.json
expect 4 'another quantile' "$tacit" fit 4.csv --schema s.json --quantile 0.8 --mu 0.5 --no-ledger --from 3.json --out x.json
sed 's/"max": 100}/"max": 90}/' s.json >other.json
expect 4 'another schema' "$tacit" fit 4.csv --schema other.json --quantile 0.7 --mu 0.5 --no-ledger --from 3.json --out x.json
expect 2 'would replace a file that is read' alone --from 3.json --out 3.json

# It orders, and the audit finds nothing but what was planted.
alone --from 3.json --out 4.json >out
expect 0 '' "$tacit" order 4.json 4.csv
expect 0 'no attack' "$tacit" audit --method follow --mu 1 --runs 200 --seed 1
expect 1 'CAUGHT' "$tacit" audit --method follow --mu 1 --runs 400 --seed 1 --plant half-sensitivity
finish
