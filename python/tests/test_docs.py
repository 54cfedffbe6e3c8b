"""What the pages and docstrings show is run."""
import doctest
import importlib
import pathlib
import pkgutil
import re

import pytest

import tacit

HERE = pathlib.Path(__file__).resolve().parent.parent
MODULES = ["tacit"] + [f"tacit.{m.name}" for m in pkgutil.iter_modules(tacit.__path__)
                       if not m.name.startswith("_") and not m.ispkg]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_run(name):
    if name == "tacit.sklearn":
        pytest.importorskip("sklearn")
    if name == "tacit.plot":
        pytest.importorskip("matplotlib")
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert found.failed == 0


@pytest.mark.parametrize("page", [HERE / "README.md", *sorted((HERE / "docs").glob("*.md"))], ids=lambda p: p.name)
def test_pages_run(page, tmp_path, monkeypatch):
    """Blocks of one page are one session; those marked `python no-run` need an engine of their own."""
    for package in re.findall(r"<!-- needs (\w+) -->", page.read_text()):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    session = {}
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.S)):
        exec(compile(block, f"{page.name}, block {number + 1}", "exec"), session)


def test_the_pages_build_as_a_site(tmp_path):
    """mkdocs calls every broken link among the pages an error."""
    mkdocs = pytest.importorskip("mkdocs.commands.build")
    from mkdocs.config import load_config

    mkdocs.build(load_config(str(HERE / "mkdocs.yml"), strict=True, site_dir=str(tmp_path)))
    for page in (HERE / "docs").glob("*.md"):
        assert (tmp_path / f"{page.stem}.html").exists()
