"""Real tables: percent over erm-exact, mean of 3 splits x draws (s.e. of the draws), beside the bars."""
import os, sys, time
os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy as np
import tables as T, learner
BARS = {("bike", .5): (4, .5, .1, 0), ("bike", .9): (14, -1.5, -3, -3), ("bike", .98): (30, 12, 1, -.5),
        ("casual", .5): (2.5, .2, 0, 0), ("casual", .9): (-5, -20, -25, -27), ("casual", .98): (8, -14, -20, -21),
        ("bike-days", .5): (156, 23, 4, .2), ("bike-days", .9): (175, 27, 8, 1), ("bike-days", .98): (130, 20, 3, -9),
        ("hospital", .9): (1.5, .1, 0, 0), ("hospital", .98): (5.5, 1, .3, .3), ("breaches", .9): (5, 4, 2, .7), ("breaches", .98): (10, 6, 2, 1),
        ("hospital-by-place", .5): (100, 10, 1, 0), ("hospital-by-place", .9): (250, 100, 25, 3)}


def cell(name, tau, mu, draws, splits=3, fit=learner.fit, **k):
    cost, base = np.zeros((splits, draws)), []
    for s in range(splits):
        X, g, y, Xt, yt, lo, hi = T.load(name, f"r{s}"); base.append(T.exact(name, f"r{s}", tau)[0])
        for i in range(draws):
            F = fit(X, g, y, [tau], mu, (lo, hi), np.random.default_rng([s, i, 5]), **k)
            cost[s, i] = T.pinball(yt, F.order(Xt, tau), tau)
    b = np.mean(base)
    return 100 * (cost.mean() / b - 1), (100 * np.sqrt(cost.var(1, ddof=1).mean() / cost.size) / b if draws > 1 else 0.)


def table(draws=4, splits=3, names=None, mus=(.1, .5, 2, 20), taus=None, **k):
    held = total = 0
    for (name, tau), bars in BARS.items():
        if names and name not in names or taus and tau not in taus: continue
        t, out = time.time(), []
        for mu in mus:
            v, e = cell(name, tau, mu, draws, splits, **k)
            bar = dict(zip((.1, .5, 2, 20), bars)).get(mu, 1.)
            ok = v <= bar + 2 * e; held += ok; total += 1
            out.append(f"{v:7.1f} ({e:4.1f}) [{bar:g}]{' ' if ok else '*'}")
        print(f"{name:18} {tau:<5} | " + " | ".join(out) + f"  {time.time() - t:.0f}s", flush=True)
    print(f"{held} of {total} bars held")


if __name__ == "__main__":
    a = sys.argv[1:]
    draws = int(a[0]) if a else 4
    table(draws, int(a[1]) if len(a) > 1 else 3, a[2].split(",") if len(a) > 2 and a[2] != "-" else None,
          tuple(float(v) for v in a[3].split(",")) if len(a) > 3 else (.1, .5, 2, 20))
