"""Conversations that were made elsewhere or in another run, as exchanges, and what became of what held them.

It must not judge; files are read in ``packs``.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.conversation import Exchange
from hairpin.domain.users import Context


class Recording(Value):
    """One conversation, both sides written down.

    Attributes:
        id: what its file calls it, else its line.
        context: where and when it happened, if the file says so.
        notes: what was left out or joined, for the transcript.
    """

    id: str
    exchanges: tuple[Exchange, ...] = Field(min_length=1)
    context: Context | None = None
    notes: tuple[str, ...] = ()


class RecordingProblem(Value):
    """Why a line of a file, counted from 1, is no conversation."""

    line: int = Field(ge=1)
    what: str

    def __str__(self) -> str:
        """Say it in one line."""
        return f"line {self.line}: {self.what}"


class Imported(Value):
    """What was taken from a file of conversations.

    Attributes:
        file: its name.
        n_conversations: how many are judged.
        n_skipped: lines that hold none; ``problems`` are the first of them.
        notes: what else was decided about the file as a whole.
        formats: how many conversations were written in which format.
    """

    file: str
    n_conversations: int = Field(ge=0)
    n_skipped: int = Field(default=0, ge=0)
    problems: tuple[RecordingProblem, ...] = ()
    notes: tuple[str, ...] = ()
    formats: Mapping[str, int] = Field(default_factory=dict)

    def sentence(self) -> str:
        """Say where the conversations come from."""
        conversations = f"{self.n_conversations} conversation{'s' * (self.n_conversations != 1)}"
        skipped = f"{self.n_skipped} line{'s' * (self.n_skipped != 1)} skipped"
        return f"imported from {self.file}: {conversations}, {skipped}"


class LeftOut(Value):
    """A conversation of the stored run that is not judged again, and why."""

    id: str
    why: str


class Rejudged(Value):
    """The run whose conversations are judged again.

    Attributes:
        run_id, name, created_at, fingerprint, agents: of that run.
        location: where it was.
        threshold: θ of that run; ``None``: it had no scores, or an earlier version of Hairpin began this run.
        campaign: it was a campaign, or judged one again; an earlier version of Hairpin did not say.
        modes, dimensions: the titles by id that its rubric gave; empty: an earlier version of Hairpin began this run.
        n_conversations: how many are judged again.
        n_left_out: how many of those wanted are not; ``left_out`` are the first of them.
    """

    run_id: str
    name: str
    location: str
    created_at: str
    fingerprint: str
    agents: Mapping[str, str]
    threshold: float | None = None
    campaign: bool = False
    modes: Mapping[str, str] = Field(default_factory=dict)
    dimensions: Mapping[str, str] = Field(default_factory=dict)
    n_conversations: int = Field(ge=0)
    n_left_out: int = Field(default=0, ge=0)
    left_out: tuple[LeftOut, ...] = ()

    def sentence(self) -> str:
        """Say where the conversations come from."""
        conversations = f"{self.n_conversations} conversation{'s' * (self.n_conversations != 1)}"
        return f"{conversations} of run {self.run_id} of {self.name} judged again, {self.n_left_out} left out"
