"""Rows in Spark: every question is a ``mapInArrow`` over the parts, which works with Spark Connect, too."""
from __future__ import annotations

import itertools
import os
from typing import Any, Iterator, Mapping

from ..schema import Schema
from .parts import EngineTable, Place, answer, check_several, folder_of, pack_partition, places_of, shards_of


_SHARD, _AT = "tacit shard", "tacit place"  # of a record's unit, and of the record in the frame


def _tag(text: str, shards: int) -> Any:
    """Each record with the shard of its unit, and its place in the frame: a shuffle forgets the order."""
    def work(batches: Iterator[Any]) -> Iterator[Any]:
        import numpy
        import pyarrow
        from pyspark import TaskContext

        facts = Schema.from_json(text)
        at = TaskContext.get().partitionId() << 40
        for batch in batches:
            shard, _, _ = shards_of(pyarrow.Table.from_batches([batch]), facts, shards)
            places = numpy.arange(at, at + batch.num_rows, dtype=numpy.int64)
            at += batch.num_rows
            yield batch.append_column(_SHARD, pyarrow.array(shard.astype(numpy.int32))).append_column(_AT, pyarrow.array(places))

    return work


def _pack_shards(text: str, folder: str, shards: int, names: list[str]) -> Any:
    """Records that come by shard: each shard a part of its own."""
    def runs(batches: Iterator[Any]) -> Iterator[tuple[int, Any]]:
        import numpy

        for batch in batches:
            shard = batch.column(_SHARD).to_numpy()
            cuts = [0, *(numpy.flatnonzero(numpy.diff(shard)) + 1).tolist(), batch.num_rows]
            for start, end in zip(cuts, cuts[1:]):
                if end > start:
                    yield int(shard[start]), batch.select(names).slice(start, end - start)

    def work(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        for shard, group in itertools.groupby(runs(batches), lambda run: run[0]):
            first = next(group)[1]
            reader = pyarrow.RecordBatchReader.from_batches(first.schema, _chain(first, (batch for _, batch in group)))
            place = pack_partition(reader, text, folder, shard, shards)
            if place is not None:
                yield pyarrow.RecordBatch.from_pydict({"number": [shard], "path": [place.path], "line": [place.line]})

    return work


def _by_unit(data: Any, text: str, shards: int) -> Any:
    """The records of each shard one behind the other, in the frame's order."""
    from pyspark.sql.types import IntegerType, LongType, StructType

    tagged = StructType([*data.schema.fields]).add(_SHARD, IntegerType()).add(_AT, LongType())
    return data.mapInArrow(_tag(text, shards), tagged).repartition(shards, _SHARD).sortWithinPartitions(_SHARD, _AT)


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
    ``parts``. Where the schema names units by a column, their records are brought together first, in so many ``parts`` (else
    as many as the cluster runs tasks at once); of a unit with too many the first in the frame's order count."""
    facts = Schema.of(schema)
    text = facts.to_json(None)
    if session is None:
        from pyspark.sql import SparkSession

        session = data.sparkSession if hasattr(data, "sparkSession") else SparkSession.active()
    cores = _cores(session)
    if isinstance(data, (str, os.PathLike)):
        places = places_of(data, facts, parts or 4)
    else:
        check_several(facts)
        folder, shards = folder_of(storage), parts or cores
        names = [name for name in data.columns if name in set(facts.table_columns)]
        chosen = data.select(*names)
        if facts.unit_column:
            chosen, work = _by_unit(chosen, text, shards), _pack_shards(text, folder, shards, names)
        else:
            work = _pack(text, folder)
        rows = sorted(chosen.mapInArrow(work, "number long, path string, line binary").collect(), key=lambda row: row["number"])
        places = [Place(row["path"], 0, 1, bytes(row["line"])) for row in rows]

    def ask(question: bytes, asked: list[Place]) -> Iterator[bytes]:
        numbers = session.range(0, len(asked), 1, min(len(asked), cores))  # tasks cost more than questions; no shuffle
        for row in numbers.mapInArrow(_answer(text, question, asked), "reply binary").collect():
            yield bytes(row["reply"])

    return EngineTable(facts, places, ask)
