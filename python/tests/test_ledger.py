"""The ledger: spent before noise is drawn, refused when nothing is left, and never without a word."""
import pytest

import tacit


@pytest.fixture
def ledger(tmp_path):
    book = tacit.Ledger.create(tmp_path / "ledger.db")
    book.budget("lamb", mu=1)
    return book


ASK = dict(underage=50, overage=30)


def test_a_fit_spends_and_its_policy_says_so(ledger, restaurant):
    policy = tacit.fit(*restaurant, **ASK, mu=0.6, ledger=ledger, label="lamb")
    assert policy.receipt["label"] == "lamb"
    assert ledger.left("lamb") == pytest.approx(0.8)
    assert policy.verify(ledger=ledger)
    assert ledger.entries()["kind"] == ["budget", "spend"]
    ledger.check(policy)


def test_what_is_refused_spends_nothing(ledger, restaurant):
    with pytest.raises(tacit.BudgetError, match="0.9|not enough budget") as refused:
        tacit.fit(*restaurant, **ASK, mu=1.5, ledger=ledger, label="lamb")
    assert refused.value.code == 4 and "Nothing was spent" in str(refused.value)
    assert ledger.left("lamb") == 1
    with pytest.raises(tacit.BudgetError):  # a mistyped label is no fresh budget
        tacit.fit(*restaurant, **ASK, mu=0.1, ledger=ledger, label="lam")
    with pytest.raises(tacit.TacitError):  # nor is a mistyped path a fresh ledger
        tacit.fit(*restaurant, **ASK, mu=0.1, ledger=ledger.path + "x")
    with pytest.raises(tacit.InputError):  # a table that does not fit is found before the budget is touched
        tacit.fit({"demand": [1.0]}, restaurant[1], **ASK, mu=0.1, ledger=ledger, label="lamb")
    assert ledger.left("lamb") == 1


def test_private_evaluation_spends(ledger, restaurant):
    policy = tacit.fit(*restaurant, **ASK, mu=0.6, ledger=ledger, label="lamb")
    found = policy.evaluate(restaurant[0], mu=0.3, ledger=ledger, label="lamb")
    low, high = found["interval_95"]
    assert found["private"] and low < found["mean_cost"] < high
    assert sum(r["count"] * r["mu"] ** 2 for r in found["releases"]) <= 0.3 ** 2 * (1 + 1e-9)
    assert ledger.totals()["releases"] == [2]
    with pytest.raises(tacit.BudgetError):
        policy.evaluate(restaurant[0], mu=0.9, ledger=ledger, label="lamb")


def test_the_own_ledger_is_the_programs(restaurant):
    from conftest import run_program

    tacit.fit(*restaurant, **ASK, mu=0.25)
    assert "0.25" in run_program("ledger", "show")
    assert tacit.Ledger().totals()["spent_mu"] == [0.25]


def test_another_policy_is_not_paid_for(ledger, restaurant):
    other = tacit.fit(*restaurant, **ASK, mu=0.5, ledger=False)
    assert other.verify() and not other.verify(ledger=ledger)
