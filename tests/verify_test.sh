#!/bin/sh
# verify recomputes every certificate from the file alone, and fails for each way of tampering with one.
. tests/lib.sh

"$tacit" simulate zhao-normal --rows 300 --seed 5 --schema-out s.json >t.csv
fit() { "$tacit" fit t.csv --schema s.json --out "$@" >/dev/null || exit 1; }

# what holds
fit p.json --underage 3 --overage 1 --mu 0.5
expect 0 'all releases together are 0.5' "$tacit" verify p.json
expect 0 '"holds": true' "$tacit" verify p.json --json
fit q.json --quantile 0.3 --epsilon 1 --delta 1e-6
expect 0 'guarantee holds' "$tacit" verify q.json
fit r.json --quantile 0.9 --mu 0.3 --adjacency add-remove --nominal-rows 300 --label added
expect 0 'add-remove' "$tacit" verify r.json
fit z.json --quantile 0.5 --mu 2 --method noisy-gd --preset zhao --start sphere
expect 0 'guarantee holds' "$tacit" verify z.json

# on a rich table fewer steps are made, and the certificate says how many
"$tacit" simulate zhao-normal --rows 3000 --seed 5 >rich.csv
"$tacit" fit rich.csv --schema s.json --quantile 0.6 --mu 10 --out rich.json >/dev/null || exit 1
expect 0 'guarantee holds' "$tacit" verify rich.json
for steps in 9 11 20 0 10.5; do
  sed "s/\"steps\": 10.0/\"steps\": $steps/" rich.json >steps.json
  cmp -s rich.json steps.json && { failed=$((failed + 1)); echo "FAILED: rich.json does not state 10 steps"; }
  expect 1 'FAILS.*listed' "$tacit" verify steps.json
done

# what does not: not private at all
fit seeded.json --quantile 0.5 --mu 0.5 --seed 1
expect 1 'FAILS.*seed' "$tacit" verify seeded.json
for method in erm erm-spread erm-exact saa; do
  fit $method.json --quantile 0.5 --method $method
  expect 1 'FAILS.*without noise' "$tacit" verify $method.json
  grep -q 'NOT PRIVATE' $method.json || { failed=$((failed + 1)); echo "FAILED: $method does not say NOT PRIVATE"; }
done

# tampering: the original must pass the same substitution-free pipeline first
fit u.json --quantile 0.5 --mu 0.5 --method noisy-gd --growth 1 --steps 10
expect 0 'holds' "$tacit" verify u.json
sigma=$(field u.json sigma) sensitivity=$(field u.json sensitivity) mu=$(field u.json mu)
tamper() { # tamper NAME SED-SCRIPT PATTERN
  sed "$2" u.json >"$1.json"
  cmp -s u.json "$1.json" && { failed=$((failed + 1)); echo "FAILED: tampering $1 changed nothing"; }
  expect 1 "$3" "$tacit" verify "$1.json"
}
tamper sigma "s/\"sigma\": $sigma/\"sigma\": $(awk "BEGIN{print $sigma*0.999}")/" 'FAILS.*GDP'
tamper count 's/"count": 10/"count": 9/' 'FAILS.*listed'
tamper counts 's/"count": 10/"count": 9/; s/"releases": 10/"releases": 11/' 'FAILS.*listed'
tamper more 's/"count": 10/"count": 12/; s/"releases": 10/"releases": 12/' 'FAILS.*GDP'
tamper claimed "s/\"mu\": $mu/\"mu\": 0.49/" 'FAILS.*GDP'
tamper sensitivity "s/\"sensitivity\": $sensitivity/\"sensitivity\": $(awk "BEGIN{print $sensitivity/2}")/" 'FAILS.*sensitivities'
tamper both "s/\"sensitivity\": $sensitivity/\"sensitivity\": $(awk "BEGIN{print $sensitivity/2}")/; s/\"sigma\": $sigma/\"sigma\": $(awk "BEGIN{print $sigma/2}")/" 'FAILS.*(sensitivities|GDP)'
tamper schema 's/"scale": 1,/"scale": 3,/' 'FAILS.*schema'
tamper quantile 's/"quantile": 0.5/"quantile": 0.9/' 'FAILS'
tamper clip "s/\"clip\": $(field u.json clip)/\"clip\": 9/" 'FAILS.*sensitivities'
tamper unit 's/"rows_per_unit": 1/"rows_per_unit": 0/' 'FAILS.*unit'
tamper adjacency 's/"operating system"/"seeded"/' 'FAILS.*entropy'
tamper private 's/"private": true/"private": false/' 'FAILS.*private'
tamper zero "s/\"sigma\": $sigma/\"sigma\": 0/" 'FAILS.*GDP'

