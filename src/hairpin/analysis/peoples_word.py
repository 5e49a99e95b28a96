"""What people say of a run beside what the run says: blame, labels of failures, failures that were missed.

It must not change anything of the run. Of several raters that counts which more than half of them say; a tie is left
out and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from pydantic import Field

from hairpin.analysis.model import Proportion
from hairpin.analysis.proportions import proportion
from hairpin.domain.annotations import Annotation, LabelOpinion
from hairpin.domain.base import Value
from hairpin.domain.failures import Failure
from hairpin.domain.ledger import NOBODY, blame_said, run_blame, words_by_conversation
from hairpin.domain.records import ConversationRecord

NO_WORD: Final = "nobody was asked"


class BlamePair(Value):
    """How many conversations the run blames on one and people on another; ``"nobody"`` is one too."""

    run: str
    people: str
    number: int = Field(ge=1)


class LabelPrecision(Value):
    """The share of a mode's labelled failures that people call right; ``ties``: of which as many say yes as no."""

    mode: str
    right: Proportion
    ties: int = Field(default=0, ge=0)


class MissedFailure(Value):
    """A failure that people see and the run does not."""

    conversation: str
    t: int
    mode: str
    target_id: str | None
    raters: tuple[str, ...]


class PeoplesWord(Value):
    """What people say of a run.

    Attributes:
        raters: who says anything.
        conversations: of how many conversations.
        blame: whom the run and people blame, by pair, the most frequent first; ties of people are in none.
        agreement: the share of those conversations of which they blame the same.
        precision: of the labels, by mode.
        missed: failures that the run missed.
    """

    raters: tuple[str, ...]
    conversations: int
    blame: tuple[BlamePair, ...]
    agreement: Proportion
    precision: tuple[LabelPrecision, ...]
    missed: tuple[MissedFailure, ...]


_Instance = tuple[int, str, str | None]
"""Turn, mode and target of a failure."""


@dataclass
class PeoplesWordFold:
    """Folds conversations, in any order, into what people say beside what the run says of them."""

    annotations: Sequence[Annotation]
    _said: dict[str, tuple[Annotation, ...]] = field(init=False)
    _blame: Counter[tuple[str, str]] = field(default_factory=Counter)
    _right: Counter[str] = field(default_factory=Counter)
    _judged: Counter[str] = field(default_factory=Counter)
    _ties: Counter[str] = field(default_factory=Counter)
    _missed: list[MissedFailure] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._said = words_by_conversation(self.annotations)

    def add(self, record: ConversationRecord) -> None:
        """Count one conversation; one of which nobody says anything changes nothing."""
        said = self._said.get(record.planned.id, ())
        blamed = blame_said(said)
        if blamed is not None:
            by_run = run_blame(record)
            self._blame[by_run.value if by_run else NOBODY, blamed.value] += 1
        for instance, opinions in _by_instance(said, record.failures).items():
            self._count(record.planned.id, instance, opinions, found=_is_found(instance, record.failures))

    def result(self) -> PeoplesWord:
        """Return what was counted."""
        same = sum(number for (by_run, people), number in self._blame.items() if by_run == people)
        pairs = sorted(self._blame.items(), key=lambda item: (-item[1], item[0]))
        modes = sorted({*self._judged, *self._ties})
        return PeoplesWord(
            raters=tuple(sorted({each.rater for each in self.annotations})),
            conversations=len(self._said),
            blame=tuple(BlamePair(run=run, people=people, number=number) for (run, people), number in pairs),
            agreement=proportion(same, self._blame.total(), reason="nobody blames anybody"),
            precision=tuple(
                LabelPrecision(
                    mode=mode,
                    right=proportion(self._right[mode], self._judged[mode], reason="every label is a tie"),
                    ties=self._ties[mode],
                )
                for mode in modes
            ),
            missed=tuple(sorted(self._missed, key=lambda each: (each.conversation, each.t, each.mode))),
        )

    def _count(self, conversation: str, instance: _Instance, opinions: list[tuple[str, bool]], *, found: bool) -> None:
        t, mode, target_id = instance
        yes = tuple(rater for rater, holds in opinions if holds)
        no = len(opinions) - len(yes)
        if found and len(yes) == no:
            self._ties[mode] += 1
        elif found:
            self._judged[mode] += 1
            self._right[mode] += len(yes) > no
        elif len(yes) > no:
            self._missed.append(
                MissedFailure(conversation=conversation, t=t, mode=mode, target_id=target_id, raters=yes)
            )


def _by_instance(said: Sequence[Annotation], failures: Sequence[Failure]) -> dict[_Instance, list[tuple[str, bool]]]:
    """Return who says of which failure that it happened, each rater once.

    A label without a target is of every failure that it could mean, unless the rater also names that one's target.
    """
    found: dict[_Instance, dict[str, bool]] = {}
    labels = [(annotation.rater, label) for annotation in said for label in annotation.labels]
    for rater, label in sorted(labels, key=lambda each: each[1].target_id is not None):
        for instance in _meant(label, failures):
            found.setdefault(instance, {})[rater] = label.holds
    return {instance: list(opinions.items()) for instance, opinions in found.items()}


def _meant(label: LabelOpinion, failures: Sequence[Failure]) -> list[_Instance]:
    """Return the failures that a label is about: those of the run that it names, else the one that it tells of."""
    there = [
        (failure.t, failure.mode, failure.target_id)
        for failure in failures
        if (failure.t, failure.mode) == (label.t, label.mode) and label.target_id in (None, failure.target_id)
    ]
    return list(dict.fromkeys(there)) or [(label.t, label.mode, label.target_id)]


def _is_found(instance: _Instance, failures: Sequence[Failure]) -> bool:
    return any((failure.t, failure.mode, failure.target_id) == instance for failure in failures)
