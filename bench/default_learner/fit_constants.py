#!/usr/bin/env python3
"""Fits the public constants of the default learner by simulation (needs numpy and scipy; README.md has the results).

Each constant is swept through a few values while the others stay. A cell is a problem of problems.py at one mu; its
figure is the mean over repetitions of the excess cost relative to the best linear policy, at most 100 %. All values see
the same tables and the same noise, so that differences have small standard errors, which are taken over problems.
"""
import argparse
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import learner
import problems

MUS = (0.15, 0.3, 0.6, 1.2, 4.0)
WORST = 1.0  # an excess counts as at most 100 %
SEED = 271828
SMALL = 1e-4  # nor does the geometric mean see less than 0.01 %
CLEARLY, WORTH = 2.0, 0.02  # a change needs this many standard errors, and this relative improvement

FACTORS = (0.5, 0.75, 4 / 3, 2)
SWEEPS = {  # where a factor makes no sense
    "NO_FEATURES.target": (0.2, 0.3, 0.5, 0.6),
    "MANY": (0.5, 1, 4, 8),
    "FEW": (5, 10, 30, 40),
    "GROWTH": (1.0, 1.05, 1.15, 1.2),
    "TRUST": (0.6, 0.7, 0.9, 1.0),
    "EARLY_STEPS": (0, 5, 12, 16),
    "EARLY_TRUST": (0.3, 0.4, 0.6, 0.8),
    "LATE_TRUST": (0.7, 0.8, 0.9),
    "MEDIAN_STEPS": (10, 15, 26, 35),
    "QUANTILE_STEPS": (2, 3, 6, 8),
    "RICHER": (16, 32, 128, 1e9),
    "FEWER_STEPS": (6, 10, 14, 20),
    "SECANT_SURE": (3, 12, 1e9),
    "SECANT_LEAST": (0.02, 0.2),
    "CENTRE_PART": (0.4, 0.5, 0.7, 0.8),
    "CENTRE_HALVINGS": (6, 7, 9, 10),
    "SPREAD_HALVINGS": (4, 6, 7),
    "SPREAD_OCTAVES": (8, 12),
    "RADIUS_OCTAVES": (4, 5, 8),
    "RADIUS_LEVEL": (0.7, 0.8, 0.95),
    "rich clip": (0.7, 0.85, 1.25, 1.5),
    "mean shrinkage": (0.0, 1.0, 4.0),
}


def values(name, current, quick):
    """What to try instead of the current value."""
    others = list(SWEEPS.get(name, [float(f"{current * factor:.3g}") for factor in FACTORS]))
    return [others[0], others[-1]] if quick else others


def matters(name, problem, mu, constants):
    """Whether the constant can change anything in this cell."""
    features = learner.uses_features(problem.n, problem.d, mu, constants)
    if name in ("FEWER_STEPS", "SECANT_SURE", "SECANT_LEAST", "RICHER"):
        return features and mu * (problem.n / problem.d) ** 0.5 >= constants["RICHER"] / 2
    if name in ("EARLY_STEPS", "EARLY_TRUST", "LATE_TRUST"):
        wealth = mu * (problem.n / problem.d) ** 0.5
        return features and constants["RICH"] <= wealth < constants["RICHER"]
    if name in ("FEW", "MANY", "CENTRE_PART", "CENTRE_HALVINGS", "SPREAD_HALVINGS", "SPREAD_OCTAVES",
                "LOCATION_BANDWIDTH", "SHAPE", "QUANTILE_STEPS", "FAR", "SURE", "TAIL_COUNTS"):
        return True
    if name.startswith("NO_FEATURES") or name == "first Va, no features":
        return not features
    if name.startswith("KNOWN") or name == "mean shrinkage":
        return features and problem.known
    if name.startswith(("WIDE", "RADIUS")):
        return features and not problem.known
    return features


class Bench:
    """Problems with their tables, and the constants from which changes start."""

    def __init__(self, per_family, repetitions, seed, constants):
        self.constants = constants
        self.problems, self.repetitions, self.seed = problems.draw(per_family, seed), repetitions, seed
        self.tables = [[p.rows(np.random.default_rng([seed, *p.key, 2, r])) for r in range(repetitions)]
                       for p in self.problems]

    def cell(self, p, m, constants):
        """Excess cost of each repetition."""
        problem, mu, excess = self.problems[p], MUS[m], []
        for r, (X, y) in enumerate(self.tables[p]):
            noise = np.random.default_rng([self.seed, *problem.key, 3, r, m])
            policy = learner.fit(X, y, problem.tau, mu, problem.known, problem.lo, problem.hi, noise, constants)
            excess.append(problem.cost(policy) / problem.best - 1)
        return np.mean(np.minimum(excess, WORST))

    def run(self, changes, cells=None, rest=None):
        """Mean excess of each cell, problems x MUS; those outside `cells` are copied from `rest`."""
        constants = self.constants | changes
        out = np.empty((len(self.problems), len(MUS))) if rest is None else rest.copy()
        for p, m in np.ndindex(out.shape):
            if cells is None or cells[p, m]:
                out[p, m] = self.cell(p, m, constants)
        return out

    def where(self, name):
        return np.array([[matters(name, problem, mu, self.constants) for mu in MUS] for problem in self.problems])


HEADER = f"{'change %':>10s}{'s.e.':>7s}{'geom. %':>10s}{'s.e.':>7s}"


