"""What the program's commands take, Python takes: docs/options.md says by which name, and is held against both."""
import inspect
import os
import re

import tacit
from conftest import run_program

PAGE = os.path.join(os.path.dirname(__file__), "..", "docs", "options.md")
CALLS = {
    "fit": [tacit.fit_with_counts], "plan": [tacit.plan], "audit": [tacit.audit],
    "pack": [tacit.pack], "order": [tacit.Policy.order], "verify": [tacit.Policy.verify], "evaluate": [tacit.Policy.evaluate],
    "ledger open": [tacit.Ledger.budget, tacit.Ledger.create], "ledger show": [tacit.Ledger.left], "ledger export": [],
    "ledger move": [], "spo decide": [tacit.Policy.decide], "spo evaluate": [tacit.Policy.evaluate],
}


def listed():
    """(command, option) -> what the page says."""
    found = {}
    with open(PAGE, encoding="utf-8") as file:
        for line in file:
            cells = line.split("|")
            if len(cells) == 4 and "`" in cells[1]:
                for name in re.findall(r"`([a-z ]+) --([a-z-]+)`", cells[1]):
                    assert name not in found, name
                    found[name] = cells[2].strip()
    return found


def offered(command):
    """The options of a command, those of methods left out."""
    text = run_program(*command.split(), "--help")
    return set(re.findall(r"^  --([a-z-]+)", text.split("\noptions:\n")[1].split("\nmethods ")[0], re.M)) - {"json", "help"}


def test_every_option_of_the_program_is_on_the_page():
    page = listed()
    assert offered("spo fit") <= offered("fit")
    for command in CALLS:
        assert offered(command) == {option for name, option in page if name == command}, command


def test_every_name_on_the_page_is_an_argument():
    for (command, option), said in listed().items():
        for name in re.fullmatch(r"`(\w+)(?:=\w*)?`", said) and [re.match(r"`(\w+)", said).group(1)] or []:
            assert any(name in inspect.signature(call).parameters for call in CALLS[command]), (command, option, name)


def test_no_argument_is_missing_from_the_page():
    """The other way round: what fit takes is known to the page, or is Python's own."""
    own = {"data", "progress", "options", "region"}
    said = " ".join(listed().values())
    for name in set(inspect.signature(tacit.fit_with_counts).parameters) - own:
        assert re.search(rf"\b{name}\b", said), name
