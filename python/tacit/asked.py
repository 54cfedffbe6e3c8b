"""What a call asks for, checked and put into the library's terms."""
from __future__ import annotations

from typing import Any, Sequence

from . import _core
from .errors import UsageError

Numbers = float | Sequence[float] | None
ADJACENCIES = {"replace-one": 0, "add-remove": 1}


def adjacency_number(adjacency: str) -> int:
    if adjacency not in ADJACENCIES:
        raise UsageError("adjacency is replace-one or add-remove")
    return ADJACENCIES[adjacency]


def bytes_of(text: str) -> bytes:
    """A text for the library, which would end it at a NUL."""
    if "\0" in text:
        raise UsageError("a text has a NUL in it: write it without")
    return text.encode()


def _list(value: Numbers) -> list[float]:
    if value is None:
        return []
    return [float(v) for v in value] if isinstance(value, (list, tuple)) or hasattr(value, "__len__") else [float(value)]


def goals_of(targets: int, underage: Numbers, overage: Numbers, quantile: Numbers) -> list[tuple[float, float, float]]:
    """(quantile, underage, overage) for each target, or for each of several quantiles of a single one, ascending; costs
    are 0 where only a quantile was asked for."""
    under, over, tau = _list(underage), _list(overage), _list(quantile)
    if (under or over) and tau:
        raise UsageError("give underage and overage, or quantile, not both")
    if not under and not over and not tau:
        raise UsageError("give underage and overage, or quantile")
    if len(under) != len(over):
        raise UsageError("underage and overage go together")
    given = len(under) or len(tau)
    if given not in (1, targets) and targets != 1:
        raise UsageError(f"the schema has {targets} targets: give the costs once, or once for each of them")
    goals = []
    for t in range(max(given, targets)):
        i = 0 if given == 1 else t
        if under:
            if not (under[i] > 0 and over[i] > 0):
                raise UsageError("costs must be above 0")
            goals.append((under[i] / (under[i] + over[i]), under[i], over[i]))
        else:
            goals.append((tau[i], 0.0, 0.0))
        if not 0 < goals[-1][0] < 1:
            raise UsageError("the quantile must be above 0 and below 1")
    if targets > 1:
        return goals
    goals.sort(key=lambda goal: goal[0])
    for below, above in zip(goals, goals[1:]):
        if below[0] == above[0]:
            raise UsageError(f"the quantile {above[0]:.6g} is given twice")
    return goals


def goals_for(schema: Any, underage: Numbers, overage: Numbers, quantile: Numbers) -> list[tuple[float, float, float]]:
    """The same for a schema, whose targets may say themselves what is missing or left over costs."""
    costs = schema._c.costs
    if not costs:
        return goals_of(len(schema.targets), underage, overage, quantile)
    if underage is not None or overage is not None or quantile is not None:
        raise UsageError("the schema says what is missing or left over costs: leave out underage, overage and quantile")
    return [(under / (under + over), under, over) for under, over in costs]


def guarantee_of(method: str, promise: str, mu: float | None, epsilon: float | None,
                 delta: float | None) -> tuple[float, float, float]:
    """(mu, epsilon, delta) as the method takes them."""
    pair = epsilon is not None or delta is not None
    if (epsilon is None) != (delta is None):
        raise UsageError("epsilon and delta go together")
    if pair and mu is not None:
        raise UsageError("give mu, or epsilon and delta, not both")
    if promise == "nothing":
        if pair or mu is not None:
            raise UsageError(f"method {method} is not private: leave out the guarantee, or choose another method")
        return 0.0, 0.0, 0.0
    if not pair and mu is None:
        raise UsageError("give the guarantee: mu (0.5 is a reasonable promise), or epsilon and delta")
    if promise == "pair":
        if mu is not None:
            raise UsageError(f"method {method} is not Gaussian, so no mu describes its guarantee: give epsilon and delta")
        return 0.0, float(epsilon), float(delta)
    return (float(mu), 0.0, 0.0) if not pair else (_core.gdp_mu(float(epsilon), float(delta)), 0.0, 0.0)


def method_of(name: str, region: bool, schema: Any) -> tuple[str, str]:
    """(its own name, what it promises); a schema may have a default of its own"""
    found = _core.method_promise(name.encode(), region, schema)
    if found is None:
        names = [m["name"] for m in _core.methods() if m["needs_region"] == region]
        raise UsageError(f"no method of this name{' over a region' if region else ''}; there are: " + ", ".join(names))
    return found


def whole(value: Any, name: str) -> int:
    if value is None:
        return 0
    if int(value) != value or value < 1:
        raise UsageError(f"{name} is a whole number above 0")
    return int(value)
