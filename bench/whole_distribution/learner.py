"""Centre, spread, quantiles: simulation of a private rule  order(x) = centre(x) + c_tau s(x) + corrections  (no grid, no secure noise)."""
import importlib.util, os
import numpy as np
from scipy.special import ndtr, ndtri
_here = os.path.dirname(os.path.abspath(__file__))
_spec = importlib.util.spec_from_file_location("today", _here + "/../default_learner/learner.py")
L = importlib.util.module_from_spec(_spec); _spec.loader.exec_module(L)
Budget, clip_rows, clip_gain = L.Budget, L.clip_rows, L.clip_gain

C = dict(L.CONSTANTS) | {
    "MEAN": .08, "RADIUS": .02, "MOMENT": .12, "MEDIAN": .42, "SPREAD_SHARE": .16, "LOCATE": .06, "QUANTILE": .18, "LAST": .05,
    "CROSS": .15, "CORR_FLOOR": .2, "WORTH": 1.0, "SPREAD_STEPS": 6, "SPREAD_PRIOR": 1.0, "SPREAD_TOTAL": .7, "SPREAD_H": .5,
    "Q_STEPS": 6, "Q_HETERO": .4, "Q_TRUST": .8, "Q_H": .15, "LOC_STEPS": 5, "KAPPA": .05, "OCTAVES": 12, "Q_CLIP": 1.0, "SPREAD_TRUST": .8, "FARTHER": 0.95, "FAR_SHARE": .01,
    "SURPRISE": 4.0, "POOL_SURE": 2.0, "OUT": 3.0, "OUT_PART": 1.0, "LONGEST": 1.0, "NUM_FLOOR": .2, "Q_STEPS_RICH": 12, "Q_STEPS_RICHER": 20, "Q_LOC": 0., "WEIGHTED": 1, "S_MEDIAN": 0, "S_SPREAD": 1, "S_QUANTILE": 1, "Q_SECANT": 1,
}
MAD = .6745


def step_gain(V, v, gamma, trust):
    """State of variance V seen through curvature gamma with noise variance v: gain, and the variance left."""
    k = V * gamma / (gamma * gamma * V + v)
    return k, (1 - trust * k * gamma) ** 2 * V + k * k * v


def surprised(V, u, v, gamma, before, c):
    """More is unknown than was believed where steps are longer than noise and belief allow and go on the way of the step before."""
    if not c["SURPRISE"] or before is None: return V
    seen, expected = u * before, gamma * gamma * V                  # u times the step before: noise has mean zero
    sure = c["POOL_SURE"] * v * np.sqrt(len(u))
    pooled = (seen.sum() - sure) / max(expected.sum(), 1e-300)
    if pooled > 1: V = V * min(pooled, c["SURPRISE"])
    least = c["OUT"] * np.sqrt(v + gamma * gamma * V)
    out = (u * before > 0) & (np.minimum(abs(u), abs(before)) > least)
    return np.where(out, np.maximum(V, c["OUT_PART"] * (u * before - v) / np.maximum(gamma, .2) ** 2), V)


def number(V, u, v, before, c):
    """One number: variance believed V, step u with noise variance v. The move, and the variance left."""
    if c["SURPRISE"] and u * before > 0 and min(u * u, before * before) > c["OUT"] ** 2 * (V + v): V = u * before
    k, V = L.gain(V, v)
    return k * u, V


def capped(V, gamma, total):
    return V * min(1, total / max((V * gamma).sum(), 1e-300))


class Secant:
    """BFGS on changes of the step that stand out from the noise (src/learn/secant.c)."""
    def __init__(self, d, c): self.H, self.last, self.c = np.eye(d), None, c

    def learn(self, x, u, noise):
        c = self.c
        if self.last is not None:
            dx, du, both = x - self.last[0], u - self.last[1], np.hypot(noise, self.last[2])
            cc, length = dx @ du, np.linalg.norm(dx)
            if cc > max(c["SECANT_SURE"] * both * length, c["SECANT_LEAST"] * length ** 2, c["SECANT_STRAIGHT"] * length * np.linalg.norm(du)):
                Q = np.eye(len(x)) - np.outer(dx, du) / cc
                self.H = Q @ self.H @ Q.T + np.outer(dx, dx) / cc
        self.last = (x, u, noise)


