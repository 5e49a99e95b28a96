"""Which conversations of a run a canary follows, and which transcript that is.

It depends on the number in the plan and the run's random seed alone, so that a resumed run draws the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from hairpin.domain.canary import CanarySpec
from hairpin.domain.known_transcripts import KnownTranscript, KnownTranscripts, Twins
from hairpin.domain.outcome import Verdict
from hairpin.domain.plan import PlannedConversation, plan_canary
from hairpin.domain.records import Outcome
from hairpin.domain.rng import derive_rng_seed

_PLACES: Final = 1 << 20
"""Between so many places of its first interval the first canary is drawn."""


class CanaryDraw:
    """Draws canaries for the conversations of one run.

    After any n conversations of a stream there are n · share canaries to within one (systematic sampling with a random
    start). In each round every mode comes once known-good and once known-bad, in a random order that alternates
    between the two, with transcripts of different pairs where a mode has several; the next round, and the next
    stream, takes the next pairs.

    Args:
        spec: how many.
        transcripts: of the rubric.
        rng_seed: of the run.
        n_streams: how many arms of cells take turns in the numbers of a campaign's plan; each is a stream of its own.
    """

    def __init__(self, spec: CanarySpec, transcripts: KnownTranscripts, *, rng_seed: int, n_streams: int = 1) -> None:
        self._share = Fraction(repr(spec.share))
        self._modes = transcripts.by_mode()
        self._root = derive_rng_seed(rng_seed, "canaries")
        self._n_streams = n_streams

    def after(self, planned: PlannedConversation, outcome: Outcome) -> tuple[PlannedConversation, ...]:
        """Return the canary that follows ``planned``, if one does: nothing follows what was not judged."""
        place, stream = divmod(planned.index, self._n_streams)
        number = self._number(place, stream)
        if number is None or not _judged(outcome):
            return ()
        return (plan_canary(planned, self.transcript(number, stream)),)

    def transcript(self, number: int, stream: int = 0) -> KnownTranscript:
        """Return canary ``number`` of ``stream``, both from 0."""
        per_round = 2 * len(self._modes)
        turn, place = divmod(number, per_round)
        root = derive_rng_seed(self._root, "round", str(turn), str(stream))
        bad_first = derive_rng_seed(root, "first") % 2 == 0
        is_bad = (place % 2 == 0) is bad_first
        mode = _shuffled(self._modes, derive_rng_seed(root, "bad" if is_bad else "good"))[place // 2]
        pairs = self._modes[mode]
        return _nth(pairs, turn + stream).bad if is_bad else _nth(pairs, turn + stream + 1).good

    def _number(self, place: int, stream: int) -> int | None:
        """Return which canary follows the conversation at ``place`` in ``stream``; ``None``: none."""
        start = Fraction(derive_rng_seed(self._root, "start", str(stream)) % _PLACES, _PLACES)
        before, now = (int((place + further) * self._share + start) for further in (0, 1))
        return before if now > before else None


def _judged(outcome: Outcome) -> bool:
    return outcome.judgement.verdict in (Verdict.PASS, Verdict.FAIL)


def _shuffled(modes: Iterable[str], root: int) -> list[str]:
    return sorted(modes, key=lambda mode: (derive_rng_seed(root, mode), mode))


def _nth(pairs: Sequence[Twins], number: int) -> Twins:
    return pairs[number % len(pairs)]
