"""Privacy arithmetic alone: no data, no noise. Every result is rounded to the safe side.

>>> from tacit import account
>>> account.epsilon(mu=0.5, delta=1e-5) < 2.1
True
>>> round(account.compose([0.3, 0.4]), 6)  # rounded up
0.5
"""
from __future__ import annotations

from typing import Iterable

from . import _core
from .asked import adjacency_number
from .errors import UsageError
from .frame import Frame


def delta(mu: float, epsilon: float) -> float:
    """The smallest delta of mu-GDP at epsilon."""
    return _core.gdp_delta(mu, epsilon)


def epsilon(mu: float, delta: float) -> float:
    """The smallest epsilon of mu-GDP at delta."""
    return _core.gdp_epsilon(mu, delta)


def mu(epsilon: float, delta: float) -> float:
    """The largest mu that (epsilon, delta) allows."""
    return _core.gdp_mu(epsilon, delta)


def compose(mus: Iterable[float]) -> float:
    """All releases together, chosen in the light of earlier ones or not."""
    return _core.gdp_compose([float(m) for m in mus])


def sigma(mu: float, sensitivity: float = 1, steps: int = 1) -> float:
    """The smallest noise for so many releases within mu."""
    return _core.gdp_sigma(mu, sensitivity, steps)


def beliefs(mu: float = 0, epsilon: float = 0, delta: float = 0) -> Frame:
    """What somebody may come to believe about one unit, from each prior."""
    return Frame.from_rows(_core.beliefs(mu, epsilon, delta))


class Sampled:
    """Many steps of the sampled Gaussian mechanism (DP-SGD). Results are intervals that hold the exact value.

    >>> from tacit import account
    >>> low, high = account.Sampled(sigma=6.07, rate=1 / 5000, steps=25_000_000, sampling="fixed").delta(epsilon=1)
    >>> 8.15e-4 < low < high < 8.19e-4
    True
    """

    def __init__(self, *, rate: float, steps: int, sigma: float = 1, sampling: str = "poisson",
                 adjacency: str = "replace-one"):
        if sampling not in ("poisson", "fixed"):
            raise UsageError("sampling is poisson or fixed")
        self._steps = {"sigma": sigma, "rate": rate, "steps": steps, "sampling": int(sampling == "fixed"),
                       "adjacency": adjacency_number(adjacency)}

    def delta(self, epsilon: float) -> tuple[float, float]:
        return _core.sampled("delta", self._steps, epsilon)

    def epsilon(self, delta: float) -> tuple[float, float]:
        return _core.sampled("epsilon", self._steps, delta)

    def sigma_for(self, epsilon: float, delta: float) -> tuple[float, float]:
        """The smallest noise; ``sigma`` is not looked at."""
        return _core.sampled("sigma", self._steps, epsilon, delta)

    def other_accountants(self, delta: float) -> dict[str, float]:
        """The epsilon that other accountants give the same steps."""
        return _core.sampled("accountants", self._steps, delta)


class Objective:
    """Objective perturbation: the minimiser of a sum of losses with a ridge and a random linear term."""

    def __init__(self, *, lipschitz: float, smoothness: float, ridge: float = 0, sigma: float = 0,
                 adjacency: str = "replace-one"):
        self._given = {"lipschitz": lipschitz, "smoothness": smoothness, "ridge": ridge, "sigma": sigma,
                       "adjacency": adjacency_number(adjacency)}

    def delta(self, epsilon: float) -> tuple[float, float]:
        return _core.objective("delta", self._given, epsilon)

    def epsilon(self, delta: float) -> tuple[float, float]:
        return _core.objective("epsilon", self._given, delta)

    def sigma_for(self, epsilon: float, delta: float) -> float:
        return _core.objective("sigma", self._given, epsilon, delta)

    def ridge_for(self, epsilon: float, delta: float) -> float:
        return _core.objective("lambda", self._given, epsilon, delta)


def zcdp_rho(sensitivity: float, sigma: float, steps: int = 1) -> float:
    """Zero-concentrated differential privacy of so many Gaussian releases."""
    return _core.zcdp_rho(sensitivity, sigma, steps)


def zcdp_epsilon(rho: float, delta: float) -> float:
    return _core.zcdp_epsilon(rho, delta)


def advanced_composition(epsilon: float, delta: float, steps: int, slack: float) -> tuple[float, float]:
    """So many (epsilon, delta) releases together, for a slack in delta."""
    return _core.advanced_composition(epsilon, delta, steps, slack)
