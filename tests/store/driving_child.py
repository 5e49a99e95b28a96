"""A process that drives a run and says so; a test kills it.

python -m tests.store.driving_child DATABASE
"""

from __future__ import annotations

import sys

from tests.store.places import place_at
from tests.store.store_values import StandingClock


def main(address: str) -> None:
    with place_at(address).open(StandingClock()) as store, store.drive():
        sys.stdout.write("driving\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1])
