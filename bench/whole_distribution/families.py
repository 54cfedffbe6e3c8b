"""Synthetic families: those of bench/default_learner with the feature of each column, and new ones. Nothing of the real tables."""
import os, sys
import numpy as np
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../default_learner")
import problems as P

OLD = P.FAMILIES
NEW = ("spread", "product", "skew", "minority", "places", "rare", "few", "kinds", "thin")
TAUS = (.5, .8, .9, .95, .98)


def grouped(rng, family):
    """(rows, known, group) with the draws of problems.features."""
    d = P.some(rng, 1, P.MOST_FEATURES)
    numbers = lambda k: [-1] * k
    if family in ("scales", "guesses", "bounds"):
        return {"scales": lambda: (P.on_scales(rng, d, .1, 1.2), True), "guesses": lambda: (P.on_scales(rng, d, 2., 3.), True),
                "bounds": lambda: (P.in_bounds(rng, d), False)}[family]() + (numbers(d),)
    if family == "levels":
        parts, g = [], []
        for i in range(rng.integers(1, 4)):
            k = P.some(rng, 1, 12); parts.append(P.levels(rng, k)); g += [i] * k
        k = P.some(rng, 1, 6)
        return P.side_by_side(*parts, P.in_bounds(rng, k)), False, g + numbers(k)
    if family == "flags":
        k = P.some(rng, 1, 6); a = P.flags(rng, k); j = P.some(rng, 1, 20)
        return P.side_by_side(a, P.in_bounds(rng, j)), False, ["flag"] * k + numbers(j)
    if family == "calendar":
        a = P.calendar(rng); j = P.some(rng, 1, 8)
        return P.side_by_side(a, P.in_bounds(rng, j)), False, [0] * 6 + numbers(3 + j)
    if family == "mixed":
        half = P.some(rng, 1, 12); a = P.on_scales(rng, half, .5, 2.); k = P.some(rng, 1, 8); b = P.levels(rng, k)
        return P.side_by_side(a, b, P.flags(rng, 1)), False, ["scale"] * half + [0] * k + ["flag"]
    if family == "nothing":
        known = rng.random() < .5
        return (P.on_scales(rng, d, .5, 1.5) if known else P.in_bounds(rng, d)), known, numbers(d)
    if family == "thin":  # so many levels that hardly a row of one lies beyond the quantile
        k, j = P.some(rng, 60, 280), P.some(rng, 1, 12)
        return P.side_by_side(concentrated(rng, k, 3.), P.levels(rng, j)), False, [0] * k + [1] * j
    # new ones: categories of unequal size and numbers
    parts, g = [], []
    sizes = {"kinds": [P.some(rng, 10, 150)] + [P.some(rng, 1, 6)] * rng.integers(0, 2), "places": [P.some(rng, 30, 150)] + [P.some(rng, 1, 6)] * rng.integers(0, 2), "rare": [P.some(rng, 3, 20)] * 2}.get(
        family, [P.some(rng, 1, 24) for _ in range(rng.integers(1, 4))])
    for i, k in enumerate(sizes):
        parts.append(concentrated(rng, k, {"rare": .3, "places": 2.}.get(family, rng.choice([.7, 5., 50.])))); g += [i] * k
    j = P.some(rng, 1, 5) if rng.random() < .7 else 0
    if j: parts.append(P.in_bounds(rng, j)); g += numbers(j)
    return P.side_by_side(*parts), False, g


def concentrated(rng, count, alpha):
    frequency = rng.dirichlet(np.full(count + 1, alpha)); frequency = (frequency + 2e-4) / (frequency + 2e-4).sum()
    return lambda size, g: (g.choice(count + 1, size, p=frequency)[:, None] == np.arange(1, count + 1)).astype(float)


