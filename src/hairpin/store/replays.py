"""Replays in SQL: what was derived from which conversation, and what was checked of it.

Functions of a connection only; those that write are run by the writer inside its transaction and may run twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, Table, func, insert, select

from hairpin.domain.families import Family
from hairpin.domain.plan import FOLLOW_UPS_FROM, PlannedConversation
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relation_counts import RelationCount, RelationTotals
from hairpin.domain.relations import (
    MORTAR_RELATIONS,
    ContextCheck,
    Derivation,
    Fold,
    MetamorphicRelation,
    RelationCheck,
)
from hairpin.store import rows
from hairpin.store.codec import column_text, stored
from hairpin.store.records import read_records
from hairpin.store.schema import context_checks, derivations, folds, follow_ups, plan, relation_checks
from hairpin.store.writer import Row


class FamilySize(NamedTuple):
    """A source with so many follow-ups."""

    source: str
    n_follow_ups: int


def planned_rows(run_id: str, planned: PlannedConversation) -> Iterator[tuple[Table, Row]]:
    """Yield the rows that plan a conversation: a follow-up is one of ``follow_ups`` too."""
    yield plan, rows.plan_row(run_id, planned)
    if planned.replay is not None and planned.replay.source is not None:
        yield follow_ups, rows.follow_up_row(run_id, planned.id, planned.replay.source, planned.replay)


def derived_rows(
    run_id: str, derivation: Derivation, planned: Sequence[PlannedConversation]
) -> list[tuple[Table, Row]]:
    """Return the rows of a derivation and of its follow-ups.

    Raises:
        ValueError: ``planned`` are not the follow-ups that the derivation names.
    """
    named = tuple(each.id for each in planned)
    sources = {each.replay.source if each.replay else None for each in planned}
    if named != derivation.follow_ups or sources - {derivation.source}:
        raise ValueError(
            f"the derivation of {derivation.source!r} names {derivation.follow_ups}, planned are {named} of {sources}"
        )
    follow_up_rows = [row for each in planned for row in planned_rows(run_id, each)]
    return [*follow_up_rows, (derivations, rows.derivation_row(run_id, derivation))]


def insert_fold(connection: Connection, run_id: str, fold: Fold, *, recorded_at: str) -> None:
    """Store a fold with its checks."""
    made = connection.execute(insert(folds), rows.fold_row(run_id, fold, recorded_at=recorded_at))
    if fold.checks:
        assert made.inserted_primary_key is not None
        number = made.inserted_primary_key.row_number
        checks = [{**rows.relation_check_row(run_id, check), "fold": number} for check in fold.checks]
        connection.execute(insert(relation_checks), checks)


def is_for_itself() -> ColumnElement[bool]:
    """Whether the conversation in ``plan`` is one that the run was started for, as a condition."""
    return plan.c.plan_index < FOLLOW_UPS_FROM


def last_folds(run_id: str) -> Select[tuple[int]]:
    """Return the query for the numbers of the folds that count."""
    return select(func.max(folds.c.row_number)).where(folds.c.run_id == run_id).group_by(folds.c.source_id)


def read_derivation(
    connection: Connection, run_id: str, source: str, place: str
) -> tuple[Derivation, tuple[PlannedConversation, ...]] | None:
    """Return what was derived from a conversation, with its follow-ups in plan order; ``None``: nothing yet."""
    key = column_text(source)
    query = select(derivations.c.value).where(derivations.c.run_id == run_id, derivations.c.source_id == key)
    value = connection.execute(query).scalar_one_or_none()
    if value is None:
        return None
    ids = list(_follow_up_ids(connection, run_id, [key]))
    planned = [
        stored(PlannedConversation, row.value, place, "plan") for row in connection.execute(_planned(run_id, ids))
    ]
    return stored(Derivation, value, place, "derivations"), tuple(sorted(planned, key=attrgetter("index")))


def read_context_checks(connection: Connection, run_id: str, source: str, place: str) -> tuple[ContextCheck, ...]:
    """Return the context checks of the follow-ups of a conversation, in the order stored."""
    ids = list(_follow_up_ids(connection, run_id, [column_text(source)]))
    return tuple(check for _, check in _context_checks(connection, run_id, ids, place))


def read_family(connection: Connection, run_id: str, source: str, place: str) -> tuple[ConversationRecord, ...]:
    """Return a conversation and then its follow-ups, in plan order."""
    key = column_text(source)
    ids = [key, *_follow_up_ids(connection, run_id, [key])]
    records = read_records(connection, run_id, _planned(run_id, ids), place)
    return tuple(sorted(records, key=lambda record: (record.planned.id != source, record.planned.index)))


def read_sizes(connection: Connection, run_id: str) -> list[FamilySize]:
    """Return every source of which there is a derivation, in plan order, with how many follow-ups it has."""
    its_plan = (plan.c.run_id == derivations.c.run_id) & (plan.c.conversation_id == derivations.c.source_id)
    its_own = (follow_ups.c.run_id == derivations.c.run_id) & (follow_ups.c.source_id == derivations.c.source_id)
    query = (
        select(derivations.c.source_id, func.count(follow_ups.c.conversation_id))
        .join(plan, its_plan)
        .outerjoin(follow_ups, its_own)
        .where(derivations.c.run_id == run_id)
        .group_by(derivations.c.source_id, plan.c.plan_index)
        .order_by(plan.c.plan_index)
    )
    return [FamilySize(source, number) for source, number in connection.execute(query)]


def read_families(connection: Connection, run_id: str, sources: Sequence[str], place: str) -> list[Family]:
    """Return the families of these sources, which have derivations, in their order."""
    derived = select(derivations.c.source_id, derivations.c.value).where(derivations.c.run_id == run_id)
    found = connection.execute(derived.where(derivations.c.source_id.in_(sources)))
    values = {row.source_id: row.value for row in found}
    source_of = _follow_up_ids(connection, run_id, sources)
    records = read_records(connection, run_id, _planned(run_id, [*sources, *source_of]), place)
    by_id = {column_text(record.planned.id): record for record in records}
    replayed: dict[str, list[ConversationRecord]] = defaultdict(list)
    for follow_up in sorted(source_of, key=lambda each: by_id[each].planned.index):
        replayed[source_of[follow_up]].append(by_id[follow_up])
    checks: dict[str, list[ContextCheck]] = defaultdict(list)
    for follow_up, check in _context_checks(connection, run_id, list(source_of), place):
        checks[source_of[follow_up]].append(check)
    return [
        Family(
            derivation=stored(Derivation, values[source], place, "derivations"),
            source=by_id[source],
            follow_ups=tuple(replayed[source]),
            context_checks=tuple(checks[source]),
        )
        for source in sources
    ]


def read_last_folds(connection: Connection, run_id: str) -> list[int]:
    """Return the number of every fold that counts, in plan order of the sources."""
    its_plan = (plan.c.run_id == folds.c.run_id) & (plan.c.conversation_id == folds.c.source_id)
    query = (
        select(folds.c.row_number)
        .join(plan, its_plan)
        .where(folds.c.row_number.in_(last_folds(run_id)))
        .order_by(plan.c.plan_index)
    )
    return list(connection.execute(query).scalars())


def read_last_fold(connection: Connection, run_id: str, source: str, place: str) -> Fold | None:
    """Return the fold of one source that counts."""
    last = last_folds(run_id).where(folds.c.source_id == column_text(source))
    numbers = list(connection.execute(select(folds.c.row_number).where(folds.c.row_number.in_(last))).scalars())
    return read_folds(connection, numbers, place)[0] if numbers else None


def read_folds(connection: Connection, numbers: Sequence[int], place: str) -> list[Fold]:
    """Return the folds with these numbers, in their order."""
    heads = {row.row_number: row for row in connection.execute(select(folds).where(folds.c.row_number.in_(numbers)))}
    columns = (relation_checks.c.row_number, relation_checks.c.fold, relation_checks.c.value)
    query = select(*columns).where(relation_checks.c.fold.in_(numbers))
    checks: dict[int, list[RelationCheck]] = defaultdict(list)
    for row in sorted(connection.execute(query), key=attrgetter("row_number")):
        checks[row.fold].append(stored(RelationCheck, row.value, place, "relation_checks"))
    return [
        Fold(
            source=heads[number].source_id,
            complete=heads[number].complete,
            n_follow_ups=heads[number].n_follow_ups,
            checks=tuple(checks[number]),
        )
        for number in numbers
    ]


def read_totals(connection: Connection, run_id: str) -> RelationTotals:
    """Count the checks of the folds that count, by relation and level; no value is decoded."""
    columns = (relation_checks.c.relation, relation_checks.c.violated, relation_checks.c.level)
    query = (
        select(*columns, func.count().label("number"))
        .where(relation_checks.c.fold.in_(last_folds(run_id)))
        .group_by(*columns)
    )
    found = connection.execute(query).all()
    named = {relation.value for relation in MORTAR_RELATIONS}
    levels: dict[int, int] = defaultdict(int)
    for row in found:
        if row.violated and row.level is not None and row.relation in named:
            levels[row.level] += row.number
    counts = {
        relation: RelationCount(
            checks=sum(row.number for row in found if row.relation == relation and row.violated is not None),
            violations=sum(row.number for row in found if row.relation == relation and row.violated),
            not_applicable=sum(row.number for row in found if row.relation == relation and row.violated is None),
        )
        for relation in MetamorphicRelation
    }
    return RelationTotals(
        by_relation={relation: count for relation, count in counts.items() if count != RelationCount()},
        levels=dict(sorted(levels.items())),
    )


# The queries below have no ORDER BY and no join: told to sort by the place in the plan, SQLite reads the whole plan in
# that order instead of looking up the few rows that are wanted.
def _follow_up_ids(connection: Connection, run_id: str, sources: Sequence[str]) -> dict[str, str]:
    """Return the ids of the follow-ups of these sources, each with its source."""
    columns = select(follow_ups.c.conversation_id, follow_ups.c.source_id)
    query = columns.where(follow_ups.c.run_id == run_id, follow_ups.c.source_id.in_(sources))
    return {row.conversation_id: row.source_id for row in connection.execute(query)}


def _planned(run_id: str, ids: Sequence[str]) -> Select[tuple[str, str]]:
    columns = select(plan.c.conversation_id, plan.c.value)
    return columns.where(plan.c.run_id == run_id, plan.c.conversation_id.in_(ids))


def _context_checks(
    connection: Connection, run_id: str, ids: Sequence[str], place: str
) -> Iterator[tuple[str, ContextCheck]]:
    """Yield the context checks of these conversations, each with its conversation, in the order stored."""
    columns = select(context_checks.c.row_number, context_checks.c.conversation_id, context_checks.c.value)
    query = columns.where(context_checks.c.run_id == run_id, context_checks.c.conversation_id.in_(ids))
    for row in sorted(connection.execute(query), key=attrgetter("row_number")):
        yield row.conversation_id, stored(ContextCheck, row.value, place, "context_checks")
