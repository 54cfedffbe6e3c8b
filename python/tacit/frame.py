"""A small table of results, which any data frame library takes: no dependency of our own."""
from __future__ import annotations

import html
from typing import Any, Iterator, Mapping


class Frame(Mapping[str, list]):
    """Columns by name. ``to_pandas`` and ``to_polars`` make frames of those libraries.

    >>> from tacit.frame import Frame
    >>> frame = Frame({"column": ["a", "b"], "coefficient": [1.0, 2.5]})
    >>> frame["coefficient"]
    [1.0, 2.5]
    >>> print(frame)
    column  coefficient
    a                 1
    b               2.5
    """

    def __init__(self, columns: Mapping[str, list]):
        self._columns = dict(columns)

    @classmethod
    def from_rows(cls, rows: list[dict[str, Any]]) -> "Frame":
        names = list(rows[0]) if rows else []
        return cls({name: [row.get(name) for row in rows] for name in names})

    def __getitem__(self, name: str) -> list:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def height(self) -> int:
        return len(next(iter(self._columns.values()), []))

    def rows(self) -> list[dict[str, Any]]:
        return [{name: values[i] for name, values in self._columns.items()} for i in range(self.height)]

    def to_pandas(self) -> Any:
        import pandas

        return pandas.DataFrame(self._columns)

    def to_polars(self) -> Any:
        import polars

        return polars.DataFrame(self._columns)

    def _texts(self) -> list[list[str]]:
        return [[name, *[_show(v) for v in values]] for name, values in self._columns.items()]

    def __str__(self) -> str:
        columns = self._texts()
        right = [not any(isinstance(v, str) for v in values) for values in self._columns.values()]
        widths = [max(map(len, column)) for column in columns]
        lines = []
        for i in range(self.height + 1):
            cells = [c[i].rjust(w) if r else c[i].ljust(w) for c, w, r in zip(columns, widths, right)]
            lines.append("  ".join(cells).rstrip())
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        columns = self._texts()
        head = "".join(f"<th>{html.escape(c[0])}</th>" for c in columns)
        body = "".join("<tr>" + "".join(f"<td>{html.escape(c[i])}</td>" for c in columns) + "</tr>"
                       for i in range(1, self.height + 1))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _show(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
