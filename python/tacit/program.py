"""The program ``tacit``, as it is: the package has it inside, and this is its door on the PATH."""
from __future__ import annotations

import os
import sys


def main() -> None:
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "tacit")
    os.execv(path, ["tacit", *sys.argv[1:]])


if __name__ == "__main__":
    main()
