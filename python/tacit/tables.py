"""Whatever holds a table, as a source of rows: Arrow streams are taken as they are, all else as columns in memory."""
from __future__ import annotations

import datetime
import decimal
import os
from typing import Any, Iterable, Mapping

from . import _core
from .asked import bytes_of
from .errors import UsageError

# numpy's kinds and sizes as the Arrow C data interface names them
_FORMATS = {"i1": "c", "u1": "C", "i2": "s", "u2": "S", "i4": "i", "u4": "I", "i8": "l", "u8": "L", "f2": "e", "f4": "f", "f8": "g"}
_TIMES = {"s": "tss:", "ms": "tsm:", "us": "tsu:", "ns": "tsn:"}


def open_table(data: Any, names: Iterable[str] = (), where: str | None = None, schema: Any = None) -> _core.Source:
    """A source over a table: a path, anything with ``__arrow_c_stream__``, a pandas frame, a dict of columns, a numpy
    array (structured, or with two dimensions and columns called ``names``, in their order). ``where`` leaves the records
    that meet it: ``shop = 24 AND date >= '2018-06-01'``. A CSV file at a path has the form that the ``schema`` says."""
    if where is None:
        return _open(data, names, schema)
    if isinstance(data, _core.Engine) or hasattr(data, "places"):
        raise UsageError("where is for a table that is read here: choose an engine's records before they are packed")
    return _core.source_where(_open(data, names, schema), bytes_of(where))


def _open(data: Any, names: Iterable[str], schema: Any) -> _core.Source:
    if isinstance(data, _core.Source):
        return data
    if hasattr(data, "open_source"):  # a query, rows in an engine
        return data.open_source()
    if isinstance(data, (str, os.PathLike)):
        return _core.source_from_path(os.fsencode(data), None if schema is None else schema._c)
    if hasattr(data, "index") and getattr(data, "ndim", 2) == 1:
        raise UsageError("a single row or column of a frame is no table: df.iloc[[0]], with two brackets, is one of a row")
    if hasattr(data, "collect") and hasattr(data, "collect_schema"):  # a query of polars' that has not run yet
        data = data.collect()
    if hasattr(data, "__arrow_c_stream__"):
        try:
            return _core.source_from_stream(data.__arrow_c_stream__())
        except ImportError:  # pandas without pyarrow
            pass
    columns = columns_of(data, list(names))
    return _core.source_from_columns(pack_columns(columns))


class Csv:
    """A CSV file in another form: cells separated by ``;``, ``|`` or a tab, numbers with a decimal comma.

    >>> import pathlib, tacit, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "t.csv")
    >>> _ = path.write_text("sold;rain\\n3;1,5\\n4;0\\n")
    >>> schema = tacit.Schema("sold", min=0, max=9).number("rain", min=0, max=9)
    >>> policy = tacit.fit(tacit.Csv(path, ";", ","), schema, quantile=0.5, method="saa")
    """

    def __init__(self, path: str | os.PathLike[str], separator: str = ",", decimal: str = "."):
        self.path, self.separator, self.decimal = path, separator, decimal

    def open_source(self) -> _core.Source:
        return _core.source_from_csv(os.fsencode(self.path), self.separator.encode(), self.decimal.encode())


class Sql:
    """The rows of a SELECT, through DuckDB's C library if it is installed; docs/sql.md says which queries keep one record
    one row, and what ``result_rows`` gives up."""

    def __init__(self, query: str, database: str | os.PathLike[str] | None = None, result_rows: bool = False):
        self.query, self.database, self.result_rows = query, database, result_rows

    def open_source(self) -> _core.Source:
        database = None if self.database is None else os.fsencode(self.database)
        return _core.source_from_sql(database, bytes_of(self.query), self.result_rows)


