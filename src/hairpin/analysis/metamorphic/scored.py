"""Families with their relation checks, and how they are scored anew for other settings.

It must not encode: whoever scores has the vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hairpin.domain.families import Family
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import MetamorphicSpec, RelationCheck
from hairpin.domain.replay import Method

Rescore: TypeAlias = Callable[[Sequence[Family], MetamorphicSpec], tuple[tuple[RelationCheck, ...], ...]]
"""Scores families, one tuple of checks each; ``metamorphic.scoring`` does, given the vectors of their texts."""


@dataclass(frozen=True, slots=True)
class ScoredFamily:
    """A family with the checks made of it."""

    family: Family
    checks: tuple[RelationCheck, ...]

    @property
    def sut(self) -> str:
        """The label of the assistant."""
        return self.family.source.planned.sut

    @property
    def seed(self) -> str:
        """The id of the test seed."""
        return self.family.derivation.test_seed.id


def scored_by(rescore: Rescore, families: Sequence[Family], spec: MetamorphicSpec) -> tuple[ScoredFamily, ...]:
    """Return ``families`` with the checks that ``rescore`` makes of them."""
    found = rescore(families, spec)
    return tuple(ScoredFamily(family, checks) for family, checks in zip(families, found, strict=True))


def of_sut(scored: Sequence[ScoredFamily], sut: str) -> tuple[ScoredFamily, ...]:
    """Return those of one assistant."""
    return tuple(each for each in scored if each.sut == sut)


def suts_of(scored: Sequence[ScoredFamily]) -> tuple[str, ...]:
    """Return the assistants in the order in which they come."""
    return tuple(dict.fromkeys(each.sut for each in scored))


def replays_of(family: Family, method: Method) -> Iterator[ConversationRecord]:
    """Yield the conversations of a family that were held for ``method`` and have an outcome."""
    if method is Method.RBT:
        yield from [family.source] if family.source.outcome is not None else []
        return
    for record in family.follow_ups:
        replay = record.planned.replay
        if replay is not None and replay.method is method and record.outcome is not None:
            yield record
