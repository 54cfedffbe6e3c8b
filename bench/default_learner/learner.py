"""The default learner of src/learn/median_newton*.c in numpy, for simulation only.

Same releases in the same order, same rules, same constants, for replace-one neighbours and units of one row. It differs
from the C program in two ways: sums are not rounded to an integer grid, and the noise comes from a floating-point
generator. So it says how well the learner does, and protects nobody.

Symbols as in median_newton.h: n rows, d features, tau quantile, mu guarantee, z centred rows, W whitening, x slopes of
whitened rows, a location, s spread of the residuals, V, Va, Vs the variances believed of x, a and log s.
"""
import numpy as np
from scipy.special import chdtr, gammaln, ndtr, ndtri

# Named as in C. A dot is a member of a struct there; SLOPE_ and LOCATION_BANDWIDTH are the BANDWIDTH of
# privacy/recipe.c and of median_newton_step.c; SECANT_ stands before names of secant.c; the last block has no name in C.
CONSTANTS = {
    # privacy/recipe.c
    "KNOWN.mean": 0.03, "KNOWN.moment": 0.12, "KNOWN.median": 0.45, "KNOWN.tail": 0.015, "KNOWN.quantile": 0.18,
    "KNOWN.last": 0.06,
    "WIDE.mean": 0.08, "WIDE.radius": 0.02, "WIDE.moment": 0.12, "WIDE.median": 0.45, "WIDE.tail": 0.015,
    "WIDE.quantile": 0.18, "WIDE.last": 0.06,
    "NO_FEATURES.target": 0.4, "NO_FEATURES.tail": 0.05, "NO_FEATURES.quantile": 0.35, "NO_FEATURES.last": 0.2,
    "TARGET_LEAST": 0.03, "TARGET_MOST": 0.3, "TARGET_FEW": 600.0,
    "FEW": 20.0, "MANY": 2.0, "RICH": 9.0, "CLIP": 0.5, "SLOPE_BANDWIDTH": 0.15, "RICH_BANDWIDTH": 0.5,
    "GROWTH": 1.1, "RICHER": 64.0, "FEWER_STEPS": 10,
    # secant.c
    "SECANT_SURE": 6.0, "SECANT_LEAST": 0.05, "SECANT_STRAIGHT": 0.3,
    # median_newton.h
    "TRUST": 0.8, "MEDIAN_STEPS": 20, "QUANTILE_STEPS": 4,
    # median_newton_scale.c
    "CENTRE_PART": 0.6, "CENTRE_HALVINGS": 8, "SPREAD_HALVINGS": 5, "SPREAD_OCTAVES": 10, "RADIUS_OCTAVES": 6,
    "RADIUS_LEVEL": 0.9, "KNOWN_RADIUS": 1.5, "KNOWN_CENTRED": 1.2,
    # median_newton_whiten.c
    "TARGET_CUT": 2.0, "LEVEL_CUT": 4.0, "LEVEL_SURE": 3.0, "SLOPE_PRIOR": 1.0,
    # median_newton_step.c
    "LOCATION": 0.12, "SPREAD": 0.06, "LOCATION_BANDWIDTH": 0.15, "DRIFT": 0.1, "LARGEST": 0.7, "HETERO": 0.15,
    "SHAPE": 0.3, "EARLY_STEPS": 8, "EARLY_TRUST": 0.5, "LATE_TRUST": 1.0,
    # median_newton_tail.c
    "FAR": 8.0, "SURE": 3.0, "TAIL_COUNTS": 8,
    # written as plain numbers in C
    "rich clip": 1.0, "mean shrinkage": 2.0, "eigenvalue floor": 1.0,
    "first Va, no features": 0.25, "first Vs": 0.5,
}
INSIDE, INSIDE_SLOPE = 0.683, 0.484  # facts of the normal distribution, not choices
WHITE_REACH = 32  # the grid of whitened rows ends there


