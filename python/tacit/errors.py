"""What can go wrong, as exceptions. The texts are the library's own: they say what to do and never quote a private value."""
from __future__ import annotations


class TacitError(Exception):
    """Any refusal or failure of tacit. ``code`` is the program's exit code for it."""

    code = 5


class CheckError(TacitError):
    """A check was made and did not hold."""

    code = 1


class UsageError(TacitError, ValueError):
    """The call itself is wrong: an unknown option, a number out of its range."""

    code = 2


class InputError(TacitError, ValueError):
    """A table or file is missing, malformed or does not fit the schema."""

    code = 3


class SchemaError(InputError):
    """The schema is malformed (code 3), or lacks a public fact that a promise needs (code 4)."""


class RefusedError(TacitError):
    """A public fact is missing that a promise needs, or a promise would be broken. Nothing was spent."""

    code = 4


class BudgetError(RefusedError):
    """A ledger refused: no budget is left, or it cannot be spent from. Nothing was spent."""


class Interrupted(TacitError, KeyboardInterrupt):
    """Ctrl-C. The text says what was spent, ``spent`` is the ledger's receipt or None."""

    code = 130
    spent: dict | None = None


_BY_STATUS = {1: CheckError, 2: UsageError, 3: InputError, 4: RefusedError, 5: TacitError, 6: Interrupted}


def from_status(status: int, text: str, where: str = "") -> TacitError:
    """The exception for a status of the C library; ``where`` is "schema" or "ledger" for those."""
    kind = _BY_STATUS.get(status, TacitError)
    if where == "schema" and status in (3, 4):
        kind = SchemaError
    if where == "ledger" and status == 4:
        kind = BudgetError
    error = kind(text)
    error.code = 130 if status == 6 else status
    return error
