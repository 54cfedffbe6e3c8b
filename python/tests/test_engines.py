"""Real engines: the same policy as in one process, also when a worker is killed in the middle, and the ledger right."""
import json
import os
import signal
import sys
import threading
import time

import pytest

import tacit
from conftest import run_python

pandas = pytest.importorskip("pandas")
ASK = dict(underage=50, overage=30, mu=1)


def without_holder(policy):
    """The policy but for the line that says who held the rows."""
    facts = json.loads(policy.text)
    assert facts["privacy"].pop("rows_held", "nobody") in ("nobody", "by the caller's engine")
    return facts


@pytest.fixture(scope="module")
def table():
    columns, schema = tacit.simulate("restaurant", rows=4000, seed=1)
    frame = pandas.DataFrame(columns)
    return frame, schema, without_holder(tacit.fit(frame, schema, **ASK, seed=3))


def kill_once(tab, kill, folder):
    """Before the fourth question a worker dies; asked again, the parts answer all the same."""
    ask, count = tab._ask, [0]

    def counting(question, places):
        count[0] += 1
        if count[0] == 4:
            kill()
        return ask(question, places)

    tab._ask = counting
    book = tacit.Ledger.create(os.path.join(folder, "ledger.db"))
    book.budget("x", mu=1)
    return book


class Trap:
    """A worker that is killed from outside while it answers: it says who it is and waits. ``answer`` takes the place of the
    engine's own, on the workers; once, or each time until the trap is taken away."""

    def __init__(self, folder):
        self.folder = str(folder)
        os.makedirs(self.folder)
        self.caught = []

    def answer(self):
        folder = self.folder

        def answer(text, place, question):  # goes to the workers as it is: they do not know this file
            import os
            import time

            from tacit.engines.parts import answer as honest

            try:
                os.rename(os.path.join(folder, "set"), os.path.join(folder, f"caught-{os.getpid()}"))
            except OSError:
                return honest(text, place, question)
            time.sleep(60)
            raise RuntimeError("nobody came")

        return answer

    def set(self):
        with open(os.path.join(self.folder, "set"), "w"):
            pass

    def watch(self, times):
        """Kills whoever is in the trap, so many times."""
        def work():
            end = time.time() + 120
            while len(self.caught) < times and time.time() < end:
                for name in os.listdir(self.folder):
                    if name.startswith("caught-"):
                        os.unlink(os.path.join(self.folder, name))
                        os.kill(int(name[7:]), signal.SIGKILL)
                        self.caught.append(int(name[7:]))
                        if len(self.caught) < times:
                            self.set()
                time.sleep(0.02)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        return thread


def kill_within(make, trap, table, tmp_path, **method):
    """A worker dies within the fourth question: the same policy. Workers die each time: an error that says that the budget
    was spent, and it was, once."""
    frame, schema, want = table
    if method:
        want = without_holder(tacit.fit(frame, schema, **ASK, **method, seed=3))
    tab = make()
    ask, count = tab._ask, [0]

    def counting(question, places):
        count[0] += 1
        if count[0] == 4:
            trap.set()
        return ask(question, places)

    tab._ask = counting
    watcher = trap.watch(1)
    assert without_holder(tacit.fit(tab, schema, **ASK, **method, seed=3)) == want
    watcher.join(10)
    assert len(trap.caught) == 1 and count[0] >= 4
    book = tacit.Ledger.create(tmp_path / "trap.db")
    book.budget("x", mu=1)
    trap.caught, count[0] = [], 0
    watcher = trap.watch(1000)
    with pytest.raises(Exception) as error:
        tacit.fit(tab, schema, **ASK, **method, ledger=book, label="x")
    assert "spent" in "".join(getattr(error.value, "__notes__", [])) and len(trap.caught) > 1
    assert book.left("x") == 0 and book.totals()["releases"] == [1]


def check_same(tab, table, kill, tmp_path, **method):
    frame, schema, want = table
    if method:
        want = without_holder(tacit.fit(frame, schema, **ASK, **method, seed=3))
    assert without_holder(tacit.fit(tab, schema, **ASK, **method, seed=3)) == want
    book = kill_once(tab, kill, str(tmp_path))
    policy = tacit.fit(tab, schema, **ASK, **method, ledger=book, label="x")
    assert policy.verify(ledger=book) and book.left("x") == 0 and book.totals()["releases"] == [1]