negative=$(awk "BEGIN{print -$sensitivity}")
tamper negative "s/\"sensitivity\": $sensitivity/\"sensitivity\": $negative/" 'FAILS.*sensitivities'
tamper kind 's/"release": "scores"/"release": "count"/' 'FAILS.*listed'
tamper dimension 's/"dimension": 5/"dimension": 1/' 'FAILS.*listed'
tamper grid 's/"grid_bits": 33/"grid_bits": 16/' 'FAILS.*listed'
tamper method 's/"method": "noisy-gd"/"method": "magic"/' 'FAILS.*listed'
tamper curve 's/"epsilon": [0-9.e-]*/"epsilon": 0.001/' 'FAILS.*follow'
tamper statement 's/0.5-Gaussian/0.001-Gaussian/' 'FAILS.*follow'
tamper beliefs 's/^          0\.5[0-9]*/          0.500001/; s/"prior": 0.5,/"prior": 0.6,/' 'FAILS.*follow'
tamper words 's/"kind": "GDP"/"kind": "pure"/' 'FAILS.*follow'
tamper limit 's/"limit": "one row"/"limit": "enforced"/' 'FAILS.*follow'
tamper extra 's/"version": 2,/"version": 2, "approved": true,/' 'FAILS.*follow'
tamper flipped 's/"adjacency": "replace-one"/"adjacency": "add-remove"/' 'FAILS.*unit'
tamper rows 's/"rows": 300/"rows": 1/' 'FAILS.*unit'
tamper huge 's/"mu": 0.5,/"mu": 1e300,/' 'FAILS.*GDP'

# the default learner's list cannot be shortened either
expect 0 'every release of location-scale' "$tacit" verify p.json
expect 1 'FAILS.*listed' sh -c "sed '0,/\"count\": 8/s//\"count\": 7/' p.json >d1.json; '$tacit' verify d1.json"
expect 1 'FAILS' sh -c "sed '0,/\"release\": \"moment\"/s//\"release\": \"count\"/' p.json >d2.json; '$tacit' verify d2.json"
expect 1 'FAILS' sh -c "sed 's/\"features\": 4.0/\"features\": 0.0/' p.json >d3.json; '$tacit' verify d3.json"

expect 1 'FAILS' sh -c "sed 's/\"level\": 0.75/\"level\": 0.5/' p.json >d4.json; '$tacit' verify d4.json"

# every byte is what tacit writes: no other key, spelling, order or white space, and a version is a version
tamper whole 's/"tacit": "[0-9.]*"/"tacit": {"rows": "the whole table"}/' 'FAILS  the file is, byte for byte'
tamper version 's/"tacit": "[0-9.]*"/"tacit": "1.0.0-Jane"/' 'FAILS.*follow'
tamper spelling 's/"private": true/"privat\\u0065": true/' 'FAILS  the file is, byte for byte'
tamper number 's/"rows_per_unit": 1,/"rows_per_unit":  1,/' 'FAILS  the file is, byte for byte'
tamper digits 's/"level": 0.5,/"level": 0.50,/' 'FAILS  the file is, byte for byte.*laid out anew'
tamper noise "s/\"sigma\": $sigma/\"sigma\": $(awk "BEGIN{printf \"%.17g\", $sigma*1.000001}")/" 'FAILS  every release.*its noise'
{ cat u.json; echo; } >longer.json
expect 1 'FAILS  the file is, byte for byte' "$tacit" verify longer.json
expect 0 'every release' "$tacit" verify u.json
expect 0 '' "$tacit" order longer.json t.csv # orders do not need it

