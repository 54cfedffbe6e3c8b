"""Synthetic newsvendor problems on which the constants of the default learner are fitted.

A family draws problems at random: rows n, features and their encoding, slopes, demand law, quantile, and what the
schema knows of the target. None of the problems on which the learner is scored is among them: no coefficients, no
designs and no data of the papers.
"""
import numpy as np

ROWS = (60, 5000)
MOST_FEATURES = 60
SIGNALS = (0.3, 0.7, 1.5, 3.0)  # standard deviation of the linear part, in that of the noise
SCALE_REACH, TARGET_REACH = 8, 64  # scales at which the schema cuts features and targets
JUDGE_ROWS = 8000


def log_uniform(rng, lo, hi):
    return float(np.exp(rng.uniform(np.log(lo), np.log(hi))))


def some(rng, lo, hi):
    """An integer in lo..hi, small ones as likely as large ones on a logarithmic scale."""
    return int(min(hi, np.floor(log_uniform(rng, lo, hi + 1))))


# Features. A maker draws the public facts and returns rows(size, g) -> encoded columns.


def neighbours(rng, d):
    """Correlation decays along the columns; some are flat, some skewed, some have heavy tails. Mean 0, variance 1."""
    phi, shape = rng.uniform(-0.5, 0.95), rng.integers(0, 6, d)

    def rows(size, g):
        z = g.standard_normal((size, d))
        for j in range(1, d):
            z[:, j] = phi * z[:, j - 1] + np.sqrt(1 - phi * phi) * z[:, j]
        for j in range(d):
            if shape[j] == 3:
                z[:, j] = np.sqrt(3) * np.tanh(0.8 * z[:, j]) / 1.01
            elif shape[j] == 4:
                z[:, j] = (np.exp(0.5 * z[:, j]) - np.exp(0.125)) / 0.604
            elif shape[j] == 5:
                z[:, j] *= np.sqrt(4 / g.chisquare(6, size))
        return z

    return rows


def on_scales(rng, d, centre_off, scale_off):
    """Columns with a public centre and scale, which may be wrong: by centre_off scales, by a factor scale_off."""
    raw, shift = neighbours(rng, d), rng.uniform(-centre_off, centre_off, d)
    factor = np.exp(rng.uniform(-np.log(scale_off), np.log(scale_off), d))
    return lambda size, g: np.clip(raw(size, g) * factor + shift, -SCALE_REACH, SCALE_REACH)


def in_bounds(rng, d):
    """Columns that fill a part of their bounds, driven by common factors."""
    common = rng.integers(1, 4)
    loading, middle = rng.normal(0, 0.8, (common, d)), rng.uniform(-0.9, 0.9, d)
    width = np.exp(rng.uniform(np.log(0.03), np.log(0.5), d))

    def rows(size, g):
        z = g.standard_normal((size, common)) @ loading + g.standard_normal((size, d))
        return np.clip(middle + width * z / np.sqrt(1 + (loading**2).sum(0)), -1, 1)

    return rows


def levels(rng, count):
    """One variable with count + 1 levels, some rarer than others; the first one is the reference."""
    frequency = rng.dirichlet(np.full(count + 1, 2.0))

    def rows(size, g):
        level = g.choice(count + 1, size, p=frequency)
        return (level[:, None] == np.arange(1, count + 1)).astype(float)

    return rows


def flags(rng, count):
    """Rare events, each as a level (0, 1) or as a bounded number (-1, 1)."""
    chance, bounded = np.exp(rng.uniform(np.log(0.005), np.log(0.12), count)), rng.random(count) < 0.5
    return lambda size, g: (g.random((size, count)) < chance) * (1.0 + bounded) - bounded


def calendar(rng):
    """Six levels for a day of the week, a season and a drift; demand will follow the days."""
    drift = rng.uniform(0.2, 1)

    def rows(size, g):
        day, year = g.integers(0, 7, size), g.random(size)
        season = np.column_stack([np.sin(2 * np.pi * year), np.cos(2 * np.pi * year), drift * (2 * year - 1)])
        return np.column_stack([day[:, None] == np.arange(1, 7), season])

    return rows


def side_by_side(*makers):
    return lambda size, g: np.column_stack([rows(size, g) for rows in makers])


def features(rng, family):
    """(rows, every scale is known)"""
    d = some(rng, 1, MOST_FEATURES)
    if family == "scales":
        return on_scales(rng, d, 0.1, 1.2), True
    if family == "guesses":
        return on_scales(rng, d, 2.0, 3.0), True
    if family == "bounds":
        return in_bounds(rng, d), False
    if family == "levels":
        parts = [levels(rng, some(rng, 1, 12)) for _ in range(rng.integers(1, 4))]
        return side_by_side(*parts, in_bounds(rng, some(rng, 1, 6))), False
    if family == "flags":
        return side_by_side(flags(rng, some(rng, 1, 6)), in_bounds(rng, some(rng, 1, 20))), False
    if family == "calendar":
        return side_by_side(calendar(rng), in_bounds(rng, some(rng, 1, 8))), False
    if family == "mixed":
        half = some(rng, 1, 12)
        return side_by_side(on_scales(rng, half, 0.5, 2.0), levels(rng, some(rng, 1, 8)), flags(rng, 1)), False
    assert family == "nothing"  # features that say nothing about demand
    known = rng.random() < 0.5
    return (on_scales(rng, d, 0.5, 1.5) if known else in_bounds(rng, d)), known


