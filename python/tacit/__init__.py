"""Decisions learned from sensitive records under differential privacy; only the decision rule is given away.

>>> import tacit
>>> table, schema = tacit.simulate("restaurant", seed=1)
>>> policy = tacit.fit(table, schema, underage=50, overage=30, mu=0.5, ledger=False)
>>> bool(policy.verify())
True
>>> orders = policy.order(table)
"""
from __future__ import annotations

from typing import Any

from . import account, spo
from ._core import audit_names, methods, simulators
from .errors import (BudgetError, CheckError, InputError, Interrupted, RefusedError, SchemaError, TacitError,
                     UsageError)
from .fitting import Fit, fit, fit_with_counts, pack
from .frame import Frame
from .ledger import Ledger
from .policy import Policy, Verdict
from .schema import Schema
from .studies import Plan, audit, plan, simulate
from .tables import Csv, Events, Sql
from .version import version as __version__

__all__ = ["BudgetError", "CheckError", "Csv", "Events", "Fit", "Frame", "InputError", "Interrupted", "Ledger", "Plan", "Policy",
           "RefusedError", "Schema", "SchemaError", "Sql", "TacitError", "UsageError", "Verdict", "account", "audit",
           "audit_names", "fit", "fit_with_counts", "methods", "pack", "plan", "simulate", "simulators", "spo"]


def __getattr__(name: str) -> Any:
    # what needs other packages is imported when it is asked for
    if name in ("sklearn", "plot", "engines"):
        import importlib

        return importlib.import_module("." + name, __name__)
    raise AttributeError(f"module 'tacit' has no attribute {name!r}")
