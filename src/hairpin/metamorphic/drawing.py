"""Random draws that stay the same for ever: built on ``Random.random`` alone, whose sequence Python guarantees.

``shuffle``, ``sample`` and ``choice`` may draw differently in another version of Python, and follow-ups must not.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from hairpin.domain.rng import derive_rng_seed

ItemT = TypeVar("ItemT")


def generator(root: int, *path: str) -> Random:
    """Return a generator of its own for ``path``: what else is drawn from ``root`` does not move it."""
    return Random(derive_rng_seed(root, *path))


def below(rng: Random, n: int) -> int:
    """Return an integer in [0, n), n ≥ 1."""
    return int(rng.random() * n)


def pick(rng: Random, items: Sequence[ItemT]) -> ItemT:
    """Return one of ``items``, of which there is at least one."""
    return items[below(rng, len(items))]


def shuffled(rng: Random, items: Sequence[ItemT]) -> list[ItemT]:
    """Return ``items`` in random order, each order equally likely (Fisher and Yates)."""
    drawn = list(items)
    for last in range(len(drawn) - 1, 0, -1):
        other = below(rng, last + 1)
        drawn[last], drawn[other] = drawn[other], drawn[last]
    return drawn


def subset(rng: Random, items: Sequence[ItemT], size: int) -> list[ItemT]:
    """Return ``size`` of ``items`` without replacement, in random order."""
    return shuffled(rng, items)[:size]