class Fit:
    def __init__(self, X, group, y, taus, mu, lo, hi, rng, known=False, c=C):
        self.X, self.group, self.y, self.taus, self.mu, self.lo, self.hi, self.known, self.c = X, np.asarray(group), y, list(taus), mu, lo, hi, known, c
        self.n, self.d = X.shape
        self.budget, self.rng = Budget(mu, rng), rng
        self.groups = len(set(self.group))
        self.use = L.uses_features(self.n, self.d, mu, c)
        if not self.use: return self.without()
        self.shares()
        self.target(); self.design(); self.start(); self.median()
        self.spread(); self.quantiles()
        assert abs(self.budget.spent - 1) < 1e-6, self.budget.spent

    def without(self):
        self.rules = {}
        for tau in self.taus:
            b = L.fit(np.zeros((self.n, 0)), self.y, tau, self.mu / np.sqrt(len(self.taus)), False, self.lo, self.hi, self.rng)
            self.rules[tau] = b[0]

    def shares(self):
        c = self.c
        far = max(abs(ndtri(t)) for t in self.taus)
        wish = {"mean": c["MEAN"], "radius": 0 if self.known else c["RADIUS"], "moment": c["MOMENT"], "median": c["MEDIAN"], "far": c["FAR_SHARE"],
                "spread": c["SPREAD_SHARE"] * min(1, far), "locate": c["LOCATE"] * min(1, far), "quantile": c["QUANTILE"], "last": c["LAST"]}
        if self.known: wish["mean"] = c["KNOWN.mean"]
        t = max(c["TARGET_LEAST"], min(c["TARGET_MOST"], c["TARGET_FEW"] / (self.n * self.mu) ** 2))
        total = sum(wish.values())
        self.share = {k: v * (1 - t) / total for k, v in wish.items()} | {"target": t}

    # ---- target: centre, spread, and how far the far ones are
    def target(self):
        c, share, top = self.c, self.share["target"], np.log2(self.hi - self.lo)
        self.a = self.budget.quantile(self.y, .5, self.lo, self.hi, c["CENTRE_PART"] * share, c["CENTRE_HALVINGS"])
        distance = np.log2(np.maximum(np.abs(self.y - self.a), .5e-9 * (self.hi - self.lo)))
        self.s = self.y_spread = 2 ** self.budget.quantile(distance, L.INSIDE, top - c["SPREAD_OCTAVES"], top, (1 - c["CENTRE_PART"]) * share, c["SPREAD_HALVINGS"])
        low = np.log2(self.y_spread)
        far = self.budget.quantile(distance, c["FARTHER"], low, top, self.share["far"], c["SPREAD_HALVINGS"]) if top > low else top
        if top <= low: self.budget.spent += self.share["far"]
        self.y_far = max(self.y_spread, 2 ** far / 2)         # two normal spreads lie at the 0.95-quantile
        self.Va = self.y_far ** 2

    # ---- design: mean, radius, moment; what levels know about themselves
    def design(self):
        c, n, d, g = self.c, self.n, self.d, self.group
        reach = c["KNOWN_RADIUS"] * np.sqrt(d) if self.known else np.sqrt(self.groups)
        total, sigma = self.budget.vector(clip_rows(self.X, reach).sum(0), reach, self.share["mean"])
        sm = sigma / n
        if self.known:
            keep = max(0, 1 - c["mean shrinkage"] * d * sigma ** 2 / (total @ total))
            self.m, self.R = keep * total / n, c["KNOWN_CENTRED"] * np.sqrt(d)
        else:
            m = np.clip(total / n, -1, 1)
            for i in sorted(set(g[g >= 0])):
                j = g == i; p = 1 / (j.sum() + 1)
                m[j] = np.clip(p + p * p / (p * p + sm * sm) * (m[j] - p), .02 * p, 1)
                m[j] *= min(1, (1 - .02 * p) / m[j].sum())
            self.m, top = m, np.log2(2 * reach)
            length = np.log2(np.sqrt(((self.X - m) ** 2).sum(1)) + 1e-12)
            self.R = 2 ** self.budget.quantile(length, c["RADIUS_LEVEL"], top - c["RADIUS_OCTAVES"], top, self.share["radius"], c["SPREAD_HALVINGS"])
        self.Z = self.X - self.m
        self.cut = 2 * self.y_far
        standard = np.clip((self.y - self.a) / self.cut, -1, 1) * self.R
        M, sigma = self.budget.moment(clip_rows(np.column_stack([self.Z, standard]), self.R), self.R, self.share["moment"])
        M, self.sM = M / n, sigma / n
        self.Mxy = M[:d, d] * self.cut / self.R
        S, own = np.diag(np.maximum(np.diag(M)[:d], c["NUM_FLOOR"] * self.sM * np.sqrt(d))), np.eye(d, dtype=bool)
        for i in sorted(set(g[g >= 0])):
            j = np.flatnonzero(g == i); own[np.ix_(j, j)] = True
            S[np.ix_(j, j)] = np.diag(self.m[j]) - np.outer(self.m[j], self.m[j])
        size = np.sqrt(np.diag(S)); limit = np.outer(size, size)
        prior = (c["CROSS"] * limit) ** 2
        S += np.where(own, 0, np.clip(M[:d, :d], -limit, limit) * prior / (prior + self.sM ** 2 / 2))
        self.size, self.S = size, self.definite(S, size)
        ev, E = np.linalg.eigh(self.S)
        ev = np.maximum(ev, 1e-12)
        self.worth = c["WORTH"] * d / (.16 * (self.mu * n) ** 2 * self.share["median"])
        self.ev, self.E = ev, E
        self.W, self.gamma = E / np.sqrt(ev + self.worth), ev / (ev + self.worth)

    def definite(self, S, size):
        """Floors the eigenvalues of the correlation matrix of levels and numbers (blocks of a category are kept as they are)."""
        e, U = np.linalg.eigh(S / np.outer(size, size))
        # a category's own block has a smallest eigenvalue that is exact: the floor is in units of it only where cross terms made it smaller
        return (U * np.maximum(e, self.c["CORR_FLOOR"])) @ U.T * np.outer(size, size)

    def start(self):
        c, n = self.c, self.n
        d = self.gamma.sum()
        wealth = self.mu * np.sqrt(n / self.d); rich = min(1, wealth / c["RICH"])
        self.rich, self.secant = rich, wealth >= c["RICHER"]
        self.sampling_rules = rich == 1 and not self.secant
        self.B = max(c["CLIP"], rich * c["rich clip"]) * np.sqrt(d)
        self.bandwidth = max(c["SLOPE_BANDWIDTH"], rich * c["RICH_BANDWIDTH"])
        self.A = np.clip(self.Z @ self.W, -L.WHITE_REACH, L.WHITE_REACH)
        self.Ac = clip_rows(self.A, self.B)
        self.cg = clip_gain(max(d, 1), self.B)
        x, scale = self.W.T @ self.Mxy, self.ev + self.worth
        square = self.y_far ** 2
        V = capped(square * np.minimum(1, c["SLOPE_PRIOR"] ** 2 * scale), self.gamma, square)
        unit = self.cut / self.R
        k, self.V = step_gain(V, self.sM ** 2 / 2 * (unit ** 2 + (x * x / scale).sum()) / scale, self.gamma, c["TRUST"])
        self.x = k * x

    def density(self, level, h, s):
        wide = np.sqrt(1 + h * h)
        return np.exp(-((ndtri(level) / wide) ** 2) / 2) / np.sqrt(2 * np.pi) / (s * wide)

    def median(self):
        c, n = self.c, self.n
        T = c["FEWER_STEPS"] if self.secant else c["MEDIAN_STEPS"]
        growing = c["GROWTH"] ** np.arange(T)
        self.Vs, secant = c["first Vs"], Secant(self.d, c)
        self.s, before = self.y_far, None
        for t, share in enumerate(self.share["median"] * growing / growing.sum()):
            r = self.y - self.A @ self.x
            s = self.next_spread(r, share * c["SPREAD"])
            self.V, self.Va = capped(self.V, self.gamma, self.s ** 2), min(self.Va, self.s ** 2)
            curve = n * self.density(.5, self.bandwidth, self.s) * self.cg
            g, sigma = self.budget.vector((ndtr((self.a - r) / (self.bandwidth * self.s)) - .5) @ self.Ac, .5 * self.B, share * (1 - c["LOCATION"] - c["SPREAD"]))
            u, noise = g / curve, sigma / curve
            if self.secant: secant.learn(self.x, u, noise)
            trust = c["TRUST"] if not self.sampling_rules else c["EARLY_TRUST"] if t < c["EARLY_STEPS"] else c["LATE_TRUST"]
            if c["S_MEDIAN"]: self.V = surprised(self.V, u, noise ** 2, self.gamma, before, c)
            before = u
            k, self.V = step_gain(self.V, noise ** 2, self.gamma, trust)
            self.x = self.x - secant.H @ (k * u)
            self.a, self.Va = self.locate(r, self.a, self.s, .5, self.Va, share * c["LOCATION"])
            self.s = s
        self.r = self.y - self.A @ self.x

    def locate(self, r, a, s, level, Va, share):
        h = self.c["LOCATION_BANDWIDTH"]; f = self.density(level, h, s)
        count, sigma = self.budget.count(ndtr((a - r) / (h * s)).sum(), share)
        u = (count / self.n - level) / f
        move, Va = number(Va, u, (sigma / (self.n * f)) ** 2, 0., self.c)
        return a - np.clip(move, -s, s), Va

    def next_spread(self, r, share):
        c = self.c
        count, sigma = self.budget.count(np.count_nonzero(np.abs(r - self.a) <= self.s), share)
        k, self.Vs = L.gain(self.Vs, (sigma / (self.n * L.INSIDE_SLOPE)) ** 2)
        self.Vs += c["DRIFT"]
        return min(self.s * np.exp(-np.clip(k * (count / self.n - L.INSIDE) / L.INSIDE_SLOPE, -c["LARGEST"], c["LARGEST"])), 2 * self.y_far)

    # ---- spread: the median of log|residual|, same rows, same whitening
    def spread(self):
        c, n = self.c, self.n
        floor, top = np.log((self.hi - self.lo) * 2. ** -c["OCTAVES"]), np.log(self.hi - self.lo)
        self.limits = floor, top
        self.xg, self.ag = np.zeros(self.d), np.clip(np.log(MAD * self.s), floor, top)
        share = self.share["spread"]
        if not share: return
        logr = np.clip(np.log(np.maximum(np.abs(self.r - self.a), 1e-300)), floor, top)
        h, f0 = c["SPREAD_H"], .4287
        f = f0 / np.sqrt(1 + (h * f0 / .4) ** 2)
        V = capped(c["SPREAD_PRIOR"] ** 2 * (self.ev + self.worth), self.gamma, c["SPREAD_TOTAL"] ** 2); Va, before, last = .1, None, 0.
        for t in range(c["SPREAD_STEPS"]):
            part = share / c["SPREAD_STEPS"]
            e = self.ag + self.A @ self.xg - logr
            score = ndtr(e / h) - .5
            g, sigma = self.budget.vector(score @ self.Ac, .5 * self.B, part * .88)
            curve = n * f * self.cg
            if c["S_SPREAD"]: V = surprised(V, g / curve, (sigma / curve) ** 2, self.gamma, before, c)
            before = g / curve
            k, V = step_gain(V, (sigma / curve) ** 2, self.gamma, c["SPREAD_TRUST"])
            self.xg = self.xg - k * g / curve
            count, sigma = self.budget.count(score.sum(), part * .12)
            move, Va = number(Va, count / n / f, (sigma / (n * f)) ** 2, last, c); last = count / n / f
            self.ag -= np.clip(move, -1, 1)
        self.Vg = V

    def spread_of(self, A):
        return np.exp(np.clip(self.ag + A @ self.xg, *self.limits))

    # ---- quantiles
    def tilt(self, beta):
        """Mean and covariance of x, and E exp(beta'x) / exp(beta'm), under weights exp(beta'x), as if features were independent."""
        m, size, factor = self.m.copy(), self.size.copy(), 0.
        S = self.S.copy()
        for i in sorted(set(self.group)):
            j = np.flatnonzero(self.group == i)
            if i >= 0 and not self.known:
                p = np.r_[max(1e-9, 1 - self.m[j].sum()), self.m[j]]
                w = p * np.exp(np.r_[0, beta[j]]); factor += np.log(w.sum()) - beta[j] @ self.m[j]
                w = np.maximum(w / w.sum(), .05 * p); w /= w.sum(); m[j] = w[1:]; size[j] = np.sqrt(np.maximum(w[1:] * (1 - w[1:]), 1e-12))
            else:
                v = self.S[np.ix_(j, j)]
                factor += beta[j] @ v @ beta[j] / 2; m[j] = self.m[j] + v @ beta[j]
        ratio = size / self.size
        S = S * np.outer(ratio, ratio)
        for i in sorted(set(self.group[self.group >= 0])) if not self.known else ():
            j = np.flatnonzero(self.group == i)
            S[np.ix_(j, j)] = np.diag(m[j]) - np.outer(m[j], m[j])
        return m, S, factor

    def quantiles(self):
        c, n, d = self.c, self.n, self.d
        s = self.spread_of(self.A)
        self.rules = {}
        q = len(self.taus)
        beta = self.W @ self.xg
        m, S, minus = self.tilt(-beta); mplus, _, plus = self.tilt(beta); _, _, plus2 = self.tilt(2 * beta)
        self.harmonic = np.exp(np.clip(self.ag - minus, *self.limits))     # 1 / E[1/s], centred rows: A has mean zero
        self.mean_s = np.exp(np.clip(self.ag + plus, *self.limits)); self.biased = np.clip(plus2 - 2 * plus, 0, 2.)   # log E[s^2]/E[s]^2
        kappa = np.expm1(min(minus + plus, 3)) + c["KAPPA"]
        cov = np.zeros((d + 1, d + 1)); cov[:d, :d] = S; cov[:d, d] = cov[d, :d] = self.m - m; cov[d, d] = kappa
        size = np.sqrt(np.diag(cov)); e, U = np.linalg.eigh(cov / np.outer(size, size))
        cov = (U * np.maximum(e, c["CORR_FLOOR"])) @ U.T * np.outer(size, size)
        ev, E = np.linalg.eigh(cov); ev = np.maximum(ev, 1e-12)
        rows = lambda X, s: np.column_stack([X - m, np.clip(s / self.harmonic - 1, -1, 30)])
        # second moments of those rows under the rows' own law, for the clip norm; and the size of a slope's error by column
        shift, ratio = self.m - m, np.exp(min(plus + minus, 4))
        actual = np.zeros((d + 1, d + 1)); actual[:d, :d] = self.S + np.outer(shift, shift)
        actual[:d, d] = actual[d, :d] = ratio * (mplus - m) - shift
        actual[d, d] = max(np.exp(min(plus2 + 2 * minus, 8)) - 2 * ratio + 1, kappa)
        self.typical = np.sqrt(self.mean_s * self.harmonic)
        own = np.full(d + 1, self.typical); own[d] = self.harmonic
        for i in sorted(set(self.group[self.group >= 0])) if not self.known else ():
            j = np.flatnonzero(self.group == i)
            own[j] = np.exp(np.clip(self.ag + beta[j] - beta[j] @ self.m[j], *self.limits))
        prior = E.T ** 2 @ own ** 2
        steps = c["Q_STEPS_RICHER"] if self.secant else c["Q_STEPS_RICH"] if self.rich == 1 else c["Q_STEPS"]
        for tau in self.taus:
            z = ndtri(tau)
            # location of the standardised residual
            a, Va = z / MAD, (c["SHAPE"] * z / MAD) ** 2 + .02
            rho = np.clip((self.r - self.a) / s, -64, 64)
            if self.share["locate"]:
                a, Va = self.number_of_spreads(rho, s, tau, a, Va, self.share["locate"] / q)
            f = self.density(tau, c["Q_H"], self.harmonic / MAD)
            share = self.share["quantile"] / q
            worth = c["WORTH"] * (d + 1) * (max(tau, 1 - tau) / (self.mu * n * f * self.harmonic)) ** 2 / share
            W, gamma = E / np.sqrt(ev + worth), ev / (ev + worth)
            R = np.clip(rows(self.X, s) @ W, -L.WHITE_REACH, L.WHITE_REACH)
            reach = max(1., gamma.sum(), np.trace(W.T @ actual @ W))
            B = c["Q_CLIP"] * np.sqrt(reach)
            Rc = clip_rows(R, B); cg = clip_gain(reach, B)
            x, loc = np.zeros(d + 1), 0.
            eta = (c["Q_HETERO"] * z / MAD) ** 2
            V = capped(eta * (ev + worth) * prior, gamma, eta * self.typical ** 2) + self.Vleft(W, gamma)
            Va = (Va + c["Q_LOC"] * eta) * self.harmonic ** 2
            start = self.a + self.A @ self.x + a * s
            secant, before, last = Secant(d + 1, c), None, 0.
            for t in range(steps):
                score = ndtr((start + loc + R @ x - self.y) / (c["Q_H"] * s / MAD)) - tau
                g, sigma = self.budget.vector(score @ Rc, max(tau, 1 - tau) * B, share / steps * .88)
                count, sc = self.budget.count(score.sum(), share / steps * .12)
                curve = n * f * cg
                if c["S_QUANTILE"]: V = surprised(V, g / curve, (sigma / curve) ** 2, gamma, before, c)
                before = g / curve
                k, V = step_gain(V, (sigma / curve) ** 2, gamma, c["Q_TRUST"])
                if c["Q_SECANT"] and self.secant: secant.learn(x, g / curve, sigma / curve)
                move = secant.H @ (k * g / curve)
                x = x - move * min(1, c["LONGEST"] * self.typical / MAD / np.sqrt((gamma * move ** 2).sum()))
                move, Va = number(Va, count / n / f, (sc / (n * f)) ** 2, last, c); last = count / n / f
                loc -= np.clip(move, -self.harmonic / MAD, self.harmonic / MAD)
            score = ndtr((start + loc + R @ x - self.y) / (c["LOCATION_BANDWIDTH"] * s / MAD)).sum() - tau * n
            count, sc = self.budget.count(score, self.share["last"] / q)
            move, Va = number(Va + (.02 * self.harmonic) ** 2, count / n / f, (sc / (n * f)) ** 2, last, c)
            loc -= np.clip(move, -self.harmonic / MAD, self.harmonic / MAD)
            self.rules[tau] = (a, loc, W, x, rows)

    def number_of_spreads(self, rho, s, tau, a, Va, share):
        """c: the zero of the sum of (indicator - tau) s(x), which is the slope of the cost in c."""
        c, n = self.c, self.n
        top = self.mean_s * np.exp(self.biased) if c["WEIGHTED"] else 1e-300
        w = np.minimum(1, s / top)
        part = np.exp(-self.biased) if c["WEIGHTED"] else 1.
        h, wide = c["LOCATION_BANDWIDTH"], 1 / MAD
        f = self.density(tau, h, wide) * part
        for t in range(c["LOC_STEPS"]):
            count, sigma = self.budget.count((w * (ndtr((a - rho) / (h * wide)) - tau)).sum(), share / c["LOC_STEPS"])
            u = count / n / f
            move, Va = number(Va, u, (sigma / (n * f)) ** 2, u, c)
            a -= np.clip(move, -wide, max(wide, abs(a) / 2))
        return a, Va

    def Vleft(self, W, gamma):
        """What the median's slopes still have unknown, spread evenly over the new coordinates."""
        return np.full(len(gamma), (self.V * self.gamma).sum() / len(gamma))

    def order(self, X, tau):
        if not self.use: return np.full(len(X), np.clip(self.rules[tau], self.lo, self.hi))
        a, loc, W, x, rows = self.rules[tau]
        A = np.clip((X - self.m) @ self.W, -L.WHITE_REACH, L.WHITE_REACH); s = self.spread_of(A)
        R = np.clip(rows(X, s) @ W, -L.WHITE_REACH, L.WHITE_REACH)
        return np.clip(self.a + A @ self.x + a * s + loc + R @ x, self.lo, self.hi)


def fit(X, group, y, taus, mu, bounds, rng, known=False, c=C):
    return Fit(X, group, y, taus if np.ndim(taus) else [taus], mu, *bounds, rng, known, c)
