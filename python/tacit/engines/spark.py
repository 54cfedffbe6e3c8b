"""Rows in Spark: every question is a ``mapInArrow`` over the parts, which works with Spark Connect, too."""
from __future__ import annotations

import os
from typing import Any, Iterator, Mapping

from ..schema import Schema
from .parts import EngineTable, Place, answer, check_several, folder_of, pack_partition, places_of


def _pack(text: str, folder: str) -> Any:
    def work(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow
        from pyspark import TaskContext

        first = next(batches, None)
        if first is None:
            return
        reader = pyarrow.RecordBatchReader.from_batches(first.schema, _chain(first, batches))
        number = TaskContext.get().partitionId()
        place = pack_partition(reader, text, folder, number)
        if place is not None:
            yield pyarrow.RecordBatch.from_pydict({"number": [number], "path": [place.path], "line": [place.line]})

    return work


def _chain(first: Any, rest: Iterator[Any]) -> Iterator[Any]:
    yield first
    yield from rest


def _answer(text: str, question: bytes, asked: list[Place]) -> Any:
    places = [Place(place.path, place.part, place.parts, b"") for place in asked]  # workers need no hashes

    def work(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        for batch in batches:
            replies = [answer(text, places[row["id"]], question) for row in batch.to_pylist()]
            yield pyarrow.RecordBatch.from_pydict({"reply": pyarrow.array(replies, pyarrow.binary())})

    return work


def _cores(session: Any) -> int:
    """How many tasks the cluster runs at once, asked so that Spark Connect can tell, too."""
    from pyspark.sql.functions import spark_partition_id

    return max(1, session.range(0, 1 << 16).select(spark_partition_id().alias("part")).distinct().count())


def table(data: Any, schema: Schema | Mapping[str, Any] | str, *, storage: str | os.PathLike[str] | None = None,
          parts: int | None = None, session: Any = None) -> EngineTable:
    """A Spark data frame, packed partition by partition into ``storage``; or the path of a packed table, in so many
    ``parts``."""
    facts = Schema.of(schema)
    text = facts.to_json(None)
    if session is None:
        from pyspark.sql import SparkSession

        session = data.sparkSession if hasattr(data, "sparkSession") else SparkSession.active()
    if isinstance(data, (str, os.PathLike)):
        places = places_of(data, facts, parts or 4)
    else:
        check_several(facts)
        names = [name for name in data.columns if name in set(facts.inputs)]
        packed = data.select(*names).mapInArrow(_pack(text, folder_of(storage)), "number long, path string, line binary")
        rows = sorted(packed.collect(), key=lambda row: row["number"])
        places = [Place(row["path"], 0, 1, bytes(row["line"])) for row in rows]

    cores = _cores(session)

    def ask(question: bytes, asked: list[Place]) -> Iterator[bytes]:
        numbers = session.range(0, len(asked), 1, min(len(asked), cores))  # tasks cost more than questions; no shuffle
        for row in numbers.mapInArrow(_answer(text, question, asked), "reply binary").collect():
            yield bytes(row["reply"])

    return EngineTable(facts, places, ask)