class Events:
    """What customers bought, added up to the rows of a public calendar, each customer held to the schema's limits: a table of
    events and a calendar, each of them anything that ``fit`` takes; the schema's ``events`` says which columns count.

    >>> import tacit
    >>> schema = tacit.Schema.from_dict({"target": {"name": "sold", "min": 0, "max": 9}, "private": "target",
    ...     "features": [{"name": "weekday", "levels": ["MON", "TUE"]}], "unit": {"rows_per_unit": 1, "change": 2},
    ...     "events": {"customer": "card", "key": "day"}})
    >>> bought = tacit.Events({"card": ["ann", "bob", "ann"], "day": [1, 1, 2]}, {"day": [1, 2], "weekday": ["MON", "TUE"]}, schema)
    >>> policy = tacit.fit(bought, schema, quantile=0.5, method="saa")
    """

    def __init__(self, events: Any, calendar: Any, schema: Any):
        self.events, self.calendar, self.schema = events, calendar, schema

    def open_source(self) -> _core.Source:
        from .schema import Schema

        facts = Schema.of(self.schema)
        return _core.source_from_events(open_table(self.events, schema=facts), open_table(self.calendar, schema=facts), facts._c)


def columns_of(data: Any, names: list[str]) -> dict[str, Any]:
    """The columns of a table in memory by name; ``names`` are those of an array's."""
    if isinstance(data, Mapping):
        return _from_mapping(data)
    if isinstance(data, (list, tuple)) and data and all(isinstance(row, Mapping) for row in data):
        return {str(name): [row.get(name) for row in data] for name in data[0]}
    if hasattr(data, "columns") and hasattr(data, "iloc"):  # pandas
        return {str(name): data.iloc[:, j] for j, name in enumerate(data.columns)}
    if hasattr(data, "get_columns"):  # polars
        return {column.name: column for column in data.get_columns()}
    fields = getattr(getattr(data, "dtype", None), "names", None)
    if fields:
        return {name: data[name] for name in fields}
    if getattr(data, "ndim", None) == 2:
        if data.shape[1] != len(names):
            raise UsageError(f"the array has {data.shape[1]} columns and {len(names)} are read, in this order: "
                             + ", ".join(names) + "; give it so, or as a dict of columns")
        return {name: data[:, j] for j, name in enumerate(names)}
    raise UsageError("a table is a path, a data frame, anything with __arrow_c_stream__, a dict of columns or a numpy array")


def _from_mapping(data: Mapping[str, Any]) -> dict[str, Any]:
    """A dict of columns; or of single values, which are a row."""
    single = [str(name) for name, value in data.items()
              if isinstance(value, (str, bytes)) or not (hasattr(value, "__len__") or hasattr(value, "__iter__"))]
    if single and len(single) < len(data):
        raise UsageError("a dict has columns, or single values for one row: put into lists " + ", ".join(single))
    return {str(name): [value] if single else value for name, value in data.items()}


def pack_columns(columns: Mapping[str, Any]) -> _core.Columns:
    """Columns as the extension takes them."""
    packed, rows = [], None
    for name, values in columns.items():
        length, form, parts = _column(values)
        if rows is not None and length != rows:
            raise UsageError("the columns have different lengths")
        rows = length
        packed.append((name.encode(), form.encode(), parts))
    if not packed:
        raise UsageError("a table needs at least one named column")
    return _core.Columns(packed, rows or 0)


def _column(values: Any) -> tuple[int, str, tuple[Any, ...]]:
    """(length, format, buffers) of a column: numbers and moments as they lie, all else as text."""
    dtype = getattr(values, "dtype", None)
    if dtype is not None and hasattr(values, "to_numpy") and type(dtype).__module__.partition(".")[0] == "pandas":
        values = values.astype(object).to_numpy()  # categories, strings, nullable numbers
    array = values.to_numpy() if hasattr(values, "to_numpy") else values
    kind = getattr(getattr(array, "dtype", None), "kind", "O")
    if kind in "iufbM" and getattr(array, "ndim", 1) == 1:
        return len(array), *_numbers(array)
    return _cells(array.tolist() if hasattr(array, "tolist") else list(array))