def test_parts_in_this_process(table, tmp_path):
    """The interface itself: lost replies are asked for again; a part with other rows ends the fit."""
    from tacit.engines.parts import EngineTable, answer, pack_partition

    frame, schema, want = table
    text = schema.to_json(None)
    places = [pack_partition(frame.iloc[k::4], text, str(tmp_path), k) for k in range(4)]
    lost = [0]

    def ask(question, asked):
        for place in asked:
            lost[0] += 1
            if lost[0] % 7 != 0:
                yield answer(text, place, question)

    tab = EngineTable(schema, places, ask)
    assert without_holder(tacit.fit(tab, schema, **ASK, seed=3)) == want
    book = tacit.Ledger.create(tmp_path / "ledger.db")
    os.replace(places[0].path, places[0].path + ".old")
    pack_partition(frame.iloc[:900], text, str(tmp_path), 0)  # another part in its place
    with pytest.raises(tacit.TacitError) as error:
        tacit.fit(tab, schema, **ASK, ledger=book)
    entries = book.entries()
    assert len(entries) == 0 or "was spent" in "".join(getattr(error.value, "__notes__", []))

    def fail(question, asked):
        raise ConnectionError("the cluster is gone")

    with pytest.raises(ConnectionError):
        tacit.fit(EngineTable(schema, places, fail), schema, **ASK, seed=1)


@pytest.mark.parametrize("more", [dict(quantile=[0.5, 0.9, 0.98]), dict(quantile=0.6, intervals=True)],
                         ids=["quantiles", "intervals"])
def test_quantiles_and_intervals_in_parts(table, tmp_path, more):
    from tacit.engines.parts import EngineTable, answer, pack_partition

    frame, schema, _ = table
    text = schema.to_json(None)
    places = [pack_partition(frame.iloc[k::3], text, str(tmp_path), k) for k in range(3)]
    tab = EngineTable(schema, places, lambda question, asked: (answer(text, place, question) for place in asked))
    want = without_holder(tacit.fit(frame, schema, **more, mu=1, seed=3))
    assert without_holder(tacit.fit(tab, schema, **more, mu=1, seed=3)) == want


@pytest.fixture(scope="module")
def guests():
    """Units by a column, some with more records than they may have, anywhere in the table."""
    columns, _ = tacit.simulate("restaurant", rows=3000, seed=2)
    frame = pandas.DataFrame(columns)
    frame["guest"] = [f"guest {i * i % 701}" if i % 50 else "" for i in range(len(frame))]
    schema = (tacit.Schema("demand", min=0, max=100).number("rain", min=0, max=40, missing=0)
              .number("temperature", min=-10, max=40, missing=0).unit(4, "guest"))
    return frame, schema


UNITS = {"whole": dict(ASK), "by rows": dict(ASK, method="median-newton")}


def check_units(make, guests, **more):
    """The default learner, which clips units as a whole, and one for which each row counts: the policy of one process."""
    frame, schema = guests
    tab = make(frame, schema)
    for name, ask in UNITS.items():
        if more.get("only", name) == name:
            want = tacit.fit(frame, schema, **ask, seed=5)
            assert ('"units": "whole"' in want.text) == (name == "whole")
            assert without_holder(tacit.fit(tab, schema, **ask, seed=5)) == without_holder(want)


def in_this_process(frames, schema, folder, shards):
    from tacit.engines.parts import EngineTable, answer, pack_pieces, split_units

    text = schema.to_json(None)
    pieces = [split_units(frame, text, shards) for frame in frames]
    packed = [pack_pieces(text, str(folder), k, shards, *[piece[k] for piece in pieces]) for k in range(shards)]
    places = [place for place in packed if place is not None]
    return EngineTable(schema, places, lambda question, asked: (answer(text, place, question) for place in asked))


def as_polars(frame):
    return pytest.importorskip("polars").from_pandas(frame)


def as_arrow(frame):
    return pytest.importorskip("pyarrow").Table.from_pandas(frame)


def as_columns(frame):
    return {name: frame[name].tolist() if name == "guest" else frame[name].to_numpy() for name in frame}


