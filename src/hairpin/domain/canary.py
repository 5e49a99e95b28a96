"""Canaries: transcripts whose right judgement is known, to find out whether a judge can be trusted before a run.

It must not ask judges; it says what to expect of them and whether what they said is that.
"""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.conversation import DialogueTurn
from hairpin.domain.judgement import TurnJudgement
from hairpin.domain.scoring import DimensionScore
from hairpin.domain.targets import Target

BEST_SCORE = 2
"""What a known-good transcript must score; a known-bad one must score less."""


class CanarySpec(Value):
    """How many canaries are mixed into a run: after each conversation that was judged one follows with this chance."""

    share: float = Field(default=0.1, gt=0, le=1)


class TurnCanary(Value):
    """An exchange, the last of ``turns``, that must be labelled with ``modes``: with each of them, others are allowed;
    with none at all where there are none.
    """

    name: str
    turns: tuple[DialogueTurn, ...] = Field(min_length=1)
    targets: tuple[Target, ...] = ()
    modes: tuple[str, ...] = ()


class DimensionCanary(Value):
    """A conversation that must score 2 in ``dimension`` if ``good``, else less."""

    name: str
    dimension: str
    turns: tuple[DialogueTurn, ...] = Field(min_length=1)
    good: bool


class Canaries(Value):
    """All canaries of a rubric, in the language they are written in."""

    rubric: str
    language: str = "en"
    turns: tuple[TurnCanary, ...] = ()
    dimensions: tuple[DimensionCanary, ...] = ()

    def untested(self, dimensions: Iterable[str]) -> tuple[str, ...]:
        """Return those of ``dimensions`` that no canary tests."""
        tested = {canary.dimension for canary in self.dimensions}
        return tuple(dimension for dimension in dimensions if dimension not in tested)


class CanaryResult(Value):
    """What a judge said of a canary. ``why``: its reasoning, or what kept it from judging."""

    judge: str
    transcript: str
    expected: str
    got: str
    ok: bool
    why: str = ""

    def __str__(self) -> str:
        """Return one line for messages."""
        said = f"{self.judge}, {self.transcript}: expected {self.expected}, got {self.got}"
        return said if self.ok or not self.why else f"{said} ({' '.join(self.why.split())})"


def turn_result(canary: TurnCanary, judgement: TurnJudgement, judge: str) -> CanaryResult:
    """Say whether ``judgement`` has the labels that ``canary`` must get."""
    failures = [update.failure for update in judgement.updates if update.failure is not None]
    labels = sorted({*failures, *(finding.mode for finding in judgement.response)})
    return CanaryResult(
        judge=judge,
        transcript=canary.name,
        expected=expected_labels(canary),
        got=", ".join(labels) or "no label",
        ok=set(canary.modes) <= set(labels) if canary.modes else not labels,
        why=judgement.reasoning,
    )


def score_result(canary: DimensionCanary, score: DimensionScore, judge: str) -> CanaryResult:
    """Say whether ``score`` is what ``canary`` must get."""
    return CanaryResult(
        judge=judge,
        transcript=canary.name,
        expected=expected_score(canary),
        got=f"score {score.score}",
        ok=(score.score == BEST_SCORE) is canary.good,
        why=score.reasoning,
    )


def expected_labels(canary: TurnCanary) -> str:
    """Say in words what the turn judge must find."""
    return " and ".join(canary.modes) or "no label"


def expected_score(canary: DimensionCanary) -> str:
    """Say in words what a conversation judge must give."""
    return f"score {BEST_SCORE}" if canary.good else f"a score below {BEST_SCORE}"
