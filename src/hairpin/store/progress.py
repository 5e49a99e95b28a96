"""How far a run has come, folded in SQL from a few columns.

It must not write, and it decodes nothing but the plan of what is still to do.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable
from operator import attrgetter
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from hairpin.domain.arm import Arm
from hairpin.domain.facts import Signature
from hairpin.domain.outcome import Verdict
from hairpin.domain.plan import TRIALS_FROM, PlannedConversation
from hairpin.domain.progress import Activity, RunProgress
from hairpin.store.lessons import read_lessons
from hairpin.store.replays import is_for_itself, last_folds
from hairpin.store.schema import aborts, activity, attempts, failures, folds, outcomes, plan, target_events

_DURATIONS = 50
"""So many of the latest conversations say how long one takes."""

_IN_RATES = (Verdict.PASS.value, Verdict.FAIL.value)


def read_progress(connection: Connection, run_id: str, decode: Callable[[str], PlannedConversation]) -> RunProgress:
    """Return what a resumed run must know; ``decode`` reads the plan's values."""
    accepted = (
        (outcomes.c.run_id == plan.c.run_id)
        & (outcomes.c.conversation_id == plan.c.conversation_id)
        & outcomes.c.accepted
    )
    for_itself = (plan.c.run_id == run_id) & is_for_itself()
    finished = select(plan.c.plan_index, plan.c.conversation_id).join(outcomes, accepted).where(for_itself)
    to_do = (
        select(plan.c.value)
        .outerjoin(outcomes, accepted)
        .where(for_itself, outcomes.c.attempt_id.is_(None))
        .order_by(plan.c.plan_index)
    )
    of_asides = (plan.c.run_id == run_id) & (plan.c.plan_index >= TRIALS_FROM)
    asides = select(plan.c.plan_index).join(outcomes, accepted).where(of_asides)
    done = connection.execute(finished.order_by(plan.c.plan_index)).all()
    folded = _folded(connection, run_id)
    return RunProgress(
        finished=frozenset(row.plan_index for row in done),
        unfinished=tuple(map(decode, connection.execute(to_do).scalars())),
        activity=_activity(connection, run_id),
        distinct=_distinct(connection, run_id),
        durations=_durations(connection, run_id),
        aborted=_aborted(connection, run_id),
        lessons=read_lessons(connection, run_id, decode),
        open_families=tuple(row.conversation_id for row in done if row.conversation_id not in folded),
        finished_asides=frozenset(connection.execute(asides).scalars()),
    )


class Ended(NamedTuple):
    """A conversation with its outcome, both as JSON text."""

    planned: str
    outcome: str


def read_ended(connection: Connection, run_id: str, *, after: int, at_most: int) -> list[Ended]:
    """Return those conversations with an accepted outcome, in plan order, that were planned for themselves.

    ``after``: behind this place in the plan; ``at_most``: so many.
    """
    accepted = (
        (outcomes.c.run_id == plan.c.run_id)
        & (outcomes.c.conversation_id == plan.c.conversation_id)
        & outcomes.c.accepted
    )
    query = (
        select(plan.c.value, outcomes.c.value)
        .join(outcomes, accepted)
        .where(plan.c.run_id == run_id, plan.c.plan_index > after, is_for_itself())
        .order_by(plan.c.plan_index)
        .limit(at_most)
    )
    return [Ended(planned, outcome) for planned, outcome in connection.execute(query)]


def _folded(connection: Connection, run_id: str) -> frozenset[str]:
    """Return the sources whose last fold is complete."""
    query = select(folds.c.source_id).where(folds.c.row_number.in_(last_folds(run_id)), folds.c.complete)
    return frozenset(connection.execute(query).scalars())


def _activity(connection: Connection, run_id: str) -> tuple[Activity, ...]:
    cell = (activity.c.run, activity.c.sut, activity.c.arm)
    latest = select(func.max(activity.c.row_number)).where(activity.c.run_id == run_id).group_by(*cell)
    query = select(*cell, activity.c.active_s).where(activity.c.row_number.in_(latest))
    found = (
        Activity(run=row.run, sut=row.sut, arm=Arm(row.arm), active_s=row.active_s) for row in connection.execute(query)
    )
    return tuple(sorted(found, key=attrgetter("run", "sut", "arm")))  # databases sort texts each their way


def _distinct(connection: Connection, run_id: str) -> dict[tuple[int, str, Arm], frozenset[Signature]]:
    """Return the signatures by cell and arm. A target's kind never changes, so that its first event tells it."""
    its_target = (
        (target_events.c.attempt_id == failures.c.attempt_id)
        & (target_events.c.target_id == failures.c.target_id)
        & target_events.c.old_status.is_(None)
    )
    planned = (plan.c.run_id == outcomes.c.run_id) & (plan.c.conversation_id == outcomes.c.conversation_id)
    query = (
        select(
            plan.c.run,
            plan.c.sut,
            plan.c.arm,
            failures.c.mode,
            func.coalesce(target_events.c.target_kind, "").label("target_kind"),
            func.coalesce(failures.c.strategy, "").label("strategy"),
        )
        .select_from(outcomes)
        .join(plan, planned)
        .join(failures, failures.c.attempt_id == outcomes.c.attempt_id)
        .outerjoin(target_events, its_target)
        .where(outcomes.c.run_id == run_id, outcomes.c.accepted, outcomes.c.verdict.in_(_IN_RATES), is_for_itself())
        .distinct()
    )
    found: dict[tuple[int, str, Arm], set[Signature]] = defaultdict(set)
    for row in connection.execute(query):
        found[row.run, row.sut, Arm(row.arm)].add(Signature(row.mode, row.target_kind, row.strategy))
    return {cell: frozenset(signatures) for cell, signatures in found.items()}


def _durations(connection: Connection, run_id: str) -> dict[tuple[int, str, Arm], tuple[float, ...]]:
    """Return what conversations took by cell and arm; one that asks a test seed as it is has no verdict."""
    to_its_end = outcomes.c.verdict.in_(_IN_RATES) | outcomes.c.verdict.is_(None)
    planned = (plan.c.run_id == outcomes.c.run_id) & (plan.c.conversation_id == outcomes.c.conversation_id)
    query = (
        select(plan.c.run, plan.c.sut, plan.c.arm, outcomes.c.elapsed_s)
        .select_from(outcomes)
        .join(plan, planned)
        .where(outcomes.c.run_id == run_id, outcomes.c.accepted, to_its_end, is_for_itself())
        .order_by(outcomes.c.recorded_at, plan.c.plan_index)
    )
    found: dict[tuple[int, str, Arm], deque[float]] = defaultdict(lambda: deque(maxlen=_DURATIONS))
    for row in connection.execute(query):
        found[row.run, row.sut, Arm(row.arm)].append(row.elapsed_s)
    return {cell: tuple(durations) for cell, durations in found.items()}


def _aborted(connection: Connection, run_id: str) -> dict[str, int]:
    query = (
        select(aborts.c.detail, func.count().label("attempts"))
        .join(attempts, attempts.c.attempt_id == aborts.c.attempt_id)
        .where(attempts.c.run_id == run_id)
        .group_by(aborts.c.detail)
    )
    return dict(sorted((row.detail, row.attempts) for row in connection.execute(query)))