@pytest.mark.parametrize("form", [lambda frame: frame, as_polars, as_arrow, as_columns], ids=["pandas", "polars", "pyarrow", "columns"])
def test_units_stay_whole(guests, tmp_path, form):
    def make(frame, schema):
        ends = [0, 700, 701, 1800, 3000]
        return in_this_process([form(frame.iloc[a:b]) for a, b in zip(ends, ends[1:])], schema, tmp_path, 5)

    check_units(make, guests)


@pytest.mark.parametrize("shards", [1, 40, 2000])
def test_any_number_of_shards(guests, tmp_path, shards):
    frame, schema = guests
    tab = in_this_process([frame.iloc[:1500], frame.iloc[1500:]], schema, tmp_path, shards)
    assert len(tab.places) == min(shards, len(tab.places)) and (shards < 2000 or len(tab.places) < 702)
    check_units(lambda *_: tab, guests, only="by rows")


def test_units_in_parts_of_one_packed_table(guests, tmp_path):
    from tacit.engines.parts import EngineTable, answer, places_of

    def make(frame, schema):
        tacit.pack(frame, schema, tmp_path / "t.tacit")
        text = schema.to_json(None)
        return EngineTable(schema, places_of(tmp_path / "t.tacit", schema, 2),
                           lambda question, asked: (answer(text, place, question) for place in asked))

    check_units(make, guests)
    frame, schema = guests
    packed, want = (tacit.fit(table, schema, **ASK, seed=5).text for table in (tmp_path / "t.tacit", frame))
    assert packed == want


def test_a_unit_in_two_parts_is_refused(guests, tmp_path):
    from tacit.engines.parts import EngineTable, check_several, pack_partition, pack_pieces, split_units

    frame, schema = guests
    text = schema.to_json(None)
    with pytest.raises(tacit.InputError, match="another shard"):
        pack_partition(frame, text, str(tmp_path), 0, 3)
    halves = [pack_partition(frame.iloc[k::2], text, str(tmp_path), k) for k in range(2)]
    with pytest.raises(tacit.RefusedError, match="shards"):
        tacit.fit(EngineTable(schema, halves, None), schema, **ASK, seed=1)
    one = [pack_pieces(text, str(tmp_path), 1, 3, split_units(frame.iloc[:k], text, 3)[1]) for k in (900, 1000)]
    with pytest.raises(tacit.RefusedError, match="shards"):
        tacit.fit(EngineTable(schema, one, None), schema, **ASK, seed=1)
    numbers = frame.iloc[:100].assign(guest=range(100))
    pieces = [split_units(part, text, 2)[0] for part in (frame.iloc[100:], numbers)]
    with pytest.raises(tacit.InputError, match="one type"):
        pack_pieces(text, str(tmp_path), 0, 2, *pieces)
    with pytest.raises(tacit.UsageError, match="tacit.pack"):
        check_several(tacit.Schema.from_dict({"target": {"name": "y", "min": 0, "max": 9},
                                              "features": [{"name": "y", "lag": 1}], "unit": {"rows_per_unit": 2}}))


def test_days_that_sold_out_in_parts(tmp_path):
    """All columns that a fit reads come to the parts, also those that say what sold out."""
    columns, _ = tacit.simulate("restaurant", rows=2000, seed=3)
    frame = pandas.DataFrame(columns)
    frame["gone"] = (frame["demand"] > 40).astype(int)
    frame["guest"] = [i % 900 for i in range(len(frame))]
    schema = tacit.Schema.from_dict({
        "target": {"name": "demand", "min": 0, "max": 100, "sold_out": "gone"},
        "features": [{"name": "rain", "min": 0, "max": 40, "missing": 0}], "unit": {"column": "guest", "rows_per_unit": 2}})
    assert schema.table_columns == ["rain", "guest", "demand", "gone"]
    tab = in_this_process([frame.iloc[:1100], frame.iloc[1100:]], schema, tmp_path, 3)
    assert without_holder(tacit.fit(tab, schema, **ASK, seed=5)) == without_holder(tacit.fit(frame, schema, **ASK, seed=5))


