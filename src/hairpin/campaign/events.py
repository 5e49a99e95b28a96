"""What a run tells whoever watches it.

It must not influence the run: a listener only receives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from hairpin.domain.arm import Arm
from hairpin.domain.facts import Signature
from hairpin.domain.failures import Failure
from hairpin.domain.learning import Lesson
from hairpin.domain.outcome import Stop, Verdict
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import Outcome
from hairpin.domain.targets import Target
from hairpin.graph.family_state import FamilyEnd


@dataclass(frozen=True, slots=True)
class ConversationEnd:
    """A conversation that has an outcome, with what was found in it, what the user said and which strategy wrote it.

    ``judging_s``: seconds from the last stored exchange to the end.
    """

    outcome: Outcome
    failures: tuple[Failure, ...] = ()
    targets: tuple[Target, ...] = ()
    utterances: tuple[str, ...] = ()
    strategies: tuple[str | None, ...] = ()
    judging_s: float = 0.0

    @property
    def signatures(self) -> frozenset[Signature]:
        """What distinct failures were found."""
        kinds = {target.id: target.kind for target in self.targets}
        return frozenset(
            Signature(failure.mode, kinds.get(failure.target_id or "", ""), failure.strategy or "")
            for failure in self.failures
        )

    def lesson(self, planned: PlannedConversation) -> Lesson:
        """Return what ``planned``, which ended so, teaches."""
        return Lesson(
            id=planned.id,
            index=planned.index,
            task=planned.task,
            seed_phrase=planned.seed_phrase or "",
            rated=self.outcome.judgement.verdict in (Verdict.PASS, Verdict.FAIL),
            uses=Counter(strategy for strategy in self.strategies if strategy is not None),
            found=self.signatures,
        )


@dataclass(frozen=True, slots=True)
class ArmStatus:
    """How an arm of the cell that runs now stands. ``None``: it has no such limit."""

    used_s: float
    left_s: float | None
    started: int
    conversations_left: int | None
    running: int
    distinct: int


@dataclass(frozen=True, slots=True)
class CampaignStatus:
    """How a campaign stands: the cell that runs now, from 0, of ``n_cells``; its arms; what models use, in words."""

    cell: int
    n_cells: int
    run: int
    sut: str
    arms: Mapping[Arm, ArmStatus] = field(default_factory=dict)
    models: tuple[str, ...] = ()


class RunListener(Protocol):
    """Receives progress; its methods return at once and do not raise.

    Of follow-ups and asides it hears in methods of their own: they are not among the conversations that were planned.
    """

    def run_started(self, *, n_planned: int | None) -> None:
        """Conversations begin; ``None``: as many as there is time for."""
        ...

    def conversation_started(self, planned: PlannedConversation) -> None:
        """A worker took a conversation."""
        ...

    def conversation_retried(self, planned: PlannedConversation, stop: Stop) -> None:
        """An attempt broke for a reason that is not the assistant's, and the conversation is tried again."""
        ...

    def conversation_ended(self, planned: PlannedConversation, end: ConversationEnd | None) -> None:
        """A conversation ended; ``None``: it was interrupted and has no outcome."""
        ...

    def family_started(self, source: str, *, n_follow_ups: int, n_left: int) -> None:
        """The follow-ups of the conversation ``source`` are known; of ``n_follow_ups`` so many are left to be run."""
        ...

    def follow_up_started(self, planned: PlannedConversation) -> None:
        """A worker took a follow-up."""
        ...

    def follow_up_ended(self, planned: PlannedConversation, end: ConversationEnd | None) -> None:
        """A follow-up ended; ``None``: it was interrupted and has no outcome."""
        ...

    def family_ended(self, end: FamilyEnd) -> None:
        """No follow-up of that source is run any more, and what is there of them was compared."""
        ...

    def aside_started(self, planned: PlannedConversation) -> None:
        """A worker took a trial or a canary."""
        ...

    def aside_ended(self, planned: PlannedConversation, end: ConversationEnd | None) -> None:
        """A trial or a canary ended; ``None``: it was interrupted and has no outcome."""
        ...

    def ticked(self, status: CampaignStatus) -> None:
        """Time has passed in a campaign."""
        ...

    def run_ended(self) -> None:
        """Nothing runs any more; the report comes next."""
        ...


class SilentListener:
    """Ignores everything."""

    def run_started(self, *, n_planned: int | None) -> None:
        """Do nothing."""

    def conversation_started(self, planned: PlannedConversation) -> None:
        """Do nothing."""

    def conversation_retried(self, planned: PlannedConversation, stop: Stop) -> None:
        """Do nothing."""

    def conversation_ended(self, planned: PlannedConversation, end: ConversationEnd | None) -> None:
        """Do nothing."""

    def family_started(self, source: str, *, n_follow_ups: int, n_left: int) -> None:
        """Do nothing."""

    def follow_up_started(self, planned: PlannedConversation) -> None:
        """Do nothing."""

    def follow_up_ended(self, planned: PlannedConversation, end: ConversationEnd | None) -> None:
        """Do nothing."""

    def family_ended(self, end: FamilyEnd) -> None:
        """Do nothing."""

    def aside_started(self, planned: PlannedConversation) -> None:
        """Do nothing."""

    def aside_ended(self, planned: PlannedConversation, end: ConversationEnd | None) -> None:
        """Do nothing."""

    def ticked(self, status: CampaignStatus) -> None:
        """Do nothing."""

    def run_ended(self) -> None:
        """Do nothing."""
