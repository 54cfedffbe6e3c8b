"""The policy: what it decides, says and keeps."""
import json
import pickle

import pytest

import tacit
from conftest import run_program


@pytest.fixture(scope="module")
def policy(restaurant):
    return tacit.fit(*restaurant, underage=50, overage=30, mu=0.5, ledger=False)


def test_it_verifies_and_a_forged_one_does_not(policy):
    verdict = policy.verify()
    assert verdict and verdict.mu <= 0.5 and "holds" in repr(verdict)
    forged = policy.text.replace('"private": true', '"private": false')
    assert forged != policy.text and not tacit.Policy(forged).verify()


def test_seeded_is_not_private(restaurant):
    policy = tacit.fit(*restaurant, quantile=0.7, mu=1, seed=1)
    assert not policy.private and not policy.verify()


def test_costs_in_tiers_are_the_schemas(tmp_path):
    """The schema says what is missing or left over costs; the program makes the same policy of it."""
    tiers = {"shortage": [{"below": 10, "rate": 30}, {"rate": 60}], "leftover": [{"rate": 20}]}
    schema = tacit.Schema("y", min=0, max=200, cost=tiers)
    schema.save(tmp_path / "s.json")
    (tmp_path / "t.csv").write_text("y\n" + "".join(f"{40 + 7 * i % 90}\n" for i in range(300)))
    policy = tacit.fit(tmp_path / "t.csv", schema, mu=1, seed=3)
    run_program("fit", tmp_path / "t.csv", "--schema", tmp_path / "s.json", "--mu", "1", "--seed", "3", "--out", tmp_path / "p.json")
    assert (tmp_path / "p.json").read_text() == policy.text
    assert policy.goals == ["y"]
    with pytest.raises(tacit.UsageError, match="the schema says"):
        tacit.fit(tmp_path / "t.csv", schema, quantile=0.7, mu=1, seed=3)


def test_it_is_the_file(policy, tmp_path):
    policy.save(tmp_path / "p.json")
    assert (tmp_path / "p.json").read_text() == policy.text
    assert tacit.Policy.load(tmp_path / "p.json") == policy == tacit.Policy(policy.text)
    assert "holds" in run_program("verify", tmp_path / "p.json")


def test_orders_are_the_programs(policy, restaurant, tmp_path):
    table, schema = restaurant
    names = [n for n in table if n != "demand"]
    lines = [",".join(names)] + [",".join(str(table[n][i]) for n in names) for i in range(50)]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    policy.save(tmp_path / "p.json")
    printed = run_program("order", tmp_path / "p.json", tmp_path / "t.csv").splitlines()[1:]
    orders = policy.order({n: table[n][:50] for n in names})
    assert len(orders) == 50
    for line, order in zip(printed, orders):
        assert abs(float(line.rsplit(",", 1)[1]) - order) <= 1e-8 * abs(order)


def test_exact_evaluation_says_it_is_not_private(policy, restaurant):
    found = policy.evaluate(restaurant[0])
    assert found["private"] is False and found["rows"] == 730 and 0 < found["service_level"] < 1
    assert found["comparison"] == "these rows" and found["mean_cost"] < found["cost_without_features"]


def test_exact_evaluation_by_a_column_and_from_other_rows(policy, restaurant):
    table = restaurant[0]
    halves = [{name: values[part] for name, values in table.items()} for part in (slice(0, 365), slice(365, None))]
    found = policy.evaluate(halves[1], train=halves[0], by="weekday")
    assert found["comparison"] == "train" and set(found["by"]) == set(table["weekday"])
    assert sum(day["rows"] for day in found["by"].values()) == found["rows"] == 365
    with pytest.raises(tacit.UsageError, match="exact"):
        policy.evaluate(table, mu=1, by="weekday")


def test_private_evaluation_needs_a_policy_that_verifies(restaurant):
    exact = tacit.fit(*restaurant, quantile=0.7, method="erm-exact")
    with pytest.raises(tacit.RefusedError, match="does not verify"):
        exact.evaluate(restaurant[0], mu=1)


def test_coefficients_and_cards(policy):
    frame = policy.coefficients
    assert frame["column"][0] == "(intercept)" and frame.height == 10
    card = policy._repr_html_()
    assert "0.5-GDP" in card and "weekday=TUE" in card and "<script" not in card
    assert policy.statement in repr(policy)
    assert json.loads(policy.text)["format"] == "tacit-policy"


def test_names_are_escaped_in_cards():
    schema = tacit.Schema("<b>y</b>", min=0, max=1)
    policy = tacit.fit({"<b>y</b>": [0.5] * 50}, schema, quantile=0.5, mu=1, seed=1)
    assert "<b>y</b>" not in policy._repr_html_()