class Budget:
    """Gaussian releases; each takes a share of mu^2 and returns the noisy sum and the noise's standard deviation."""

    def __init__(self, mu, rng):
        self.mu, self.rng, self.spent = mu, rng, 0.0

    def sigma(self, sensitivity, share):
        self.spent += share
        assert share > 0 and self.spent <= 1 + 1e-9, "more than the budget"
        return sensitivity / (self.mu * np.sqrt(share))

    def count(self, total, share):
        """A sum of numbers in [0, 1]."""
        sigma = self.sigma(1, share)
        return total + sigma * self.rng.standard_normal(), sigma

    def vector(self, total, radius, share):
        """A sum of vectors no longer than the radius."""
        sigma = self.sigma(2 * radius, share)
        return total + sigma * self.rng.standard_normal(len(total)), sigma

    def moment(self, rows, radius, share):
        """The sum of u u', |u| <= radius: off-diagonal entries stand twice in the norm and get half the variance."""
        sigma, width = self.sigma(np.sqrt(2) * radius**2, share), rows.shape[1]
        above = np.triu(self.rng.standard_normal((width, width)) / np.sqrt(2), 1)
        return rows.T @ rows + sigma * (above + above.T + np.diag(self.rng.standard_normal(width))), sigma

    def quantile(self, values, level, lo, hi, share, halvings):
        """Bisection by noisy counts, linear inside the last bracket."""
        below, above = 0.0, 1.0
        for _ in range(halvings):
            middle = (lo + hi) / 2
            part = self.count(np.count_nonzero(values <= middle), share / halvings)[0] / len(values)
            part = min(max(part, below), above)
            if part < level:
                lo, below = middle, part
            else:
                hi, above = middle, part
        inside = above - below
        return lo + (hi - lo) * ((level - below) / inside if inside > 1e-9 else 0.5)


def clip_rows(rows, radius):
    length = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return rows * np.minimum(1, radius / np.maximum(length, 1e-300))[:, None]


def clip_gain(d, B):
    """c with E min(1, B / |z|) z z' = c I for z standard normal in d dimensions."""
    ratio = np.exp(gammaln((d + 1) / 2) - gammaln(d / 2))
    return chdtr(d + 2, B * B) + B / d * np.sqrt(2) * ratio * (1 - chdtr(d + 1, B * B))


def gain(V, v, trust=1.0):
    """How far a step with noise variance v moves a state of variance V, and the variance that is left."""
    k = V / (V + v)
    return k, (1 - trust * k) ** 2 * V + k * k * v


def cap(V, total):
    return V * min(1, total / V.sum())


def uses_features(n, d, mu, c):
    return d > 0 and n * mu >= c["FEW"] + c["MANY"] * d


def choose_shares(n, d, mu, known, c):
    """Shares of mu^2 by name; they sum to one."""
    def scaled(struct, target):
        share = {name.split(".")[1]: value for name, value in c.items() if name.startswith(struct + ".")}
        share.pop("target", None)
        total = sum(share.values())
        return {"target": target} | {name: value * (1 - target) / total for name, value in share.items()}
    if d == 0:
        return scaled("NO_FEATURES", c["NO_FEATURES.target"])
    target = max(c["TARGET_LEAST"], min(c["TARGET_MOST"], c["TARGET_FEW"] / (n * mu) ** 2))
    return scaled("KNOWN" if known else "WIDE", target)


