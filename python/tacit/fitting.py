"""Learning a policy from a table."""
from __future__ import annotations

import os
from typing import Any, Mapping

from . import _core
from .asked import Numbers, adjacency_number, bytes_of, goals_for, guarantee_of, method_of, whole
from .ledger import Ledger, ledger_of
from .policy import Policy
from .schema import Schema
from .tables import Sql, open_table
from .watching import Progress, working


class Fit:
    """A policy, and what is for the data holder alone: how many records were read and left out. Give the policy away, not
    this."""

    def __init__(self, policy: Policy, counts: dict[str, int], note: str):
        self.policy, self.counts, self.note = policy, counts, note

    def __reduce__(self) -> Any:
        raise TypeError("a Fit has counts for the data holder alone; save its policy")


def fit_with_counts(data: Any, schema: Schema | Mapping[str, Any] | str | os.PathLike[str], *, underage: Numbers = None,
                    overage: Numbers = None, quantile: Numbers = None, mu: float | None = None,
                    epsilon: float | None = None, delta: float | None = None, method: str = "default",
                    region: Any = None, adjacency: str = "replace-one", nominal_rows: int | None = None,
                    label: str = "default", ledger: Ledger | str | os.PathLike[str] | None | bool = None,
                    seed: int | None = None, sign: str | os.PathLike[str] | None = None, where: str | None = None,
                    from_: Policy | str | os.PathLike[str] | None = None, period: str | None = None,
                    progress: Progress | None = None, threads: int = 0, **options: Any) -> Fit:
    """As ``fit``, with the data holder's counts beside the policy."""
    facts = Schema.of(schema)
    last = Policy.of(from_)
    if last is not None and method == "default":
        method = _core.following()
    name, promise = method_of(method, region is not None, facts._c)
    guarantee = guarantee_of(method, promise, mu, epsilon, delta)
    goals = [] if region is not None else goals_for(facts, underage, overage, quantile)
    result_rows = isinstance(data, Sql) and data.result_rows
    asked = {"method": method, "mu": guarantee[0], "epsilon": guarantee[1], "delta": guarantee[2],
             "adjacency": adjacency_number(adjacency), "nominal_rows": whole(nominal_rows, "nominal_rows"), "seed": seed,
             "result_rows": result_rows, "from": None if last is None else last._c,
             "period": None if period is None else bytes_of(period)}
    # only a private release spends: one without noise, or with noise from a seed, must not be released at all
    book = ledger_of(ledger) if seed is None and promise != "nothing" else None
    source = open_table(data, facts.table_columns, where, facts)
    payment = None
    try:
        payment = book._payment(label, name, period) if book is not None else None
        with working(progress, threads, payment) as work:
            try:
                c, counts, note = _core.learn(facts._c, source, region, goals, asked, options, payment, work)
            except Exception:
                if getattr(source, "raised", None) is not None:  # an engine's own exception says more
                    raise source.raised
                raise
            policy = Policy._of(c)
            if sign is not None:
                policy.sign(sign)
    finally:
        source.close()
    return Fit(policy, counts, note)


def fit(data: Any, schema: Schema | Mapping[str, Any] | str | os.PathLike[str], **asked: Any) -> Policy:
    """Learns a policy: how much to order, from features, under differential privacy.

    ``data`` is a path (CSV, Arrow, Parquet, packed), anything with ``__arrow_c_stream__`` (polars, pyarrow, DuckDB, pandas with
    pyarrow), a pandas frame, a dict of columns, a numpy array, ``tacit.Sql``, or rows in an engine (``tacit.engines``).
    ``underage`` is what a missing unit costs, ``overage`` what one left over costs (a schema with costs in tiers says
    so itself); ``quantile`` replaces both, and may be a list: several quantiles of one target share what the rows are asked, and the guarantee. ``mu`` is
    the guarantee (0.5 is a reasonable promise), or ``epsilon`` and ``delta``. ``ledger`` is where it is recorded: a path or
    ``Ledger``, None for your own, False for no record; ``label`` whose budget pays. ``method`` chooses among
    ``tacit.methods()``, whose options are given by name (``step_size=0.5``; of the
    default learner ``intervals=True``: the policy then says how sure its rule is). A ``seed`` makes the noise reproducible, and
    the policy not private. ``where`` learns from the records that meet it (``"shop = 24"``), under add-remove or with public
    features. ``from_`` goes on from the last policy with the new records alone, and ``period`` says which they are of
    (``"2024-03"``), for a label with a budget for each month or the like.

    >>> import tacit
    >>> table, schema = tacit.simulate("restaurant", seed=1)
    >>> policy = tacit.fit(table, schema, underage=50, overage=30, mu=0.5, seed=7)
    >>> policy.private
    False
    >>> len(policy.order(table))
    730
    """
    return fit_with_counts(data, schema, **asked).policy


def pack(data: Any, schema: Schema | Mapping[str, Any] | str | os.PathLike[str], path: str | os.PathLike[str], *,
         progress: Progress | None = None, threads: int = 0) -> dict[str, int]:
    """Writes a table, encoded, to a file that a fit reads without parsing, however large it is. It is as private as the
    table; the counts are for the data holder."""
    facts = Schema.of(schema)
    source = open_table(data, facts.table_columns, schema=facts)
    try:
        with working(progress, threads) as work:
            return _core.pack(source, facts._c, os.fsencode(path), work)
    finally:
        source.close()
