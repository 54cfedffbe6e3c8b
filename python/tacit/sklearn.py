"""scikit-learn estimators: a newsvendor's order and a quantile, with or without privacy.

A private estimator spends from the ledger each time it is fitted, and its ``score`` on private rows spends too. What a
fitted estimator holds is its policy, and nothing else of the rows.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import _check_feature_names, _check_n_features, check_is_fitted, validate_data

from .errors import RefusedError, UsageError
from .fitting import fit_with_counts
from .policy import Policy
from .schema import Schema
from .tables import columns_of


class _Estimator(RegressorMixin, BaseEstimator):
    """What both share. A table with column names goes with a schema of its own; an array gets one from ``bounds``."""

    def _goal(self) -> dict[str, float]:
        raise NotImplementedError

    @property
    def _private(self) -> bool:
        return self.mu is not None or self.epsilon is not None

    def _schema(self, X: Any, y: Any) -> Schema:
        """Of an array: one with public bounds, or, without privacy, with the rows' own: nothing is promised then."""
        if self._private and (self.bounds is None or self.target_bounds is None):
            raise UsageError("a private fit needs public facts: schema=, or bounds=(low, high) of the features and "
                             "target_bounds=(low, high); bounds taken from the rows would make the promise false")
        low, high = _limits(X, self.bounds)
        bottom, top = self.target_bounds if self.target_bounds is not None else _range(y)
        schema: dict[str, Any] = {"target": {"name": "y", "min": float(bottom), "max": float(top)}, "features": [
            {"name": f"x{j}", "min": float(low[j]), "max": float(high[j])} for j in range(X.shape[1])]}
        if self.rows_per_unit is not None:
            schema["unit"] = {"rows_per_unit": int(self.rows_per_unit), "column": "unit"}
        return Schema.from_dict(schema)

    def _tables(self, X: Any, y: Any, fitting: bool) -> tuple[dict[str, Any], Any, Any]:
        """The table as columns, and what the schema is made from."""
        given = {} if fitting else {"reset": False}
        if self.schema is None:
            if y is None and not fitting:
                X = validate_data(self, X, dtype=np.float64, **given)
            else:
                X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True, ensure_min_samples=2 if fitting else 1, **given)
            table = {f"x{j}": X[:, j] for j in range(X.shape[1])}
            return (table if y is None else {**table, "y": y}), X, y
        schema = Schema.of(self.schema)
        if len(schema.targets) != 1:
            raise UsageError("an estimator has one target; tacit.fit learns several")
        _check_feature_names(self, X, reset=fitting)
        _check_n_features(self, X, reset=fitting)
        names = [name for name in schema.inputs if name not in schema.targets]
        table = columns_of(X, names)
        return (table if y is None else {**table, schema.targets[0]: np.asarray(y)}), X, y

    def fit(self, X: Any, y: Any, unit: Any = None) -> Any:
        """Learns. ``unit`` names whose row each is, with ``rows_per_unit`` (metadata routing: ``set_fit_request``)."""
        if (unit is None) != (self.rows_per_unit is None):
            raise UsageError("unit and rows_per_unit go together: whose row each is, and how many one may own")
        if self.schema is not None and unit is not None:
            raise UsageError("the schema says whose row each is: name its unit's column there, and put it into the table")
        if any(hasattr(value, "__len__") for value in self._goal().values()):
            raise UsageError("an estimator has one quantile; tacit.fit learns several at once")
        table, X, y = self._tables(X, y, True)
        schema = Schema.of(self.schema) if self.schema is not None else self._schema(X, y)
        if unit is not None:
            table["unit"] = unit
        self.policy_ = fit_with_counts(
            table, schema, mu=self.mu, epsilon=self.epsilon, delta=self.delta, method=self._method(),
            adjacency=self.adjacency, nominal_rows=self.nominal_rows, label=self.label, ledger=self.ledger,
            seed=self._seed(), threads=self.threads, progress=False, **self._goal(), **(self.options or {})).policy
        return self

    def _seed(self) -> int | None:
        return None if self.random_state is None or not self._private else int(self.random_state)

    def _method(self) -> str:
        if self.method != "default":
            return self.method
        return "default" if self._private else "erm-exact"

    def predict(self, X: Any) -> np.ndarray:
        """Orders. They reveal the features they were computed from."""
        check_is_fitted(self, "policy_")
        return np.asarray(self.policy_.order(self._tables(X, None, False)[0]))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Minus the mean cost. For a private estimator the figure is released with noise and paid for from the ledger:
        ``score_mu`` says how much; without one it is refused, for choosing by exact scores on private rows would make the
        certificate false."""
        check_is_fitted(self, "policy_")
        if sample_weight is not None:
            raise UsageError("rows have no weights here: a weight would be a second, unbounded datum of its unit")
        table = self._tables(X, y, False)[0]
        if not self._private:
            return -float(self.policy_.evaluate(table, progress=False)["mean_cost"])
        if self.score_mu is None:
            raise RefusedError("an exact score of private rows would leak them: set score_mu to release it with noise, paid "
                               "for from the ledger; tacit.plan estimates what a guarantee costs without any rows")
        if self.rows_per_unit is not None:
            raise RefusedError("a private score by units needs the units' names: use policy_.evaluate on the table")
        found = self.policy_.evaluate(table, mu=self.score_mu, label=self.label, ledger=self.ledger, progress=False,
                                      adjacency=self.adjacency, nominal_rows=self.nominal_rows,
                                      seed=self._seed())
        return -float(found["mean_cost"])

    @property
    def coef_(self) -> np.ndarray:
        """Slopes in the features' own units."""
        return np.asarray(self.policy_.coefficients["coefficient"][1:])

    @property
    def intercept_(self) -> float:
        return float(self.policy_.coefficients["coefficient"][0])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.non_deterministic = self._private and self.random_state is None
        tags.regressor_tags.poor_score = True  # an order at a quantile is no mean
        return tags


