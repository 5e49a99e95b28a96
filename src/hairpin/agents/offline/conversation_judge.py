"""The offline conversation judge: scores one dimension of a whole conversation.

It sees the conversation and the dimension, nothing else: what went wrong it works out for itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.agents.offline.analysis import DialogueReader, ExchangeReading
from hairpin.agents.offline.text import quote
from hairpin.domain.base import Value
from hairpin.domain.briefs import DimensionBrief
from hairpin.domain.lexicon import DimensionSignals
from hairpin.domain.scoring import DimensionScore

LAPSE_SHARE = 0.25
"""Up to this share of the exchanges, but at least one, may show a lapse for a score of 1."""


class Lapse(Value):
    """Something wrong in exchange ``t``."""

    t: int
    mode: str
    evidence: str


class OfflineConversationJudge:
    """Counts the exchanges that show one of the modes the dimension looks at."""

    def __init__(self, reader: DialogueReader, signals: DimensionSignals) -> None:
        self._reader = reader
        self._signals = signals

    async def score(self, brief: DimensionBrief) -> DimensionScore:
        """Return 2 without a lapse, 1 for few, 0 for more or a severe one, with the lapses named first."""
        readings = self._reader.read(brief.turns)
        lapses = self._lapses(readings)
        score = self._points(lapses, n_turns=len(brief.turns))
        remarks = [f"Exchange {reading.t}: {reading.remark}." for reading in readings if reading.remark]
        reasoning = " ".join([_told(lapses), brief.dimension.anchors[score], *remarks])
        return DimensionScore(dimension=brief.dimension.id, score=score, reasoning=reasoning)

    def _lapses(self, readings: Sequence[ExchangeReading]) -> tuple[Lapse, ...]:
        found: list[Lapse] = []
        for reading in readings:
            found += [
                Lapse(t=reading.t, mode=outcome.failure, evidence=quote(outcome.evidence))
                for outcome in reading.outcomes
                if outcome.failure is not None
            ]
            found += [Lapse(t=reading.t, mode=f.mode, evidence=f.evidence) for f in reading.findings]
        return tuple(lapse for lapse in found if lapse.mode in self._signals.modes)

    def _points(self, lapses: Sequence[Lapse], *, n_turns: int) -> int:
        if not lapses:
            return 2
        if any(lapse.mode in self._signals.severe for lapse in lapses):
            return 0
        return 1 if len({lapse.t for lapse in lapses}) <= max(1, LAPSE_SHARE * n_turns) else 0


def _told(lapses: Sequence[Lapse]) -> str:
    if not lapses:
        return "Nothing was found against it in any exchange."
    return " ".join(f"Exchange {lapse.t}: {lapse.mode}, {lapse.evidence}." for lapse in lapses)
