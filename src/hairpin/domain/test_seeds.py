"""Test seeds: the source dialogues that follow-ups are derived from.

It must not read files; ``packs`` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.users import Context

SeedFormat = Literal["auto", "coqa", "questions", "sgd", "cast", "run", "seeds"]
"""How test seeds are written; ``run`` is a stored run of Hairpin, ``seeds`` Hairpin's own JSON lines."""


class SeedQuestion(Value):
    """One question q_j of a test seed.

    Attributes:
        text: what the user says.
        answers: the gold answers, all of them; a_j is the first. Empty: there is no gold answer (eq. 18).
        needs_reply: it means something only with the assistant's reply before it ("the second one").
        rewrite: the gold stand-alone question, where a data set has one.
    """

    text: str = Field(min_length=1)
    answers: tuple[str, ...] = ()
    needs_reply: bool = False
    rewrite: str | None = None


class TestSeed(Value):
    """A source dialogue D: its questions Q in order, keyed by their index, and what they are about.

    ``context.reference_text`` is the story. ``origin``: the data set, the file or the run that it is from.

    Source: MORTAR, eq. 1 to 3.
    """

    __test__ = False

    id: str = Field(min_length=1)
    origin: str = ""
    context: Context = Context()
    questions: tuple[SeedQuestion, ...] = Field(min_length=1)

    @property
    def reference_text(self) -> str | None:
        """The story, ``None`` when there is none or it is blank."""
        text = self.context.reference_text
        return text if text and text.strip() else None

    @property
    def texts(self) -> tuple[str, ...]:
        """Q, as texts."""
        return tuple(question.text for question in self.questions)

    @property
    def has_gold(self) -> bool:
        """Whether any question has a gold answer."""
        return any(question.answers for question in self.questions)


class TestSeedsSource(Value):
    """Where a scenario's test seeds are.

    Attributes:
        file: their file; of the format ``run`` the folder of a run.
        limit: so many dialogues at most, from the start.
        max_questions: so many questions of each at most, from the start.
        strict: a broken record ends the reading instead of being skipped.
    """

    __test__ = False

    file: str
    format: SeedFormat = "auto"
    limit: int | None = Field(default=None, ge=1)
    max_questions: int | None = Field(default=None, ge=2)
    strict: bool = False


class SeedProblem(Value):
    """Why a record, counted from 1, is no test seed."""

    record: int = Field(ge=1)
    id: str = ""
    what: str

    def __str__(self) -> str:
        """Say it in one line."""
        named = f"record {self.record} ({self.id})" if self.id else f"record {self.record}"
        return f"{named}: {self.what}"


class SeedsImported(Value):
    """What was taken from a file of test seeds. ``notes``: what else was decided about the file as a whole."""

    file: str
    format: str
    n_seeds: int = Field(ge=0)
    n_questions: int = Field(ge=0)
    n_skipped: int = Field(default=0, ge=0)
    problems: tuple[SeedProblem, ...] = ()
    notes: tuple[str, ...] = ()
    counts: Mapping[str, int] = Field(default_factory=dict)

    def sentence(self) -> str:
        """Say where the test seeds come from."""
        seeds = f"{self.n_seeds} test seed{'s' * (self.n_seeds != 1)}"
        skipped = f"{self.n_skipped} record{'s' * (self.n_skipped != 1)} skipped"
        questions = f"{self.n_questions} question{'s' * (self.n_questions != 1)}"
        return f"read from {self.file} ({self.format}): {seeds} with {questions}, {skipped}"