def _numbers(array: Any) -> tuple[str, tuple[Any, ...]]:
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind == "b":
        array, form = array.view("u1"), "C"
    elif kind == "M":
        unit = _time_unit(array.dtype)
        days = array.astype("datetime64[ns]" if unit is None else f"datetime64[{unit}]")
        missing = ~_is_nat(days)
        return _TIMES[unit or "ns"], (_bits(missing), _native(days.view("i8")))
    elif kind == "f" and size > 8:
        array, form = array.astype("f8"), "g"
    else:
        form = _FORMATS[f"{kind}{size}"]
    return form, (None, _native(array))


def _time_unit(dtype: Any) -> str | None:
    text = dtype.str
    unit = text[text.index("[") + 1 : -1] if "[" in text else ""
    if unit in _TIMES:
        return unit
    return "s" if unit in ("Y", "M", "W", "D", "h", "m") else None


def _is_nat(array: Any) -> Any:
    return array.view("i8") == -(2**63)


def _native(array: Any) -> Any:
    import numpy

    return numpy.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))


def _bits(valid: Any) -> Any:
    import numpy

    return None if valid.all() else numpy.packbits(valid, bitorder="little").tobytes()


def _cells(values: list[Any]) -> tuple[int, str, tuple[Any, ...]]:
    """A column of whatever Python has. Numbers alone are doubles, or text where a double would round them."""
    if all(v is None or isinstance(v, (bool, int, float)) for v in values):
        if all(not isinstance(v, int) or -(2**53) <= v <= 2**53 for v in values):
            import array

            return len(values), "g", (None, array.array("d", [float("nan") if v is None else float(v) for v in values]))
    import array

    texts = [_text(v).encode() for v in values]
    ends = array.array("q", [0])
    total = 0
    for text in texts:
        total += len(text)
        ends.append(total)
    return len(texts), "U", (None, ends, b"".join(texts) or None)


def _text(value: Any) -> str:
    """A cell as a CSV file would have it."""
    if isinstance(value, str):
        return value
    if value is None or type(value).__name__ in ("NAType", "NaTType") or value != value:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    if isinstance(value, datetime.datetime):
        text = value.isoformat(sep=" ")
        return text[:10] if text[10:] == " 00:00:00" else text
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value)


def column_kinds(data: Any) -> dict[str, str]:
    """Each column's name and whether it holds numbers; types are looked at, values are not (of a dict of lists, the type
    of the first)."""
    if isinstance(data, (str, os.PathLike)):
        raise UsageError("a draft looks at the names and types of a frame: read the file with pandas or polars first, or let the "
                         "program draft it: tacit schema draft TABLE")
    schema = getattr(data, "schema", None)
    if schema is not None and hasattr(schema, "items"):  # polars
        return {str(name): "number" if kind.is_numeric() else "date" if kind.is_temporal() else "text"
                for name, kind in schema.items()}
    if schema is not None and hasattr(schema, "names"):  # pyarrow
        return {f.name: "number" if str(f.type).startswith(("int", "uint", "float", "double", "half", "decimal", "bool"))
                else "date" if str(f.type).startswith(("date", "timestamp")) else "text" for f in schema}
    if hasattr(data, "dtypes") and hasattr(data, "iloc"):  # pandas
        return {str(name): _kind(getattr(kind, "kind", "O")) for name, kind in data.dtypes.items()}
    found = {}
    for name, values in columns_of(data, []).items():
        kind = getattr(getattr(values, "dtype", None), "kind", None)
        first = next(iter(values), None) if kind is None else None
        found[name] = (_kind(kind) if kind else "number" if isinstance(first, (int, float)) else
                       "date" if isinstance(first, datetime.date) else "text")
    return found


def _kind(letter: str) -> str:
    return "number" if letter in "iufb" else "date" if letter == "M" else "text"
