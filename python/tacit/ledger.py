"""The ledger: a durable record of what each population of records has spent. Nothing else in the process may open its
file, neither to copy it nor with another SQLite: closing it would drop the locks of whoever spends."""
from __future__ import annotations

import datetime
import os
from typing import Any

from . import _core
from .asked import adjacency_number, bytes_of
from .errors import UsageError
from .frame import Frame

READ, WRITE, CREATE, MOVE = 0, 1, 2, 3


def own_path() -> str:
    """Where a user's own ledger is: the same file that the program spends from."""
    state, home = os.environ.get("XDG_STATE_HOME", ""), os.environ.get("HOME", "")
    if state.startswith("/"):
        return state + "/tacit/ledger.db"
    if not home.startswith("/"):
        raise UsageError("there is no home folder for your own ledger; give ledger=, or ledger=False to keep no record")
    return home + "/.local/state/tacit/ledger.db"


def make_folders(path: str) -> None:
    """The folders of a path, for the owner alone, with their names on the disk."""
    parts = path.split("/")[1:-1]
    for i in range(1, len(parts) + 1):
        folder = "/" + "/".join(parts[:i])
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:
            continue
        parent = os.open(os.path.dirname(folder) or "/", os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(parent)
        finally:
            os.close(parent)


def now() -> bytes:
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ").encode()


class Ledger:
    """A ledger at a path; without one, the user's own, which is made when it is first spent from.

    >>> import tacit, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> ledger = tacit.Ledger.create(folder + "/ledger.db")
    >>> ledger.budget("lamb", mu=1)
    >>> ledger.left("lamb")
    1.0
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, wait: float = 30):
        self.path = os.fspath(path) if path is not None else own_path()
        self._own = path is None
        self._wait = int(wait * 1000)

    @classmethod
    def create(cls, path: str | os.PathLike[str], wait: float = 30) -> "Ledger":
        """A new ledger, or the one that is there."""
        self = cls(path, wait)
        self._open(CREATE).close()
        return self

    def _open(self, mode: int) -> _core.OpenLedger:
        if mode == CREATE and self._own:
            make_folders(self.path)
        return _core.OpenLedger(os.fsencode(self.path), mode, self._wait)

    def _payment(self, label: str, method: str, period: str | None = None) -> _core.Payment:
        # a mistyped name must not begin a ledger in which nothing was ever spent
        return _core.Payment(self._open(CREATE if self._own else WRITE), bytes_of(label), method.encode(), now(),
                             None if period is None else bytes_of(period))

    def budget(self, label: str, mu: float | None = None, *, epsilon: float | None = None, delta: float = 0,
               adjacency: str = "replace-one", rows_per_unit: int = 0, column: str | None = None, per: str | None = None,
               change: bool = False) -> None:
        """All releases under the label together, earlier ones too, stay within mu-GDP, or within the mu of ``epsilon`` and
        ``delta``. With ``per`` ("day", "week", "month", "quarter", "year") the budget is for each of them by itself: no unit may
        have records in two of them, and fits say which one theirs are of (``period="2024-03"``)."""
        if (mu is None) == (epsilon is None):
            raise UsageError("give the budget: mu, or epsilon and delta")
        if mu is None:
            mu = _core.gdp_mu(float(epsilon), float(delta))
        unit = {"adjacency": adjacency_number(adjacency), "rows_per_unit": rows_per_unit,
                "column": None if column is None else bytes_of(column)}
        opened = self._open(CREATE if self._own else WRITE)
        try:
            opened.set_budget(bytes_of(label), mu, delta, unit, change, now(), None if per is None else bytes_of(per))
        finally:
            opened.close()

    def _read(self, what: Any) -> Any:
        opened = self._open(READ)
        try:
            return what(opened)
        finally:
            opened.close()

    def totals(self) -> Frame:
        """What each label has spent and has left."""
        return Frame.from_rows(self._read(lambda opened: opened.totals()))

    def left(self, label: str, period: str | None = None) -> float | None:
        """The mu that is left under a label; None without a budget, or where releases are not Gaussian. Under a label with a
        budget for each month, or the like, that of a ``period``."""
        totals = [total for total in self._read(lambda opened: opened.totals()) if total["label"] == label]
        for total in totals:
            if total["period"] == period:
                return total["left_mu"]
        return totals[0]["budget_mu"] if totals and totals[0]["per"] else None

    def move(self) -> None:
        """Goes on with a ledger that was moved, copied or restored: it is spent from where it is now. There must be no other
        copy of it that is spent from, and nothing that was spent may be missing."""
        self._open(MOVE).close()

    def entries(self) -> Frame:
        """Every line of the record, with its hashes."""
        return Frame.from_rows(self._read(lambda opened: opened.entries()))

    def check(self, policy: Any = None) -> None:
        """Recomputes the chain from the first entry on; with a policy, whether it was paid for here."""
        self._read(lambda opened: opened.check())
        if policy is not None:
            self._read(lambda opened: opened.check_policy(policy._c))

    def _shown(self) -> Frame:
        """Totals for people: what stands in every line alike, or nowhere, is left out."""
        totals = self.totals()
        names = [name for name in totals if name != "unit" and any(value is not None for value in totals[name])]
        return Frame({name: totals[name] for name in names})

    def show(self) -> str:
        """What a person wants to know, as text."""
        return str(self._shown()) if len(self.totals()) else "nothing was spent, and no budget was set"

    def __repr__(self) -> str:
        return f"Ledger({self.path!r})"

    def _repr_html_(self) -> str:
        return self._shown()._repr_html_()


def ledger_of(ledger: "Ledger | str | os.PathLike[str] | None | bool") -> "Ledger | None":
    """None is the user's own, False none at all."""
    if ledger is False:
        return None
    if ledger is None or ledger is True:
        return Ledger()
    return ledger if isinstance(ledger, Ledger) else Ledger(ledger)
