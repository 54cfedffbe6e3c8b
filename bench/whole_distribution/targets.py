"""targets.py PROGRAM SEED COUNT DRAWS: what four targets of one table gain by being learned together.

COUNT synthetic tables with categories and numbers, whose four targets are sums or products with slopes and spreads of their own. Noise's cost
on 6,000 fresh rows (percent over the same learner's at mu = 2,000): of one fit for all four at mu, and of four fits at mu/2 each, which
promise the same together."""
import json
import subprocess
import sys
import tempfile

import numpy as np

CELLS, TEST, TARGETS = ((0.5, 0.3), (0.5, 1.0), (0.9, 0.5), (0.9, 2.0)), 6000, 4


def table(rng, size, law):
    x, columns = np.empty((size, 0)), []
    for p in law["levels"]:
        level = rng.choice(len(p), size, p=p)
        columns.append([f"L{i}" for i in level])
        x = np.column_stack([x, level[:, None] == np.arange(len(p))])
    for _ in range(law["numbers"]):
        number = rng.uniform(-1, 1, size)
        columns.append(number)
        x = np.column_stack([x, number])
    y = []
    for t in range(TARGETS):
        fit, unequal = (x - law["mean"]) @ law["b"][t], np.clip((x - law["mean"]) @ law["g"][t], -3, 3)
        noise = rng.standard_t(6, size) * np.exp(law["strength"][t] * unequal)
        y.append(np.exp(0.5 * np.clip(fit + noise, -6, 6)) if law["product"][t] else fit + noise)
    return columns, y


def draw(rng):
    levels = [rng.dirichlet(np.full(k, 3.0)) for k in rng.integers(2, 16, rng.integers(1, 4))]
    law = {"levels": levels, "numbers": int(rng.integers(1, 5)), "rows": int(np.exp(rng.uniform(np.log(1500), np.log(12000))))}
    variance = np.concatenate([p * (1 - p) for p in levels] + [np.full(law["numbers"], 1 / 3)])
    law["mean"] = np.concatenate([*levels, np.zeros(law["numbers"])])
    direction = lambda: (lambda v: v / np.sqrt(np.sum(v * v * variance)))(rng.standard_normal(len(variance)) / np.sqrt(variance))
    law["b"] = [rng.uniform(0.7, 2) * direction() for _ in range(TARGETS)]
    law["g"] = [direction() for _ in range(TARGETS)]
    law["strength"], law["product"] = rng.uniform(0, 0.6, TARGETS), rng.random(TARGETS) < 0.5
    return law


def write(path, columns, y):
    with open(path, "w") as file:
        names = [f"x{i}" for i in range(len(columns))] + [f"y{t}" for t in range(TARGETS)]
        file.write(",".join(names) + "\n")
        for row in zip(*columns, *y):
            file.write(",".join(v if isinstance(v, str) else repr(float(v)) for v in row) + "\n")


def run(words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(" ".join(words) + "\n" + done.stderr)
    return done.stdout


def main():
    program, seed, count, draws = sys.argv[1], *map(int, sys.argv[2:5])
    sums = {}
    with tempfile.TemporaryDirectory() as scratch:
        def costs(schema, names, tau, mu, noise):
            run([program, "fit", f"{scratch}/train.csv", "--schema", schema, "--quantile", str(tau), "--mu", str(mu), "--seed", str(noise),
                 "--no-ledger", "--threads", "1", "--out", f"{scratch}/p.json"])
            orders = json.loads(run([program, "order", f"{scratch}/p.json", f"{scratch}/test.csv", "--json"]))["orders"]
            over = [y[i] - np.array([r[n] if isinstance(r, dict) else r for r in orders]) for i, n in enumerate(names)]
            return [float(np.mean(np.maximum(tau * o, (tau - 1) * o))) for o in over]

        for problem in range(count):
            rng = np.random.default_rng([seed, problem])
            law = draw(rng)
            columns, y = table(rng, law["rows"], law)
            write(f"{scratch}/train.csv", columns, y)
            bounds = [(min(0, float(np.quantile(v, 0.001))), float(1.3 * np.quantile(v, 0.999))) for v in y]
            columns, y = table(rng, TEST, law)
            write(f"{scratch}/test.csv", columns, y)
            features = [{"name": f"x{i}", "levels": [f"L{k}" for k in range(len(p))]} for i, p in enumerate(law["levels"])]
            features += [{"name": f"x{i}", "min": -1, "max": 1} for i in range(len(features), len(features) + law["numbers"])]
            targets = [{"name": f"y{t}", "min": bounds[t][0], "max": bounds[t][1]} for t in range(TARGETS)]
            json.dump({"target": targets, "features": features}, open(f"{scratch}/all.json", "w"))
            for t in range(TARGETS):
                json.dump({"target": targets[t], "features": features}, open(f"{scratch}/{t}.json", "w"))
            whole = y
            for tau, mu in CELLS:
                names = [f"y{t}" for t in range(TARGETS)]
                quiet = np.array(costs(f"{scratch}/all.json", names, tau, 2000, 1))
                for i in range(draws):
                    noise = 1000 * problem + i + 1
                    together = np.array(costs(f"{scratch}/all.json", names, tau, mu, noise)) / quiet - 1
                    alone = []
                    for t in range(TARGETS):
                        y = [whole[t]]
                        alone += costs(f"{scratch}/{t}.json", [f"y{t}"], tau, mu / 2, noise + 100 * t)
                    y = whole
                    sums.setdefault((tau, mu), []).append((problem, 100 * together.mean(), 100 * (np.array(alone) / quiet - 1).mean()))
    for cell, rows in sums.items():
        rows = np.array(rows)
        means = np.array([rows[rows[:, 0] == p, 1:].mean(0) for p in range(count)])
        ratio = means[:, 0].sum() / means[:, 1].sum()
        error = np.sqrt(np.sum((means[:, 0] - ratio * means[:, 1]) ** 2)) / means[:, 1].sum()
        print(f"tau {cell[0]} mu {cell[1]}: together {means[:, 0].mean():.2f}, alone {means[:, 1].mean():.2f}, ratio {ratio:.3f} ({error:.3f})")


main()
