"""Progress, and what Ctrl-C leaves behind."""
from __future__ import annotations

import contextlib
import sys
import time
from typing import Any, Callable, Iterator

from . import _core
from .errors import Interrupted, TacitError

Progress = bool | Callable[[str, float], None]


class _Line:
    """A line on the terminal, shown for work that takes longer than a moment."""

    def __init__(self) -> None:
        self.started, self.shown = time.monotonic(), 0.0

    def __call__(self, what: str, fraction: float) -> None:
        now = time.monotonic()
        if now - self.started > 0.5 and now - self.shown > 0.1:
            self.shown = now
            sys.stderr.write(f"\r{what} {100 * fraction:3.0f} %")
            sys.stderr.flush()

    def close(self) -> None:
        if self.shown:
            sys.stderr.write("\r\033[K")


class _Bar:
    """tqdm's bar: a widget in a notebook."""

    def __init__(self, tqdm: Any) -> None:
        self.tqdm, self.bar, self.started = tqdm, None, time.monotonic()

    def __call__(self, what: str, fraction: float) -> None:
        if self.bar is None:
            if time.monotonic() - self.started < 0.5:
                return
            self.bar = self.tqdm(total=100, leave=False)
        self.bar.set_description(what)
        self.bar.n = int(100 * fraction)
        self.bar.refresh()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


def _callback(progress: Progress) -> Any:
    if callable(progress):
        return progress
    if not progress and not (sys.stderr is not None and sys.stderr.isatty()) and "ipykernel" not in sys.modules:
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Line()
    return _Bar(tqdm)


@contextlib.contextmanager
def working(progress: Progress | None, threads: int, payment: Any = None) -> Iterator[_core.Work]:
    """The extension's context for one call. progress: True, False, a function of (what, fraction), or None for a bar where
    somebody is watching."""
    callback = None if progress is False else _callback(progress or False)
    try:
        yield _core.Work(callback, threads)
    except KeyboardInterrupt as error:
        raise _interrupted(payment) from error
    except TacitError as error:
        _say_spent(error, payment)
        raise
    except Exception as error:  # of a callback or an engine: its own, with what was spent beside it
        spent = payment.spent if payment is not None else None
        if spent and hasattr(error, "add_note"):
            error.add_note(_spent_text(spent))
        raise
    finally:
        if callback is not None and hasattr(callback, "close"):
            callback.close()
        if payment is not None:
            payment.close()


def _spent_text(spent: dict[str, Any]) -> str:
    return f"the budget of label \"{spent['label']}\" was spent before that (entry {spent['sequence']} of the ledger)"


def _interrupted(payment: Any) -> Interrupted:
    spent = payment.spent if payment is not None else None
    error = Interrupted("cancelled; " + (_spent_text(spent) if spent else "nothing was spent"))
    error.spent = spent
    return error


def _say_spent(error: TacitError, payment: Any) -> None:
    spent = payment.spent if payment is not None else None
    if spent:
        error.add_note(_spent_text(spent))
