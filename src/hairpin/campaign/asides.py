"""Asides of a run: conversations that follow others to try Hairpin itself, trials and canaries; and which of them wait.

It must not run them; workers take them from here, before new conversations.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from hairpin.domain.conversation import Exchange
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import Outcome

After: TypeAlias = "Callable[[PlannedConversation, Outcome], tuple[PlannedConversation, ...]]"
"""Says which asides follow a conversation that was planned for itself and ended. The same whenever it is asked."""


def _nothing(_: PlannedConversation, __: Outcome) -> tuple[PlannedConversation, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Asides:
    """What follows the conversations of a run.

    Attributes:
        after: which asides follow one that ended; a pure function, so that a resumed run finds again which are missing.
        transcripts: what canaries say again, by their ids.
    """

    after: After = _nothing
    transcripts: Mapping[str, tuple[Exchange, ...]] = field(default_factory=dict)

    @property
    def any(self) -> bool:
        """Whether something may follow."""
        return self.after is not _nothing

    def following(self, planned: PlannedConversation, outcome: Outcome) -> tuple[PlannedConversation, ...]:
        """Return what follows ``planned``: nothing after what is not planned for itself, nor after a replay."""
        if not planned.for_itself or planned.replay is not None:
            return ()
        return self.after(planned, outcome)

    def missing(
        self, ended: Iterable[tuple[PlannedConversation, Outcome]], finished: frozenset[int]
    ) -> Iterator[PlannedConversation]:
        """Yield the asides of conversations that ``ended`` but those ``finished``, which are given by their indexes."""
        for planned, outcome in ended:
            yield from (aside for aside in self.following(planned, outcome) if aside.index not in finished)


def together(*afters: After) -> After:
    """Return what says that all asides follow that one of ``afters`` says, in their order."""

    def after(planned: PlannedConversation, outcome: Outcome) -> tuple[PlannedConversation, ...]:
        return tuple(aside for each in afters for aside in each(planned, outcome))

    return after if afters else _nothing


class WaitingAsides:
    """The asides that wait for a worker, oldest first."""

    def __init__(self, asides: Iterable[PlannedConversation] = ()) -> None:
        self._waiting = deque(asides)

    @property
    def idle(self) -> bool:
        """Whether none waits."""
        return not self._waiting

    def add(self, asides: Iterable[PlannedConversation]) -> None:
        """Let these wait too."""
        self._waiting.extend(asides)

    def put_back(self, aside: PlannedConversation) -> None:
        """Take back one that could not begin yet; it goes first."""
        self._waiting.appendleft(aside)

    def take(self, may_begin: Callable[[PlannedConversation], bool]) -> PlannedConversation | None:
        """Take the one that has waited longest of those that may begin now."""
        found = next((aside for aside in self._waiting if may_begin(aside)), None)
        if found is not None:
            self._waiting.remove(found)
        return found

    def refuse(self, which: Callable[[PlannedConversation], bool]) -> None:
        """Drop those that are not to be run now; a resumed run finds them again."""
        self._waiting = deque(aside for aside in self._waiting if not which(aside))
