"""coverage.py PROGRAM FOLDER SEED COUNT [make|run|show] [errors]: how often intervals of 90 % hold what the same learner gives with ever more rows and no noise.

For COUNT problems of each blind family: the truth is a fit at mu = 1000 of 200,000 rows; then TABLES tables of 500 to 5,000 rows at each quantile
and guarantee. Coefficients (b), the number of spreads (k), slopes of the spread's logarithm (g), and orders at 40 rows. Each cell: coverage, and the
median of the interval's width over that of one that is told the true density (the sandwich with densities from 50,000 rows at the true rule, for a given
spread, and the same noise). With `errors` as a last word the widths are over 3.29 root mean square errors instead."""
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
    os.makedirs(folder, exist_ok=True)
    index = []
    for number, family in enumerate(blind.FAMILIES):
        for i in range(count):
            p = problem(family, i, seed)
            draw = lambda n, r: (lambda X, y: (X, np.clip(y, p.lo, p.hi)))(*p.rows(n, np.random.default_rng([seed, number, i, r])))
            some = [draw(p.n, r + 10) for r in range(TABLES)] + [draw(200000, 9)]
            X, y = draw(40, 99)
            judge = (np.column_stack([np.ones(len(X)), X]), y, 0)
            np.savez(f"{folder}/{family}-{i}.told.npz", x=some[-1][0][:50000].astype(np.float32), y=some[-1][1][:50000])
            index.append(tables.write(folder, f"{family}-{i}", p.features(), {"name": "y", "min": float(p.lo), "max": float(p.hi)}, some, judge,
                                      {"family": family, "n": p.n, "d": X.shape[1]}))
    with open(f"{folder}/index.json", "w") as file: json.dump(index, file)


def told(folder, p, truth, tau):
    """The covariance of b (and k) of p["n"] rows where the density at the true rule is known."""
    rows, target = np.load(f"{folder}/{p['key']}.told.npz"), json.load(open(f"{folder}/{p['key']}.json"))["target"]
    X, y = np.column_stack([np.ones(len(rows["x"])), rows["x"]]).astype(float), (2 * rows["y"] - target["max"] - target["min"]) / (target["max"] - target["min"])
    columns = X.shape[1]
    q, J = gradient(truth, columns, X)
    short, scale = y - q, J[:, -1] if len(truth) > columns else 1
    scale = scale * np.median(np.abs(short / scale))
    z = J[:, np.r_[:columns, J.shape[1] - 1]] if len(truth) > columns else J
    near = (np.abs(short) < .3 * scale) / (.6 * scale)
    H, S = (z * near[:, None]).T @ z / len(z), tau * (1 - tau) * z.T @ z / len(z)
    inverse = np.linalg.pinv(H + 1e-9 * np.eye(len(H)) * np.trace(H) / len(H))
    return inverse @ S @ inverse / p["n"]


def judge(program, folder, p, number, tau):
    """For each guarantee and table: errors over standard errors, and standard errors, of each part."""
    key, X, cells = p["key"], np.load(f"{folder}/{p['key']}.npz")["x"].astype(float), []
    columns = X.shape[1]
    truth = numbers(fit(program, folder, key, f"{key}.{TABLES}.csv", tau, 1000, 1), p["names"])
    q = gradient(truth, columns, X)[0]
    known, pick = told(folder, p, truth, tau), np.r_[:columns, len(truth) - 1] if len(truth) > columns else np.arange(columns)
    calm = [covariance(fit(program, folder, key, f"{key}.{r}.csv", tau, 1000, 100 * number + r + 1)) for r in range(TABLES)]
    for mu in MUS:
        errors, sizes, ratios = [], [], {}
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
            if same and calm[r] is not None:
                noise = np.maximum(0, np.diag(C) - np.diag(calm[r]))
                best = np.zeros(len(v)); best[pick] = np.sqrt(np.maximum(np.diag(known), 1e-12) + noise[pick])
                square = lambda M: np.maximum(0, np.einsum("ij,jk,ik->i", J, M, J))
                whole = np.zeros_like(C); whole[np.ix_(pick, pick)] = known
                ratio = {"b": se[:columns] / best[:columns], "order": np.sqrt(square(C) / (1e-12 + square(whole) + np.maximum(0, square(C) - square(calm[r]))))[inside]}
                if len(v) > columns: ratio["k"], ratio["g"] = se[-1:] / best[-1:], np.full(1, np.nan)
                for k, w in ratio.items(): ratios.setdefault(k, []).append(np.median(w) if len(w) else np.nan)
            errors.append({k: w[0] for k, w in part.items() if w}); sizes.append({k: w[1] for k, w in part.items() if w})
        for name in PARTS:
            e, s = [x[name] for x in errors if name in x], [x[name] for x in sizes if name in x]
            if not e: continue
            e, s = np.array(e), np.array(s)
            cells.append((p["family"], p["n"], p["d"], tau, mu, name, np.mean(np.abs(e) <= Z * s), np.median(s / np.maximum(1e-300, np.sqrt(np.mean(e * e, 0)))), len(truth) > columns,
                          float(np.median(ratios.get(name, [np.nan])))))
    return cells


def show(cells, by):
    family, tau, mu, part = (np.array([c[k] for c in cells]) for k in (0, 3, 4, 5))
    cover, width = (np.array([c[k] for c in cells], float) for k in (6, by))
    line = lambda label, which: print(f"{label:22} " + "  ".join(f"{name} {100 * cover[w].mean():5.1f}" + ("" if np.isnan(width[w]).all() else f" ({np.nanmedian(width[w]):.2f})") for name in PARTS if (w := which & (part == name)).any()), flush=True)
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
    if what in ("", "make", "errors"): make(folder, seed, count)
    if what == "make": return
    index = json.load(open(f"{folder}/index.json"))
    if what == "show": return show(json.load(open(f"{folder}/cells.json")), 7 if "errors" in sys.argv else 9)
    cells = [c for number, p in enumerate(index) for tau in TAUS for c in judge(program, folder, p, number, tau)]
    with open(f"{folder}/cells.json", "w") as file: json.dump([[x.item() if hasattr(x, "item") else x for x in c] for c in cells], file)
    show(cells, 7 if "errors" in sys.argv else 9)


if __name__ == "__main__": main()
