"""One table, whatever holds it: the program and every frame give the same policy, byte for byte for the same seed."""
import datetime
import decimal

import pytest

import tacit
from conftest import run_program
from tacit import _core
from tacit.tables import columns_of, pack_columns

np = pytest.importorskip("numpy")
ROWS = 800
DAYS = [datetime.date(2024, 1, 1) + datetime.timedelta(days=k) for k in range(3)]


def rows():
    """Text with nulls, a category of days, decimals, integers with nulls, doubles, booleans."""
    rng = np.random.default_rng(5)
    kind = [[None, "café", "bar", "a rather long name"][k] for k in rng.integers(0, 4, ROWS)]
    day = [DAYS[k] for k in rng.integers(0, 3, ROWS)]
    price = [decimal.Decimal(int(v)) / 100 for v in rng.integers(100, 999, ROWS)]
    seats = [None if v == 0 else int(v) for v in rng.integers(0, 9, ROWS)]
    rain = [float(v) for v in rng.uniform(0, 40, ROWS).round(3)]
    holiday = [bool(v) for v in rng.integers(0, 2, ROWS)]
    demand = [float(v) for v in (20 + rng.normal(size=ROWS) * 4).round(2)]
    return {"kind": kind, "day": day, "price": price, "seats": seats, "rain": rain, "holiday": holiday, "demand": demand}


SCHEMA = (tacit.Schema("demand", min=0, max=60)
          .category("kind", ["bar", "café", "a rather long name", "other"], missing="other")
          .category("day", [str(day) for day in DAYS]).number("price", min=0, max=10)
          .number("seats", min=0, max=10, missing=4).number("rain", min=0, max=40).number("holiday", min=0, max=1))
ASK = dict(underage=50, overage=30, mu=0.5, seed=11)


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The program's policy of the CSV file."""
    folder = tmp_path_factory.mktemp("csv")
    columns = rows()
    lines = [",".join(columns)]
    for values in zip(*columns.values()):
        lines.append(",".join("" if v is None else str(int(v)) if isinstance(v, bool) else str(v) for v in values))
    (folder / "t.csv").write_text("\n".join(lines) + "\n")
    SCHEMA.save(folder / "s.json")
    run_program("fit", folder / "t.csv", "--schema", folder / "s.json", "--underage", 50, "--overage", 30, "--mu", 0.5,
                "--seed", 11, "--out", folder / "p.json")
    return folder, (folder / "p.json").read_text()


def frame(name):
    columns = rows()
    if name == "dict":
        return columns
    if name == "pandas":
        return pytest.importorskip("pandas").DataFrame(columns)
    if name == "pandas by columns":  # as without pyarrow
        pandas = pytest.importorskip("pandas")
        table = pandas.DataFrame(columns)
        table["kind"] = table["kind"].astype("category")
        table["day"] = pandas.to_datetime(table["day"])
        return _core.source_from_columns(pack_columns(columns_of(table, [])))
    if name == "polars":
        polars = pytest.importorskip("polars")
        return polars.DataFrame(columns).with_columns(polars.col("kind").cast(polars.Categorical))
    if name == "polars in pieces":
        polars = pytest.importorskip("polars")
        whole = polars.DataFrame(columns)
        return polars.concat([whole[:300], whole[300:]], rechunk=False)
    if name == "pyarrow":
        return pytest.importorskip("pyarrow").table(columns)
    if name == "duckdb":
        duckdb = pytest.importorskip("duckdb")
        table = pytest.importorskip("pyarrow").table(columns)
        return duckdb.from_arrow(table)
    raise AssertionError(name)


@pytest.mark.parametrize("name", ["dict", "pandas", "pandas by columns", "polars", "polars in pieces", "pyarrow", "duckdb"])
def test_every_frame_gives_the_programs_bytes(name, expected):
    assert tacit.fit(frame(name), SCHEMA, **ASK).text == expected[1]


