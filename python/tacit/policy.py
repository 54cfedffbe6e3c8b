"""The policy: what is released. It orders, evaluates, and its promise can be recomputed from it alone."""
from __future__ import annotations

import json
import os
from array import array
from typing import Any

from . import _core
from .asked import adjacency_number, bytes_of, goals_of, whole
from .errors import CheckError, InputError, RefusedError, UsageError
from .figures import Figures, one_or_all, whole_units
from .frame import Frame
from .ledger import Ledger, ledger_of
from .schema import Schema
from .tables import open_table
from .watching import Progress, working

_REACH = 1.6448536269514722  # 90 % of a normal distribution lie within so many standard deviations

class Verdict:
    """What ``verify`` found, check by check. True where the guarantee holds."""

    def __init__(self, found: dict[str, Any]):
        self.holds: bool = found["holds"]
        self.mu: float = found["mu"]
        self.epsilon: float = found["epsilon"]
        self.delta: float = found["delta"]
        self.checks: list[tuple[bool, str]] = found["checks"]

    def __bool__(self) -> bool:
        return self.holds

    def __repr__(self) -> str:
        return "\n".join(f"{'holds' if holds else 'FAILS'}  {text}" for holds, text in self.checks)


class Policy:
    """A rule for orders (or decisions over a region) with its certificate. It holds what the policy file holds, and
    nothing else: pickled or saved, it is that file's text."""

    def __init__(self, text: str | bytes):
        self._c = _core.policy_parse(text.encode() if isinstance(text, str) else text)

    @classmethod
    def _of(cls, c: Any) -> "Policy":
        self = cls.__new__(cls)
        self._c = c
        return self

    @classmethod
    def of(cls, policy: "Policy | str | os.PathLike[str] | None") -> "Policy | None":
        """A policy, or the one in a file; None stays None."""
        return policy if policy is None or isinstance(policy, Policy) else cls.load(policy)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Policy":
        """From a policy file."""
        return cls._of(_core.policy_read(os.fsencode(path)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """To a file, whole or not at all."""
        self._c.write(os.fsencode(path))

    @property
    def text(self) -> str:
        """The policy file's text."""
        return self._c.text() + "\n"

    def to_dict(self) -> dict[str, Any]:
        return json.loads(self.text)

    @property
    def _facts(self) -> dict[str, Any]:
        return self._c.facts()

    # what it is

    @property
    def schema(self) -> Schema:
        return Schema.from_json(json.dumps(self.to_dict()["schema"]))

    @property
    def method(self) -> str:
        return self._facts["method"]

    @property
    def private(self) -> bool:
        """Whether it claims to be; ``verify`` says whether that holds."""
        return self._facts["private"]

    @property
    def mu(self) -> float:
        return self._facts["mu"]

    @property
    def epsilon(self) -> float:
        return self._facts["epsilon"]

    @property
    def delta(self) -> float:
        return self._facts["delta"]

    @property
    def statement(self) -> str:
        """Two sentences: what is promised, and what is not."""
        return self._facts["statement"]

    @property
    def receipt(self) -> dict[str, Any] | None:
        """The ledger's entry that paid for it."""
        return self._facts["receipt"]

    @property
    def period(self) -> str | None:
        """Which period its records are of, where that was said."""
        return self._facts["period"]

    @property
    def targets(self) -> list[str]:
        return list(dict.fromkeys(goal["target"] for goal in self._facts["goals"]))

    @property
    def goals(self) -> list[str]:
        """What orders are for: the targets, or for several quantiles of a single one ``demand@0.5``, ``demand@0.9``."""
        return [goal["name"] for goal in self._facts["goals"]]

    @property
    def coefficients(self) -> Frame:
        """The rule in the user's own units: a row for each goal and encoded column, with the spread's where there is
        one. Fitted with ``intervals=True``, with standard errors and the interval of 90 %, ``lower`` to ``upper``; None
        for a goal that has none."""
        facts, rows = self._facts, []
        sure = any("errors" in goal for goal in facts["goals"])
        for goal in facts["goals"]:
            for j, column in enumerate(facts["columns"]):
                row = {"target": goal["name"], "column": column, "coefficient": goal["coefficients"][j]}
                if sure:
                    row.update(_sure(row["coefficient"], goal["errors"][j] if "errors" in goal else None))
                if "log_spread" in goal:
                    row["log_spread"] = goal["log_spread"][j]
                if sure and "log_spread" in goal:
                    row["log_spread_standard_error"] = goal["log_spread_errors"][j] if "errors" in goal else None
                rows.append(row)
        return Frame.from_rows(rows)

    # what it does

    def _open(self, data: Any, targets: bool, where: str | None = None) -> Any:
        schema = self.schema
        names = schema.inputs if targets else [n for n in schema.inputs if n not in schema.targets]
        if targets and getattr(data, "ndim", 0) == 2 and data.shape[1] == len(schema.table_columns):  # an array as for a fit
            names = schema.table_columns
        return open_table(data, names, where, schema)

    def order(self, data: Any, *, quantile: float | None = None, underage: float | None = None,
              overage: float | None = None, interval: float | None = None, integer: bool = False,
              where: str | None = None) -> Any:
        """Orders for all rows, a numpy array where numpy is installed, else a list: one number a row, or one for each
        target. A policy for several quantiles gives a ``Frame`` with a column for each (``demand@0.9``), or with
        ``quantile``, or ``underage`` and ``overage``, the orders of that one; between two that it has they are interpolated.
        ``integer`` gives whole units, up or down as the costs ask for; ``where`` only the records that meet it. With ``interval``, a
        probability such as 0.9, a policy for one order that was fitted with ``intervals=True`` gives a ``Frame`` of
        ``order``, ``lower`` and ``upper``: where the order may lie that ever more rows and no noise would give. NaN where
        lagged demand is not known. An order reveals the features it was computed from; the policy's promise does not cover it."""
        if self._facts["region"]:
            raise UsageError("this policy decides over a region; ask it to decide")
        wanted = self._wanted(quantile, underage, overage)
        quantile = None if wanted is None else wanted[0]
        if interval is not None:
            self._check_interval(quantile, interval)
        source = self._open(data, False, where)
        try:
            if interval is not None:
                found = self._c.intervals(source, float(interval))
                if integer:
                    found[0::3] = array("d", self._whole(found[0::3], 0, None))
                return Frame({name: found[k::3].tolist() for k, name in enumerate(("order", "lower", "upper"))})
            if quantile is not None:
                picked = self._c.picked(source, float(quantile))
                return _array((array("d", self._whole(picked, 0, wanted)) if integer else picked).tobytes(), 0, 1)
            raw, rows = self._c.orders(source)
        finally:
            source.close()
        goals = self.goals
        numbers = array("d", raw)
        if integer:
            for g in range(len(goals)):
                numbers[g :: len(goals)] = array("d", self._whole(numbers[g :: len(goals)], g, None))
        if len(goals) == len(self.targets):
            return _array(numbers.tobytes(), rows, len(goals))
        return Frame({name: numbers[g :: len(goals)].tolist() for g, name in enumerate(goals)})

    def _wanted(self, quantile: float | None, underage: float | None, overage: float | None) -> tuple[float, float] | None:
        """The quantile that was picked, and by how much a missing unit is worse than one left over."""
        if quantile is None and underage is None and overage is None:
            return None
        goal, under, over = goals_of(1, underage, overage, quantile)[0]
        return goal, under - over if under else goal - 0.5

    def _whole(self, orders: Any, g: int, wanted: tuple[float, float] | None) -> list[float]:
        goal = self._facts["goals"][g]
        own = goal["underage"] - goal["overage"] if goal["underage"] else goal["quantile"] - 0.5
        return whole_units(orders, own if wanted is None else wanted[1], *self._c.bounds(g))

    def _check_interval(self, quantile: float | None, interval: float) -> None:
        goals = self._facts["goals"]
        if not 0 < interval < 1:
            raise UsageError("interval is a probability above 0 and below 1, such as 0.9")
        if quantile is not None:
            raise UsageError("an interval is about the order that was learned, not about one that is picked between others")
        if len(goals) > 1 or "errors" not in goals[0]:
            raise InputError("this policy does not say how sure it is: fit it with intervals=True, for one target at one quantile; "
                             "a quantile that lies far out has no intervals")

    def decide(self, data: Any) -> list[list[float] | None]:
        """Decisions over the policy's region for all rows."""
        source = self._open(data, False)
        try:
            return self._c.decisions(source)
        finally:
            source.close()

    def evaluate(self, data: Any, *, train: Any = None, by: str | None = None, mu: float | None = None, label: str = "default",
                 ledger: Ledger | str | os.PathLike[str] | None | bool = None, cost_bound: float = 0,
                 adjacency: str = "replace-one", nominal_rows: int | None = None, seed: int | None = None,
                 where: str | None = None, period: str | None = None, progress: Progress | None = None, threads: int = 0) -> dict[str, Any]:
        """What the policy costs on rows whose demand is known. Without ``mu`` the figures are exact and NOT PRIVATE: guard
        them like the rows. They are held against other orders, learned without privacy from the table ``train``, else in
        hindsight from these very rows; ``by`` names a column for whose values there are figures of their own. Where the schema
        says which days sold out and the table has the column, ``sold_out`` has how many rows did, and the least that the
        service level can be; there are no orders to compare with then, which would have learned sales. With ``mu``
        the mean cost alone, with noise, paid for from a ledger (``period`` as in ``fit``). ``where`` leaves the records of
        ``data`` that meet it."""
        if mu is None:
            return self._evaluate_exactly(data, train, by, where, progress, threads)
        if train is not None or by is not None:
            raise UsageError("train and by are for exact figures: leave out mu")
        return self._evaluate_privately(data, {
            "mu": float(mu), "bound": float(cost_bound), "adjacency": adjacency_number(adjacency),
            "nominal_rows": whole(nominal_rows, "nominal_rows"), "seed": seed,
            "where": where, "period": period}, label, ledger, progress, threads)

    def _evaluate_exactly(self, data: Any, train: Any, by: str | None, where: str | None, progress: Any,
                          threads: int) -> dict[str, Any]:
        if self._facts["region"]:
            if train is not None or by is not None:
                raise UsageError("this policy decides over a region; train and by are for policies that order")
            with working(progress, threads) as work:
                return _core.spo_evaluate(self._c, self._open(data, True, where), work)
        other = None if train is None else self._open(train, True)
        source = self._open(data, True, where)
        with working(progress, threads) as work:
            found, groups, hindsight, dropped = _core.evaluate(self._c, source, other, by and bytes_of(by), work)
        result = Figures({**one_or_all(found, False), "comparison": "these rows" if hindsight else "train",
                          "dropped_lag": dropped})
        if by is not None:
            result["by"] = {name: one_or_all(figures, False) for name, figures in groups}
        return result

    def _evaluate_privately(self, data: Any, asked: dict[str, Any], label: str, ledger: Any, progress: Any,
                            threads: int) -> dict[str, Any]:
        if self._facts["region"]:
            raise UsageError("this policy decides over a region; mu is for policies that order")
        if not self._c.verify()["holds"] and asked["seed"] is None:
            raise RefusedError("the policy does not verify, so its coefficients may come from rows without noise and carry "
                               "them into this figure; evaluate a policy that verifies")
        book = ledger_of(ledger) if asked["seed"] is None else None
        payment = book._payment(label, "evaluate", asked["period"]) if book is not None else None
        with working(progress, threads, payment) as work:
            found = _core.estimate_cost(self._c, self._open(data, True, asked["where"]), asked, payment, work)
        return one_or_all(found, asked["seed"] is None)

    # what is promised

    def verify(self, *, ledger: Ledger | str | os.PathLike[str] | None = None,
               from_: "Policy | str | os.PathLike[str] | None" = None,
               public_key: str | os.PathLike[str] | None = None) -> Verdict:
        """Recomputes everything that can be, from the policy alone; with a ledger, whether it was paid for there; with
        ``from_``, whether it goes on from that policy, and that one holds; with the file of a ``public_key``, whether that
        key signed it."""
        last = Policy.of(from_)
        verdict = Verdict(self._c.verify(None if last is None else last._c))
        if public_key is not None:
            signer, wanted = self._facts["signer"], _core.public_key(os.fsencode(public_key))
            verdict.checks.append((signer == wanted, "nobody signed it" if not signer else
                                   "it was signed with the key that was asked for" if signer == wanted else
                                   "it was signed with another key than the one that was asked for"))
            verdict.holds = verdict.holds and signer == wanted
        if ledger is not None:
            book = ledger_of(ledger)
            try:
                book.check(self)
                verdict.checks.append((True, "the ledger was paid for this policy"))
            except CheckError as error:
                verdict.checks.append((False, str(error)))
                verdict.holds = False
        return verdict

    def sign(self, key: str | os.PathLike[str]) -> None:
        """Signs with a secret key's file (``tacit keys`` makes one)."""
        self._c.sign(os.fsencode(key))

    def check_signature(self) -> str:
        """The public key that signed; an exception where the signature does not fit."""
        self._c.check_signature()
        return self._facts["signer"]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Policy) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[Any, ...]:
        return Policy, (self.text,)

    def __str__(self) -> str:
        return self.__repr__()

    def __repr__(self) -> str:
        from .card import text_card

        return text_card(self)

    def _repr_html_(self) -> str:
        from .card import html_card

        return html_card(self)


def _sure(number: float, error: float | None) -> dict[str, float | None]:
    """A standard error, and the interval of 90 %."""
    if error is None:
        return {"standard_error": None, "lower": None, "upper": None}
    return {"standard_error": error, "lower": number - _REACH * error, "upper": number + _REACH * error}


def _array(raw: bytes, rows: int, targets: int) -> Any:
    try:
        import numpy
    except ImportError:
        numbers = list(array("d", raw))
        return numbers if targets == 1 else [numbers[i * targets : (i + 1) * targets] for i in range(rows)]
    numbers = numpy.frombuffer(bytearray(raw), dtype=float)
    return numbers if targets == 1 else numbers.reshape(rows, targets)