class Comparison:
    """A changed constant against the current one, over the cells in which it can matter.

    change: of the mean excess, relative; hard cells rule it. geometric: of the geometric mean (its logarithm), where
    all cells count the same. Standard errors have problems as their unit: the cells of a problem share their tables."""

    def __init__(self, old, new, cells):
        self.mean, base = new[cells].mean(), old[cells].mean()
        ratio = np.log(np.maximum(new, SMALL) / np.maximum(old, SMALL))
        self.change, self.error = mean_over(cells, (new - old) / base)
        self.geometric, self.geometric_error = mean_over(cells, ratio)

    def line(self):
        return (f"{100 * self.change:+10.2f}{100 * self.error:7.2f}"
                f"{100 * self.geometric:+10.2f}{100 * self.geometric_error:7.2f}")

    def clearly_better(self):
        return self.change < -WORTH and self.change < -CLEARLY * self.error and self.geometric < 0


def mean_over(cells, figure):
    """Mean over cells, and its standard error from the sums of problems (a ratio estimate)."""
    used = cells.any(1)
    counts, sums = cells[used].sum(1), np.where(cells, figure, 0)[used].sum(1)
    mean = sums.sum() / counts.sum()
    residual = sums - counts * mean
    return mean, np.sqrt((residual**2).sum() * len(sums) / max(1, len(sums) - 1)) / counts.sum()


def print_base(bench, base, alone):
    print(f"{len(bench.problems)} problems, {bench.repetitions} tables each, seed {bench.seed}; "
          "mean excess in % by family and mu (without features in brackets)")
    print(f"{'':10s}" + "".join(f"{mu:>16g}" for mu in MUS))
    for family in (*problems.FAMILIES, "all"):
        rows = [family in (p.family, "all") for p in bench.problems]
        print(f"{family:10s}" + "".join(f"{100 * x:8.2f} ({100 * y:5.1f})" for x, y in
                                         zip(base[rows].mean(0), alone[rows].mean(0))), flush=True)


def sweep(bench, base, names, quick):
    """Prints a line for each constant and value; returns the changes that are clearly better."""
    print(f"\n{'constant':24s}{'value':>8s}{'excess %':>10s}{HEADER}")
    better = []
    for name in names:
        cells, current = bench.where(name), bench.constants[name]
        print(f"{name:24s}{current:8g}{100 * base[cells].mean():10.3f}   current, {cells.sum()} cells")
        results = {}
        for value in values(name, current, quick):
            new = bench.run({name: value}, cells, base)
            result = results[value] = Comparison(base, new, cells)
            mark = "  *" if result.clearly_better() else ""
            print(f"{'':24s}{value:8g}{100 * result.mean:10.3f}{result.line()}{mark}", flush=True)
        best = min(results, key=lambda value: results[value].change)
        print(f"{'':24s}best: {best if results[best].change < 0 else current:g}")
        better += [(name, value) for value, result in results.items() if result.clearly_better()]
    return better


def compare(bench, base, changes):
    """Prints what changes do together, by family and by mu, over the cells in which one of them can matter."""
    cells = np.any([bench.where(name) for name in changes], 0)
    new = bench.run(changes, cells, base)
    families = np.array([[p.family] * len(MUS) for p in bench.problems])
    groups = [(family, families == family) for family in problems.FAMILIES]
    groups += [(f"mu {mu:g}", np.tile(np.array(MUS) == mu, (len(base), 1))) for mu in MUS]
    groups += [("all", np.ones(base.shape, bool))]
    print(f"\n{'':12s}{'excess %':>10s}{'new':>8s}{HEADER}")
    for name, group in groups:
        if (cells & group).any():
            result = Comparison(base, new, cells & group)
            print(f"{name:12s}{100 * base[cells & group].mean():10.3f}{100 * result.mean:8.3f}{result.line()}")


def changed(texts):
    """{name: value} from texts NAME=VALUE."""
    pairs = [text.split("=") for text in texts]
    return {name: type(learner.CONSTANTS[name])(value) for name, value in pairs}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one problem per family, two values per constant")
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=learner.CONSTANTS, help="sweep these constants")
    parser.add_argument("--try", nargs="+", metavar="NAME=VALUE", dest="tried", help="no sweep: compare these changes")
    parser.add_argument("--set", nargs="+", metavar="NAME=VALUE", default=[], help="start from other values")
    parser.add_argument("--problems", type=int, help="problems per family")
    parser.add_argument("--repetitions", type=int, help="tables per problem")
    parser.add_argument("--seed", type=int, default=SEED, help="another seed draws other problems")
    parser.add_argument("--rows", type=int, nargs=2, default=problems.ROWS, metavar=("LEAST", "MOST"), help="rows of a problem")
    options = parser.parse_args()
    problems.ROWS = options.rows
    bench = Bench(options.problems or (1 if options.quick else 12), options.repetitions or (2 if options.quick else 4),
                  options.seed, learner.CONSTANTS | changed(options.set))
    base = bench.run({})
    print_base(bench, base, bench.run({"FEW": np.inf}))
    if options.tried:
        compare(bench, base, changed(options.tried))
        return
    better = sweep(bench, base, options.only or learner.CONSTANTS, options.quick)
    print("\nclearly better:", ", ".join(f"{name} = {value:g}" for name, value in better) or "none")


if __name__ == "__main__":
    main()