def test_pickles_hold_the_policy_and_nothing_else(policy, restaurant):
    kept = pickle.dumps(policy)
    frame = pickle.dumps((tacit.Policy, (policy.text,)))
    assert len(kept) <= len(frame) + 64 and policy.text.encode() in kept  # its text, its class, and pickle's own bytes
    assert pickle.loads(kept) == policy
    with pytest.raises(TypeError, match="data holder"):
        pickle.dumps(tacit.fit_with_counts(*restaurant, quantile=0.5, mu=1, seed=1))


def test_signatures(policy, tmp_path):
    run_program("keys", "--out", tmp_path / "me")
    signed = tacit.Policy(policy.text)
    signed.sign(tmp_path / "me.secret")
    assert len(signed.check_signature()) == 64
    with pytest.raises(tacit.CheckError):
        policy.check_signature()


def test_several_targets():
    columns = {"x": [i % 7 / 7 for i in range(400)], "a": [i % 5 for i in range(400)], "b": [i % 9 for i in range(400)]}
    schema = tacit.Schema("a", min=0, max=10).target("b", min=0, max=10).number("x", min=0, max=1)
    policy = tacit.fit(columns, schema, underage=[3, 1], overage=[1, 1], mu=2, seed=1)
    assert policy.targets == ["a", "b"] and policy.order(columns).shape == (400, 2)
    assert len(policy.evaluate(columns)["targets"]) == 2


def test_decisions_over_a_region():
    table, schema, region = tacit.spo.simulate(rows=200)
    policy = tacit.spo.fit(table, schema, region, mu=2, seed=1)
    decisions = policy.decide({n: table[n][:3] for n in table})
    assert len(decisions) == 3 and len(decisions[0]) == region.dimension
    assert policy.evaluate(table)["normalized_spo_loss"] > 0
    best, value = region.minimise([1.0] * region.dimension)
    assert sum(best) == pytest.approx(value)
    with pytest.raises(tacit.UsageError):
        policy.order(table)


QUANTILES = ["demand@0.5", "demand@0.9", "demand@0.98"]


@pytest.fixture(scope="module")
def several(restaurant):
    return tacit.fit(*restaurant, quantile=[0.9, 0.5, 0.98], mu=1, ledger=False)


def test_several_quantiles(several, restaurant, tmp_path):
    assert several.verify() and several.targets == ["demand"] and several.goals == QUANTILES
    orders = several.order(restaurant[0])
    assert list(orders) == QUANTILES
    assert all(a <= b <= c for a, b, c in zip(*orders.values()))
    assert several.coefficients.height == 30 and set(several.coefficients["target"]) == set(QUANTILES)
    assert [t["target"] for t in several.evaluate(restaurant[0])["targets"]] == QUANTILES
    assert "quantile 0.98" in repr(several)
    with pytest.raises(tacit.UsageError, match="several quantiles"):
        several.evaluate(restaurant[0], mu=1, ledger=False)


def test_one_of_several_quantiles(several, restaurant):
    orders = several.order(restaurant[0])
    assert list(several.order(restaurant[0], quantile=0.9)) == orders["demand@0.9"]
    between = several.order(restaurant[0], quantile=0.7)
    assert all(a <= b <= c for a, b, c in zip(orders["demand@0.5"], between, orders["demand@0.9"]))
    with pytest.raises(tacit.UsageError, match="from 0.5 to 0.98"):
        several.order(restaurant[0], quantile=0.99)


def test_several_costs_are_several_quantiles(restaurant):
    by_cost = tacit.fit(*restaurant, underage=[1, 9], overage=[1, 1], mu=1, seed=3)
    assert by_cost.goals == ["demand@0.5", "demand@0.9"]
    assert by_cost.coefficients == tacit.fit(*restaurant, quantile=[0.5, 0.9], mu=1, seed=3).coefficients
    with pytest.raises(tacit.UsageError, match="given twice"):
        tacit.fit(*restaurant, quantile=[0.5, 0.5], mu=1, seed=3)


def test_dates_flags_and_interactions():
    schema = (tacit.Schema("demand", min=0, max=40).date("day", ["weekday"]).flag("promo")
              .interaction("day[weekday]", "promo"))
    table = {"day": [f"2024-01-{1 + i % 28:02}" for i in range(400)], "promo": [i % 3 == 0 for i in range(400)],
             "demand": [10.0 + i % 7 + 5 * (i % 3 == 0) for i in range(400)]}
    assert schema.inputs == ["day", "promo", "demand"]
    policy = tacit.fit(table, schema, quantile=0.5, mu=5, seed=1)
    assert policy.coefficients.height == len(schema.columns) == 14 and len(policy.order(table)) == 400


