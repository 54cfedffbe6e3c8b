"""Decisions over a region: costs are predicted for the sake of the decision that minimises them.

>>> import tacit
>>> region = tacit.spo.Region({"kind": "simplex", "dimension": 3})
>>> region.minimise([3, 1, 2])
([0.0, 1.0, 0.0], 1.0)
"""
from __future__ import annotations

import json
import os
from typing import Any, Mapping, Sequence

from . import _core
from .fitting import fit as _fit
from .policy import Policy
from .schema import Schema


class Region:
    """A compact convex set of decisions, from JSON (docs/formats/region.md): a dict, a text, a path."""

    def __init__(self, region: Mapping[str, Any] | str | os.PathLike[str]):
        if isinstance(region, Mapping):
            text = json.dumps(region)
        elif isinstance(region, str) and region.lstrip().startswith("{"):
            text = region
        else:
            with open(region, encoding="utf-8") as file:
                text = file.read()
        self._c = _core.CRegion(text)
        self.text = text

    @property
    def dimension(self) -> int:
        return self._c.dimension

    @property
    def diameter(self) -> float:
        return self._c.diameter

    def minimise(self, costs: Sequence[float]) -> tuple[list[float], float]:
        """The cheapest decision, and what it costs."""
        return self._c.minimise([float(c) for c in costs])


def fit(data: Any, schema: Schema | Mapping[str, Any] | str | os.PathLike[str],
        region: Region | Mapping[str, Any] | str | os.PathLike[str], **asked: Any) -> Policy:
    """As ``tacit.fit``; the targets are the costs of the region's coordinates. The policy's ``decide`` gives decisions."""
    place = region if isinstance(region, Region) else Region(region)
    return _fit(data, schema, region=place._c, **asked)


def simulate(name: str = "spo-shortest-path", rows: int = 0, seed: int = 1) -> tuple[dict[str, list], Schema, Region]:
    """A simulated table with its schema and region."""
    from .studies import simulate as _simulate

    table, schema = _simulate(name, rows, seed)
    return table, schema, Region(_core.simulate(name.encode(), 1, seed)[2])