FAMILIES = ("scales", "guesses", "bounds", "levels", "flags", "calendar", "mixed", "nothing")

# Demand: noise with standard deviation about 1 around the linear part, or counts whose rate follows it.
NOISE = {
    "normal": lambda size, g: g.standard_normal(size),
    "t4": lambda size, g: g.standard_t(4, size) / np.sqrt(2),
    "laplace": lambda size, g: g.laplace(size=size) / np.sqrt(2),
    "lognormal": lambda size, g: (np.exp(0.7 * g.standard_normal(size)) - np.exp(0.245)) / 1.015,
}
DEMANDS = (*NOISE, "heteroscedastic", "counts")


class Problem:
    """A drawn problem: rows(size, g) -> X, y; facts of the schema; and a large sample that judges policies."""

    def __init__(self, family, index, seed):
        rng = np.random.default_rng([seed, FAMILIES.index(family), index])
        self.key = (FAMILIES.index(family), index)
        self.family, self.demand = family, DEMANDS[(index + self.key[0]) % len(DEMANDS)]
        self.n, self.tau = round(log_uniform(rng, *ROWS)), rng.uniform(0.1, 0.95)
        self.columns, self.known = features(rng, family)
        self.signal = 0.0 if family == "nothing" else float(rng.choice(SIGNALS))
        pilot = self.columns(4000, rng)
        self.d = pilot.shape[1]
        self.shift = pilot.mean(0)
        self.slopes, self.unequal = self.direction(rng, pilot), self.direction(rng, pilot)
        self.curved = 0.3 if rng.random() < 0.3 else 0.0  # then no linear policy is the best
        self.rate, self.burst = log_uniform(rng, 2, 80), log_uniform(rng, 3, 30)
        self.cut = self.target_facts(rng)
        judge = np.random.default_rng([seed, *self.key, 1])
        X, self.judge_y = self.demand_rows(JUDGE_ROWS, judge)
        self.judge_x = np.column_stack([np.ones(JUDGE_ROWS), X])
        self.best = self.cost(quantile_regression(self.judge_x, self.judge_y, self.tau))

    def direction(self, rng, pilot):
        """Slopes, half of the time sparse, with which the linear part has variance 1 on the pilot rows."""
        spread = pilot.std(0)
        slopes = rng.standard_normal(self.d) / np.sqrt(spread + 0.05)  # between equal slopes and equal parts
        if self.d > 3 and rng.random() < 0.5:
            slopes *= rng.permutation(self.d) < max(2, self.d // 4)
        linear = (pilot - self.shift) @ slopes
        return slopes / max(linear.std(), 1e-12)

    def demand_rows(self, size, g):
        X = self.columns(size, g)
        linear = (X - self.shift) @ self.slopes
        linear = self.signal * (linear + self.curved * (np.clip(linear, -3, 3) ** 2 - 1))
        if self.demand == "counts":
            rate = self.rate * np.exp(np.clip(linear * np.sqrt(1 / self.burst + 1 / self.rate), -3, 2))
            return X, g.poisson(rate * g.gamma(self.burst, 1 / self.burst, size)).astype(float)
        if self.demand == "heteroscedastic":
            unequal = 0.5 * np.clip((X - self.shift) @ self.unequal, -2, 2)
            return X, linear + np.exp(unequal) * g.standard_normal(size)
        return X, linear + NOISE[self.demand](size, g)

    def target_facts(self, rng):
        """Wide bounds, or a guessed centre and scale: sets where y is searched for, returns where it is cut."""
        y = self.demand_rows(4000, rng)[1]
        low, high = np.quantile(y, [0.001, 0.999])
        if rng.random() < 0.3 and self.demand != "counts":
            centre, scale = y.mean() + rng.uniform(-1, 1) * y.std(), log_uniform(rng, 0.5, 2.5) * y.std()
            self.lo, self.hi = centre - SCALE_REACH * scale, centre + SCALE_REACH * scale
            return centre - TARGET_REACH * scale, centre + TARGET_REACH * scale
        self.lo = 0.0 if self.demand == "counts" else low - log_uniform(rng, 0.05, 3) * (high - low)
        self.hi = high + log_uniform(rng, 0.05, 3) * (high - low)
        return self.lo, self.hi

    def rows(self, g):
        """A training table as the schema encodes it."""
        X, y = self.demand_rows(self.n, g)
        return X, np.clip(y, *self.cut)

    def cost(self, policy):
        """Mean newsvendor cost on the judging rows, underage tau, overage 1 - tau."""
        short = self.judge_y - self.judge_x @ policy
        return np.mean(short * (self.tau - (short < 0)))


def quantile_regression(X, y, tau, rounds=80):
    """Hunter and Lange's majorize-minimize: weighted least squares, weights 1 / (eps + |residual|)."""
    policy = np.linalg.lstsq(X, y, rcond=None)[0]
    eps = 1e-3 * np.std(y - X @ policy) + 1e-12
    ridge = 1e-9 * np.eye(X.shape[1])
    for _ in range(rounds):
        weight = 1 / (eps + np.abs(y - X @ policy))
        H = (X * weight[:, None]).T @ X
        policy = np.linalg.solve(H + ridge * np.trace(H), X.T @ (weight * y + 2 * tau - 1))
    return policy


def draw(per_family, seed):
    return [Problem(family, index, seed) for family in FAMILIES for index in range(per_family)]
