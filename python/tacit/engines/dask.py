"""Rows in Dask: every question is a map of futures over the parts."""
from __future__ import annotations

import operator
import os
import uuid
from typing import Any, Iterator, Mapping

from ..schema import Schema
from .parts import EngineTable, Place, answer, check_several, folder_of, pack_partition, pack_pieces, places_of, split_units


def table(data: Any, schema: Schema | Mapping[str, Any] | str, *, storage: str | os.PathLike[str] | None = None,
          parts: int | None = None, client: Any = None, retries: int = 3) -> EngineTable:
    """A Dask data frame (or a list of delayed frames), packed partition by partition into ``storage``; or the path of a
    packed table, in so many ``parts``. Where the schema names units by a column, their records are brought together first, in
    so many ``parts`` (else as many as there are partitions). The client is the current one unless one is given."""
    from distributed import as_completed, get_client

    client = client or get_client()
    facts = Schema.of(schema)
    text = facts.to_json(None)
    if isinstance(data, (str, os.PathLike)):
        places = places_of(data, facts, parts or len(client.scheduler_info(n_workers=-1)["workers"]) or 1)
    else:
        check_several(facts)
        folder = folder_of(storage)
        delayed = data.to_delayed() if hasattr(data, "to_delayed") else list(data)
        frames = client.compute(list(delayed))
        more = dict(pure=False, retries=retries)
        if facts.unit_column:
            shards = parts or max(1, len(frames))
            split = [client.submit(split_units, frame, text, shards, **more) for frame in frames]
            pieces = [[client.submit(operator.getitem, units, k, **more) for units in split] for k in range(shards)]
            packed = [client.submit(pack_pieces, text, folder, k, shards, *pieces[k], **more) for k in range(shards)]
        else:
            packed = [client.submit(pack_partition, frame, text, folder, k, **more) for k, frame in enumerate(frames)]
        places = [place for place in client.gather(packed) if place is not None]

    def ask(question: bytes, asked: list[Place]) -> Iterator[bytes]:
        turn = uuid.uuid4().hex  # keys of their own: nothing of one question is taken for another's
        futures = [client.submit(answer, text, place, question, key=f"tacit-{turn}-{k}", pure=False, retries=retries)
                   for k, place in enumerate(asked)]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:
            client.cancel(futures, force=True)  # replies are secret: none is kept

    return EngineTable(facts, places, ask)