def test_intervals_are_the_programs(restaurant, tmp_path):
    table = restaurant[0]
    policy = tacit.fit(*restaurant, underage=50, overage=30, mu=0.5, ledger=False, intervals=True)
    assert policy.verify()
    for row in policy.coefficients.rows():
        assert row["standard_error"] > 0 and row["lower"] < row["coefficient"] < row["upper"]
    policy.save(tmp_path / "p.json")
    names = [n for n in table if n != "demand"]
    lines = [",".join(names)] + [",".join(str(table[n][i]) for n in names) for i in range(20)]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    printed = run_program("order", tmp_path / "p.json", tmp_path / "t.csv", "--interval", 0.9).splitlines()[1:]
    found = policy.order({n: table[n][:20] for n in names}, interval=0.9)
    assert list(found) == ["order", "lower", "upper"] and len(printed) == found.height == 20
    for line, row in zip(printed, found.rows()):
        assert [float(cell) for cell in line.split(",")[-3:]] == pytest.approx(list(row.values()), rel=1e-8)
    wide = policy.order({n: table[n][:20] for n in names}, interval=0.99)
    assert all(a < b < c <= d for a, b, c, d in zip(wide["lower"], found["lower"], found["upper"], wide["upper"]))
    with pytest.raises(tacit.UsageError, match="probability"):
        policy.order(table, interval=90)


def test_intervals_with_a_spread(restaurant):
    frame = tacit.fit(*restaurant, quantile=0.9, mu=1, seed=1, intervals=True).coefficients
    assert all(e > 0 for e in frame["standard_error"]) and all(e > 0 for e in frame["log_spread_standard_error"])


def test_intervals_that_are_not_there(policy, several, restaurant):
    assert "standard_error" not in policy.coefficients
    with pytest.raises(tacit.InputError, match="intervals=True"):
        policy.order(restaurant[0], interval=0.9)
    with pytest.raises(tacit.InputError, match="one target at one quantile"):  # as the program: no fit gives them to several
        several.order(restaurant[0], interval=0.9)
    with pytest.raises(tacit.UsageError, match="picked"):
        several.order(restaurant[0], interval=0.9, quantile=0.6)
    with pytest.raises(tacit.UsageError):
        tacit.fit(*restaurant, quantile=0.5, mu=1, seed=1, method="noisy-gd", intervals=True)


def test_events_are_added_up_and_customers_held_to_limits():
    schema = tacit.Schema.from_dict({
        "target": {"name": "sold", "min": 0, "max": 100}, "private": "target",
        "features": [{"name": "weekday", "levels": ["MON", "TUE"]}], "unit": {"rows_per_unit": 1, "change": 2},
        "events": {"customer": "card", "key": "day", "quantity": "n"}})
    days = {"day": list(range(200)), "weekday": ["MON", "TUE"] * 100}
    cards = [f"{day}-{i}" for day in range(200) for i in range(10 + day % 2 * 5)]
    bought = {"card": cards, "day": [int(card.split("-")[0]) for card in cards], "n": [2] * len(cards)}
    totals = {**days, "sold": [20 + day % 2 * 10 for day in range(200)]}
    added = tacit.fit(tacit.Events(bought, days, schema), schema, quantile=0.5, mu=2, seed=1)
    facts = schema.to_dict()
    del facts["events"]
    by_hand = tacit.fit(totals, facts, quantile=0.5, mu=2, seed=1)
    assert added.method == "bounded-change" and list(added.order(days)) == list(by_hand.order(days))
    bought["card"] = ["one"] * len(cards)  # a single customer counts on a single day
    one = tacit.fit(tacit.Events(bought, days, schema), schema, quantile=0.5, method="saa")
    assert one.order(days)[0] <= 2
    with pytest.raises(tacit.RefusedError, match="added up from events"):
        tacit.fit(totals, schema, quantile=0.5, mu=2, seed=1)


def test_a_day_by_itself_is_a_table_too(restaurant):
    """A dict of single values, a list of rows, a frame with one row; what is no table says what to give instead."""
    table, schema = restaurant
    policy = tacit.fit(table, schema, quantile=0.7, mu=1, seed=1)
    day = {name: values[0] for name, values in table.items() if name != "demand"}
    want = policy.order(table)[0]
    assert policy.order(day)[0] == policy.order([day])[0] == want
    with pytest.raises(tacit.UsageError, match="put into lists weekday"):
        policy.order({**{name: [value] for name, value in day.items()}, "weekday": "MON"})
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(table)
    assert policy.order(frame.iloc[[0]])[0] == want
    with pytest.raises(tacit.UsageError, match="two brackets"):
        policy.order(frame.iloc[0])
    polars = pytest.importorskip("polars")
    assert policy.order(polars.DataFrame(table).lazy())[0] == want