class Newton:
    """One fit: call learn() once."""

    def __init__(self, X, y, tau, mu, known, lo, hi, rng, constants):
        self.X, self.y, self.tau, self.known, self.lo, self.hi, self.c = X, y, tau, known, lo, hi, constants
        self.n, d = X.shape
        self.d = d if uses_features(self.n, d, mu, constants) else 0
        self.budget = Budget(mu, rng)
        self.share = choose_shares(self.n, self.d, mu, known, constants)
        if self.d:
            wealth = mu * np.sqrt(self.n / d)
            rich = min(1, wealth / constants["RICH"])
            self.secant = wealth >= constants["RICHER"]
            self.sampling_rules = rich == 1 and not self.secant
            self.median_steps = constants["FEWER_STEPS" if self.secant else "MEDIAN_STEPS"]
            self.H, self.last = np.eye(d), None
            self.B = max(constants["CLIP"], rich * constants["rich clip"]) * np.sqrt(d)
            self.clip_gain = clip_gain(d, self.B)
            self.bandwidth = max(constants["SLOPE_BANDWIDTH"], rich * constants["RICH_BANDWIDTH"])

    def learn(self):
        self.scale()
        if self.d:
            self.centre()
            self.whiten()
            self.at_median()
        self.at_quantile()
        assert abs(self.budget.spent - 1) < 1e-9, "less than the budget"
        if not self.d:
            return np.r_[self.a, np.zeros(self.X.shape[1])]
        slopes = self.W @ self.x
        return np.r_[self.a - self.mean @ slopes, slopes]

    def scale(self):
        """Centre and spread of the target."""
        c, part, share, top = self.c, self.c["CENTRE_PART"], self.share["target"], np.log2(self.hi - self.lo)
        self.a = self.budget.quantile(self.y, 0.5, self.lo, self.hi, part * share, c["CENTRE_HALVINGS"])
        distance = np.log2(np.maximum(np.abs(self.y - self.a), 0.5e-9 * (self.hi - self.lo)))
        self.s = self.y_spread = 2 ** self.budget.quantile(
            distance, INSIDE, top - c["SPREAD_OCTAVES"], top, (1 - part) * share, c["SPREAD_HALVINGS"])
        self.Va = (1 if self.d else c["first Va, no features"]) * self.y_spread**2
        self.residual = self.y

    def centre(self):
        """Mean and radius of the rows."""
        c, root = self.c, np.sqrt(self.d)
        reach = (c["KNOWN_RADIUS"] if self.known else 1) * root
        total, sigma = self.budget.vector(clip_rows(self.X, reach).sum(0), reach, self.share["mean"])
        if self.known:
            keep = max(0, 1 - c["mean shrinkage"] * self.d * sigma**2 / (total @ total))
            self.mean, self.radius = keep * total / self.n, c["KNOWN_CENTRED"] * root
        else:
            self.mean, top = np.clip(total / self.n, -1, 1), np.log2(2 * reach)
            length = np.log2(np.sqrt(((self.X - self.mean) ** 2).sum(1)) + 1e-12)
            self.radius = 2 ** self.budget.quantile(length, c["RADIUS_LEVEL"], top - c["RADIUS_OCTAVES"], top,
                                                    self.share["radius"], c["SPREAD_HALVINGS"])
        self.z = self.X - self.mean

    def whiten(self):
        """One moment of (z, y): the whitening, and least squares weighed against small slopes."""
        c, d, cut, square = self.c, self.d, self.c["TARGET_CUT"], self.y_spread**2
        standard = np.clip((self.y - self.a) / self.y_spread, -cut, cut) * self.radius / cut
        rows = clip_rows(np.column_stack([self.z, standard]), self.radius)
        moment, sigma = self.budget.moment(rows, self.radius, self.share["moment"])
        moment, sigma = moment / self.n, sigma / self.n
        self.know_levels(moment, sigma)
        ev, E = np.linalg.eigh(moment[:d, :d])
        ev = np.maximum(ev, c["eigenvalue floor"] * sigma * np.sqrt(d))
        self.W = E / np.sqrt(ev)
        self.rows = np.clip(self.z @ self.W, -WHITE_REACH, WHITE_REACH)
        self.clipped = clip_rows(self.rows, self.B)
        unit = cut * self.y_spread / self.radius
        x = self.W.T @ moment[:d, d] * unit
        V = cap(square * np.minimum(1, c["SLOPE_PRIOR"] ** 2 * ev), square)
        k, self.V = gain(V, sigma**2 / 2 * (unit**2 + (x * x / ev).sum()) / ev, c["TRUST"])
        self.x = k * x

    def know_levels(self, moment, sigma):
        """A level's variance follows from its mean; the moment has less where rows with it are cut."""
        for j in np.flatnonzero(((self.X == 0) | (self.X == 1)).all(0)):
            variance = self.mean[j] * (1 - self.mean[j])
            if variance > self.c["LEVEL_CUT"] * (max(0, moment[j, j]) + self.c["LEVEL_SURE"] * sigma):
                moment[j, j] = variance

    def density(self, level, h):
        """Of a normal residual at its level-quantile, smoothed with bandwidth h s."""
        wide = np.sqrt(1 + h * h)
        return np.exp(-((ndtri(level) / wide) ** 2) / 2) / np.sqrt(2 * np.pi) / (self.s * wide)

    def trust(self, t):
        """How much of step t of the slopes is believed to arrive; those at the quantile are the last ones."""
        if not self.sampling_rules:
            return self.c["TRUST"]
        return self.c["EARLY_TRUST" if t < self.c["EARLY_STEPS"] else "LATE_TRUST"]

    def slope_step(self, level, share, trust):
        curve = self.n * self.density(level, self.bandwidth) * self.clip_gain
        score = ndtr((self.a - self.residual) / (self.bandwidth * self.s)) - level
        g, sigma = self.budget.vector(score @ self.clipped, max(level, 1 - level) * self.B, share)
        u, noise = g / curve, sigma / curve
        if self.secant:
            self.learn_curvature(u, noise, level)
        k, self.V = gain(self.V, noise**2, trust)
        self.x = self.x - self.H @ (k * u)

    def learn_curvature(self, u, noise, level):
        """The BFGS update of H, for changes that stand out from the noise; at another level it starts anew."""
        if self.last and self.last[3] != level:
            self.H = np.eye(self.d)
        elif self.last:
            dx, du, both = self.x - self.last[0], u - self.last[1], np.hypot(noise, self.last[2])
            c, length = dx @ du, np.linalg.norm(dx)
            if c > max(self.c["SECANT_SURE"] * both * length, self.c["SECANT_LEAST"] * length**2,
                       self.c["SECANT_STRAIGHT"] * length * np.linalg.norm(du)):
                A = np.eye(self.d) - np.outer(dx, du) / c
                self.H = A @ self.H @ A.T + np.outer(dx, dx) / c
        self.last = (self.x, u, noise, level)

    def location_step(self, level, share):
        h = self.c["LOCATION_BANDWIDTH"]
        f = self.density(level, h)
        count, sigma = self.budget.count(ndtr((self.a - self.residual) / (h * self.s)).sum(), share)
        k, self.Va = gain(self.Va, (sigma / (self.n * f)) ** 2)
        self.a -= np.clip(k * (count / self.n - level) / f, -self.s, self.s)

    def next_spread(self, share):
        c = self.c
        inside = np.count_nonzero(np.abs(self.residual - self.a) <= self.s)
        count, sigma = self.budget.count(inside, share)
        k, self.Vs = gain(self.Vs, (sigma / (self.n * INSIDE_SLOPE)) ** 2)
        self.Vs += c["DRIFT"]
        step = np.clip(k * (count / self.n - INSIDE) / INSIDE_SLOPE, -c["LARGEST"], c["LARGEST"])
        return min(self.s * np.exp(-step), 2 * self.y_spread)

    def at_median(self):
        c, self.Vs = self.c, self.c["first Vs"]
        growing = c["GROWTH"] ** np.arange(self.median_steps)
        for t, share in enumerate(self.share["median"] * growing / growing.sum()):
            self.residual = self.y - self.rows @ self.x
            s = self.next_spread(share * c["SPREAD"])
            self.V, self.Va = cap(self.V, self.s**2), min(self.Va, self.s**2)
            self.slope_step(0.5, share * (1 - c["LOCATION"] - c["SPREAD"]), self.trust(t))
            self.location_step(0.5, share * c["LOCATION"])
            self.s = s

    def far(self):
        """Whether the quantile is many spreads out; the location is then found there by bisection."""
        c, side, level = self.c, -1 if self.tau < 0.5 else 1, max(self.tau, 1 - self.tau)
        edge, top = np.log2(c["FAR"] * self.s), np.log2(self.hi - self.lo)
        distance = np.log2(np.maximum(side * (self.residual - self.a), 0.5e-12 * (self.hi - self.lo)))
        count, sigma = self.budget.count(np.count_nonzero(distance > edge), self.share["tail"])
        if edge >= top or count - (1 - level) * self.n <= c["SURE"] * sigma:
            return False
        self.a += side * 2 ** self.budget.quantile(
            distance, level, edge, top, self.share["quantile"] + self.share["last"], c["TAIL_COUNTS"])
        return True

    def at_quantile(self):
        c, z = self.c, ndtri(self.tau)
        share = self.share["quantile"] / c["QUANTILE_STEPS"]
        if self.d:
            self.residual = self.y - self.rows @ self.x
        if self.far():
            return
        self.a += z * self.s
        self.Va = min(self.Va, self.s**2) + (c["SHAPE"] * z * self.s) ** 2
        if self.d:
            self.V = cap(self.V + (c["HETERO"] * z * self.s) ** 2 / self.d, self.s**2)
        for _ in range(c["QUANTILE_STEPS"]):
            if self.d:
                self.residual = self.y - self.rows @ self.x
                self.slope_step(self.tau, share * (1 - c["LOCATION"]), self.trust(c["MEDIAN_STEPS"]))
            self.location_step(self.tau, share * (c["LOCATION"] if self.d else 1))
        if self.d:
            self.residual = self.y - self.rows @ self.x
        self.location_step(self.tau, self.share["last"])


def fit(X, y, tau, mu, known, lo, hi, rng, constants=CONSTANTS):
    """Intercept and slopes of the encoded columns X (n x d, without intercept).

    known: every column has a public centre and scale. [lo, hi]: where the target's centre is searched; y is already cut
    to what the schema allows."""
    return Newton(X, y, tau, mu, known, lo, hi, rng, constants).learn()
