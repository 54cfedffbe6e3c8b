"""Real tables, encoded, with the cost of exact regression (cached). TABLES and TACIT say where tables and program are."""
import json, os, subprocess, tempfile
import numpy as np, pandas as pd
FOLDER, PROGRAM = os.environ["TABLES"], os.environ["TACIT"]  # NAME.json, NAME.r0.train.csv, ...; the program
CACHE = FOLDER + "/exact.json"

def encoded(table, schema):
    """Columns in [-1, 1] or {0, 1}; the feature of each column, negative for a number."""
    columns, group = [], []
    for i, f in enumerate(schema["features"]):
        if "levels" in f:
            value = table[f["name"]].astype(str).values
            columns += [(value == level) * 1.0 for level in f["levels"][1:]]
            group += [i] * (len(f["levels"]) - 1)
        else:
            columns.append((np.clip(table[f["name"]].values, f["min"], f["max"]) * 2 - f["max"] - f["min"]) / (f["max"] - f["min"]))
            group.append(-1 - i)
    return np.column_stack(columns), np.array(group)

def pinball(y, q, tau):
    return float(np.mean(np.maximum(tau * (y - q), (tau - 1) * (y - q))))

def exact(name, split, tau):
    cache = json.load(open(CACHE)) if os.path.exists(CACHE) else {}
    key = f"{name}/{split}/{tau}"
    if key not in cache:
        t = json.load(open(f"{FOLDER}/{name}.json"))["target"]["name"]; out = []
        test = f"{FOLDER}/{name}.{split}.test.csv"; y = pd.read_csv(test)[t].values.astype(float)
        with tempfile.TemporaryDirectory() as d:
            for method in ("erm-exact", "saa"):
                subprocess.run(["nice", "-n", "19", PROGRAM, "fit", f"{FOLDER}/{name}.{split}.train.csv", "--schema", f"{FOLDER}/{name}.json", "--quantile",
                        str(tau), "--method", method, "--no-ledger", "--out", d + "/p.json"], check=True, capture_output=True)
                o = subprocess.run([PROGRAM, "order", d + "/p.json", test], check=True, capture_output=True, text=True).stdout
                out.append(pinball(y, np.array([float(l.rsplit(",", 1)[1]) for l in o.splitlines()[1:]]), tau))
        cache = json.load(open(CACHE)) if os.path.exists(CACHE) else {}
        cache[key] = out; json.dump(cache, open(CACHE, "w"))
    return cache[key]

_memory = {}
def load(name, split):
    if (name, split) not in _memory:
        schema = json.load(open(f"{FOLDER}/{name}.json")); t = schema["target"]
        train, test = (pd.read_csv(f"{FOLDER}/{name}.{split}.{p}.csv") for p in ("train", "test"))
        (X, g), (Xt, _) = encoded(train, schema), encoded(test, schema)
        _memory[name, split] = (X, g, np.clip(train[t["name"]].values.astype(float), t["min"], t["max"]), Xt, test[t["name"]].values.astype(float), t["min"], t["max"])
    return _memory[name, split]
if __name__ == "__main__":
    import time
    for name in ("bike","casual","bike-days","hospital","breaches","hospital-by-place"):
        for tau in (.5,.9,.98):
            t0=time.time(); r=[exact(name, f"r{s}", tau) for s in range(3)]
            print(name, tau, load(name,"r0")[0].shape, [round(a,2) for a,_ in r], "saa %.0f%%"%(100*(np.mean([b for _,b in r])/np.mean([a for a,_ in r])-1)), round(time.time()-t0,1), flush=True)