def test_files_give_the_programs_bytes(expected):
    folder, text = expected
    assert tacit.fit(folder / "t.csv", folder / "s.json", **ASK).text == text
    counts = tacit.pack(folder / "t.csv", SCHEMA, folder / "t.tacit")
    assert counts["rows"] == ROWS
    assert tacit.fit(folder / "t.tacit", SCHEMA, **ASK).text == text


def test_arrays_give_the_same_bytes():
    """numpy in every type that holds the numbers, structured or with two dimensions."""
    rng = np.random.default_rng(1)
    table = np.column_stack([rng.integers(-9, 9, 500), rng.integers(0, 100, 500)]).astype(float)
    schema = tacit.Schema("y", min=0, max=100).number("x", min=-10, max=10)
    texts = {tacit.fit(table, schema, quantile=0.7, mu=1, seed=2).text}
    for kind in ("f4", "f2", "i2", "i8", "<i4", ">i4", "f8"):
        columns = {"x": table[:, 0].astype(kind), "y": table[:, 1].astype(kind)}
        texts.add(tacit.fit(columns, schema, quantile=0.7, mu=1, seed=2).text)
    structured = np.zeros(500, dtype=[("x", "f8"), ("other", "U5"), ("y", "u1")])
    structured["x"], structured["y"] = table[:, 0], table[:, 1]
    texts.add(tacit.fit(structured, schema, quantile=0.7, mu=1, seed=2).text)
    texts.add(tacit.fit(np.asfortranarray(table)[:, :], schema, quantile=0.7, mu=1, seed=2).text)
    assert len(texts) == 1
    assert tacit.fit(table, schema, quantile=0.7, mu=1, seed=3).text not in texts


def test_threads_do_not_change_bytes(restaurant):
    table, schema = restaurant
    assert len({tacit.fit(table, schema, quantile=0.9, mu=1, seed=4, threads=n).text for n in (1, 2, 4)}) == 1


def test_units_by_long_numbers_stay_apart():
    """Names beyond 2^53 that one double would stand for are two units; the same as doubles are refused."""
    schema = tacit.Schema("y", min=0, max=10).unit(1, "who")
    ids = [2**53, 2**53 + 1] * 50
    columns = {"who": np.array(ids, "i8"), "y": np.ones(100)}
    assert tacit.fit_with_counts(columns, schema, quantile=0.5, mu=1, seed=1).counts["dropped_unit"] == 98
    assert tacit.fit_with_counts({"who": ids, "y": [1.0] * 100}, schema, quantile=0.5, mu=1, seed=1).counts["dropped_unit"] == 98
    with pytest.raises(tacit.InputError):
        tacit.fit({**columns, "who": np.array(ids, "f8")}, schema, quantile=0.5, mu=1, seed=1)


def test_missing_moments_are_empty_cells():
    """NaT is what None is, for days and for moments."""
    schema = tacit.Schema("y", min=0, max=10).category("day", ["other", "2024-01-02", "2024-01-03"])
    days = [None if k % 5 == 0 else datetime.date(2024, 1, 2 + k % 2) for k in range(200)]
    y = [float(k % 7) for k in range(200)]
    want = tacit.fit({"day": [None if d is None else str(d) for d in days], "y": y}, schema, quantile=0.5, mu=2, seed=1)
    for unit in ("D", "s", "ns"):
        column = np.array(days, f"M8[{unit}]")
        assert tacit.fit({"day": column, "y": y}, schema, quantile=0.5, mu=2, seed=1) == want


@pytest.mark.parametrize("words, more", [
    (["--quantile", 0.5, "--quantile", 0.9, "--quantile", 0.98], dict(quantile=[0.5, 0.9, 0.98])),
    (["--quantile", 0.6, "--intervals"], dict(quantile=0.6, intervals=True))], ids=["quantiles", "intervals"])
def test_quantiles_and_intervals(expected, words, more):
    folder, _ = expected
    run_program("fit", folder / "t.csv", "--schema", folder / "s.json", *words, "--mu", 0.5, "--seed", 11,
                "--out", folder / "q.json")
    assert tacit.fit(rows(), SCHEMA, mu=0.5, seed=11, **more).text == (folder / "q.json").read_text()
