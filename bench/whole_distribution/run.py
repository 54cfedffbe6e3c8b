"""run.py PROGRAM METHOD FOLDER OUT.npy [BASE.npy]: what a method's orders cost over the best linear rule, percent, and against another run."""
import json, os, subprocess, sys, tempfile
import numpy as np
import tables

MUS = (.1, .3, 1., 4., 30.)


def excess(program, method, folder, p, mu, r, seed, out):
    done = subprocess.run([program, "fit", f"{folder}/{p['key']}.{r}.csv", "--schema", f"{folder}/{p['key']}.json", "--quantile", repr(p["tau"]), "--mu", str(mu),
                           "--method", method, "--seed", str(seed), "--no-ledger", "--threads", "1", "--out", out], capture_output=True, text=True)
    if done.returncode: sys.exit(f"{p['key']}: {done.stderr}")
    judge, target = np.load(f"{folder}/{p['key']}.npz"), json.load(open(f"{folder}/{p['key']}.json"))["target"]
    short = judge["y"] - tables.order(json.load(open(out)), judge["x"].astype(float), p["names"], target)
    return 100 * min(np.mean(short * (p["tau"] - (short < 0))) / p["best"] - 1, 2)


def show(label, which, e, base):
    if not which.any(): return
    line = f"{label:10} " + " ".join(f"{v:7.2f}" for v in e[which].mean(0)) + f" | {e[which].mean():7.2f}"
    if base is not None:
        d = (e - base)[which]
        line += f"  base {base[which].mean():7.2f}  difference {d.mean():+.2f} ({d.mean(1).std() / np.sqrt(len(d)):.2f})"
    print(line, flush=True)


def main():
    program, method, folder, out = sys.argv[1:5]
    base = np.load(sys.argv[5]) if len(sys.argv) > 5 else None
    index = json.load(open(f"{folder}/index.json"))
    with tempfile.TemporaryDirectory() as scratch:
        e = np.array([[np.mean([excess(program, method, folder, p, mu, r, 7 * j + r + 1, f"{scratch}/p.json") for r in range(p["tables"])])
                       for j, mu in enumerate(MUS)] for p in index])
    np.save(out, e)
    old, tau, family = (np.array([p[k] for p in index]) for k in ("old", "tau", "family"))
    outer = np.maximum(tau, 1 - tau) >= .8
    for label, which in (("old", old & ~outer), ("old outer", old & outer), ("new 0.5", ~old & (tau == .5)), ("new >= 0.9", ~old & (tau >= .9))):
        show(label, which, e, base)
    for f in dict.fromkeys(family): show(f, family == f, e, base)


main()
