"""How much is held in conversations: those of the plan, the trials of those that fail, and canaries.

Pure arithmetic, from low to high; who is asked about it is ``llm.estimate``'s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Self

from hairpin.domain.base import Value
from hairpin.domain.canary import CanarySpec
from hairpin.domain.confirming import kinds_of
from hairpin.domain.known_transcripts import KnownTranscripts
from hairpin.domain.scenario import Scenario
from hairpin.domain.trials import TrialKind
from hairpin.llm.ranges import Range

FAILING: Final = Range(low=0.0, expected=0.5, high=1.0)
"""The share of conversations that fail, and are tried again. Nobody can know it before: it is what a run finds out."""


class Held(Value):
    """Conversations, their exchanges, and all the pairs of an exchange with an earlier one of its conversation."""

    conversations: Range = Range()
    exchanges: Range = Range()
    pairs: Range = Range()

    @classmethod
    def of(cls, lengths: Sequence[int]) -> Self:
        """Return conversations of known ``lengths``."""
        exchanges, pairs = float(sum(lengths)), float(sum(n * (n - 1) // 2 for n in lengths))
        return cls(
            conversations=Range.exactly(len(lengths)), exchanges=Range.exactly(exchanges), pairs=Range.exactly(pairs)
        )

    @classmethod
    def guessed(cls, turns: Range, conversations: Range) -> Self:
        """Return ``conversations`` that have so many ``turns`` each."""
        return cls(
            conversations=conversations,
            exchanges=conversations.times(turns),
            pairs=conversations.times(Range.by_level(lambda level: turns.at(level) * (turns.at(level) - 1) / 2)),
        )

    def plus(self, other: Held) -> Held:
        """Return both together."""
        return Held(
            conversations=self.conversations.plus(other.conversations),
            exchanges=self.exchanges.plus(other.exchanges),
            pairs=self.pairs.plus(other.pairs),
        )

    def times(self, factor: Range) -> Held:
        """Return so many of it."""
        return Held(
            conversations=self.conversations.times(factor),
            exchanges=self.exchanges.times(factor),
            pairs=self.pairs.times(factor),
        )


def trials_per_failure(scenario: Scenario) -> dict[TrialKind, int]:
    """Return how many trials of each kind a conversation of ``scenario`` gets that failed."""
    if scenario.confirm is None:
        return {}
    kinds = kinds_of(scripted=not scenario.seed_phrases, recorded=scenario.recorded)
    return {kind: scenario.confirm.times(kind) for kind in kinds}


def canaries_in(spec: CanarySpec, known: KnownTranscripts, *, n_conversations: int, n_streams: int = 1) -> Held:
    """Return the canaries that follow so many conversations that are judged, in ``n_streams`` of their own draw.

    Each stream gets its share to within one; what a canary takes is that of the shortest, the mean and the longest
    transcript.
    """
    lengths = [len(each.exchanges) for each in known.all()]
    turns = Range(low=min(lengths), expected=sum(lengths) / len(lengths), high=max(lengths))
    expected = spec.share * n_conversations
    others = n_streams - 1
    n = Range(
        low=max(0, math.floor(expected) - others),
        expected=expected,
        high=min(n_conversations, math.ceil(expected) + others),
    )
    return Held.guessed(turns, n)
