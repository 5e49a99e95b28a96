"""What people say of contexts and answers: the labels that checks and thresholds are measured by.

Files of them are read in ``packs``; what follows from them is ``analysis``'.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from pydantic import Field

from hairpin.domain.base import Value


class LabelCounts(Value):
    """How many items are labelled true, how many false, and how many not yet."""

    n_true: int = Field(default=0, ge=0)
    n_false: int = Field(default=0, ge=0)
    n_unlabelled: int = Field(default=0, ge=0)

    @classmethod
    def of(cls, labels: Sequence[bool | None]) -> Self:
        """Count ``labels``; ``None`` is not labelled yet."""
        return cls(
            n_true=sum(label is True for label in labels),
            n_false=sum(label is False for label in labels),
            n_unlabelled=sum(label is None for label in labels),
        )


class ContextItem(Value):
    """One question in two contexts, as in ``ports.ContextBrief``; ``equivalent``: ``None`` is not labelled yet."""

    id: str = Field(min_length=1)
    reference_text: str | None = None
    question: str = Field(min_length=1)
    source: tuple[str, ...] = ()
    follow_up: tuple[str, ...] = ()
    equivalent: bool | None = None


class AnswerItem(Value):
    """An answer of an assistant beside the gold answer; ``correct``: ``None`` is not labelled yet."""

    id: str = Field(min_length=1)
    question: str | None = None
    answer: str = Field(min_length=1)
    output: str
    correct: bool | None = None


class ContextLabels(Value):
    """What is labelled in a file: ``items`` are those with a label, in the order of the file; at least one."""

    file: str
    items: tuple[ContextItem, ...] = Field(min_length=1)
    counts: LabelCounts

    def sentence(self) -> str:
        """Say what was read."""
        return _sentence(self.file, self.counts, "equivalent", "not equivalent")


class AnswerLabels(Value):
    """What is labelled in a file: ``items`` are those with a label, in the order of the file; at least one."""

    file: str
    items: tuple[AnswerItem, ...] = Field(min_length=1)
    counts: LabelCounts

    def sentence(self) -> str:
        """Say what was read."""
        return _sentence(self.file, self.counts, "correct", "wrong")


def _sentence(file: str, counts: LabelCounts, true: str, false: str) -> str:
    n = counts.n_true + counts.n_false
    skipped = f"; {counts.n_unlabelled} without a label skipped" if counts.n_unlabelled else ""
    return f"read from {file}: {n} label{'s' * (n != 1)}, {counts.n_true} {true}, {counts.n_false} {false}{skipped}"