class Problem(P.Problem):
    def __init__(self, family, index, seed):
        names = OLD + NEW
        rng = np.random.default_rng([seed, names.index(family), index, 77])
        self.key, self.family = (names.index(family), index), family
        new = family in NEW
        self.demand = P.DEMANDS[(index + self.key[0]) % len(P.DEMANDS)]
        self.n = round(P.log_uniform(rng, *((300, 20000) if new else P.ROWS))); self.tau = rng.uniform(.1, .95)
        if family == "few": self.n = round(P.log_uniform(rng, 150, 1200))
        if family == "thin": self.tau = float(TAUS[2 + index % 3])
        elif new: self.tau = float(TAUS[(index + self.key[0]) % len(TAUS)])
        self.columns, self.known, group = grouped(rng, family)
        self.signal = 0. if family == "nothing" else float(rng.choice(P.SIGNALS))
        pilot = self.columns(4000, rng)
        self.d, self.shift = pilot.shape[1], pilot.mean(0)
        self.slopes, self.unequal = self.direction(rng, pilot), self.direction(rng, pilot)
        self.curved = .3 if rng.random() < .3 else 0.
        self.rate, self.burst = P.log_uniform(rng, 2, 80), P.log_uniform(rng, 3, 30)
        self.strength, self.noise = rng.uniform(.3, 1.2), rng.uniform(.2, .9)
        self.far, self.chance = P.log_uniform(rng, 5, 200), rng.uniform(.01, .3)
        mark = iter(range(1000, 9999)); number = iter(range(-1, -9999, -1))
        bounded = [not np.isin(pilot[:, j], (0, 1)).all() for j in range(self.d)]
        self.group = np.array([(next(number) if bounded[j] else next(mark)) if v in (-1, "flag", "scale") else v for j, v in enumerate(group)])
        if family == "kinds":  # some levels' rows are of two kinds, many spreads apart
            L = int((self.group == 0).sum()) + 1
            self.two = np.where(rng.random(L) < .25, rng.uniform(.03, .4, L), 0.); self.apart = P.log_uniform(rng, 5, 60) * rng.uniform(.3, 1., L)
        if family == "thin":  # levels of very unequal size; some have rows of another kind, or none to sell; the other feature acts on each as it likes
            L = int((self.group == 0).sum()) + 1
            self.n = round(L * P.log_uniform(rng, 15, 80)); self.size = np.exp(rng.uniform(.5, 1.6) * rng.standard_normal(L))
            self.two = np.where(rng.random(L) < .2, rng.uniform(.03, .4, L), 0.); self.apart = rng.choice([0., 3., 8.], L)
            self.cross = rng.choice([0., .5, 1.2]) * rng.standard_normal((L, int((self.group == 1).sum()) + 1))
        if family == "minority":
            base, columns = self.columns, self.columns
            self.columns = lambda size, g: np.column_stack([g.random(size) < self.chance, base(size, g)]).astype(float)
            self.d += 1; self.shift = np.r_[0, self.shift]; self.slopes = np.r_[0, self.slopes]; self.unequal = np.r_[0, self.unequal]
            self.group = np.r_[9999, self.group]
        self.length = 1.5 * np.sqrt(self.d) if self.known else self.reach(pilot)
        self.cut = self.target_facts(rng)
        judge = np.random.default_rng([seed, *self.key, 1])
        X, self.judge_y = self.demand_rows(P.JUDGE_ROWS, judge)
        self.judge_x = np.column_stack([np.ones(P.JUDGE_ROWS), X])
        self.best = self.cost(P.quantile_regression(self.judge_x, self.judge_y, self.tau, 60))

    def reach(self, pilot):
        """The public bound of a row's length: a category 1, a number 1, a scaled column 1.5 (as MEAN clip)."""
        return np.sqrt(len(set(self.group)))

    def demand_rows(self, size, g):
        if self.family not in NEW: return super().demand_rows(size, g)
        X = self.columns(size, g); z = X - self.shift
        linear, unequal = z @ self.slopes, np.clip(z @ self.unequal, -3, 3)
        if self.family == "product": return X, np.exp(self.strength * np.clip(linear, -3.5, 3.5) + self.noise * (g.standard_normal(size) + .3 * unequal * 0))
        if self.family == "thin":
            level = (X[:, self.group == 0] @ np.arange(1, (self.group == 0).sum() + 1)).astype(int)
            other = (X[:, self.group == 1] @ np.arange(1, (self.group == 1).sum() + 1)).astype(int)
            y = self.size[level] * np.exp(self.cross[level, other] + self.noise / 2 * (g.standard_normal(size) if self.key[1] % 2 else g.standard_t(4, size)))
            return X, np.where(g.random(size) < self.two[level], y * self.apart[level], y)
        e = P.NOISE[{"skew": "lognormal"}.get(self.family, ("normal", "t4", "laplace", "lognormal")[self.key[1] % 4])](size, g)
        y = self.signal * linear + np.exp(self.strength * unequal) * e
        if self.family == "skew": y = np.maximum(0, y + .5)
        if self.family == "kinds":
            level = X[:, self.group == 0] @ np.arange(1, (self.group == 0).sum() + 1)
            other = g.random(size) < self.two[level.astype(int)]
            y = y + other * self.apart[level.astype(int)] * np.exp(self.strength * unequal)
        if self.family == "minority": y = y * .3 + self.far * X[:, 0]
        return X, y

    def scored(self, orders, tau=None):
        short = self.judge_y - orders
        return np.mean(short * (self.tau - (short < 0)))


def draw(per_family, seed, families=OLD + NEW):
    return [Problem(f, i, seed) for f in families for i in range(per_family)]