@pytest.mark.parametrize("units", [False, True], ids=["mapped", "units"])
def test_memory_of_a_worker(tmp_path, units):
    """A worker that answers for ten parts needs the memory of one, and a fixed room: the peak is the system's own count."""
    done = run_python("""
import os, sys
import numpy
import tacit
from tacit.engines import parts
folder, units, rows = sys.argv[1], sys.argv[2] == "True", 300_000
schema = tacit.Schema("y", min=0, max=1).number("a", min=0, max=1).number("b", min=0, max=1).number("c", min=0, max=1)
schema, shards = (schema.unit(2, "who"), 10) if units else (schema, 0)
text, draw = schema.to_json(None), numpy.random.default_rng(1)
if os.fork() == 0:  # packing is another matter
    frame = {name: draw.random(rows * 10) for name in "abcy"}
    frame["who"] = numpy.arange(rows * 10) % (rows * 6)
    halves = parts.split_units(frame, text, 10) if units else [parts.Piece({k: v[i::10] for k, v in frame.items()}, 0, 0) for i in range(10)]
    places = [parts.pack_partition(half.records, text, folder, k, shards) for k, half in enumerate(halves)]
    with open(folder + "/lines", "wb") as file:
        file.write(b"".join(place.line for place in places))
    os._exit(0)
os.wait()
lines = open(folder + "/lines", "rb").read()
size = len(lines) // 10
places = [parts.Place(f"{folder}/part-{k:05d}.tacit", 0, 1, lines[k * size:][:size]) for k in range(10)]
one = os.path.getsize(places[0].path) / 1e6
parts._ROOM = 20 << 20

def peak(asked, method):
    table = parts.EngineTable(schema, asked, lambda question, them: (parts.answer(text, place, question) for place in them))
    tacit.fit(table, schema, quantile=0.6, mu=1, seed=1, progress=False, **method)
    return int([line for line in open("/proc/self/status") if line.startswith("VmHWM")][0].split()[1]) / 1e3

for method in (dict(method="noisy-gd", steps=3), {}):
    first = peak(places[:1], method)
    assert one > 6 and peak(places, method) < first + (22 if units else 0) + 3, (one, first, peak(places, method))
""", tmp_path, units)
    assert done.returncode == 0, done.stderr


def test_dask(table, guests, tmp_path):
    distributed = pytest.importorskip("distributed")
    frame, schema, _ = table
    from tacit.engines import dask as engine

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        delayed = client.scatter([frame.iloc[k * 1000:(k + 1) * 1000] for k in range(4)])
        tab = engine.table(delayed, schema, storage=tmp_path / "parts", client=client)
        pids = list(client.run(os.getpid).values())
        check_same(tab, table, lambda: os.kill(pids[0], signal.SIGKILL), tmp_path)

        def by_unit(rows, facts):
            return engine.table(client.scatter([rows.iloc[:1300], rows.iloc[1300:]]), facts, storage=tmp_path / "units", parts=3, client=client)

        check_units(by_unit, guests)


