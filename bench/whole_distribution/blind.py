"""blind.py FOLDER SEED COUNT: eight families that played no part in choosing anything, COUNT problems of each, as files for run.py."""
import json, os, sys
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../default_learner")
import numpy as np
import problems as P, tables

FAMILIES = ("gamma", "inflated", "numeric", "mixture", "season", "nested", "student", "counts")
TAUS = (.5, .9, .95, .98)


class Problem:
    def __init__(self, family, index, seed):
        number = FAMILIES.index(family)
        rng = np.random.default_rng([seed, number, index, 991])
        self.family, self.n, self.tau = family, int(np.exp(rng.uniform(np.log(400), np.log(15000)))), TAUS[(index + number) % 4]
        numeric = family in ("numeric", "student")
        sizes = ([int(rng.integers(2, 6))] if rng.random() < .5 else []) if numeric else [int(rng.integers(2, 16)) for _ in range(rng.integers(1, 4))]
        self.chances = [rng.dirichlet(np.full(k, rng.choice([1., 4., 30.]))) * .98 + .02 / k for k in sizes]
        self.numbers = int(rng.integers(1, 5)) if numeric or rng.random() < .6 else 0
        self.middle = [rng.normal(0, 1, k) for k in sizes]
        self.spread = [rng.normal(0, rng.uniform(.2, .9), k) for k in sizes]
        self.slopes, self.spread_slopes = rng.normal(0, 1, self.numbers), rng.normal(0, .7, self.numbers)
        self.base, self.noise = rng.uniform(2, 8), rng.uniform(.4, 1.2)
        low, high = np.quantile(self.rows(5000, np.random.default_rng([seed, number, index, 5]))[1], [.001, .999])
        width = high - low
        self.lo = min(0, low) if family in ("gamma", "inflated", "counts", "nested") else low - .3 * width
        self.hi = high + width * np.exp(rng.uniform(np.log(.1), np.log(2)))

    def rows(self, size, g):
        level = [g.choice(len(p), size, p=p) for p in self.chances]
        Z = np.clip(g.normal(0, .45, (size, self.numbers)), -1, 1)
        middle = sum((e[l] for e, l in zip(self.middle, level)), np.zeros(size)) + Z @ self.slopes
        spread = sum((e[l] for e, l in zip(self.spread, level)), np.zeros(size)) + Z @ self.spread_slopes
        X = np.column_stack([l[:, None] == np.arange(1, len(p)) for l, p in zip(level, self.chances)] + [Z]).astype(float)
        return X, self.demand(size, g, Z, middle, spread)

    def demand(self, size, g, Z, middle, spread):
        if self.family == "gamma": return np.exp(.5 * middle + 2) * g.gamma(np.exp(.7 + .4 * spread))
        if self.family == "inflated":
            none = g.random(size) < .35 / (1 + np.exp(-spread))
            return np.where(none, 0, np.exp(.5 * middle + 2 + .6 * self.noise * g.standard_normal(size)))
        if self.family == "numeric": return 2 * self.base + 2 * middle + np.exp(spread) * g.standard_normal(size)
        if self.family == "mixture":
            far = g.random(size) < .3
            return 10 + 3 * middle + np.where(far, 4 * np.exp(.5 * spread) * np.abs(g.standard_normal(size)) + 6, g.standard_normal(size))
        if self.family == "season":
            time = Z[:, 0] if self.numbers else g.uniform(-1, 1, size)
            return 20 + 4 * middle + (1 + 3 * (np.sin(3 * time) > .5)) * self.noise * g.standard_normal(size) * np.exp(.4 * spread)
        if self.family == "nested":
            return np.exp(1.5 + .4 * middle) * (1 + .3 * g.standard_t(5, size)) + np.exp(spread) * g.exponential(1, size)
        if self.family == "student": return 5 * middle + np.exp(.6 * spread) * g.standard_t(3, size)
        return g.negative_binomial(np.exp(.5 + .3 * spread), 1 / (1 + np.exp(.6 * middle + 1.2))).astype(float)

    def features(self):
        out, at = [], 0
        for k, p in enumerate(self.chances):
            out.append((f"c{k}", len(p), False, list(range(at, at + len(p) - 1)))); at += len(p) - 1
        return out + [(f"x{j}", None, False, [at + j]) for j in range(self.numbers)]


def main():
    folder, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    index = []
    for number, family in enumerate(FAMILIES):
        for i in range(count):
            p = Problem(family, i, seed)
            cut = lambda X, y: (X, np.clip(y, p.lo, p.hi))
            two = [cut(*p.rows(p.n, np.random.default_rng([seed, number, i, r + 10]))) for r in range(2)]
            X, y = cut(*p.rows(8000, np.random.default_rng([seed, number, i, 99])))
            X = np.column_stack([np.ones(len(X)), X])
            short = y - X @ P.quantile_regression(X, y, p.tau, 60)
            best = np.mean(short * (p.tau - (short < 0)))
            index.append(tables.write(folder, f"{family}-{i}", p.features(), {"name": "y", "min": float(p.lo), "max": float(p.hi)}, two, (X, y, best),
                                      {"family": family, "old": False, "tau": p.tau, "n": p.n, "d": X.shape[1] - 1}))
    with open(f"{folder}/index.json", "w") as file: json.dump(index, file)


if __name__ == "__main__": main()
