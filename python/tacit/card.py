"""A policy as a card: the rule and the promise, for a terminal and for a notebook."""
from __future__ import annotations

import html
import math
from typing import Any

from . import _core

_STYLE = ("border:1px solid #8888;border-radius:6px;padding:0.8em 1em;display:inline-block;max-width:46em;"
          "font-family:sans-serif;line-height:1.35")


def _headings(facts: dict[str, Any]) -> list[str]:
    if facts["region"]:
        return [f"cost of {goal['target']}" for goal in facts["goals"]]
    return [f"order of {goal['target']} (quantile {goal['quantile']:.4g})" for goal in facts["goals"]]


def _beliefs(facts: dict[str, Any]) -> str:
    """What the promise means for somebody's guess, in one sentence."""
    if not facts["private"]:
        return ""
    found = _core.beliefs(facts["mu"], facts["epsilon"], facts["delta"])
    even = [b for b in found if b["prior"] == 0.5] or found
    worst = min(even, key=lambda b: b["except"])
    up = min(100.0, math.ceil(worst["at_most"] * 1e4) / 100)
    return (f"Somebody who knows all other rows and gives the truth about one unit {100 * worst['prior']:.0f} % gives it, "
            f"after seeing the policy, at most {up:.2f} %, but for 1 in {1 / worst['except']:.0f}.")


def text_card(policy: Any) -> str:
    facts = policy._facts
    lines = []
    for heading, target in zip(_headings(facts), facts["goals"]):
        lines.append(heading + ":")
        for name, value in zip(facts["columns"], target["coefficients"]):
            lines.append(f"  {name:<28} {value:14.6g}")
        if "log_spread" in target:
            lines.append(f"plus {target['spreads']:.6g} times the spread, whose logarithm is:")
            for name, value in zip(facts["columns"], target["log_spread"]):
                lines.append(f"  {name:<28} {value:14.6g}")
    lines.append(facts["statement"])
    beliefs = _beliefs(facts)
    return "\n".join(lines + ([beliefs] if beliefs else []))


def _table(facts: dict[str, Any], target: dict[str, Any]) -> str:
    spread = "log_spread" in target
    rows = ""
    for j, name in enumerate(facts["columns"]):
        cells = f"<td style='text-align:left'>{html.escape(name)}</td><td>{target['coefficients'][j]:.6g}</td>"
        rows += f"<tr>{cells}{'<td>%.4g</td>' % target['log_spread'][j] if spread else ''}</tr>"
    head = "<th>column</th><th>coefficient</th>" + ("<th>log spread</th>" if spread else "")
    more = f"<p>plus {target['spreads']:.6g} times the spread</p>" if spread else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}"


def html_card(policy: Any) -> str:
    facts = policy._facts
    colour = "#2a7d2a" if facts["private"] else "#b03030"
    promise = (f"{facts['mu']:.4g}-GDP" if facts["mu"] > 0 else f"({facts['epsilon']:.4g}, {facts['delta']:.3g})-private") \
        if facts["private"] else "NOT PRIVATE"
    parts = [f"<div style='{_STYLE}'><div><b>tacit policy</b> by {html.escape(facts['method'])}, "
             f"<b style='color:{colour}'>{promise}</b></div>"]
    for heading, target in zip(_headings(facts), facts["goals"]):
        parts.append(f"<p><b>{html.escape(heading)}</b></p>{_table(facts, target)}")
    parts.append(f"<p>{html.escape(facts['statement'])}</p>")
    beliefs = _beliefs(facts)
    parts.append(f"<p>{html.escape(beliefs)}</p>" if beliefs else "")
    if facts["receipt"]:
        parts.append(f"<p>Paid for under label {html.escape(facts['receipt']['label'])}, "
                     f"entry {facts['receipt']['sequence']} of the ledger.</p>")
    return "".join(parts) + "</div>"
