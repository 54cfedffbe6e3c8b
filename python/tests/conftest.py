"""Every test has a ledger of its own, never that of whoever runs them."""
import os
import subprocess
import sys

import pytest

import tacit


@pytest.fixture(autouse=True)
def own_state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture(scope="session")
def restaurant():
    return tacit.simulate("restaurant", rows=730, seed=1)


def run_program(*arguments, code=0):
    path = os.path.join(os.path.dirname(tacit.__file__), "bin", "tacit")
    done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stdout


def run_python(text, *arguments, file=None, **environment):
    """A process of its own, which must end by itself; with a file, whose name others can import."""
    if file is not None:
        file.write_text(text)
    command = ["-c", text] if file is None else [str(file)]
    return subprocess.run([sys.executable, *command, *map(str, arguments)], capture_output=True, text=True, timeout=300,
                          env={**os.environ, **environment})
