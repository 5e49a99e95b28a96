"""What the conversations of the learned arm taught, folded in SQL from a few columns.

It must not write, nor choose anything; ``domain.learning`` does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from sqlalchemy import Connection, func, select

from hairpin.domain.arm import Arm
from hairpin.domain.facts import Signature
from hairpin.domain.learning import Lesson
from hairpin.domain.outcome import Verdict
from hairpin.domain.plan import PlannedConversation
from hairpin.store.replays import is_for_itself
from hairpin.store.schema import exchanges, failures, outcomes, plan, target_events

_IN_RATES = (Verdict.PASS.value, Verdict.FAIL.value)


def read_lessons(
    connection: Connection, run_id: str, decode: Callable[[str], PlannedConversation]
) -> dict[tuple[int, str], tuple[Lesson, ...]]:
    """Return the lessons of every finished conversation of the learned arm by (run, sut), in plan order."""
    accepted = (outcomes.c.run_id == plan.c.run_id) & (outcomes.c.conversation_id == plan.c.conversation_id)
    query = (
        select(plan.c.value, outcomes.c.attempt_id, outcomes.c.verdict)
        .join(outcomes, accepted & outcomes.c.accepted)
        .where(plan.c.run_id == run_id, plan.c.arm == Arm.LEARNED.value, is_for_itself())
        .order_by(plan.c.plan_index)
    )
    uses, found = _uses(connection, run_id), _found(connection, run_id)
    lessons: dict[tuple[int, str], list[Lesson]] = defaultdict(list)
    for row in connection.execute(query):
        planned = decode(row.value)
        lessons[planned.run, planned.sut].append(
            Lesson(
                id=planned.id,
                index=planned.index,
                task=planned.task,
                seed_phrase=planned.seed_phrase or "",
                rated=row.verdict in _IN_RATES,
                uses=uses.get(row.attempt_id, {}),
                found=frozenset(found.get(row.attempt_id, ())),
            )
        )
    return {cell: tuple(taught) for cell, taught in lessons.items()}


def _uses(connection: Connection, run_id: str) -> dict[str, dict[str, int]]:
    """Return how many utterances each strategy wrote, by attempt."""
    query = (
        select(exchanges.c.attempt_id, exchanges.c.strategy, func.count().label("uses"))
        .join(outcomes, outcomes.c.attempt_id == exchanges.c.attempt_id)
        .join(plan, (plan.c.run_id == outcomes.c.run_id) & (plan.c.conversation_id == outcomes.c.conversation_id))
        .where(outcomes.c.run_id == run_id, outcomes.c.accepted, plan.c.arm == Arm.LEARNED.value)
        .where(exchanges.c.strategy.is_not(None))
        .group_by(exchanges.c.attempt_id, exchanges.c.strategy)
    )
    uses: dict[str, dict[str, int]] = defaultdict(dict)
    for row in connection.execute(query):
        uses[row.attempt_id][row.strategy] = row.uses
    return uses


def _found(connection: Connection, run_id: str) -> dict[str, set[Signature]]:
    """Return the signatures by attempt. A target's kind never changes, so that its first event tells it."""
    its_target = (
        (target_events.c.attempt_id == failures.c.attempt_id)
        & (target_events.c.target_id == failures.c.target_id)
        & target_events.c.old_status.is_(None)
    )
    query = (
        select(
            failures.c.attempt_id,
            failures.c.mode,
            func.coalesce(target_events.c.target_kind, "").label("target_kind"),
            func.coalesce(failures.c.strategy, "").label("strategy"),
        )
        .join(outcomes, outcomes.c.attempt_id == failures.c.attempt_id)
        .join(plan, (plan.c.run_id == outcomes.c.run_id) & (plan.c.conversation_id == outcomes.c.conversation_id))
        .outerjoin(target_events, its_target)
        .where(outcomes.c.run_id == run_id, outcomes.c.accepted, plan.c.arm == Arm.LEARNED.value)
        .distinct()
    )
    found: dict[str, set[Signature]] = defaultdict(set)
    for row in connection.execute(query):
        found[row.attempt_id].add(Signature(row.mode, row.target_kind, row.strategy))
    return found
