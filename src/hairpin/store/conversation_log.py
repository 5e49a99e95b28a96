"""The log of one attempt: its rows, through the writer.

It must not open or end attempts; ``store.runs`` does.
"""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.domain.ballots import Ballot
from hairpin.domain.conversation import Exchange
from hairpin.domain.failures import Failure
from hairpin.domain.reviews import SimulatorReview
from hairpin.domain.scoring import DimensionScore
from hairpin.domain.targets import TargetEvent
from hairpin.errors import StoreError
from hairpin.ports import Clock
from hairpin.store import rows, schema
from hairpin.store.writer import Writer


class SqlConversationLog:
    """Implements ``ports.ConversationLog`` for one open attempt: each call returns when its rows are committed."""

    def __init__(self, attempt_id: str, place: str, writer: Writer, clock: Clock, open_attempts: set[str]) -> None:
        self._attempt_id = attempt_id
        self._place = place
        self._writer = writer
        self._clock = clock
        self._open_attempts = open_attempts

    async def record_exchange(self, exchange: Exchange) -> None:
        """Store an exchange. Raises StoreError when the attempt has one with the same ``t``."""
        self.check_open()
        row = rows.exchange_row(self._attempt_id, exchange, recorded_at=self._clock.now().isoformat())
        await self._writer.insert(f"exchange {exchange.t} of attempt {self._attempt_id!r}", [(schema.exchanges, row)])

    async def record_turn(self, failures: Sequence[Failure], events: Sequence[TargetEvent]) -> None:
        """Store what was found in a turn, all or none of it."""
        self.check_open()
        found = [(schema.failures, rows.failure_row(self._attempt_id, failure)) for failure in failures]
        changed = [(schema.target_events, rows.target_event_row(self._attempt_id, event)) for event in events]
        if found or changed:
            await self._writer.insert(f"findings of attempt {self._attempt_id!r}", [*found, *changed])

    async def record_score(self, score: DimensionScore) -> None:
        """Store a dimension score. Raises StoreError when the attempt has one of that dimension."""
        self.check_open()
        row = rows.score_row(self._attempt_id, score)
        what = f"the score of {score.dimension!r} of attempt {self._attempt_id!r}"
        await self._writer.insert(what, [(schema.dimension_scores, row)])

    async def record_ballot(self, t: int, ballot: Ballot) -> None:
        """Store the votes of a panel on exchange ``t``. Raises StoreError when the attempt has some."""
        self.check_open()
        row = rows.ballot_row(self._attempt_id, t, ballot)
        await self._writer.insert(f"the votes on exchange {t} of {self._attempt_id!r}", [(schema.turn_ballots, row)])

    async def record_review(self, review: SimulatorReview) -> None:
        """Store the review of the simulated user. Raises StoreError when the attempt has one."""
        self.check_open()
        row = rows.review_row(self._attempt_id, review)
        await self._writer.insert(f"the review of attempt {self._attempt_id!r}", [(schema.simulator_reviews, row)])

    def check_open(self) -> None:
        """Raise StoreError if the attempt was never started here, or has ended."""
        if self._attempt_id not in self._open_attempts:
            raise StoreError(
                f"{self._place}: attempt {self._attempt_id!r} is not open: never started here, finished or aborted; "
                "start a new attempt"
            )
