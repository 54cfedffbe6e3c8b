"""Rows in Ray: every question is a task for each part, which Ray starts again where a worker died."""
from __future__ import annotations

import os
from typing import Any, Iterator, Mapping

from ..schema import Schema
from .parts import EngineTable, Place, answer, check_several, folder_of, pack_partition, pack_pieces, places_of, split_units


def _unsplit(block: Any, schema: str, shards: int) -> Any:
    return split_units(block, schema, shards)[0]  # a list of one would be taken for the one


def _listed(found: Any) -> list[Any]:
    """The references to a task's results, also where there is one."""
    return found if isinstance(found, list) else [found]


def table(data: Any, schema: Schema | Mapping[str, Any] | str, *, storage: str | os.PathLike[str] | None = None,
          parts: int | None = None, retries: int = 3) -> EngineTable:
    """A Ray dataset (or a list of references to frames), packed block by block into ``storage``; or the path of a packed
    table, in so many ``parts``. Where the schema names units by a column, their records are brought together first, in so many
    ``parts`` (else as many as there are blocks)."""
    import ray

    facts = Schema.of(schema)
    text = facts.to_json(None)
    work = ray.remote(answer).options(max_retries=retries, num_cpus=1)
    if isinstance(data, (str, os.PathLike)):
        places = places_of(data, facts, parts or int(ray.cluster_resources().get("CPU", 1)))
    else:
        check_several(facts)
        folder = folder_of(storage)
        blocks = data.to_arrow_refs() if hasattr(data, "to_arrow_refs") else list(data)
        if facts.unit_column:
            shards = parts or max(1, len(blocks))
            split = ray.remote(split_units if shards > 1 else _unsplit).options(max_retries=retries, num_returns=shards)
            pack = ray.remote(pack_pieces).options(max_retries=retries)
            pieces = [_listed(split.remote(block, text, shards)) for block in blocks]
            waiting = [pack.remote(text, folder, k, shards, *[units[k] for units in pieces]) for k in range(shards)]
        else:
            pack = ray.remote(pack_partition).options(max_retries=retries)
            waiting = [pack.remote(block, text, folder, k) for k, block in enumerate(blocks)]
        packed = ray.get(waiting)
        places = [place for place in packed if place is not None]

    def ask(question: bytes, asked: list[Place]) -> Iterator[bytes]:
        told = ray.put(question)
        waiting = [work.remote(text, place, told) for place in asked]
        while waiting:
            done, waiting = ray.wait(waiting)
            yield ray.get(done[0])
            del done  # replies are secret: the object store forgets them

    return EngineTable(facts, places, ask)
