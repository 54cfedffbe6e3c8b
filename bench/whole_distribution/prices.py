"""How often `tacit plan` is right: the price of privacy that real tables have against the range that it prints.

usage: prices.py measure FOLDER PROGRAM OUT.json [NAME ...]   cost at mu over the same learner's at mu = 20 or 10,000, whichever is cheaper, percent
       prices.py compare FOLDER PROGRAM MEASURED.json [--reps R] [NAME ...]   and what PROGRAM's plan says

FOLDER has NAME.json, a schema of one target, and NAME.{r0,r1,r2}.{train,test}.csv, three random splits. Noise is
seeded, four draws for each split. A price is the mean over splits and draws, at least 0; cells that OUT.json has are not measured again."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

TAUS, MUS, SPLITS, DRAWS, QUIET = (0.5, 0.9, 0.98), (0.1, 0.5, 2, 20), 3, 4, 10000
NAMES = ("bike", "casual", "bike-days", "hospital", "breaches", "hospital-by-place", "bike-by-day", "hospital-unit")


def run(words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(" ".join(words) + "\n" + done.stderr)
    return done.stdout


def column(path, name):
    with open(path) as file:
        place = file.readline().rstrip("\n").split(",").index(name)
        return np.array([float(line.rstrip("\n").split(",")[place]) for line in file])


def cost(folder, program, name, split, tau, mu, seed, demand, out):
    stem = f"{folder}/{name}.r{split}"
    run([program, "fit", stem + ".train.csv", "--schema", f"{folder}/{name}.json", "--quantile", str(tau), "--mu", str(mu),
         "--seed", str(seed), "--no-ledger", "--out", out])
    orders = run([program, "order", out, stem + ".test.csv"]).splitlines()[1:]
    over = demand - np.array([float(line.rsplit(",", 1)[1]) for line in orders])
    return float(np.mean(np.maximum(tau * over, (tau - 1) * over)))


def measure(folder, program, out, names):
    found = json.load(open(out)) if os.path.exists(out) else {}
    with tempfile.TemporaryDirectory() as scratch:
        for name in names:
            target = json.load(open(f"{folder}/{name}.json"))["target"]["name"]
            demand = [column(f"{folder}/{name}.r{s}.test.csv", target) for s in range(SPLITS)]
            for tau in TAUS:
                if all(f"{name}/{tau}/{mu}" in found for mu in MUS):
                    continue
                one = lambda s, mu, seed: cost(folder, program, name, s, tau, mu, seed, demand[s], f"{scratch}/p.json")
                costs = {mu: np.array([[one(s, mu, 100 * s + i + 1) for i in range(DRAWS)] for s in range(SPLITS)]) for mu in MUS}
                least = min(np.mean([one(s, QUIET, 1) for s in range(SPLITS)]), costs[MUS[-1]].mean())
                for mu, c in costs.items():
                    error = np.sqrt(c.var(1, ddof=1).mean() / c.size) / least
                    found[f"{name}/{tau}/{mu}"] = [max(100 * (c.mean() / least - 1), 0), 100 * error]
                    print(f"{name} {tau} {mu}: {100 * (c.mean() / least - 1):.2f} ({100 * error:.2f})", flush=True)
                json.dump(found, open(out, "w"), indent=1)


def compare(folder, program, measured, names, reps):
    found, inside, total, below = json.load(open(measured)), 0, 0, 0
    for name in names:
        with open(f"{folder}/{name}.r0.train.csv") as file:
            rows = sum(1 for _ in file) - 1
        for tau in TAUS:
            if f"{name}/{tau}/{MUS[0]}" not in found:
                continue
            said = json.loads(run([program, "plan", "--rows", str(rows), "--schema", f"{folder}/{name}.json", "--quantile",
                                   str(tau), "--mu", str(MUS[-1]), "--json", *reps]))
            said = {line["mu"]: line for line in said["by_mu"]}
            words = []
            for mu in MUS:
                price, low, high = found[f"{name}/{tau}/{mu}"][0], said[mu]["low"], said[mu]["high"]
                held = low <= price <= high
                inside, total, below = inside + held, total + 1, below + (price < low)
                words.append(("" if held else "*") + f"{price:.1f} in {low:.1f}…{high:.1f}")
            print(f"| {name}, {tau} | " + " | ".join(words) + " |", flush=True)
    print(f"{inside} of {total} in their range, {below} below, {total - inside - below} above")


def main():
    if len(sys.argv) < 5 or sys.argv[1] not in ("measure", "compare"):
        sys.exit(__doc__)
    folder, program, file, rest, reps = *sys.argv[2:5], sys.argv[5:], []
    if rest[:1] == ["--reps"]:
        reps, rest = rest[:2], rest[2:]
    if sys.argv[1] == "measure":
        measure(folder, program, file, rest or NAMES)
    else:
        compare(folder, program, file, rest or NAMES, reps)


main()
