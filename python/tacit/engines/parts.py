"""What the engines share: packing a partition, answering where it lies, and the table that the driver fits."""
from __future__ import annotations

import os
import threading
from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple

from .. import _core
from ..errors import InputError, UsageError
from ..fitting import pack
from ..schema import Schema
from ..tables import open_table


class Place(NamedTuple):
    """Where a part lies, and its line of the manifest, which is as private as the part."""

    path: str
    part: int
    parts: int
    line: bytes


def pack_partition(data: Any, schema: str, folder: str, number: int, shards: int = 0) -> Place | None:
    """On a worker: packs a partition into the folder. The same partition gives the same bytes, so that whichever of two
    attempts comes last changes nothing. None for a partition without rows. With ``shards`` it has the records of shard
    ``number`` of so many (``split_units``); a record of another one is refused."""
    facts = Schema.from_json(schema)
    path = os.path.join(folder, f"part-{number:05d}.tacit")
    mine = f"{path}.{os.getpid()}.{threading.get_ident()}"
    try:
        source = open_table(data, facts.table_columns)
        if shards:
            _core.source_shard(source, number, shards)
        if pack(source, facts, mine, progress=False, threads=1)["rows"] == 0:
            return None
        line = _core.manifest_packed(os.fsencode(mine), facts._c, 1)[0]["bytes"]
        os.replace(mine, path)
    finally:
        if os.path.exists(mine):
            os.unlink(mine)
    return Place(path, 0, 1, line)


class Piece(NamedTuple):
    """A partition's records of one shard, in their order; and what names units in the whole partition."""

    records: Any
    texts: bool
    numbers: bool


def shards_of(data: Any, facts: Schema, shards: int) -> tuple[Any, bool, bool]:
    """Of which shard each record is, by its unit's name alone; and whether texts or numbers name units."""
    import numpy

    source = open_table(data, facts.table_columns)
    try:
        numbers, texts, are_numbers = _core.unit_shards(source, facts._c, shards)
    finally:
        source.close()
    return numpy.frombuffer(numbers, dtype=numpy.uint32), texts, are_numbers


def split_units(data: Any, schema: str, shards: int) -> list[Piece]:
    """On a worker: a partition's records by shard, so that all records of a unit, whatever partition they are in, come to
    the same one. A frame of pandas, polars or pyarrow, or a dict of columns."""
    import numpy

    facts = Schema.from_json(schema)
    data = _columns(data, facts.table_columns)
    found, texts, numbers = shards_of(data, facts, shards)
    order = numpy.argsort(found, kind="stable")
    ends = numpy.searchsorted(found[order], numpy.arange(1, shards + 1))
    return [Piece(_take(data, rows) if len(rows) else None, texts, numbers) for rows in numpy.split(order, ends[:-1])]


def pack_pieces(schema: str, folder: str, shard: int, shards: int, *pieces: Piece) -> Place | None:
    """On a worker: the pieces of one shard, in the order of their partitions, as a packed part with whole units."""
    if any(piece.texts for piece in pieces) and any(piece.numbers for piece in pieces):
        raise InputError("the unit's column holds texts in one partition and numbers in another, so that one unit could be two: "
                         "give it one type")
    records = [piece.records for piece in pieces if piece.records is not None]
    return pack_partition(_join(records), schema, folder, shard, shards) if records else None


def _columns(data: Any, names: list[str]) -> Any:
    """The table in memory, with the columns that are read."""
    if hasattr(data, "collect") and hasattr(data, "collect_schema"):  # polars
        data = data.collect()
    if isinstance(data, Mapping):
        return {name: values for name, values in data.items() if name in names}
    have = data.column_names if hasattr(data, "column_names") else data.columns if hasattr(data, "columns") else None
    if have is None or not any(hasattr(data, way) for way in ("iloc", "take", "gather_every")):
        raise UsageError("units by a column are brought together in frames of pandas, polars or pyarrow, or dicts of columns")
    chosen = [name for name in have if name in names]
    return data.select(chosen) if hasattr(data, "select") else data[chosen]


