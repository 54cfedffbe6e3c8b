"""scikit-learn's own checks, and what a private estimator must and must not do."""
import pickle
import warnings

import pytest

pytest.importorskip("sklearn")
import numpy as np
from sklearn.base import clone
from sklearn.linear_model import QuantileRegressor as Theirs
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import tacit
from tacit.sklearn import NewsvendorRegressor, QuantileRegressor

SEEDED = dict(mu=5, bounds=(-100, 100), target_bounds=(-500, 500), random_state=1)
REFUSES = "a private estimator refuses to score without a budget of its own (score_mu)"


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(3)
    X = rng.uniform(-1, 1, (400, 3))
    return X, 10 + X @ [1.0, -2, 3] + rng.normal(size=400)


@pytest.mark.parametrize("estimator, expected", [
    (QuantileRegressor(0.5), {}),
    (NewsvendorRegressor(3, 1), {}),
    (QuantileRegressor(0.5, **SEEDED), {"check_fit_score_takes_y": REFUSES, "check_pipeline_consistency": REFUSES}),
    (NewsvendorRegressor(3, 1, **SEEDED), {"check_fit_score_takes_y": REFUSES, "check_pipeline_consistency": REFUSES}),
])
def test_their_checks(estimator, expected):
    """The expected failures are all there are, and each of them fails."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = check_estimator(estimator, on_fail=None, on_skip=None, expected_failed_checks=expected)
    failed = {one["check_name"] for one in found if one["status"] == "failed"}
    assert failed == set() and {one["check_name"] for one in found if one["status"] == "xfail"} == set(expected)


@pytest.mark.parametrize("quantile", [0.2, 0.5, 0.9])
def test_it_is_their_quantile_regression(rows, quantile):
    """Without privacy and without a penalty: the same minimum."""
    X, y = rows
    theirs = Theirs(quantile=quantile, alpha=0).fit(X, y)

    def loss(predicted):
        rest = y - predicted
        return np.mean(np.maximum(quantile * rest, (quantile - 1) * rest))

    ours = QuantileRegressor(quantile).fit(X, y)
    assert loss(ours.predict(X)) <= loss(theirs.predict(X)) * (1 + 1e-7)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-2)


@pytest.mark.parametrize("quantile", [0.05, 0.5, 0.9])
def test_the_share_below_is_the_quantile(quantile):
    """Of all rows but those that the fit goes through, which are as many as it has coefficients."""
    from sklearn.datasets import make_regression

    X, y = make_regression(n_samples=1000, n_features=20, random_state=0, noise=1.0)
    rest = y - QuantileRegressor(quantile).fit(X, y).predict(X)
    assert np.mean(rest < -1e-9) <= quantile <= np.mean(rest <= 1e-9)
    assert np.sum(np.abs(rest) <= 1e-9) == 21


def test_an_estimator_has_one_quantile(rows):
    with pytest.raises(tacit.UsageError, match="one quantile"):
        QuantileRegressor([0.5, 0.9]).fit(*rows)


def test_a_private_fit_needs_public_facts(rows):
    with pytest.raises(tacit.UsageError, match="bounds taken from the rows"):
        QuantileRegressor(0.5, mu=1).fit(*rows)


def test_each_private_fit_spends_and_a_refused_one_raises(rows, tmp_path):
    book = tacit.Ledger.create(tmp_path / "l.db")
    book.budget("x", mu=1)
    model = NewsvendorRegressor(3, 1, mu=0.5, bounds=(-1, 1), target_bounds=(0, 20), ledger=str(tmp_path / "l.db"), label="x")
    search = GridSearchCV(model, {"underage": [1, 3]}, cv=3, error_score="raise", scoring="neg_mean_absolute_error")
    with pytest.raises(tacit.BudgetError):
        search.fit(*rows)
    assert book.totals()["releases"] == [4] and book.left("x") == 0


def test_scores_spend_or_raise(rows, tmp_path):
    book = tacit.Ledger.create(tmp_path / "l.db")
    book.budget("x", mu=1)
    model = NewsvendorRegressor(3, 1, mu=0.6, bounds=(-1, 1), target_bounds=(0, 20), ledger=str(tmp_path / "l.db"), label="x")
    model.fit(*rows)
    with pytest.raises(tacit.RefusedError, match="score_mu"):
        model.score(*rows)
    assert model.set_params(score_mu=0.8).score(*rows) < 0
    assert book.left("x") < 1e-6
    with pytest.raises(tacit.BudgetError):
        model.score(*rows)


def test_a_pickle_holds_parameters_and_the_policy_alone(rows):
    """Byte by byte: two tables that give the same policy give the same pickle, and no number of a row is in it."""
    X, y = rows
    model = NewsvendorRegressor(3, 1, **SEEDED).fit(X, y)
    order = np.random.default_rng(0).permutation(len(y))
    other = NewsvendorRegressor(3, 1, **SEEDED).fit(X[order], y[order])  # the order of rows does not matter to a policy
    kept = pickle.dumps(model)
    assert kept == pickle.dumps(other)
    state = model.__getstate__()
    assert set(state) - set(model.get_params()) <= {"policy_", "n_features_in_", "_sklearn_version"}
    for value in np.concatenate([X.ravel(), y]):
        assert value.tobytes() not in kept and value.tobytes()[::-1] not in kept and repr(float(value)).encode() not in kept
    assert b"400" not in kept.replace(model.policy_.text.encode(), b"")
    np.testing.assert_array_equal(pickle.loads(kept).predict(X), model.predict(X))


def test_pipelines_frames_and_units(rows):
    pandas = pytest.importorskip("pandas")
    X, y = rows
    pipe = make_pipeline(StandardScaler(), QuantileRegressor(0.7)).set_output(transform="pandas")
    assert pipe.fit(X, y).predict(X).shape == (400,)
    schema = tacit.Schema("y", min=0, max=20).number("a", min=-1, max=1).category("k", ["u", "v"])
    frame = pandas.DataFrame({"a": X[:, 0], "k": np.where(X[:, 1] > 0, "u", "v")})
    model = NewsvendorRegressor(3, 1, mu=1, schema=schema.to_dict(), random_state=1)
    assert clone(model).fit(frame, y).predict(frame).shape == (400,)
    units = NewsvendorRegressor(3, 1, mu=1, bounds=(-1, 1), target_bounds=(0, 20), rows_per_unit=2, random_state=1)
    assert '"column": "unit"' in units.fit(X, y, unit=np.arange(400) // 2).policy_.text
    with pytest.raises(tacit.UsageError, match="go together"):
        units.fit(X, y)
