#!/bin/sh
# Known answers through the program: classical quantile regressions and a restaurant's orders. Needs the data folder.
. tests/lib.sh
[ -d "$data/quantreg" ] || { echo "skipped: the data folder is not there"; exit 77; }

# near VALUE KNOWN: to 1e-8 relative, or 1e-8 absolute where the known answer is zero.
near() {
  checks=$((checks + 1))
  awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; if (d < 0) d = -d; m = b < 0 ? -b : b; exit !(d <= 1e-8 * (m > 0 ? m : 1)) }' ||
    { failed=$((failed + 1)); echo "FAILED: $1 is not $2"; }
}
fit() { "$tacit" fit "$1" --schema "$2" --out p.json --quantile "$3" --method erm-exact >/dev/null || failed=$((failed + 1)); }

echo '{"target": {"name": "foodexp", "min": 0, "max": 2500}, "features": [{"name": "income", "min": 0, "max": 5000}]}' >engel.json
engel="$data/quantreg/engel.csv"
while read -r tau intercept slope; do
  fit "$engel" engel.json "$tau"
  near "$(field p.json '(intercept)')" "$intercept"
  near "$(field p.json income)" "$slope"
done <<'KNOWN'
0.05 124.880040812573 0.343361057632
0.10 110.141574204948 0.401765759303
0.25 95.483539634553 0.474103208193
0.50 81.482247416936 0.560180551209
0.75 62.396585528964 0.644014139369
0.90 67.350872080130 0.686299480372
0.95 64.103963181055 0.709068516962
KNOWN
while read -r tau kernel intercept slope; do
  "$tacit" fit "$engel" --schema engel.json --out p.json --quantile "$tau" --method erm --kernel "$kernel" --bandwidth 50 >/dev/null || failed=$((failed + 1))
  near "$(field p.json '(intercept)')" "$intercept"
  near "$(field p.json income)" "$slope"
done <<'KNOWN'
0.5 gaussian 93.887032485951 0.544180622363
0.5 logistic 99.158621532666 0.537606140666
0.5 uniform 89.462604266055 0.550511572064
0.5 epanechnikov 87.853505375945 0.553116440406
0.5 triangular 87.475215518592 0.553715490826
0.9 gaussian 97.71335946433 0.67325405755
KNOWN

# the restaurant: steak, underage 15, overage 5, first 573 rows to train and 192 to test
paste -d, "$data/restaurant/yaz_data.csv" "$data/restaurant/yaz_target.csv" >all.csv
head -574 all.csv >train.csv
{ head -1 all.csv; tail -n 192 all.csv; } >test.csv
steak='"target": {"name": "steak", "min": 0, "max": 200}'
echo "{$steak, \"features\": []}" >saa.json
"$tacit" fit train.csv --schema saa.json --underage 15 --overage 5 --method saa --out p.json >/dev/null
near "$(field p.json '(intercept)')" 28
"$tacit" evaluate p.json test.csv --json >e.json
checks=$((checks + 1))
awk -v a="$(field e.json mean_cost)" 'BEGIN { exit !(a > 59.94791665 && a < 59.94791675) }' || { failed=$((failed + 1)); echo "FAILED: SAA cost"; }
echo "{$steak, \"features\": [{\"name\": \"weekday\", \"levels\": [\"SUN\", \"MON\", \"TUE\", \"WED\", \"THU\", \"FRI\", \"SAT\"]}]}" >day.json
"$tacit" fit train.csv --schema day.json --underage 15 --overage 5 --method erm-exact --out p.json >/dev/null
near "$(field p.json '(intercept)')" 20
for known in MON=1 TUE=4 WED=6 THU=6 FRI=11 SAT=25; do near "$(field p.json "weekday=${known%=*}")" "${known#*=}"; done
finish
