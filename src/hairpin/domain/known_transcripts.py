"""Whole conversations whose right judgement is known, to be mixed into a run; each comes right and wrong.

It must not choose them nor compare what judges say; ``domain.canary_draw`` and ``domain.canary_rates`` do.
"""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.conversation import Exchange, UtteranceSource
from hairpin.domain.outcome import Verdict
from hairpin.domain.users import Context


class CanaryTruth(Value):
    """What judges must say of a transcript about ``mode``.

    ``labelled``: the exchange that must get that label, others are allowed; ``None``: it is known to be good, and no
    exchange may get any label. ``verdict``: the right one at the rubric's own weights and threshold; ``None``: either.
    """

    mode: str
    labelled: int | None = Field(default=None, ge=0)
    verdict: Verdict | None = None

    @property
    def good(self) -> bool:
        """Whether nothing is wrong with it."""
        return self.labelled is None


class KnownTranscript(Value):
    """One conversation, both sides written down."""

    id: str
    context: Context
    exchanges: tuple[Exchange, ...] = Field(min_length=1)
    truth: CanaryTruth


class TwinTurn(Value):
    """A user's turn with its right reply and the wrong one; the same reply where nothing is wrong here."""

    user: str
    good: str
    bad: str


class Twins(Value):
    """One conversation twice: with every reply right, and with some wrong.

    ``labelled``: the exchange whose wrong reply must be labelled with ``mode``. ``ruined``: the wrong replies make it
    fail; otherwise its right verdict is open.
    """

    id: str
    mode: str
    context: Context = Context()
    turns: tuple[TwinTurn, ...] = Field(min_length=1)
    labelled: int = Field(ge=0)
    ruined: bool = True

    @property
    def good(self) -> KnownTranscript:
        """The one with every reply right."""
        return self._written(f"{self.id}.good", CanaryTruth(mode=self.mode, verdict=Verdict.PASS))

    @property
    def bad(self) -> KnownTranscript:
        """The one with wrong replies."""
        verdict = Verdict.FAIL if self.ruined else None
        return self._written(f"{self.id}.bad", CanaryTruth(mode=self.mode, labelled=self.labelled, verdict=verdict))

    def _written(self, name: str, truth: CanaryTruth) -> KnownTranscript:
        exchanges = tuple(
            Exchange(
                t=t,
                user=turn.user,
                assistant=turn.good if truth.good else turn.bad,
                source=UtteranceSource.REPLAYED,
            )
            for t, turn in enumerate(self.turns)
        )
        return KnownTranscript(id=name, context=self.context, exchanges=exchanges, truth=truth)


class KnownTranscripts(Value):
    """All of a rubric, in the language they are written in."""

    rubric: str
    language: str = "en"
    twins: tuple[Twins, ...] = Field(min_length=1)

    def all(self) -> Iterator[KnownTranscript]:
        """Yield every transcript, the right one of each pair first."""
        for pair in self.twins:
            yield from (pair.good, pair.bad)

    def by_mode(self) -> dict[str, tuple[Twins, ...]]:
        """Return the pairs of each mode, in the order of the file."""
        return {
            mode: tuple(pair for pair in self.twins if pair.mode == mode)
            for mode in dict.fromkeys(pair.mode for pair in self.twins)
        }
