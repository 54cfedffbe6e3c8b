"""Synthetic problems as files: what a program is asked, and what judges its orders."""
import json, os
import numpy as np


def write(folder, key, features, target, tables, judge, facts, unit=None):
    """features: (name, levels or None, columns of X); tables: [(X, y)]; judge: (X with intercept, y, best cost); unit: (rows of one at most, whose each row of each table is)."""
    os.makedirs(folder, exist_ok=True)
    entry = lambda name, levels, known: {"name": name, "levels": [str(v) for v in range(levels)]} if levels else (
        {"name": name, "center": 0, "scale": 1} if known else {"name": name, "min": -1, "max": 1})
    with open(f"{folder}/{key}.json", "w") as file:
        whole = {"unit": {"rows_per_unit": unit[0], "column": "unit"}} if unit else {}
        json.dump({"target": target, "features": [entry(n, l, k) for n, l, k, _ in features], **whole}, file)
    for r, (X, y) in enumerate(tables):
        text = [(X[:, j] @ np.arange(1, len(j) + 1)).astype(int).astype(str) if l else np.char.mod("%.9g", X[:, j[0]])
                for _, l, _, j in features] + [np.char.mod("%.9g", y)] + ([np.char.mod("u%d", unit[1][r])] if unit else [])
        with open(f"{folder}/{key}.{r}.csv", "w") as file:
            file.write(",".join([f[0] for f in features] + ["y"] + (["unit"] if unit else [])) + "\n" + "\n".join(map(",".join, zip(*text))) + "\n")
    np.savez(f"{folder}/{key}.npz", x=judge[0].astype(np.float32), y=judge[1])
    names = [n if not l else f"{n}={v}" for n, l, _, _ in features for v in (range(1, l) if l else (0,))]
    return dict(facts, key=key, best=float(judge[2]), names=names, tables=len(tables))


def order(policy, X, names, target):
    """A policy's orders for encoded rows, in the target's own units."""
    column = lambda c: np.array([c["(intercept)"]] + [c[n] for n in names])
    q = X @ column(policy["coefficients"])
    if "spread" in policy:
        width = target["max"] - target["min"] if "min" in target else 16 * target["scale"]
        log_s = np.clip(X @ column(policy["spread"]["logarithm"]), np.log(width / 4096), np.log(width))
        q = q + policy["spread"]["spreads"] * np.exp(log_s)
    low, high = (target["min"], target["max"]) if "min" in target else (target["center"] - 8 * target["scale"], target["center"] + 8 * target["scale"])
    return np.clip(q, low, high)