def test_a_draft_knows_moments_from_names():
    import datetime

    draft = tacit.Schema.draft({"day": [datetime.date(2024, 1, 1)], "shop": ["a"], "sold": [1]}, "sold")
    assert '.date("day", ["weekday", "month"])' in str(draft) and '.category("shop", [...])' in str(draft)
    for wrong in (dict(day=(0, 1)), dict(shop=(0, 1))):
        with pytest.raises(tacit.UsageError, match="not numbers"):
            draft.fill(sold=(0, 9), **wrong)
    assert draft.fill(sold=(0, 9), day=dict(date=["weekday"])).columns[1] == "day[weekday]=Tuesday"
    with pytest.raises(tacit.UsageError, match="read the file"):
        tacit.Schema.draft("t.csv", "sold")
    with pytest.raises(tacit.InputError, match="cannot read"):
        tacit.Schema.read("/nowhere/s.json")
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"day": pandas.to_datetime(["2024-01-01"]), "sold": [1.0]})
    assert tacit.Schema.draft(frame, "sold").kinds == {"day": "date", "sold": "number"}


def test_figures_are_printed_one_a_line(restaurant):
    policy = tacit.fit(*restaurant, quantile=0.7, mu=1, seed=1)
    found = policy.evaluate(restaurant[0], by="weekday")
    text = repr(found)
    assert isinstance(found, dict) and "mean_cost  " in text and "SAT" in text and "{" not in text


def test_evaluate_says_what_sold_out_as_the_program_does(restaurant, tmp_path):
    table, _ = restaurant
    table = {name: list(table[name]) for name in ("weekday", "rain", "demand")}
    table["gone"] = [int(sold > 40) for sold in table["demand"]]
    schema = tacit.Schema.from_dict({"target": {"name": "demand", "min": 0, "max": 100, "sold_out": "gone"},
                                     "features": [{"name": "rain", "min": 0, "max": 40, "missing": 0}]})
    policy = tacit.fit(table, schema, quantile=0.8, mu=1, seed=1)
    policy.save(tmp_path / "p.json")
    names = list(table)
    lines = [",".join(names), *(",".join(map(str, row)) for row in zip(*table.values()))]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    told = json.loads(run_program("evaluate", tmp_path / "p.json", tmp_path / "t.csv", "--json"))
    found = policy.evaluate(table)
    assert found["sold_out"] == told["sold_out"] and found["sold_out"]["rows"] == sum(table["gone"])
    assert found["sold_out"]["service_level_at_least"] < found["service_level"]
    assert set(told) <= {*found, "data_holder_only"} and found["cost_without_privacy"] != found["cost_without_privacy"]
    by = policy.evaluate(table, by="weekday")["by"]
    assert sum(group["sold_out"]["rows"] for group in by.values()) == sum(table["gone"])
    without = policy.evaluate({name: table[name] for name in names if name != "gone"})
    assert "sold_out" not in without and without["mean_cost"] == found["mean_cost"]
    numpy = pytest.importorskip("numpy")
    array = numpy.array([table["rain"], table["demand"], table["gone"]], dtype=float).T
    assert tacit.fit(array, schema, quantile=0.8, mu=1, seed=1).text == policy.text
    assert policy.evaluate(array)["sold_out"] == told["sold_out"] and policy.evaluate(array[:, :2])["mean_cost"] == found["mean_cost"]


def test_mostly_unreadable_columns_are_not_paid_for(tmp_path):
    """The program's check, in its words: before a ledger is paid, and only then."""
    table = {"rain": [f"{i % 9},{i % 10}" for i in range(400)], "sold": [10 + i * 7 % 30 for i in range(400)]}
    schema = tacit.Schema("sold", min=0, max=50).number("rain", min=0, max=9, missing=0)
    book = tacit.Ledger.create(tmp_path / "ledger.db")
    book.budget("x", mu=1)
    with pytest.raises(tacit.InputError, match="nothing was spent: column \"rain\": 400 of 400 cells are not numbers; "
                                               "this looks like a decimal comma"):
        tacit.fit(table, schema, quantile=0.5, mu=1, ledger=book, label="x")
    assert book.left("x") == 1 and book.totals()["releases"] == [0]
    assert tacit.fit(table, schema, quantile=0.5, mu=1, seed=1)
    table["rain"][:200] = [3.5] * 200  # half of them are read
    assert tacit.fit(table, schema, quantile=0.5, mu=1, ledger=book, label="x").verify(ledger=book)
