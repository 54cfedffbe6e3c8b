"""Compare variants of the learner with today's on synthetic families (paired tables and noise seeds)."""
import os, sys, time, pickle
os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy as np
import learner, families as F
L = learner.L
MUS = (.1, .3, 1., 4., 30.)
def problems(seed, per=5):
    return F.draw(per, seed)
def today(p, X, y, mu, rng, c=None):
    b = L.fit(X, y, p.tau, mu, p.known, p.lo, p.hi, rng)
    return np.clip(p.judge_x @ b, *p.cut)
def new(p, X, y, mu, rng, c):
    f = learner.fit(X, p.group, y, [p.tau], mu, (p.lo, p.hi), rng, p.known, c)
    return np.clip(f.order(p.judge_x[:, 1:], p.tau), *p.cut)
def evaluate(ps, method, c=None, reps=2, mus=MUS, seed=0):
    out = np.zeros((len(ps), len(mus)))
    for i, p in enumerate(ps):
        for j, mu in enumerate(mus):
            for r in range(reps):
                X, y = p.rows(np.random.default_rng([seed, *p.key, r]))
                v = p.scored(method(p, X, y, mu, np.random.default_rng([seed, *p.key, r, j]), c)) / p.best - 1
                out[i, j] += min(v if np.isfinite(v) else 9, 2.) / reps
    return 100 * out
def classes(ps):
    old = np.array([p.family in F.OLD for p in ps]); high = np.array([max(p.tau, 1 - p.tau) >= .8 for p in ps])
    half = np.array([abs(p.tau - .5) < 1e-9 for p in ps])
    return {"old": old & ~high, "old hi": old & high, "new .5": ~old & half, "new hi": ~old & high} | {f: np.array([p.family == f for p in ps]) for f in F.OLD + F.NEW}
def show(label, e, ps, base=None, brief=False, mus=MUS):
    cl = classes(ps)
    print(label)
    for k, m in list(cl.items())[:4 if brief else None]:
        if m.any(): print(f"  {k:10}", " ".join(f"{v:7.2f}" for v in e[m].mean(0)), f"| {e[m].mean():7.2f}" + (f"  vs {base[m].mean():7.2f}  diff {(e - base)[m].mean():+.2f} ({(e - base)[m].mean(1).std() / np.sqrt(m.sum()):.2f})" if base is not None else ""), flush=True)
if __name__ == "__main__":
    ps = problems(1); t = time.time()
    base = evaluate(ps, today); np.save("today.1.npy", base); print("today", time.time() - t)
    show("today", base, ps)
    t = time.time(); e = evaluate(ps, new, learner.C | {"Q_SECANT": 1, "Q_H": .15}); print("new", time.time() - t)
    show("new", e, ps, base)
