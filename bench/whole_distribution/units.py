"""units.py FOLDER SEED COUNT: families of units with many rows, COUNT problems of each, as files for run.py."""
import json, os, sys
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../default_learner")
import numpy as np
import problems as P, tables

# rows by the hour of a day; places that differ by far more than their rows; customers with few rows and some with many; units that mean nothing; numbers that belong to the unit; shops in a chain
FAMILIES = ("days", "places", "customers", "alone", "numbers", "shops")
TAUS = (.5, .9, .5, .95, .7)


class Problem:
    def __init__(self, family, index, seed):
        self.number = FAMILIES.index(family)
        rng = np.random.default_rng([seed, self.number, index, 417])
        self.family, self.tau = family, TAUS[(index + self.number) % len(TAUS)]
        self.rows = int(np.exp(rng.uniform(np.log(2500), np.log(16000))))
        self.size = 24 if family == "days" else int(np.exp(rng.uniform(np.log(6), np.log(80))))  # of a unit, about
        self.limit = 24 if family == "days" else int(np.ceil(self.size * rng.choice([1.3, 2, 4])))
        self.own = {"days": [7, 4], "places": [3], "customers": [4], "alone": [], "numbers": [], "shops": [5, 3]}[family]  # levels of the unit
        self.each = {"days": [24], "places": [12], "customers": [7], "alone": [6, 4], "numbers": [4], "shops": [12]}[family]  # and of a row
        self.own_numbers, self.each_numbers = {"days": (1, 1), "numbers": (2, 2), "alone": (0, 2), "customers": (0, 1)}.get(family, (0, 0))
        self.middle = [rng.normal(0, 1, k) for k in self.own + self.each]
        self.spread = [rng.normal(0, rng.uniform(0, .6), k) for k in self.own + self.each]
        self.slopes = rng.normal(0, 1, self.own_numbers + self.each_numbers)
        self.effect = {"places": rng.uniform(.6, 1.2), "alone": 0, "customers": rng.uniform(.1, .6)}.get(family, rng.uniform(.2, .8))
        X, y, _ = self.draw(6000, np.random.default_rng([seed, self.number, index, 5]))
        low, high = np.quantile(y, [.001, .999])
        self.lo, self.hi = min(0, low), high + (high - low) * np.exp(rng.uniform(np.log(.1), np.log(2)))

    def draw(self, rows, g):
        """Units until there are so many rows, in a random order."""
        sizes = []
        while sum(sizes) < rows:
            m = 24 - g.integers(0, 9) if self.family == "days" else 1 + g.geometric(1 / self.size) if self.family == "customers" else g.integers(self.size // 2, self.size * 3 // 2 + 1)
            sizes.append(int(min(m, self.limit)))
        unit = np.repeat(np.arange(len(sizes)), sizes)
        n, units = len(unit), len(sizes)
        level = [g.choice(k, units)[unit] for k in self.own]
        level += [np.concatenate([g.permutation(24)[:m] for m in sizes])] if self.family == "days" else [g.choice(k, n) for k in self.each]
        Z = np.column_stack([np.clip(g.normal(0, .45, (units, self.own_numbers)), -1, 1)[unit], np.clip(g.normal(0, .45, (n, self.each_numbers)), -1, 1)])
        middle = sum((e[l] for e, l in zip(self.middle, level)), np.zeros(n)) + Z @ self.slopes + self.effect * g.standard_normal(units)[unit]
        spread = sum((e[l] for e, l in zip(self.spread, level)), np.zeros(n)) + .3 * self.effect * g.standard_normal(units)[unit]
        noise = g.standard_normal(n)
        y = np.exp(2 + middle + .3 * np.exp(spread) * noise) if self.family in ("places", "shops") else 10 + 3 * middle + 1.5 * np.exp(spread) * noise
        X = np.column_stack([l[:, None] == np.arange(1, k) for l, k in zip(level, self.own + self.each)] + [Z]).astype(float)
        order = g.permutation(n)
        return X[order], y[order], unit[order]

    def features(self):
        out, at = [], 0
        for i, k in enumerate(self.own + self.each):
            out.append((f"c{i}", k, False, list(range(at, at + k - 1)))); at += k - 1
        return out + [(f"x{j}", None, False, [at + j]) for j in range(self.own_numbers + self.each_numbers)]


def main():
    folder, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    index = []
    for number, family in enumerate(FAMILIES):
        for i in range(count):
            p = Problem(family, i, seed)
            two = [p.draw(p.rows, np.random.default_rng([seed, number, i, r + 10])) for r in range(2)]
            X, y, _ = p.draw(12000, np.random.default_rng([seed, number, i, 99]))
            X, y = np.column_stack([np.ones(len(X)), X]), np.clip(y, p.lo, p.hi)
            short = y - X @ P.quantile_regression(X, y, p.tau, 60)
            index.append(tables.write(folder, f"{family}-{i}", p.features(), {"name": "y", "min": float(p.lo), "max": float(p.hi)},
                                      [(X2, np.clip(y2, p.lo, p.hi)) for X2, y2, _ in two], (X, y, np.mean(short * (p.tau - (short < 0)))),
                                      {"family": family, "old": False, "tau": p.tau, "n": p.rows, "d": X.shape[1] - 1}, (p.limit, [u for _, _, u in two])))
    with open(f"{folder}/index.json", "w") as file: json.dump(index, file)


if __name__ == "__main__": main()
