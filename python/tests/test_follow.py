"""Month after month: going on from the last policy, a budget for each period, records that meet a condition; each as the program
does it."""
import csv

import pytest

import tacit
from conftest import run_program


def write(path, table):
    with open(path, "w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(table)
        lines.writerows(zip(*table.values()))
    return path


@pytest.fixture(scope="module")
def halves():
    table, schema = tacit.simulate("restaurant", rows=730, seed=1)
    return [{name: values[part] for name, values in table.items()} for part in (slice(0, 365), slice(365, None))], schema


def test_a_chain_has_the_programs_bytes(halves, tmp_path):
    (one, two), schema = halves
    schema.save(tmp_path / "s.json")
    costs = dict(underage=50, overage=30)
    common = ["--schema", tmp_path / "s.json", "--underage", 50, "--overage", 30, "--seed", 3]
    run_program("fit", write(tmp_path / "1.csv", one), *common, "--mu", 1, "--method", "follow", "--period", "2024-01",
                "--out", tmp_path / "1.json")
    run_program("fit", write(tmp_path / "2.csv", two), *common, "--mu", 0.5, "--from", tmp_path / "1.json",
                "--period", "2024-02", "--out", tmp_path / "2.json")
    first = tacit.fit(one, schema, **costs, mu=1, seed=3, method="follow", period="2024-01")
    second = tacit.fit(two, schema, **costs, mu=0.5, seed=3, from_=first, period="2024-02")
    assert (first.text, second.text) == ((tmp_path / "1.json").read_text(), (tmp_path / "2.json").read_text())
    assert second.method == "follow" and second.period == "2024-02"
    assert tacit.fit(two, schema, **costs, mu=0.5, seed=3, from_=tmp_path / "1.json", period="2024-02") == second


def test_a_chain_is_verified_and_each_month_has_its_budget(halves, tmp_path):
    (one, two), schema = halves
    book = tacit.Ledger.create(tmp_path / "l.db")
    book.budget("x", mu=1, per="month")
    ask = dict(underage=50, overage=30, ledger=book, label="x")
    first = tacit.fit(one, schema, **ask, mu=1, method="follow", period="2024-01")
    with pytest.raises(tacit.BudgetError):
        tacit.fit(one, schema, **ask, mu=1, from_=first, period="2024-01")
    with pytest.raises(tacit.RefusedError):  # which month?
        tacit.fit(two, schema, **ask, mu=0.6, from_=first)
    second = tacit.fit(two, schema, **ask, mu=0.6, from_=first, period="2024-02")
    assert second.verify(from_=first, ledger=book) and not second.verify(from_=second)
    assert [book.left("x", month) for month in ("2024-01", "2024-02", "2024-03")] == pytest.approx([0, 0.8, 1])
    found = second.evaluate(two, mu=0.8, ledger=book, label="x", period="2024-02")
    assert found["mean_cost"] > 0 and book.left("x", "2024-02") < 1e-6
    assert "2024-02" in book.show() and "adjacency" not in book.show()


def test_a_budget_as_a_pair_and_a_moved_ledger(tmp_path):
    book = tacit.Ledger.create(tmp_path / "l.db")
    book.budget("x", epsilon=1, delta=1e-6)
    assert book.left("x") == pytest.approx(tacit.account.mu(1, 1e-6), rel=1e-6)
    for wrong in (dict(), dict(mu=1, epsilon=1, delta=1e-6)):
        with pytest.raises(tacit.UsageError, match="give the budget"):
            book.budget("y", **wrong)
    book.move()
    assert book.left("x") > 0


def test_records_that_meet_a_condition(halves, tmp_path):
    (one, _), schema = halves
    schema.save(tmp_path / "s.json")
    condition, path = "weekday = 'MON' AND rain < 5", write(tmp_path / "1.csv", one)
    ask = dict(underage=50, overage=30, mu=1, adjacency="add-remove", nominal_rows=50, seed=1)
    run_program("fit", path, "--schema", tmp_path / "s.json", "--underage", 50, "--overage", 30, "--mu", 1, "--seed", 1, "--adjacency",
                "add-remove", "--nominal-rows", 50, "--where", condition, "--out", tmp_path / "p.json")
    policy = tacit.fit(one, schema, **ask, where=condition)
    assert policy.text == (tmp_path / "p.json").read_text()
    count = sum(day == "MON" and rain < 5 for day, rain in zip(one["weekday"], one["rain"]))
    assert len(policy.order(one, where=condition)) == count == policy.evaluate(one, where=condition)["rows"]
    with pytest.raises(tacit.RefusedError, match="add-remove"):
        tacit.fit(one, schema, underage=1, overage=1, mu=1, where=condition, ledger=False)
    with pytest.raises(tacit.TacitError):
        policy.order(one, where="weekday ==== 3")


def test_whole_units_and_costs_as_the_program_orders(halves, tmp_path):
    (one, _), schema = halves
    path = write(tmp_path / "1.csv", one)
    policy = tacit.fit(one, schema, underage=[3, 1, 1], overage=[1, 1, 3], mu=1, seed=1)
    policy.save(tmp_path / "p.json")
    for more, words in ((dict(quantile=0.6), ["--quantile", 0.6]), (dict(underage=2, overage=1), ["--underage", 2, "--overage", 1]),
                        (dict(underage=1, overage=2), ["--underage", 1, "--overage", 2])):
        printed = run_program("order", tmp_path / "p.json", path, "--integer", *words).splitlines()[1:]
        want = [float(line.rsplit(",", 1)[1]) for line in printed]
        assert list(policy.order(one, integer=True, **more)) == want
        assert all(number == int(number) for number in want)
    every = policy.order(one, integer=True)
    printed = run_program("order", tmp_path / "p.json", path, "--integer").splitlines()[1:]
    want = [[float(cell) for cell in line.split(",")[-3:]] for line in printed]
    assert [list(row) for row in zip(*(every[name] for name in policy.goals))] == want


def test_a_key_that_was_asked_for(halves, tmp_path):
    (one, _), schema = halves
    for name in "ab":
        run_program("keys", "--out", tmp_path / name)
    policy = tacit.fit(one, schema, quantile=0.5, mu=1, ledger=False, sign=tmp_path / "a.secret")
    assert policy.verify(public_key=tmp_path / "a.public") and not policy.verify(public_key=tmp_path / "b.public")


def test_other_forms_of_csv(halves, tmp_path):
    (one, _), schema = halves
    with open(tmp_path / "t.csv", "w") as file:
        file.write(";".join(one) + "\n")
        for row in zip(*one.values()):
            file.write(";".join(str(cell).replace(".", ",") if isinstance(cell, float) else str(cell) for cell in row) + "\n")
    ask = dict(quantile=0.5, mu=1, seed=1)
    assert tacit.fit(tacit.Csv(tmp_path / "t.csv", ";", ","), schema, **ask) == tacit.fit(one, schema, **ask)
    facts = dict(schema.to_dict(), csv={"separator": ";", "decimal": ","})  # or the schema says it once
    said = tacit.fit(tmp_path / "t.csv", tacit.Schema.from_dict(facts), **ask)
    plain = tacit.fit(one, tacit.Schema.from_dict(facts), **ask)
    assert said == plain and list(said.order(tmp_path / "t.csv")) == list(plain.order(one))
    with pytest.raises(tacit.UsageError, match="one character"):
        tacit.fit(tacit.Csv(tmp_path / "t.csv", ";;"), schema, **ask)
