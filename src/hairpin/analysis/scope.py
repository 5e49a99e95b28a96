"""Which conversations a figure is about, and picking them out.

It counts nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from hairpin.domain.arm import Arm
from hairpin.domain.base import Value
from hairpin.domain.facts import ConversationFacts


class Scope(Value):
    """Which conversations a figure is about; ``None`` stands for all."""

    sut: str | None = None
    arm: Arm | None = None
    run: int | None = None

    @property
    def label(self) -> str:
        """The scope in words: ``guided, testbed, run 1``; runs are counted from 1 for readers."""
        parts = (self.arm and self.arm.value, self.sut, None if self.run is None else f"run {self.run + 1}")
        return ", ".join(part for part in parts if part) or "overall"

    def pick(self, facts: Iterable[ConversationFacts]) -> tuple[ConversationFacts, ...]:
        """Return the conversations of this scope, in their order."""
        return tuple(fact for fact in facts if self._holds(fact))

    def _holds(self, fact: ConversationFacts) -> bool:
        return (
            self.sut in (None, fact.sut) and self.arm in (None, fact.arm) and (self.run is None or self.run == fact.run)
        )


def rated(facts: Iterable[ConversationFacts]) -> tuple[ConversationFacts, ...]:
    """Return the conversations that are in rates: those that passed or failed."""
    return tuple(fact for fact in facts if fact.standing.in_rates)
