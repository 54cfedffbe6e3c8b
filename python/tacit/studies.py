"""Before and beside learning: what a guarantee will cost, attacks on the promise, simulated tables. None reads a table."""
from __future__ import annotations

import math
import os
from typing import Any, Mapping

from . import _core
from .asked import Numbers, adjacency_number, goals_for
from .errors import UsageError
from .frame import Frame
from .schema import Schema
from .watching import Progress, working


class Plan:
    """What guarantees will cost: the price of privacy in percent of the cost without it. ``table`` has a line for each mu
    at the asked number of rows, ``by_rows`` one for each number of rows at the asked mu; half of the simulated problems
    cost less than ``middle``, and the price is taken to lie in ``low`` to ``high``. ``cases`` has the kinds of demand,
    with the price of the asked guarantee in each; ``answer`` what ``percent`` takes, where it was asked for."""

    def __init__(self, found: dict[str, Any]):
        self.table = Frame.from_rows(found["by_mu"])
        self.by_rows = Frame.from_rows(found["by_rows"])
        self.asked: dict[str, Any] = found["by_mu"][found["asked"]]
        self.cases = Frame.from_rows(found["cases"])
        self.answer: dict[str, float] | None = found["answer"]
        self.recommendation: str = found["recommendation"]
        self.worst_case: str = found["worst_case"]
        self.assumptions: list[str] = found["assumptions"]
        self.repetitions: int = found["repetitions"]

    def _shown(self) -> list[Frame]:
        names = ("mu", "rows", "low", "middle", "high", "nine_in_ten")
        return [Frame({n: table[n] if n in names[:2] else [round(value, 2) for value in table[n]] for n in names})
                for table in (self.table, self.by_rows)]

    def _said(self) -> str:
        """The recommendation, and what the asked price takes."""
        a = self.answer
        if a is None:
            return self.recommendation
        mu = f"mu = {a['mu']:.3g}" if math.isfinite(a["mu"]) else "a larger mu than was tried"
        rows = f"{a['rows']:,.0f} rows" if math.isfinite(a["rows"]) else "more rows than were tried"
        return f"{self.recommendation} A price of {a['percent']:g} % takes {mu} at these rows, or {rows} at this mu."

    def __repr__(self) -> str:
        return "\n\n".join([*map(str, self._shown()), self._said()])

    def _repr_html_(self) -> str:
        import html

        return "".join(f._repr_html_() for f in self._shown()) + f"<p>{html.escape(self._said())}</p>"


def plan(schema: Schema | Mapping[str, Any] | str | os.PathLike[str], rows: int, *, underage: Numbers = None,
         overage: Numbers = None, quantile: Numbers = None, mu: float = 0.5, percent: float = 0, method: str = "default",
         region: Any = None, adjacency: str = "replace-one", repetitions: int = 0, seed: int = 1,
         progress: Progress | None = None, threads: int = 0) -> Plan:
    """What a guarantee will cost at so many rows, before any is read: simulated rows that fit the schema are learned from
    with noise and with next to none. ``percent`` asks backwards: which mu, and how many rows, such a price takes.
    ``region`` (a ``tacit.spo.Region``) plans decisions over it, without costs or a quantile."""
    facts = Schema.of(schema)
    goals = [] if region is not None else goals_for(facts, underage, overage, quantile)
    if len(goals) > len(facts.targets):
        raise UsageError("a plan is for one quantile of a target: plan the one that matters most")
    asked = {"rows": int(rows), "mu": float(mu), "percent": float(percent), "method": method,
             "adjacency": adjacency_number(adjacency), "repetitions": repetitions, "seed": seed}
    with working(progress, threads) as work:
        return Plan(_core.plan(facts._c, getattr(region, "_c", region), goals, asked, work))


def audit(method: str = "default", *, mu: float = 1, delta: float = 1e-5, epsilon: float = 0, plant: str | None = None,
          adjacency: str = "replace-one", runs: int = 0, one_run: bool = False, seed: int | None = None,
          progress: Progress | None = None, threads: int = 0) -> dict[str, Any]:
    """Attacks a learner's promise: ``mu_lower`` is the largest guarantee that can be ruled out, ``caught`` whether the
    promise is broken. ``plant`` names a fault to be planted, to see that it would be noticed."""
    asked = {"method": method, "plant": plant, "mu": float(mu), "delta": float(delta), "epsilon": float(epsilon),
             "adjacency": adjacency_number(adjacency), "runs": runs, "one_run": one_run, "seed": seed}
    with working(progress, threads) as work:
        return _core.audit(asked, work)


def simulate(name: str, rows: int = 0, seed: int = 1) -> tuple[dict[str, list], Schema]:
    """A simulated table, as a dict of columns, and its public schema; ``tacit.simulators()`` lists the names.

    >>> import tacit
    >>> table, schema = tacit.simulate("restaurant", rows=3)
    >>> list(table)
    ['date', 'weekday', 'is_holiday', 'temperature', 'rain', 'demand']
    """
    import csv

    text, schema, _ = _core.simulate(name.encode(), rows, seed)
    lines = list(csv.reader(text.decode().splitlines()))
    columns = {n: [_value(line[j]) for line in lines[1:]] for j, n in enumerate(lines[0])}
    if schema is None:
        raise UsageError("no simulator of this name")
    return columns, Schema.from_json(schema)


def _value(cell: str) -> Any:
    try:
        return float(cell)
    except ValueError:
        return cell or None
