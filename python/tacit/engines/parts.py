"""What the engines share: packing a partition, answering where it lies, and the table that the driver fits."""
from __future__ import annotations

import os
import threading
from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple

from .. import _core
from ..errors import InputError, UsageError
from ..fitting import pack
from ..schema import Schema


class Place(NamedTuple):
    """Where a part lies, and its line of the manifest, which is as private as the part."""

    path: str
    part: int
    parts: int
    line: bytes


def pack_partition(data: Any, schema: str, folder: str, number: int) -> Place | None:
    """On a worker: packs a partition into the folder. The same partition gives the same bytes, so that whichever of two
    attempts comes last changes nothing. None for a partition without rows."""
    facts = Schema.from_json(schema)
    path = os.path.join(folder, f"part-{number:05d}.tacit")
    mine = f"{path}.{os.getpid()}.{threading.get_ident()}"
    try:
        if pack(data, facts, mine, progress=False, threads=1)["rows"] == 0:
            return None
        line = _core.manifest_packed(os.fsencode(mine), facts._c, 1)[0]["bytes"]
        os.replace(mine, path)
    finally:
        if os.path.exists(mine):
            os.unlink(mine)
    return Place(path, 0, 1, line)


_opened: dict[tuple[str, int, int, str, tuple[int, int, int]], Any] = {}
_lock = threading.Lock()
_MOST = 64  # parts that a worker keeps open: they are mapped files, whose pages the system takes back when it wants them


def _open_part(schema: str, place: Place) -> Any:
    facts = Schema.from_json(schema)
    state = os.stat(place.path)
    key = (place.path, place.part, place.parts, facts.hash, (state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns))
    part = _opened.pop(key, None)
    if part is None:
        source = _core.source_from_part(os.fsencode(place.path), place.part, place.parts)
        part = _core.Part(source, facts._c, 1)
    _opened[key] = part  # the last one in is the last one out
    while len(_opened) > _MOST:
        del _opened[next(iter(_opened))]
    return part


def answer(schema: str, place: Place, question: bytes) -> bytes:
    """On a worker: the part's reply to a question. It is secret: exact sums over private rows."""
    with _lock:  # a part is used by one thread at a time
        return _open_part(schema, place).answer(question)


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
    """What reaches over parts must be settled in one table; said before anything is packed."""
    facts = schema.to_dict()
    lags = any("lag" in feature for feature in facts["features"])
    if lags or facts.get("unit", {}).get("column"):
        raise UsageError("units by a column, and lags, reach over partitions: write one packed table with tacit.pack to a "
                         "folder that all workers reach, and give its path instead of the frame, with parts=")


def folder_of(storage: str | os.PathLike[str] | None) -> str:
    if storage is None:
        raise UsageError("give storage=, a folder that all workers reach; the packed parts in it are as private as the rows")
    folder = os.path.abspath(os.fspath(storage))
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return folder
