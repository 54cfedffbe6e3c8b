"""make.py FOLDER SEED COUNT: the families that constants were chosen on, COUNT problems of each, as files for run.py."""
import json, os, sys
os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy as np
import families as F, tables


def features(p, X):
    """Neighbouring 0/1 columns of one group are the levels of a category."""
    out, j = [], 0
    while j < p.d:
        last = j
        if p.group[j] >= 0 and np.isin(X[:, j], (0, 1)).all():
            while last + 1 < p.d and p.group[last + 1] == p.group[j]: last += 1
            out.append((f"c{j}", last - j + 2, False, list(range(j, last + 1))))
        else:
            out.append((f"x{j}", None, bool(p.known or np.abs(X[:, j]).max() > 1), [j]))
        j = last + 1
    return out


def main():
    folder, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    index = []
    for family in F.OLD + F.NEW:
        for i in range(count):
            p = F.Problem(family, i, seed)
            two = [p.rows(np.random.default_rng([0, *p.key, r])) for r in range(2)]
            middle, reach = (p.lo + p.hi) / 2, F.P.SCALE_REACH
            target = {"name": "y", "min": p.lo, "max": p.hi} if p.cut == (p.lo, p.hi) else {
                "name": "y", "center": middle, "scale": (p.hi - middle) / reach}
            index.append(tables.write(folder, f"{family}-{i}", features(p, two[0][0]), target, two, (p.judge_x, p.judge_y, p.best),
                                      {"family": family, "old": family in F.OLD, "tau": p.tau, "n": p.n, "d": p.d}))
    with open(f"{folder}/index.json", "w") as file: json.dump(index, file)


main()
