"""Pictures are drawn, and their numbers are those of what they show."""
import pytest

pytest.importorskip("matplotlib")
import tacit
from tacit import plot


def test_pictures(restaurant, tmp_path):
    table, schema = restaurant
    book = tacit.Ledger.create(tmp_path / "l.db")
    book.budget("x", mu=1)
    for _ in range(2):
        policy = tacit.fit(table, schema, quantile=0.7, mu=0.5, ledger=book, label="x")
    ax = plot.spending(book, "x")
    assert ax.lines[0].get_ydata()[-1] == pytest.approx(0.5 ** 0.5)
    low = tacit.fit(table, schema, quantile=0.2, mu=2, seed=1)
    plot.orders([policy, low], table, table["demand"]).figure.savefig(tmp_path / "o.png")
    curve = plot.trade_off(1).lines[0].get_ydata()
    assert curve[100] == pytest.approx(0.158655, abs=1e-5)  # Phi(-1) at one half
    plan = tacit.plan(schema, 700, quantile=0.7, repetitions=6)
    assert len(plot.price(plan).containers) == len(set(plan.table["rows"]))
