"""A first draft of a schema, from the names and types of a table's columns. Values are never looked at: bounds taken from
records would make the promise false."""
from __future__ import annotations

from typing import Any

from .schema import Schema
from .tables import column_kinds


class Draft:
    """The columns, and for each what a person has to say about it. ``fill`` turns it into a schema."""

    def __init__(self, target: str, kinds: dict[str, str]):
        self.target = target
        self.kinds = kinds

    @classmethod
    def from_table(cls, data: Any, target: str) -> "Draft":
        kinds = column_kinds(data)
        if target not in kinds:
            from .errors import UsageError

            raise UsageError("the table has no column of the target's name; its columns are: " + ", ".join(kinds))
        return cls(target, kinds)

    def fill(self, **facts: Any) -> Schema:
        """A schema from what is publicly known of each column; columns that are not named are left out. A pair is
        (min, max), a list the levels of a category, a dict any keys of the schema file."""
        from .errors import UsageError

        unknown = [name for name in facts if name not in self.kinds]
        if unknown:
            raise UsageError("the table has no column " + ", ".join(unknown))
        if self.target not in facts:
            raise UsageError(f"say the bounds of the target: {self.target}=(min, max)")
        schema = Schema(self.target, **_keys(facts[self.target]))
        for name, kind in self.kinds.items():
            if name != self.target and name in facts:
                keys = _keys(facts[name])
                if kind != "number" and isinstance(facts[name], tuple):
                    raise UsageError(f"{name} holds {'moments' if kind == 'date' else 'text'}, not numbers: give its levels as a "
                                     f'list, or {name}=dict(date=["weekday", "month"]) for a date; dict(min=..., max=...) if its '
                                     "text is a number")
                schema._add(name=name, **keys)
        return schema

    def __str__(self) -> str:
        lines = [f'Schema("{self.target}", min=..., max=...)']
        for name, kind in self.kinds.items():
            if name == self.target:
                continue
            lines.append(_LINES[kind].format(name))
        if "text" in self.kinds.values():
            lines.append('# text that is a date: .date("...", ["weekday", "month"]); true or false: .flag("...")')
        return "\n".join(lines)

    __repr__ = __str__


_LINES = {"number": '  .number("{}", min=..., max=...)', "text": '  .category("{}", [...])',
          "date": '  .date("{}", ["weekday", "month"])'}


def _keys(facts: Any) -> dict[str, Any]:
    if isinstance(facts, dict):
        return facts
    if isinstance(facts, tuple) and len(facts) == 2:
        return {"min": facts[0], "max": facts[1]}
    return {"levels": list(facts)}
