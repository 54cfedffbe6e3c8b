#!/usr/bin/env python3
"""Adds up gcov's line counts over build-coverage. usage: coverage.py LEAST WHAT [FILE...]; without files all of src/."""
import json, pathlib, subprocess, sys

least, what, wanted = float(sys.argv[1]), sys.argv[2], set(sys.argv[3:])
root = pathlib.Path.cwd()
hits = {}
for counts in (root / "build-coverage").rglob("*.gcno"):
    name = str(counts.relative_to(root))
    if "/tacit_" not in name:  # the rooms' own objects; tests and the command line do not count
        continue
    made = subprocess.run(["gcov", "--json-format", "--stdout", str(counts)], capture_output=True, text=True,
                          cwd=root / "build-coverage")
    for line in made.stdout.splitlines():
        if not line.strip():
            continue
        for file in json.loads(line)["files"]:
            path = pathlib.Path(file["file"])
            path = (root / path).resolve() if not path.is_absolute() else path
            if root / "src" not in path.parents:
                continue
            mine = hits.setdefault(str(path.relative_to(root)), {})
            for entry in file["lines"]:
                mine[entry["line_number"]] = max(mine.get(entry["line_number"], 0), entry["count"])
missing = wanted - hits.keys()
if missing:
    sys.exit("coverage: no such file: " + " ".join(sorted(missing)))
files = sorted(wanted or hits)
total = sum(len(hits[f]) for f in files)
run = sum(sum(1 for n in hits[f].values() if n) for f in files)
for f in files:
    n = len(hits[f])
    k = sum(1 for c in hits[f].values() if c)
    if n and (wanted or k < 0.9 * n):
        lines = sorted(line for line, c in hits[f].items() if not c)
        print(f"  {100 * k / n:5.1f} %  {f}  not run: {', '.join(map(str, lines[:12]))}{' ...' if len(lines) > 12 else ''}")
share = 100 * run / max(total, 1)
print(f"{what}: {run} of {total} lines, {share:.1f} % (at least {least:g} %)")
sys.exit(share < least)
