"""Figures for people: printed one a line, and orders in whole units."""
from __future__ import annotations

import math
from typing import Any, Iterable

from .frame import Frame


def whole_units(orders: Iterable[float], excess: float, low: float, high: float) -> list[float]:
    """Up where a missing unit costs more than one left over (an excess above 0), down where it costs less, to the nearest
    where both cost the same; never out of the target's bounds."""

    def one(order: float) -> float:
        if order != order:
            return order
        near = float(round(order))
        if abs(order - near) <= 1e-9 * max(1.0, abs(order)):  # it is whole but for rounding
            return near
        to = math.ceil(order) if excess > 0 else math.floor(order) if excess < 0 else near
        return float(math.floor(order) if to > high else math.ceil(order) if to < low else to)

    return [one(order) for order in orders]


class Figures(dict):
    """Figures by name, printed one a line."""

    def __repr__(self) -> str:
        lines = [f"{name:<26} {_figure(value)}" for name, value in self.items() if name not in ("by", "targets")]
        if "by" in self:
            groups = [{"by": name, **{key: value for key, value in found.items() if not isinstance(value, (list, dict, bool))}}
                      for name, found in self["by"].items()]
            lines.append(str(Frame.from_rows(groups)))
        return "\n".join([*lines, *map(repr, self.get("targets", []))])


def _figure(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def one_or_all(found: list[dict[str, Any]], private: bool) -> Figures:
    return Figures(found[0] if len(found) == 1 else {"targets": [Figures(one) for one in found], "private": private})
