"""Pictures of plans, orders, promises and spending. Needs matplotlib; each function draws on ``ax`` and returns it."""
from __future__ import annotations

from typing import Any, Sequence

from . import _core
from .frame import Frame
from .policy import Policy
from .studies import Plan


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    from matplotlib.figure import Figure  # without pyplot: no state, and nothing to close

    return Figure(figsize=(6, 4), layout="constrained").subplots()


def price(plan: Plan, ax: Any = None) -> Any:
    """The price of privacy against mu at the planned number of rows: the middle, and the range that it is taken to be in."""
    ax = _axes(ax)
    rows = plan.table.rows()
    below = [max(0.0, r["middle"] - r["low"]) for r in rows]
    above = [max(0.0, r["high"] - r["middle"]) for r in rows]
    ax.errorbar([r["mu"] for r in rows], [r["middle"] for r in rows], [below, above], label=f"{rows[0]['rows']:,} rows",
                capsize=2)
    ax.set(xlabel="mu", ylabel="percent above learning without noise", xscale="log")
    ax.legend()
    return ax


def orders(policies: Policy | Sequence[Policy], data: Any, demand: Sequence[float], ax: Any = None) -> Any:
    """Orders against demand, sorted by the first line's order; several quantiles, of one policy or of several, are bands.
    NOT PRIVATE: each point is a record."""
    ax = _axes(ax)
    several = [policies] if isinstance(policies, Policy) else list(policies)
    lines = [line for policy in several for line in _lines(policy, data)]
    place = sorted(range(len(demand)), key=lambda i: lines[0][1][i])
    ax.plot(range(len(place)), [demand[i] for i in place], ".", ms=3, alpha=0.4, label="demand")
    for quantile, found in lines:
        ax.plot(range(len(place)), [found[i] for i in place], label=f"order at {quantile:.3g}")
    ax.set(xlabel="records, by their order", ylabel=several[0].targets[0], title="NOT PRIVATE: points are records")
    ax.legend()
    return ax


def _lines(policy: Policy, data: Any) -> list[tuple[float, list[float]]]:
    """(quantile, orders) of each goal of a policy for one target."""
    found = policy.order(data)
    columns = found.values() if isinstance(found, Frame) else [list(found)]
    return [(goal["quantile"], column) for goal, column in zip(policy._facts["goals"], columns)]


def trade_off(mu: float, ax: Any = None) -> Any:
    """The errors that somebody must make who tests which of two things one unit's data says: below the curve there is no
    test. The straight line is a coin."""
    ax = _axes(ax)
    alphas = [i / 200 for i in range(201)]
    ax.plot(alphas, [_trade(a, mu) for a in alphas], label=f"mu = {mu:g}")
    ax.plot([0, 1], [1, 0], "--", color="grey", label="a coin")
    ax.set(xlabel="false alarms", ylabel="misses")
    ax.legend()
    return ax


def _trade(alpha: float, mu: float) -> float:
    from statistics import NormalDist

    normal = NormalDist()
    if alpha in (0, 1):
        return 1 - alpha
    return normal.cdf(normal.inv_cdf(1 - alpha) - mu)


def spending(ledger: Any, label: str = "default", ax: Any = None) -> Any:
    """What a label has spent, release by release, and its budget."""
    ax = _axes(ax)
    spent: list[float] = []
    steps, budget = [(0, 0.0)], None
    for entry in ledger.entries().rows():
        if entry["label"] != label:
            continue
        if entry["kind"] == "budget":
            budget = entry["mu"]
        else:
            spent.append(entry["mu"])
            steps.append((entry["sequence"], _core.gdp_compose(spent)))
    ax.step([s for s, _ in steps], [m for _, m in steps], where="post", label="spent")
    if budget is not None:
        ax.axhline(budget, color="grey", linestyle="--", label="budget")
    ax.set(xlabel="entry of the ledger", ylabel="mu")
    ax.legend()
    return ax
