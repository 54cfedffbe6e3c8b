#!/bin/sh
# A policy whose rule has a spread, written by hand: ordered and evaluated as docs/formats/policy.md says.
# usage: spread_rule_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

# policy RULE COEFFICIENTS SPREAD TARGET: for one number t within 0 and 10, and a day
policy() {
  cat <<END
{"format": "tacit-policy", "version": 2, "tacit": "0.1.0", "rule": "$1",
 "targets": [{"name": "y", "quantile": 0.75, "underage": 3.0, "overage": 1.0}],
 "coefficients": {"(intercept)": $2, "t": 0.5, "day=SUN": -1.0},
 $3
 "schema": {"target": {"name": "y", $4}, "features": [{"name": "t", "min": 0, "max": 10}, {"name": "day", "levels": ["MON", "SUN"]}]}}
END
}
block() { echo "\"spread\": {\"logarithm\": {\"(intercept)\": $1, \"t\": 0.2, \"day=SUN\": 0.7}, \"spreads\": $2},"; }
plain='"min": 0, "max": 100' log='"min": 0, "max": 100, "transform": "log", "log_unit": 10'
printf 't,day,y\n0,MON,10\n4,MON,22\n10,SUN,71\n25,SUN,60\n7,TUE,30\n' >t.csv
# The same by another program: v = c't + k min(max(exp(l't), W/4096), W), within the target's bounds.
order() { # INTERCEPT LOG_INTERCEPT SPREADS UNIT (0: no logarithm)
  sed 1d t.csv | awk -F, -v c="$1" -v l="$2" -v k="$3" -v unit="$4" '{
    t = $1 > 10 ? 10 : $1; sun = $2 == "SUN"; W = unit ? log(1 + 100 / unit) : 100
    s = exp(l + 0.2 * t + 0.7 * sun); s = s > W ? W : s < W / 4096 ? W / 4096 : s
    v = c + 0.5 * t - sun + k * s; q = unit ? unit * (exp(v) - 1) : v
    q = q < 0 ? 0 : q > 100 ? 100 : q; printf "%.6g\n", q }'
}
ordered() { "$tacit" order "$1" t.csv 2>err | sed 1d | awk -F, '{ printf "%.6g\n", $NF }'; }
try() { # NAME TARGET INTERCEPT LOG_INTERCEPT SPREADS UNIT
  policy linear-with-spread "$3" "$(block "$4" "$5")" "$2" >"$1"
  order "$3" "$4" "$5" "$6" >wanted
  ordered "$1" >got
  same wanted got
}
try plain.json "$plain" 10.0 0.5 1.5 0
try below.json "$plain" 60.0 1.5 -0.8 0
try wide.json "$plain" 5.0 9.0 0.3 0      # the spread is the whole range
try narrow.json "$plain" 5.0 -20.0 100.0 0 # and its 4096th part
try log.json "$log" 0.2 -2.5 0.7 10
try log_wide.json "$log" -0.5 3.0 0.4 10

# What it costs is what its orders cost.
expect 0 mean_cost "$tacit" evaluate plain.json t.csv --json
cost=$(field out mean_cost)
sed 1d t.csv | cut -d, -f3 >y
wanted=$(order 10.0 0.5 1.5 0 | paste -d, - y | awk -F, '{ d = $2 - $1; s += d > 0 ? 3 * d : -d } END { printf "%.5g", s / NR }')
checks=$((checks + 1))
[ "$(printf '%.5g' "$cost")" = "$wanted" ] || { failed=$((failed + 1)); echo "FAILED: cost $cost, not $wanted"; }
expect 4 'does not verify' "$tacit" evaluate plain.json t.csv --mu 1 --no-ledger
expect 1 'no certificate' "$tacit" verify plain.json

# Files that say two things.
policy linear 10.0 "$(block 0.5 1.5)" "$plain" >bad.json
expect 3 'rule is linear' "$tacit" order bad.json t.csv
policy linear-with-spread 10.0 '' "$plain" >bad.json
expect 3 '"spread" is missing' "$tacit" order bad.json t.csv
policy linear-with-spread 10.0 "$(block 0.5 1e300)" "$plain" >bad.json
expect 3 '"spread" is missing or malformed' "$tacit" order bad.json t.csv
policy another 10.0 "$(block 0.5 1.5)" "$plain" >bad.json
expect 3 'rule is not one that this tacit knows' "$tacit" order bad.json t.csv
finish
