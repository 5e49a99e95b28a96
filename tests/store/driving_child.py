"""A process that drives a run and says so; a test kills it.

python -m tests.store.driving_child DATABASE
"""

from __future__ import annotations

import sys
from pathlib import Path

from hairpin.store.runs import open_store
from tests.store.store_values import StandingClock


def main(path: Path) -> None:
    with open_store(path, clock=StandingClock()) as store, store.drive():
        sys.stdout.write("driving\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