def _take(data: Any, rows: Any) -> Any:
    if isinstance(data, Mapping):
        return {name: values[rows] if hasattr(values, "dtype") else [values[i] for i in rows] for name, values in data.items()}
    if hasattr(data, "iloc"):
        return data.iloc[rows]
    return data.take(rows) if hasattr(data, "take") else data[rows]


def _join(pieces: list[Any]) -> Any:
    first = pieces[0]
    if len(pieces) == 1:
        return first
    if isinstance(first, Mapping):
        return {name: [value for piece in pieces for value in piece[name]] for name in first}
    if hasattr(first, "iloc"):
        import pandas

        return pandas.concat(pieces, ignore_index=True)
    if hasattr(first, "gather_every"):
        import polars

        return polars.concat(pieces, how="vertical_relaxed")
    import pyarrow

    return pyarrow.concat_tables(pieces, promote_options="permissive")


_opened: dict[tuple[str, int, int, str, tuple[int, int, int]], Any] = {}
_lock = threading.Lock()
# What a worker keeps between questions: so many parts open, whose files are mapped only while they answer, and so many
# bytes of memory of its own, for units that lie together and for images of the rows. Beyond it parts are opened anew.
_MOST, _ROOM = 64, 256 << 20


def _open_part(schema: str, place: Place) -> tuple[Any, Any]:
    facts = Schema.from_json(schema)
    state = os.stat(place.path)
    key = (place.path, place.part, place.parts, facts.hash, (state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns))
    part, _ = _opened.pop(key, (None, 0))
    if part is None:
        source = _core.source_from_part(os.fsencode(place.path), place.part, place.parts)
        part = _core.Part(source, facts._c, 1)
    _opened[key] = part, 0  # the last one in is the last one out
    return part, key


def _rest(part: Any, key: Any) -> None:
    """The part gives its pages back; of those that have waited longest so many are closed that the others have room."""
    _opened[key] = part, part.rest()
    while len(_opened) > 1 and (len(_opened) > _MOST or sum(kept for _, kept in _opened.values()) > _ROOM):
        del _opened[next(iter(_opened))]


def answer(schema: str, place: Place, question: bytes) -> bytes:
    """On a worker: the part's reply to a question. It is secret: exact sums over private rows."""
    with _lock:  # a part is used by one thread at a time
        part, key = _open_part(schema, place)
        try:
            return part.answer(question)
        finally:
            _rest(part, key)


class EngineTable:
    """A table in an engine: ``tacit.fit`` and ``evaluate(mu=...)`` take it like any other.

    ``ask(question, places)`` yields the replies of these parts, in any order; what is lost is asked for again."""

    def __init__(self, schema: Schema | Mapping[str, Any] | str, places: Iterable[Place],
                 ask: Callable[[bytes, list[Place]], Iterator[bytes]]):
        self.schema = Schema.of(schema)
        self.places = list(places)
        self._ask = ask
        if not self.places:
            raise InputError("the table has no rows")

    def open_source(self) -> _core.Source:
        def ask(question: bytes, parts: list[int]) -> Iterator[bytes]:
            return self._ask(question, [self.places[i] for i in parts])

        return _core.Engine(ask, self.schema._c, [place.line for place in self.places])

    def __reduce__(self) -> Any:
        raise TypeError("a table in an engine knows hashes of private rows; it is not pickled")


def places_of(path: str | os.PathLike[str], schema: Schema, parts: int) -> list[Place]:
    """The parts of one packed table, which may have units and lags: they were settled when it was packed."""
    lines = _core.manifest_packed(os.fsencode(path), schema._c, parts)
    return [Place(os.fspath(path), k, parts, line["bytes"]) for k, line in enumerate(lines)]


def check_several(schema: Schema) -> None:
    """What reaches over parts must be settled in one table; said before anything is packed. Units do not: they are
    brought together first."""
    facts = schema.to_dict()
    if facts.get("panel") or any("lag" in feature for feature in facts["features"]):
        raise UsageError("lags and look-ups reach over partitions: write one packed table with tacit.pack to a "
                         "folder that all workers reach, and give its path instead of the frame, with parts=")


def folder_of(storage: str | os.PathLike[str] | None) -> str:
    if storage is None:
        raise UsageError("give storage=, a folder that all workers reach; the packed parts in it are as private as the rows")
    folder = os.path.abspath(os.fspath(storage))
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return folder
