"""Ten million rows in Spark: packing, seconds a question, how much of them is Spark's own, and a worker's memory.

usage: engine_spark.py [ROWS [PARTS [WORKERS]]]; needs the Python package, pyspark and a Java runtime
"""
import os
import resource
import shutil
import sys
import tempfile
import time

os.environ["PYSPARK_PYTHON"] = sys.executable
import tacit  # noqa: E402
from pyspark.sql import SparkSession, functions  # noqa: E402
from tacit.engines import spark  # noqa: E402

FEATURES = 10


def schema():
    facts = tacit.Schema("demand", min=0, max=100)
    for k in range(FEATURES):
        facts = facts.number(f"x{k}", min=-1, max=1, missing=0)
    return facts


def frame(session, rows, parts):
    table = session.range(0, rows, 1, parts)
    for k in range(FEATURES):
        table = table.withColumn(f"x{k}", functions.rand(seed=k) * 2 - 1)
    demand = functions.lit(50.0) + functions.randn(seed=99) * 10
    for k in range(FEATURES):
        demand = demand + functions.col(f"x{k}") * (k - 4)
    return table.withColumn("demand", demand).drop("id")


def workers():
    """The most memory that each Python worker of this session has had: what it shares with none, and in all, in bytes."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                command = file.read()
            if b"pyspark" not in command or b"daemon" not in command:
                continue
            with open(f"/proc/{pid}/status") as file:
                facts = dict(line.split(":", 1) for line in file if ":" in line)
            found[int(pid)] = tuple(1024 * int(facts[name].split()[0]) for name in ("RssAnon", "VmHWM"))
        except (OSError, KeyError):
            continue
    return found


def timed(call):
    began = time.perf_counter()
    result = call()
    return result, time.perf_counter() - began


def learn(table, facts, **more):
    """The policy, the seconds, and how many questions were asked."""
    ask, count = table._ask, [0]

    def counting(question, places):
        count[0] += 1
        return ask(question, places)

    table._ask = counting
    try:
        policy, seconds = timed(lambda: tacit.fit(table, facts, underage=3, overage=1, mu=1, seed=1, progress=False, **more))
    finally:
        table._ask = ask
    return policy, seconds, count[0]


def main():
    rows, parts, cores = (int(text) for text in (sys.argv[1:] + ["10000000", "16", "2"][len(sys.argv) - 1:]))
    session = (SparkSession.builder.master(f"local[{cores},4]").config("spark.ui.enabled", "false")
               .config("spark.ui.showConsoleProgress", "false").getOrCreate())
    session.sparkContext.setLogLevel("OFF")
    facts, folder = schema(), tempfile.mkdtemp()
    try:
        few = spark.table(frame(session, 100 * parts, parts), facts, storage=os.path.join(folder, "few"))
        learn(few, facts)  # workers are started
        _, seconds, count = learn(few, facts)
        print(f"fixed: {count} questions to {parts} parts of 100 rows, {seconds:.1f} s, {seconds / count:.2f} s each")
        before = workers()
        table, seconds = timed(lambda: spark.table(frame(session, rows, parts), facts, storage=os.path.join(folder, "all")))
        size = sum(os.path.getsize(place.path) for place in table.places)
        print(f"packed: {rows} rows in {parts} parts, {seconds:.1f} s, {size / parts / 1e6:.1f} MB a part")
        print("memory: " + ", ".join(f"{own / 1e6:.0f} MB own, {most / 1e6:.0f} MB at most" for own, most in workers().values()),
              "(before: " + ", ".join(f"{own / 1e6:.0f}" for own, _ in before.values()) + " MB own)")
        for name, more in (("default", {}), ("noisy-gd, 20 steps", dict(method="noisy-gd", steps=20))):
            policy, seconds, count = learn(table, facts, **more)
            print(f"{name}: {count} questions, {seconds:.1f} s, {seconds / count:.2f} s each")
        print("memory: " + ", ".join(f"{own / 1e6:.0f} MB own, {most / 1e6:.0f} MB at most" for own, most in workers().values()))
        print(f"driver: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB at most")
    finally:
        session.stop()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