# inputs are a closed list: no other names, words, numbers out of range, or order
tamper richest 's/"start": "zero",/"start": "zero", "richest": "a name and an income",/' 'FAILS  the inputs'
tamper start 's/"start": "zero"/"start": "mean of the rows"/' 'FAILS  the inputs.*"start"'
tamper kernel 's/"kernel": "gaussian"/"kernel": "Gaussian"/' 'FAILS  the inputs.*"kernel"'
tamper average 's/"average": 10.0/"average": 11.0/' 'FAILS  the inputs.*"average"'
tamper whiten 's/"whiten": "no"/"whiten": "never"/' 'FAILS  the inputs.*"whiten"'
tamper wide 's/"bandwidth": [0-9.]*/"bandwidth": 0.0/' 'FAILS  the inputs.*"bandwidth"'
tamper size 's/"step_size": [0-9.]*/"step_size": 1000001.0/' 'FAILS  the inputs.*"step_size"'
tamper order 's/"steps": 10.0,/@/; s/"clip_norm": 2.0,/"steps": 10.0,/; s/@/"clip_norm": 2.0,/' 'FAILS  the inputs'
for more in 'gradient --steps 20 --mu 1' 'objective --epsilon 1 --delta 1e-5' 'sgd --steps 30 --epsilon 1 --delta 1e-5' \
  'sgd --steps 30 --rate 0.1 --epsilon 1 --delta 1e-5' 'default --mu 1'; do
  fit w.json --quantile 0.5 --no-ledger --method $more
  expect 0 'holds  the inputs' "$tacit" verify w.json
  sed 's/"inputs": {/"inputs": { "richest": "a name and an income",/' w.json >wr.json
  expect 1 'FAILS  the inputs' "$tacit" verify wr.json
done

# what is too small to be stated is refused before anything is spent
for odd in 'noisy-gd --mu 1 --bandwidth 1e-310' 'gradient --mu 1 --theta-bound 1e-310' 'noisy-gd --mu 1 --bandwidth 1e300'; do
  expect 2 'the (bandwidth|bound of theta)' "$tacit" fit t.csv --schema s.json --quantile 0.5 --out no.json --method $odd
done

# two targets: the releases of one cannot be left out
printf 'x,a,b\n' >two.csv
awk 'BEGIN { for (i = 0; i < 50; i++) printf "%g,%g,%g\n", i % 10, i % 10 + 5, 20 - i % 10 }' >>two.csv
echo '{"target": [{"name": "a", "min": 0, "max": 30}, {"name": "b", "min": 0, "max": 30}], "features": [{"name": "x", "min": 0, "max": 10}]}' >two.json
"$tacit" fit two.csv --schema two.json --quantile 0.5 --mu 1 --method noisy-gd --growth 1 --steps 10 --no-ledger --out twice.json >/dev/null
expect 0 'holds' "$tacit" verify twice.json
sed '0,/"target": "b"/s//"target": "a"/' twice.json >onlya.json
expect 1 'FAILS.*listed' "$tacit" verify onlya.json

# the quantile is the costs', to the last digit
fit c.json --underage 0.001 --overage 1 --mu 1 --method noisy-gd --steps 3 --no-ledger
expect 0 'guarantee holds' "$tacit" verify c.json
quantile=$(field c.json quantile)
sed "s/$quantile/0.00099900109/" c.json >other.json
cmp -s c.json other.json && { failed=$((failed + 1)); echo "FAILED: the quantile was not found"; }
expect 3 'targets' "$tacit" verify other.json
# nobody draws noise of this size
sed 's/"sigma": [0-9.]*/"sigma": 1e+20/; s/"mu": 0.5/"mu": 0.5/' p.json >loud.json
expect 1 'FAILS' "$tacit" verify loud.json
# a list that no file could hold is refused before anything is spent
expect 4 'more different releases than a policy file can hold' "$tacit" fit t.csv --schema s.json --quantile 0.5 --mu 1 --method noisy-gd --steps 1000000 --growth 1.000001 --no-ledger --out no.json

# coefficients without a certificate; a certificate without coefficients
awk '/^  "privacy": \{/{skip=1} !skip' u.json | sed '$ s/,$//' >nocert.json
echo '}' >>nocert.json
sed -i 'N;$!P;$!D;$ s/},\n}/}\n}/' nocert.json
expect 1 'no certificate' "$tacit" verify nocert.json
sed 's/"z1": [-0-9.e]*,//' u.json >nocoef.json
expect 3 'coefficients' "$tacit" verify nocoef.json
finish
