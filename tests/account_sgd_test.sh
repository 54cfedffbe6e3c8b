#!/bin/sh
# tacit account sgd and account calibrate sgd: intervals, keys, comparison lines, refusals.
. tests/lib.sh

sgd="$tacit account sgd"
calibrate="$tacit account calibrate sgd"
# inside FILE NAME VALUE: NAME_lower <= VALUE <= NAME_upper
inside() {
  checks=$((checks + 1))
  awk -v l="$(field "$1" "$2_lower")" -v u="$(field "$1" "$2_upper")" -v x="$3" 'BEGIN { exit !(l != "" && l <= x && x <= u) }' ||
    { failed=$((failed + 1)); echo "FAILED: $2 $(field "$1" "$2_lower") .. $(field "$1" "$2_upper") does not hold $3"; }
}
# below A B: A < B
below() {
  checks=$((checks + 1))
  awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && b != "" && a < b) }' || { failed=$((failed + 1)); echo "FAILED: $1 is not below $2"; }
}

# known answers, one step
$sgd --sigma 1 --rate 0.2 --steps 1 --sampling poisson --adjacency add-remove --epsilon 1 --json >a.json
inside a.json delta 0.00229682
inside a.json epsilon 1
$sgd --sigma 1 --rate 1 --steps 1 --sampling poisson --epsilon 1 --json >a.json
inside a.json delta 0.50986166
$sgd --sigma 1 --rate 0.2 --steps 1 --sampling poisson --adjacency replace-one --epsilon 1 --json >a.json
inside a.json delta 0.004734828
$sgd --sigma 1 --rows 1000 --batch 200 --steps 1 --sampling fixed --epsilon 1 --json >fixed.json
inside fixed.json delta 0.0578404
# the answers of three independent programs, to the stated digits
while read -r sigma rate steps epsilon; do
  $sgd --sigma "$sigma" --rate "$rate" --steps "$steps" --sampling poisson --adjacency add-remove --delta 1e-6 --json >a.json
  inside a.json epsilon "$epsilon"
  below "$(field a.json epsilon_upper)" "$(awk -v x="$epsilon" 'BEGIN { print x * 1.0005 }')"
done <<'KNOWN'
0.8 0.001 100 0.260337
1.5 0.05 1000 6.19969
2 0.2 100 5.66179
3 0.001 50000 0.29966
KNOWN
$sgd --sigma 1.5 --rate 0.04 --steps 2250 --sampling poisson --adjacency add-remove --delta 1e-5 --json --compare >a.json
inside a.json epsilon 6.7687804
inside a.json delta 1e-5
below "$(field a.json epsilon_upper)" "$(field a.json rdp)"

# n^2 steps on one of 5000 rows
$sgd --sigma 6.07 --rows 5000 --batch 1 --steps 25000000 --sampling fixed --epsilon 1 --json >n2.json
below "$(field n2.json delta_upper)" 0.00082
below 0.00081 "$(field n2.json delta_lower)"

# the steps count: a composition that dropped them would not move
$sgd --sigma 1 --rate 0.01 --steps 10 --sampling poisson --epsilon 0.5 --json >few.json
$sgd --sigma 1 --rate 0.01 --steps 1000 --sampling poisson --epsilon 0.5 --json >many.json
below "$(field few.json delta_upper)" "$(field many.json delta_lower)"
# --rows and --batch are --rate
$sgd --sigma 1 --rows 100 --batch 1 --steps 10 --sampling poisson --epsilon 0.5 --json >same.json
inside same.json delta "$(field few.json delta_upper)"

# calibration is the inverse: what it gives keeps the promise, a little less does not
$calibrate --rate 0.01 --steps 1 --sampling poisson --adjacency add-remove --epsilon 1 --delta 1e-5 --json >c.json
inside c.json sigma 0.67379289
below "$(field c.json delta_upper)" 1.0000000001e-5
expect 0 "^sigma +0.6737" $calibrate --rate 0.01 --steps 1 --sampling poisson --adjacency add-remove --epsilon 1 --delta 1e-5

# for people
expect 0 "^epsilon +between 6.76[0-9]* and 6.7[67]" $sgd --sigma 1.5 --rate 0.04 --steps 2250 --sampling poisson --adjacency add-remove --delta 1e-5
expect 0 "Renyi divergences.* 7.32" $sgd --sigma 1.5 --rate 0.04 --steps 2250 --sampling poisson --adjacency add-remove --delta 1e-5
expect 0 "moments accountant" $sgd --sigma 2 --rate 0.1 --steps 20 --sampling poisson --epsilon 1
expect 0 "usage: tacit account sgd" $sgd --help
expect 0 "usage: tacit account calibrate sgd" $calibrate --help
expect 0 "sgd" "$tacit" account --help

# refusals
good="--rate 0.1 --steps 10 --sampling poisson"
for sigma in 0 -1 0.001; do expect 2 "sigma must be" $sgd --sigma $sigma $good --delta 1e-5; done
expect 2 "rate must be" $sgd --sigma 1 --rate 1.5 --steps 10 --sampling poisson --delta 1e-5
expect 2 "rate must be" $sgd --sigma 1 --rate 0 --steps 10 --sampling poisson --delta 1e-5
expect 2 "at least one step" $sgd --sigma 1 --rate 0.1 --steps 0 --sampling poisson --delta 1e-5
expect 2 "delta must be" $sgd --sigma 1 $good --delta 0
expect 2 "delta must be" $sgd --sigma 1 $good --delta 1
expect 2 "epsilon must be" $sgd --sigma 1 $good --epsilon -1
expect 2 "fixed size need a public number of rows" $sgd --sigma 1 --rows 100 --batch 10 --steps 5 --sampling fixed --adjacency add-remove --delta 1e-5
expect 2 "fixed size need a public number of rows" $calibrate --rows 100 --batch 10 --steps 5 --sampling fixed --adjacency add-remove --epsilon 1 --delta 1e-5
expect 2 "give --sampling" $sgd --sigma 1 --rate 0.1 --steps 10 --delta 1e-5
expect 2 "poisson or fixed" $sgd --sigma 1 --rate 0.1 --steps 10 --sampling random --delta 1e-5
expect 2 "give --rate, or --rows and --batch" $sgd --sigma 1 --steps 10 --sampling poisson --delta 1e-5
expect 2 "give --rate, or --rows and --batch" $sgd --sigma 1 --rate 0.1 --rows 10 --steps 10 --sampling poisson --delta 1e-5
expect 2 "at most --rows" $sgd --sigma 1 --rows 10 --batch 11 --steps 10 --sampling poisson --delta 1e-5
expect 2 "one of --epsilon and --delta" $sgd --sigma 1 $good
expect 2 "one of --epsilon and --delta" $sgd --sigma 1 $good --epsilon 1 --delta 1e-5
expect 2 "give --steps" $sgd --sigma 1 --rate 0.1 --sampling poisson --delta 1e-5
expect 2 "give --sigma" $sgd $good --delta 1e-5
expect 2 "give --epsilon and --delta" $calibrate $good --epsilon 1
expect 2 "delta must be" $calibrate $good --epsilon 1 --delta 0
finish
