"""The schema: what is public about a table. Written by a person, never inferred from rows."""
from __future__ import annotations

import json
import os
from typing import Any, Iterable, Mapping

from . import _core
from .errors import InputError, SchemaError, UsageError


class Schema:
    """Columns, their public bounds, and whose data a row is.

    Built in code, each piece checked as it is added, or from JSON (a text, a file, a dict).

    >>> import tacit
    >>> schema = (tacit.Schema("demand", min=0, max=100)
    ...           .number("temperature", min=-15, max=40, missing=10)
    ...           .category("weekday", ["MON", "TUE", "WED"]))
    >>> schema.columns
    ['(intercept)', 'temperature', 'weekday=TUE', 'weekday=WED']
    >>> schema.number("rain", min=5, max=1)
    Traceback (most recent call last):
    ...
    tacit.errors.SchemaError: "min" in features[2] must be below "max"
    """

    def __init__(self, target: str | None = None, *, _facts: Mapping[str, Any] | None = None, **bounds: Any):
        if _facts is None:
            if target is None:
                raise UsageError("name the target: Schema('demand', min=0, max=100)")
            _facts = {"target": {"name": target, **bounds}, "features": []}
        self._settle(dict(_facts))

    def _settle(self, facts: dict[str, Any]) -> None:
        self._c = _core.CSchema(json.dumps(facts))  # what is wrong is said here, and changes nothing
        self._facts = facts

    # ways in

    @classmethod
    def from_dict(cls, facts: Mapping[str, Any]) -> "Schema":
        """From the object that a schema file holds."""
        return cls(_facts=facts)

    @classmethod
    def from_json(cls, text: str) -> "Schema":
        """From JSON text."""
        try:
            facts = json.loads(text)
        except ValueError:
            _core.CSchema(text)  # the library says where
            raise
        if not isinstance(facts, dict):
            _core.CSchema(text)
        self = cls.__new__(cls)
        self._c = _core.CSchema(text)  # the text itself: keys given twice are found
        self._facts = facts
        return self

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> "Schema":
        """From a file."""
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        except OSError as error:
            raise InputError(f"cannot read {os.fspath(path)}: {error.strerror}") from None
        return cls.from_json(text)

    @classmethod
    def of(cls, schema: "Schema | Mapping[str, Any] | str | os.PathLike[str]") -> "Schema":
        """A schema from whatever stands for one: itself, a dict, JSON text, a path."""
        if isinstance(schema, Schema):
            return schema
        if isinstance(schema, Mapping):
            return cls.from_dict(schema)
        if isinstance(schema, str) and schema.lstrip().startswith("{"):
            return cls.from_json(schema)
        return cls.read(schema)

    @classmethod
    def draft(cls, data: Any, target: str) -> "Draft":
        """What a schema for this table would need, from its columns' names and types alone: no value is looked at.

        >>> import tacit
        >>> draft = tacit.Schema.draft({"rain": [0.5], "weekday": ["MON"], "demand": [3]}, "demand")
        >>> print(draft)
        Schema("demand", min=..., max=...)
          .number("rain", min=..., max=...)
          .category("weekday", [...])
        # text that is a date: .date("...", ["weekday", "month"]); true or false: .flag("...")
        >>> draft.fill(demand=dict(min=0, max=100), rain=(0, 40), weekday=["MON", "TUE"]).columns
        ['(intercept)', 'rain', 'weekday=TUE']
        """
        from .draft import Draft

        return Draft.from_table(data, target)

    # pieces: each returns the schema itself, so that they chain

    def _add(self, **feature: Any) -> "Schema":
        facts = dict(self._facts, features=[*self._facts["features"], feature])
        self._settle(facts)
        return self

    def target(self, name: str, **bounds: Any) -> "Schema":
        """One more target of the same table."""
        before = self._facts["target"]
        targets = list(before) if isinstance(before, list) else [before]
        self._settle(dict(self._facts, target=[*targets, {"name": name, **bounds}]))
        return self

    def number(self, name: str, **keys: Any) -> "Schema":
        """A number column: ``min`` and ``max``, or ``center`` and ``scale``; perhaps ``missing``, a ``transform``."""
        return self._add(name=name, **keys)

    def category(self, name: str, levels: Iterable[str], **keys: Any) -> "Schema":
        """A category: its levels, the first of which is the base; perhaps ``missing``."""
        return self._add(name=name, levels=list(levels), **keys)

    def flag(self, name: str, **keys: Any) -> "Schema":
        """A column of truths (yes and no, true and false, 1 and 0); perhaps ``missing``."""
        return self._add(name=name, flag=True, **keys)

    def date(self, name: str, parts: Iterable[str], **keys: Any) -> "Schema":
        """Parts of a date: weekday, month, week, hour, day-of-year, trend (with ``start`` and ``end``); perhaps
        ``holidays``, a ``format``, ``missing``."""
        return self._add(name=name, date=list(parts), **keys)

    def interaction(self, *features: str) -> "Schema":
        """Products of two or three features of this schema, by name."""
        return self._add(interaction=list(features))

    def lag(self, name: str, lag: int, **keys: Any) -> "Schema":
        """The target that many records earlier. State ``unit`` first: a record is then in several rows."""
        return self._add(name=name, lag=lag, **keys)

    def transform(self, name: str, transform: str, **keys: Any) -> "Schema":
        """A basis of a number column: spline, polynomial, fourier, haar."""
        return self._add(name=name, transform=transform, **keys)

    def unit(self, rows_per_unit: int, column: str | None = None, *, change: float | None = None) -> "Schema":
        """Whose data is protected, and how many rows one of them may own or reach; with ``private="target"`` also by how
        much one may change the target of each."""
        unit: dict[str, Any] = {"rows_per_unit": rows_per_unit}
        if change is not None:
            unit["change"] = change
        if column is not None:
            unit["column"] = column
        self._settle(dict(self._facts, unit=unit))
        return self

    def set(self, **keys: Any) -> "Schema":
        """Any other key of the file: ``private``, ``clip_norm``, ``nominal_rows``, ``second_moment``."""
        self._settle(dict(self._facts, **keys))
        return self

    # ways out

    @property
    def columns(self) -> list[str]:
        """The encoded columns, the intercept first."""
        return self._c.columns

    @property
    def targets(self) -> list[str]:
        return self._c.targets

    @property
    def inputs(self) -> list[str]:
        """The table's columns that are read: features in their order, targets, the unit's column."""
        names = [f["name"] for f in self._facts["features"] if "name" in f] + self.targets  # interactions have none
        names += [self._c.unit_column] if self._c.unit_column else []
        targets = set(self.targets)
        features = [n for n in names if n not in targets]
        return list(dict.fromkeys([*features[: len(features)], *self.targets]))

    @property
    def unit_column(self) -> str | None:
        """The table's column that says whose a record is, or None."""
        return self._c.unit_column or None

    @property
    def table_columns(self) -> list[str]:
        """All columns of the table that a fit reads: the inputs, and those that say which days sold out."""
        return list(dict.fromkeys(self.inputs + [name for name in self._c.sold_columns if name]))

    @property
    def hash(self) -> str:
        """SHA-256 of the canonical form."""
        return self._c.hash

    def to_dict(self) -> dict[str, Any]:
        return json.loads(json.dumps(self._facts))

    def to_json(self, indent: int | None = 2) -> str:
        return json.dumps(self._facts, indent=indent, ensure_ascii=False)

    def save(self, path: str | os.PathLike[str]) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_json() + "\n")

    def __repr__(self) -> str:
        return f"Schema({', '.join(self.targets)} from {', '.join(self.columns[1:]) or 'the intercept alone'})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schema) and other.hash == self.hash

    def __hash__(self) -> int:
        return hash(self.hash)

    def __getstate__(self) -> dict[str, Any]:
        return {"facts": self._facts}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._settle(state["facts"])


__all__ = ["Schema", "SchemaError"]
