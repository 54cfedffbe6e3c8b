"""Privacy arithmetic, against closed forms and against itself."""
import math

import pytest

import tacit
from tacit import account


def test_conversions_enclose_each_other():
    delta = account.delta(mu=1, epsilon=1)
    normal = lambda x: math.erfc(-x / math.sqrt(2)) / 2  # noqa: E731
    exact = normal(-1 + 0.5) - math.e * normal(-1 - 0.5)
    assert exact <= delta <= exact * (1 + 1e-9)
    assert account.epsilon(1, delta) == pytest.approx(1, rel=1e-9)
    assert account.mu(1, delta) <= 1
    assert account.compose([0.3, 0.4]) == pytest.approx(0.5)
    assert account.sigma(mu=0.5, sensitivity=2, steps=4) == pytest.approx(8)


def test_sampled_steps_are_enclosed():
    steps = account.Sampled(sigma=2, rate=0.01, steps=1000)
    low, high = steps.epsilon(1e-5)
    assert 0 < low <= high <= steps.other_accountants(1e-5)["rdp"]
    sigma = account.Sampled(rate=0.01, steps=1000).sigma_for(high, 1e-5)
    assert sigma[0] <= 2 * (1 + 1e-3) and sigma[1] >= 2 * (1 - 1e-3)


def test_what_is_out_of_range_is_said():
    with pytest.raises(tacit.UsageError):
        account.delta(-1, 1)
    with pytest.raises(tacit.UsageError):
        account.Sampled(rate=0.1, steps=1, sampling="coin")


def test_audits_and_plans(restaurant):
    _, schema = restaurant
    plan = tacit.plan(schema, 700, underage=50, overage=30, repetitions=6)
    assert plan.asked["mu"] == 0.5 and plan.asked["rows"] == 700 and "mu = 0.5 costs" in plan.recommendation
    assert plan.asked["low"] <= plan.asked["middle"] <= plan.asked["high"] and len(plan.cases["name"]) == 7
    assert set(plan.table["rows"]) == {700} and set(plan.by_rows["mu"]) == {0.5} and plan.answer is None
    back = tacit.plan(schema, 700, quantile=0.7, percent=2, repetitions=2)
    assert back.answer["mu_from"] <= back.answer["mu"] <= back.answer["mu_to"] and "A price of 2 % takes" in repr(back)
    with pytest.raises(tacit.UsageError, match="one quantile"):
        tacit.plan(schema, 700, quantile=[0.5, 0.9])
    methods, faults = tacit.audit_names()
    found = tacit.audit(methods[0], mu=1, runs=200, seed=1)
    assert not found["caught"] and found["mu_promised"] == 1 and faults
