#!/bin/sh
# Poisson sampling on 50 random settings beside Google's dp-accounting and Microsoft's prv_accountant.
# accounting_peer_test.sh PROGRAM BUILD_DIR; exit code 77 without python3 or dp_accounting.
set -eu
command -v python3 >/dev/null || { echo "no python3: skipped"; exit 77; }
python3 -c 'import dp_accounting.pld.privacy_loss_distribution' >/dev/null 2>&1 || { echo "no dp_accounting: skipped"; exit 77; }
python3 -c 'import prv_accountant' >/dev/null 2>&1 || echo "no prv_accountant: only dp-accounting is compared"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/peer.py" <<'PY'
import json, math, random, subprocess, sys, warnings
warnings.filterwarnings("ignore")
from dp_accounting.pld import privacy_loss_distribution as pld
try:
    import prv_accountant
except ImportError:
    prv_accountant = None

program, count = sys.argv[1], int(sys.argv[2])
random.seed(7)
failures = 0
for i in range(count):
    sigma = round(math.exp(random.uniform(math.log(0.7), math.log(8))), 3)
    rate = round(math.exp(random.uniform(math.log(2e-3), math.log(0.5))), 4)
    steps = int(math.exp(random.uniform(0, math.log(5000))))
    delta = 10 ** -random.randint(3, 8)
    ours = json.loads(subprocess.run(
        [program, "account", "sgd", "--sigma", str(sigma), "--rate", str(rate), "--steps", str(steps), "--sampling",
         "poisson", "--adjacency", "add-remove", "--delta", str(delta), "--json"],
        check=True, capture_output=True, text=True).stdout)
    lower, upper = ours["epsilon_lower"], ours["epsilon_upper"]
    # dp-accounting: connect-the-dots from above, rounding to the grid from below
    width = max(1e-5, min(1e-3, 0.02 * rate / sigma))
    def theirs(pessimistic):
        one = pld.from_gaussian_mechanism(sigma, sampling_prob=rate, value_discretization_interval=width,
                                          pessimistic_estimate=pessimistic, use_connect_dots=pessimistic)
        return one.self_compose(steps).get_epsilon_for_delta(delta)
    high, low = theirs(True), theirs(False)
    # both intervals hold the truth, so they overlap; their truncation of tails is 1e-15 and their FFT unbounded
    holds = lower <= high * (1 + 1e-6) + 1e-9 and low <= upper * (1 + 1e-6) + 1e-9 and upper <= lower * 1.005 + 1e-9
    text = f"sigma {sigma} rate {rate} steps {steps} delta {delta:g}: [{lower:.6g}, {upper:.6g}], dp-accounting [{low:.6g}, {high:.6g}]"
    if prv_accountant and upper > 0.02:
        prv = prv_accountant.PoissonSubsampledGaussianMechanism(noise_multiplier=sigma, sampling_probability=rate)
        try:
            account = prv_accountant.PRVAccountant(prvs=[prv], max_self_compositions=[steps], eps_error=max(0.01, 0.01 * upper), delta_error=delta / 100)
            a, _, b = account.compute_epsilon(delta, [steps])
            holds = holds and lower <= b and a <= upper
            text += f", prv [{a:.6g}, {b:.6g}]"
        except Exception as problem:  # it has settings of its own that it cannot do
            text += f", prv: {type(problem).__name__}"
    if not holds:
        failures += 1
        text = "FAILED: " + text
    print(text)
print(f"{count - failures} agree, {failures} do not")
sys.exit(failures > 0)
PY
python3 "$work/peer.py" "$1" "$([ "${TACIT_QUICK:-}" ] && echo 10 || echo 50)"
