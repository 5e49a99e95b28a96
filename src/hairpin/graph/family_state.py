"""The channels of the metamorphic node's graph and what its nodes are given.

Channels hold frozen domain values; run-scoped dependencies travel in the runtime context.
"""

from __future__ import annotations

import operator
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, TypeAlias, TypedDict

from hairpin.domain.base import Value
from hairpin.domain.families import Family
from hairpin.domain.outcome import Stop
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import ContextMethod, Derivation, Fold, RelationCheck
from hairpin.graph.stopping import StopToken
from hairpin.ports import ContextChecker, RunStore


class FollowUpEnd(Value):
    """How a follow-up ended. ``stop`` is ``None`` where it has no outcome: ``why`` says why not."""

    conversation: str
    stop: Stop | None = None
    why: str = ""


class FamilyEnd(Value):
    """How far a family has come.

    Attributes:
        source: the id of its source conversation.
        n_follow_ups: how many were planned.
        n_ended: how many of them have an outcome.
        fold: what was found, ``None`` where nothing could be compared.
        problems: what went wrong, in words.
        untold: of how many positions nobody can say whether the context is equivalent, since a role failed.
        untold_why: the first of the reasons, in words.
    """

    source: str
    n_follow_ups: int = 0
    n_ended: int = 0
    fold: Fold | None = None
    problems: tuple[str, ...] = ()
    untold: int = 0
    untold_why: str = ""

    @property
    def complete(self) -> bool:
        """Whether nothing is left to be done."""
        return self.fold is not None and self.fold.complete

    @property
    def only_untold(self) -> bool:
        """Whether all that is left are contexts of which a role that failed could not say; a resumed run asks again."""
        return bool(self.untold) and not self.problems and self.n_ended == self.n_follow_ups


Derived: TypeAlias = tuple[Derivation, tuple[PlannedConversation, ...]]


class FamilyState(TypedDict, total=False):
    """The channels.

    ``waiting``: follow-ups that have no outcome yet; ``unchecked``: positions without a finding; ``untold``: for every
    position where a role failed, why.
    """

    derivation: Derivation | None
    follow_ups: tuple[PlannedConversation, ...]
    waiting: tuple[PlannedConversation, ...]
    ends: Annotated[tuple[FollowUpEnd, ...], operator.add]
    unchecked: int
    untold: tuple[str, ...]
    fold: Fold | None
    problems: Annotated[tuple[str, ...], operator.add]


class FollowUpInput(TypedDict):
    """What one branch of ``follow_up`` is sent."""

    planned: PlannedConversation


class FamilyUpdate(FamilyState, total=False):
    """A partial update that a node returns."""


def _ignore(_: Derivation, __: int) -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class FamilyDeps:
    """What the nodes of one family work with.

    Attributes:
        source: the id of the source conversation.
        store: where everything is read from and stored.
        derive: makes the follow-ups of a source.
        ask: has a follow-up run and returns once it has ended, or once it is clear that it is not run.
        checker: says whether contexts are equivalent.
        context: the method of ``checker``.
        relate: compares the answers of a family.
        stop: ends what takes long, contexts included; follow-ups are ended by who runs them.
        run_stop: the whole run's: after an interrupt nothing is stored any more.
        language: of the questions.
        asks_models: ``derive`` does: nothing is derived once time is up, or what models refuse then would be final.
        derived: told what was derived, and how many of the follow-ups are left to be run.
    """

    source: str
    store: RunStore
    derive: Callable[[ConversationRecord], Awaitable[Derived]]
    ask: Callable[[PlannedConversation], Awaitable[FollowUpEnd]]
    checker: ContextChecker
    relate: Callable[[Family], Awaitable[Sequence[RelationCheck]]]
    stop: StopToken = field(default_factory=StopToken)
    run_stop: StopToken = field(default_factory=StopToken)
    context: ContextMethod = ContextMethod.EC
    language: str = "en"
    asks_models: bool = False
    derived: Callable[[Derivation, int], None] = _ignore


def family_end(source: str, state: FamilyState) -> FamilyEnd:
    """Return what the channels say at the end."""
    waiting = {planned.id for planned in state["waiting"]}
    ended = {end.conversation for end in state["ends"] if end.stop is not None}
    return FamilyEnd(
        source=source,
        n_follow_ups=len(state["follow_ups"]),
        n_ended=len(state["follow_ups"]) - len(waiting - ended),
        fold=state["fold"],
        problems=tuple(dict.fromkeys(state["problems"])),
        untold=len(state["untold"]),
        untold_why=next(iter(state["untold"]), ""),
    )
