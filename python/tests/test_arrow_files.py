"""Arrow files and streams, as pyarrow and polars write them, give the policy of the same table as CSV and Parquet."""
import datetime

import pytest

from conftest import run_program
from test_same_bytes import SCHEMA, expected, rows  # noqa: F401 (a fixture)

pyarrow = pytest.importorskip("pyarrow")


def table():
    columns = rows()
    return pyarrow.table({name: pyarrow.array(values) for name, values in columns.items()})


def coded(part):
    """The column `kind` by a dictionary of this part's own words."""
    place = part.schema.get_field_index("kind")
    return part.set_column(place, "kind", part.column("kind").combine_chunks().dictionary_encode())


def write(folder, name, whole=None):
    whole, path = whole or table(), folder / name
    if name.startswith("feather"):
        from pyarrow import feather
        feather.write_feather(coded(whole), path, compression=name.split("-")[1], chunksize=300)
    elif name == "views":
        place = whole.schema.get_field_index("kind")
        whole = whole.set_column(place, "kind", whole.column("kind").cast(pyarrow.string_view()))
        with pyarrow.ipc.new_file(path, whole.schema) as file:
            file.write_table(whole, max_chunksize=111)
    elif name == "replaced":  # another dictionary for each batch
        with pyarrow.ipc.new_stream(path, coded(whole).schema) as stream:
            for begin in range(0, len(whole), 100):
                stream.write_table(coded(whole.slice(begin, 100)))
    elif name == "growing":  # a dictionary that is added to
        words = [word for word in dict.fromkeys(whole["kind"].to_pylist()) if word is not None]
        options = pyarrow.ipc.IpcWriteOptions(emit_dictionary_deltas=True)
        with pyarrow.ipc.new_file(path, coded(whole).schema, options=options) as file:
            for begin in range(0, len(whole), 200):
                part = whole.slice(begin, 200)
                places = [None if word is None else words.index(word) for word in part["kind"].to_pylist()]
                column = pyarrow.DictionaryArray.from_arrays(pyarrow.array(places, pyarrow.int32()), pyarrow.array(words))
                file.write_table(part.set_column(part.schema.get_field_index("kind"), "kind", column))
                words.append(f"never {begin}")
    elif name.startswith("polars"):
        polars = pytest.importorskip("polars")
        frame = polars.from_arrow(whole)
        if name == "polars-stream":
            frame.write_ipc_stream(path)
        elif name == "polars-categorical":
            frame.with_columns(polars.col("kind").cast(polars.Categorical)).write_ipc(path)
        else:
            frame.write_ipc(path, compression=name.split("-")[1])
    else:
        pandas = pytest.importorskip("pandas")
        pandas.DataFrame(rows()).to_feather(path)
    return path


@pytest.mark.parametrize("name", ["feather-lz4", "feather-zstd", "feather-uncompressed", "views", "replaced", "growing",
                                  "pandas", "polars-uncompressed", "polars-lz4", "polars-zstd", "polars-stream",
                                  "polars-categorical"])
def test_same_policy(tmp_path, expected, name):  # noqa: F811
    path = write(tmp_path, name)
    SCHEMA.save(tmp_path / "s.json")
    run_program("fit", path, "--schema", tmp_path / "s.json", "--underage", 50, "--overage", 30, "--mu", 0.5, "--seed", 11,
                "--out", tmp_path / "p.json")
    assert (tmp_path / "p.json").read_text() == expected[1]


ODD = [{"kind": "a word that no other record has", "seats": None, "rain": -1e9, "holiday": True},
       {"kind": None, "rain": 1e300, "day": datetime.date(9999, 12, 31)}, {"kind": "", "seats": -5, "rain": 0.0}]


@pytest.mark.parametrize("name", ["feather-lz4", "feather-zstd", "views", "replaced", "growing", "polars-categorical", "polars-stream"])
def test_one_record_changes_no_other(tmp_path, expected, name):  # noqa: F811
    """Whatever stands in a record: a dictionary that has a word more, or in another order, is read as before."""
    place = 3
    (tmp_path / "p.json").write_text(expected[1])
    plain = run_program("order", tmp_path / "p.json", write(tmp_path, name)).splitlines()
    for odd in ODD:
        whole = table()
        for column, value in odd.items():
            values = whole[column].to_pylist()
            values[place] = value
            at = whole.schema.get_field_index(column)
            whole = whole.set_column(at, column, pyarrow.array(values, whole.schema.field(column).type))
        lines = run_program("order", tmp_path / "p.json", write(tmp_path, name, whole)).splitlines()
        assert len(lines) == len(plain)
        assert [a for k, a in enumerate(lines) if k != place + 1] == [a for k, a in enumerate(plain) if k != place + 1]


def test_a_part_of_a_file_is_refused(tmp_path):
    path = write(tmp_path, "feather-lz4")
    path.write_bytes(path.read_bytes()[:-1000])
    SCHEMA.save(tmp_path / "s.json")
    with pytest.raises(AssertionError, match="no end mark"):
        run_program("fit", path, "--schema", tmp_path / "s.json", "--quantile", 0.5, "--mu", 1, "--out", tmp_path / "p.json")
