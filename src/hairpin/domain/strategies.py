"""Adversarial strategies ξ(λ) and the active pool Π: pruning and consecutive-use limits.

It must not choose: a strategist picks one of the strategies that this module says are available.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.templates import UtteranceTemplate


class Strategy(Value):
    """An adversarial plan λ with the failure mode ξ(λ) it aims at and its limit L_λ of consecutive uses.

    ``vocabulary``: texts for the slots of the templates, before those the domain's lexicon has.
    """

    id: str
    title: str
    target_mode: str
    max_consecutive: int = Field(default=2, ge=1)
    guidance: str = ""
    templates: tuple[UtteranceTemplate, ...] = ()
    vocabulary: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)


class StrategyPool(Value):
    """The active strategies Π of one conversation, and which was used last, how many times in a row."""

    active: tuple[Strategy, ...]
    last: str | None = None
    streak: int = Field(default=0, ge=0)

    def available(self) -> tuple[Strategy, ...]:
        """Return the active strategies whose consecutive-use limit is not reached (in-car paper, section III-C)."""
        return tuple(s for s in self.active if s.id != self.last or self.streak < s.max_consecutive)

    def used(self, strategy_id: str | None) -> StrategyPool:
        """Return the pool after an utterance by ``strategy_id``; ``None`` (unguided) resets the limits."""
        streak = (
            self.streak + 1 if strategy_id is not None and strategy_id == self.last else int(strategy_id is not None)
        )
        return self.model_copy(update={"last": strategy_id, "streak": streak})

    def pruned(self, found_modes: Collection[str]) -> StrategyPool:
        """Return Π without every λ whose ξ(λ) is among the failures of this turn (algorithm 1, line 8)."""
        return self.model_copy(update={"active": tuple(s for s in self.active if s.target_mode not in found_modes)})
