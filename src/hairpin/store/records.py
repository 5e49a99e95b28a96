"""Planned conversations with everything stored about them, joined in SQL.

It must not open connections or choose which conversations; ``store.reader`` and ``store.replays`` do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import Connection, Select, Table, select

from hairpin.domain.ballots import Ballot
from hairpin.domain.base import Value
from hairpin.domain.conversation import Exchange
from hairpin.domain.failures import Failure
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord, Outcome
from hairpin.domain.reviews import SimulatorReview
from hairpin.domain.scoring import DimensionScore
from hairpin.domain.targets import TargetEvent
from hairpin.store.codec import stored
from hairpin.store.schema import (
    attempts,
    dimension_scores,
    exchanges,
    failures,
    outcomes,
    simulator_reviews,
    target_events,
    turn_ballots,
)

V = TypeVar("V", bound=Value)


@dataclass(frozen=True, slots=True)
class _Try:
    """An attempt, with its outcome as JSON text if that is the accepted one."""

    attempt_id: str
    outcome: str | None


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The attempt of a conversation that counts, with how many there are."""

    attempt_id: str
    attempts: int
    outcome: str | None


def read_records(
    connection: Connection, run_id: str, query: Select[tuple[str, str]], place: str
) -> list[ConversationRecord]:
    """Return the conversations that ``query`` selects, in its order, in a number of queries that does not grow.

    A conversation has the rows of its accepted attempt, else of its latest one.

    Args:
        connection: inside the one transaction whose moment all rows are of.
        run_id: whose conversations they are.
        query: selects ``plan.conversation_id`` and ``plan.value``.
        place: what messages call the database.

    Raises:
        StoreError: a row cannot be read.
    """
    planned = connection.execute(query).all()
    chosen = _choose(connection, run_id, [row.conversation_id for row in planned])
    attempt_ids = [choice.attempt_id for choice in chosen.values()]
    reading = _Reading(connection, attempt_ids, place)
    said = reading.values(Exchange, exchanges)
    found = reading.values(Failure, failures)
    events = reading.values(TargetEvent, target_events)
    scores = reading.values(DimensionScore, dimension_scores)
    ballots = reading.values(Ballot, turn_ballots)
    reviews = reading.values(SimulatorReview, simulator_reviews)
    return [
        ConversationRecord(
            planned=stored(PlannedConversation, row.value, place, "plan"),
            attempts=choice.attempts,
            exchanges=tuple(said[choice.attempt_id]),
            failures=tuple(found[choice.attempt_id]),
            target_events=tuple(events[choice.attempt_id]),
            scores=tuple(scores[choice.attempt_id]),
            outcome=None if choice.outcome is None else stored(Outcome, choice.outcome, place, "outcomes"),
            ballots=tuple(ballots[choice.attempt_id]),
            review=next(iter(reviews[choice.attempt_id]), None),
        )
        for row in planned
        for choice in (chosen.get(row.conversation_id, _Chosen("", 0, None)),)
    ]


@dataclass(frozen=True, slots=True)
class _Reading:
    connection: Connection
    attempt_ids: Sequence[str]
    place: str

    def values(self, kind: type[V], table: Table) -> dict[str, list[V]]:
        """Return the values of a table per attempt, in the order in which they came about."""
        *_, order = table.primary_key.columns
        its = table.c.attempt_id.in_(self.attempt_ids)
        values: dict[str, list[V]] = defaultdict(list)
        for attempt_id, value in self.connection.execute(
            select(table.c.attempt_id, table.c.value).where(its).order_by(order)
        ):
            values[attempt_id].append(stored(kind, value, self.place, table.name))
        return values


def _choose(connection: Connection, run_id: str, conversation_ids: Sequence[str]) -> dict[str, _Chosen]:
    """Return per conversation its accepted attempt, else its latest one."""
    query = (
        select(attempts.c.conversation_id, attempts.c.attempt_id, outcomes.c.value)
        .outerjoin(outcomes, (outcomes.c.attempt_id == attempts.c.attempt_id) & outcomes.c.accepted)
        .where(attempts.c.run_id == run_id, attempts.c.conversation_id.in_(conversation_ids))
        .order_by(attempts.c.number)
    )
    tries: dict[str, list[_Try]] = defaultdict(list)
    for conversation_id, attempt_id, outcome in connection.execute(query):
        tries[conversation_id].append(_Try(attempt_id, outcome))
    return {conversation_id: _best(rows) for conversation_id, rows in tries.items()}


def _best(tries: Sequence[_Try]) -> _Chosen:
    best = next((each for each in tries if each.outcome is not None), tries[-1])
    return _Chosen(best.attempt_id, len(tries), best.outcome)
