"""The notebook runs from top to bottom, as somebody who opens it would run it."""
import pathlib

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.ipynb")), ids=lambda p: p.name)
def test_it_runs(page, tmp_path):
    book = nbformat.read(page, as_version=4)
    nbformat.validate(book)
    assert not any(cell.get("outputs") for cell in book.cells), "clear the outputs before a notebook is kept"
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in book.cells for output in cell.get("outputs", [])]
    cards = [output for output in shown if "text/html" in output.get("data", {}) and "0.5" in output["data"]["text/html"]]
    assert cards, "the policy shows itself as a card"
    assert sum("image/png" in output.get("data", {}) for output in shown) == 2
