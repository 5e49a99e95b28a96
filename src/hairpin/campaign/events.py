"""What a run tells whoever watches it.

It must not influence the run: a listener only receives.
"""

from __future__ import annotations

from typing import Protocol

from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import Outcome


class RunListener(Protocol):
    """Receives progress; its methods return at once and do not raise."""

    def run_started(self, *, n_planned: int) -> None:
        """The plan is stored, conversations begin."""
        ...

    def conversation_started(self, planned: PlannedConversation) -> None:
        """A worker took a conversation."""
        ...

    def conversation_ended(self, planned: PlannedConversation, outcome: Outcome | None) -> None:
        """A conversation ended; ``None``: it was interrupted and has no outcome."""
        ...


class SilentListener:
    """Ignores everything."""

    def run_started(self, *, n_planned: int) -> None:
        """Do nothing."""

    def conversation_started(self, planned: PlannedConversation) -> None:
        """Do nothing."""

    def conversation_ended(self, planned: PlannedConversation, outcome: Outcome | None) -> None:
        """Do nothing."""