def _range(values: Any) -> tuple[float, float]:
    low, high = float(np.min(values)), float(np.max(values))
    room = max(high - low, abs(low), abs(high), 1.0) * 1e-6
    return low - room, high + room


def _limits(X: Any, bounds: Any) -> tuple[Any, Any]:
    if bounds is not None:
        low, high = bounds
        return np.broadcast_to(np.asarray(low, float), X.shape[1]), np.broadcast_to(np.asarray(high, float), X.shape[1])
    pairs = [_range(X[:, j]) for j in range(X.shape[1])]
    return [p[0] for p in pairs], [p[1] for p in pairs]


class NewsvendorRegressor(_Estimator):
    """How much to order when a missing unit costs ``underage`` and one left over costs ``overage``.

    With ``mu`` (or ``epsilon`` and ``delta``) the fit is private and needs public ``bounds`` of the features and
    ``target_bounds``, or a ``schema``; without, it is exact quantile regression.

    >>> import numpy as np
    >>> from tacit.sklearn import NewsvendorRegressor
    >>> X = np.linspace(0, 1, 500)[:, None]
    >>> y = 10 * X[:, 0] + np.tile([0.0, 1, 2, 3, 4], 100)
    >>> model = NewsvendorRegressor(3, 1, mu=1, bounds=(0, 1), target_bounds=(0, 20), random_state=1).fit(X, y)
    >>> bool(abs(model.predict([[0.5]])[0] - 8) < 1)
    True
    """

    def __init__(self, underage: float = 1, overage: float = 1, *, mu: float | None = None, epsilon: float | None = None,
                 delta: float | None = None, schema: Any = None, bounds: Any = None, target_bounds: Any = None,
                 method: str = "default", options: dict | None = None, adjacency: str = "replace-one",
                 nominal_rows: int | None = None, rows_per_unit: int | None = None, label: str = "default",
                 ledger: Any = None, score_mu: float | None = None, random_state: int | None = None, threads: int = 0):
        self.underage = underage
        self.overage = overage
        _store(self, locals())

    def _goal(self) -> dict[str, float]:
        return {"underage": self.underage, "overage": self.overage}


class QuantileRegressor(_Estimator):
    """Linear quantile regression, with or without privacy. Without, it is the exact minimiser of the pinball loss.

    >>> import numpy as np
    >>> from tacit.sklearn import QuantileRegressor
    >>> X = np.arange(100.0)[:, None]
    >>> model = QuantileRegressor(0.5).fit(X, 2 * X[:, 0] + 1)
    >>> bool(abs(model.coef_[0] - 2) < 1e-6)
    True
    """

    def __init__(self, quantile: float = 0.5, *, mu: float | None = None, epsilon: float | None = None,
                 delta: float | None = None, schema: Any = None, bounds: Any = None, target_bounds: Any = None,
                 method: str = "default", options: dict | None = None, adjacency: str = "replace-one",
                 nominal_rows: int | None = None, rows_per_unit: int | None = None, label: str = "default",
                 ledger: Any = None, score_mu: float | None = None, random_state: int | None = None, threads: int = 0):
        self.quantile = quantile
        _store(self, locals())

    def _goal(self) -> dict[str, float]:
        return {"quantile": self.quantile}


_SHARED = ("mu", "epsilon", "delta", "schema", "bounds", "target_bounds", "method", "options", "adjacency", "nominal_rows",
           "rows_per_unit", "label", "ledger", "score_mu", "random_state", "threads")


def _store(self: Any, given: dict[str, Any]) -> None:
    for name in _SHARED:
        setattr(self, name, given[name])
