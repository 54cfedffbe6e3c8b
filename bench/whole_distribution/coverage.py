"""coverage.py PROGRAM FOLDER SEED COUNT [make|run]: how often intervals of 90 % hold what the same learner gives with ever more rows and no noise.

For COUNT problems of each blind family: the truth is a fit at mu = 1000 of 200,000 rows; then TABLES tables of 500 to 5,000 rows at each quantile
and guarantee. Coefficients (b), the number of spreads (k), slopes of the spread's logarithm (g), and orders at 40 rows. `width` is the interval's
width over 3.29 root mean square errors of what it is about: the narrowest that an interval which knows its own error could be."""
import json, os, subprocess, sys
os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy as np
import blind, tables

TAUS, MUS, TABLES, Z = (.5, .8, .95), (.5, 1., 3.), 6, 1.6448536269514722
PARTS = ("b", "order", "k", "g")


def fit(program, folder, key, table, tau, mu, seed):
    out = f"{folder}/{key}.{os.getpid()}.policy"
    done = subprocess.run([program, "fit", f"{folder}/{table}", "--schema", f"{folder}/{key}.json", "--quantile", repr(tau), "--mu", str(mu), "--intervals",
                           "--method", "location-scale", "--seed", str(seed), "--no-ledger", "--threads", "1", "--out", out], capture_output=True, text=True)
    if done.returncode: sys.exit(f"{key}: {done.stderr}")
    policy = json.load(open(out)); os.unlink(out)
    return policy


def numbers(policy, names):
    """b, g, k of the policy in the order of its covariances, in units of the encoded target but for its centre."""
    column = lambda c: [c["(intercept)"]] + [c[n] for n in names]
    t = policy["schema"]["target"] if "target" in policy["schema"] else policy["schema"]["targets"][0]
    half, centre = (t["max"] - t["min"]) / 2, (t["max"] + t["min"]) / 2
    b = np.array(column(policy["coefficients"]))
    b[0] -= centre
    if "spread" not in policy: return b / half
    g = np.array(column(policy["spread"]["logarithm"]))
    g[0] -= np.log(half)
    return np.concatenate([b / half, g, [policy["spread"]["spreads"]]])


def gradient(v, p, X):
    """Orders at encoded rows and how they follow the numbers."""
    if len(v) == p: return X @ v, X
    s = np.exp(np.clip(X @ v[p:2 * p], np.log(2 / 4096), np.log(2)))
    return X @ v[:p] + v[-1] * s, np.column_stack([X, (v[-1] * s)[:, None] * X, s])


def covariance(policy):
    rows = policy["uncertainty"]
    if rows is None: return None
    C = np.zeros((len(rows), len(rows)))
    for j, row in enumerate(rows): C[j, :j + 1] = C[:j + 1, j] = row
    return C


def problem(family, i, seed):
    p = blind.Problem(family, i, seed)
    p.n = int(np.exp(np.random.default_rng([seed, i, 3]).uniform(np.log(500), np.log(5000))))
    return p


def make(folder, seed, count):
    index = []
    for number, family in enumerate(blind.FAMILIES):
        for i in range(count):
            p = problem(family, i, seed)
            draw = lambda n, r: (lambda X, y: (X, np.clip(y, p.lo, p.hi)))(*p.rows(n, np.random.default_rng([seed, number, i, r])))
            some = [draw(p.n, r + 10) for r in range(TABLES)] + [draw(200000, 9)]
            X, y = draw(40, 99)
            judge = (np.column_stack([np.ones(len(X)), X]), y, 0)
            index.append(tables.write(folder, f"{family}-{i}", p.features(), {"name": "y", "min": float(p.lo), "max": float(p.hi)}, some, judge,
                                      {"family": family, "n": p.n, "d": X.shape[1]}))
    with open(f"{folder}/index.json", "w") as file: json.dump(index, file)


def judge(program, folder, p, number, tau):
    """For each guarantee and table: errors over standard errors, and standard errors, of each part."""
    key, X, cells = p["key"], np.load(f"{folder}/{p['key']}.npz")["x"].astype(float), []
    columns = X.shape[1]
    truth = numbers(fit(program, folder, key, f"{key}.{TABLES}.csv", tau, 1000, 1), p["names"])
    q = gradient(truth, columns, X)[0]
    for mu in MUS:
        errors, sizes = [], []
        for r in range(TABLES):
            policy = fit(program, folder, key, f"{key}.{r}.csv", tau, mu, 100 * number + r + 1)
            v, C = numbers(policy, p["names"]), covariance(policy)
            if C is None: continue
            same = len(v) == len(truth)
            order, J = gradient(v, columns, X)
            inside = np.abs(q) < .999 # what is held to bounds says nothing
            se = np.sqrt(np.maximum(np.diag(C), 0))
            part = {"b": (v[:columns] - truth[:columns], se[:columns]) if same else None, "order": ((order - q)[inside], np.sqrt(np.einsum("ij,jk,ik->i", J, C, J))[inside])}
            if same and len(v) > columns: part["g"], part["k"] = (v[columns:-1] - truth[columns:-1], se[columns:-1]), (v[-1:] - truth[-1:], se[-1:])
            errors.append({k: w[0] for k, w in part.items() if w}); sizes.append({k: w[1] for k, w in part.items() if w})
        for name in PARTS:
            e, s = [x[name] for x in errors if name in x], [x[name] for x in sizes if name in x]
            if not e: continue
            e, s = np.array(e), np.array(s)
            cells.append((p["family"], p["n"], p["d"], tau, mu, name, np.mean(np.abs(e) <= Z * s), np.median(s / np.maximum(1e-300, np.sqrt(np.mean(e * e, 0)))), len(truth) > columns))
    return cells


def show(cells):
    family, tau, mu, part = (np.array([c[k] for c in cells]) for k in (0, 3, 4, 5))
    cover, width = (np.array([c[k] for c in cells], float) for k in (6, 7))
    line = lambda label, which: print(f"{label:22} " + "  ".join(f"{name} {100 * cover[w].mean():5.1f} ({np.median(width[w]):.2f})" for name in PARTS if (w := which & (part == name)).any()), flush=True)
    line("all", np.full(len(cells), True))
    for t in TAUS: line(f"tau {t}", tau == t)
    for m in MUS: line(f"mu {m}", mu == m)
    for f in dict.fromkeys(family): line(f, family == f)
    for t in TAUS:
        for m in MUS: line(f"tau {t} mu {m}", (tau == t) & (mu == m))
        for f in dict.fromkeys(family): line(f"{f} {t}", (tau == t) & (family == f))


def main():
    program, folder, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    what = sys.argv[5] if len(sys.argv) > 5 else ""
    if what != "run": make(folder, seed, count)
    if what == "make": return
    index = json.load(open(f"{folder}/index.json"))
    cells = [c for number, p in enumerate(index) for tau in TAUS for c in judge(program, folder, p, number, tau)]
    with open(f"{folder}/cells.json", "w") as file: json.dump([[x.item() if hasattr(x, "item") else x for x in c] for c in cells], file)
    show(cells)


if __name__ == "__main__": main()