def test_dask_worker_killed_within_a_question(table, tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed")
    from tacit.engines import dask as engine

    trap = Trap(tmp_path / "trap")
    monkeypatch.setattr(engine, "answer", trap.answer())
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        frames = client.scatter([table[0].iloc[k * 1000:(k + 1) * 1000] for k in range(4)])
        kill_within(lambda: engine.table(frames, table[1], storage=tmp_path / "parts", client=client), trap, table, tmp_path)


@pytest.mark.long
def test_ray(table, guests, tmp_path, monkeypatch):
    ray = pytest.importorskip("ray")
    frame, schema, _ = table
    from tacit.engines import ray as engine

    ray.init(num_cpus=2, include_dashboard=False, logging_level="error", log_to_driver=False)
    trap = Trap(tmp_path / "trap")
    try:
        blocks = [ray.put(frame.iloc[k * 1000:(k + 1) * 1000]) for k in range(4)]
        tab = engine.table(blocks, schema, storage=tmp_path / "parts")
        pid = ray.get(ray.remote(lambda: os.getpid()).remote())
        check_same(tab, table, lambda: os.kill(pid, signal.SIGKILL), tmp_path)

        def by_unit(rows, facts):
            return engine.table([ray.put(rows.iloc[:1300]), ray.put(rows.iloc[1300:])], facts, storage=tmp_path / "units", parts=3)

        check_units(by_unit, guests)
        monkeypatch.setattr(engine, "answer", trap.answer())
        kill_within(lambda: engine.table(blocks, schema, storage=tmp_path / "parts"), trap, table, tmp_path)
    finally:
        ray.shutdown()


@pytest.mark.long
def test_spark(table, guests, tmp_path, monkeypatch):
    pytest.importorskip("pyspark")
    pytest.importorskip("pyarrow")
    import shutil

    if shutil.which("java") is None:
        pytest.skip("Spark needs a Java runtime")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    from pyspark.sql import SparkSession
    from tacit.engines import spark as engine

    frame, schema, _ = table
    session = (SparkSession.builder.master("local[2,4]")  # two workers, and a task may fail three times
               .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false").getOrCreate())
    session.sparkContext.setLogLevel("OFF")
    try:
        rows = session.createDataFrame(frame).repartition(4)
        tab = engine.table(rows, schema, storage=tmp_path / "parts", session=session)
        # a question is a job of its own, which takes Spark a good part of a second: a method of few questions
        check_same(tab, table, kill_python_workers, tmp_path, method="noisy-gd", steps=8)

        def by_unit(rows, facts):
            return engine.table(session.createDataFrame(rows), facts, storage=tmp_path / "units", parts=3, session=session)

        check_units(by_unit, guests, only="whole")
        trap = Trap(tmp_path / "trap")
        monkeypatch.setattr(engine, "answer", trap.answer())
        kill_within(lambda: engine.table(rows, schema, storage=tmp_path / "parts", session=session), trap, table, tmp_path,
                    method="noisy-gd", steps=8)
    finally:
        session.stop()


@pytest.mark.long
def test_spark_connect(tmp_path):
    """The same through Spark Connect, in a process of its own: it may not have seen another kind of session."""
    pytest.importorskip("pyspark")
    pytest.importorskip("grpc")
    import shutil

    if shutil.which("java") is None:
        pytest.skip("Spark needs a Java runtime")
    done = run_python("""
import json, sys, pandas, tacit
from pyspark.sql import SparkSession
from tacit.engines import spark
columns, schema = tacit.simulate("restaurant", rows=2000, seed=1)
frame, ask = pandas.DataFrame(columns), dict(underage=50, overage=30, mu=1, seed=3, method="noisy-gd", steps=6, progress=False)
want = json.loads(tacit.fit(frame, schema, **ask).text)
session = SparkSession.builder.remote("local[2]").getOrCreate()
assert "connect" in type(session).__module__
tacit.pack(frame, schema, sys.argv[1] + "/t.tacit", progress=False)
for table in (spark.table(session.createDataFrame(frame).repartition(3), schema, storage=sys.argv[1]),
              spark.table(sys.argv[1] + "/t.tacit", schema, parts=3)):
    facts = json.loads(tacit.fit(table, schema, **ask).text)
    assert facts["privacy"].pop("rows_held") and facts == want
frame["guest"] = [i * i % 501 for i in range(len(frame))]  # units, grouped before they are packed
units = tacit.Schema("demand", min=0, max=100).number("rain", min=0, max=40, missing=0).unit(3, "guest")
want = json.loads(tacit.fit(frame, units, **ask).text)
facts = json.loads(tacit.fit(spark.table(session.createDataFrame(frame), units, storage=sys.argv[1] + "/units", parts=3), units, **ask).text)
assert facts["privacy"].pop("rows_held") and facts == want
session.stop()
""", tmp_path, file=tmp_path / "connect.py", PYSPARK_PYTHON=sys.executable)
    assert done.returncode == 0, done.stderr


def kill_python_workers():
    """The processes in which Spark runs Python, by the daemon that this session started: its children's children."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                command = file.read()
            with open(f"/proc/{pid}/environ", "rb") as file:
                mine = f"XDG_STATE_HOME={os.environ['XDG_STATE_HOME']}".encode() in file.read().split(b"\0")
        except OSError:
            continue
        if mine and b"pyspark" in command and b"daemon" in command:
            found.append(int(pid))
    for pid in found:
        os.kill(pid, signal.SIGKILL)
    time.sleep(0.2)
