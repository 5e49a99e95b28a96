"""Replays in SQL: what was derived from which conversation, and what was checked of it.

Functions of a connection only; those that write are run by the writer inside its transaction and may run twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, Table, exists, func, insert, select

from hairpin.domain.families import Family
from hairpin.domain.plan import PlannedConversation
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


def is_follow_up() -> ColumnElement[bool]:
    """Whether the conversation in ``plan`` was derived from another one, as a condition."""
    same = (follow_ups.c.run_id == plan.c.run_id) & (follow_ups.c.conversation_id == plan.c.conversation_id)
    return exists(select(follow_ups.c.conversation_id).where(same))


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
    planned = (
        stored(PlannedConversation, row.value, place, "plan")
        for row in connection.execute(_follow_ups_of(run_id, [key]))
    )
    return stored(Derivation, value, place, "derivations"), tuple(planned)


def read_context_checks(connection: Connection, run_id: str, source: str, place: str) -> tuple[ContextCheck, ...]:
    """Return the context checks of the follow-ups of a conversation, in the order stored."""
    found = connection.execute(_context_checks_of(run_id, [column_text(source)]))
    return tuple(stored(ContextCheck, row.value, place, "context_checks") for row in found)


def read_family(connection: Connection, run_id: str, source: str, place: str) -> tuple[ConversationRecord, ...]:
    """Return a conversation and then its follow-ups, in plan order."""
    key = column_text(source)
    its_own = select(plan.c.conversation_id, plan.c.value).where(plan.c.run_id == run_id)
    members = its_own.where(plan.c.conversation_id.in_([key, *_ids_of(connection, run_id, key)]))
    return tuple(read_records(connection, run_id, members.order_by(is_follow_up(), plan.c.plan_index), place))


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
    its_own = select(plan.c.conversation_id, plan.c.value).where(plan.c.run_id == run_id)
    derived = select(derivations.c.source_id, derivations.c.value).where(derivations.c.run_id == run_id)
    found = connection.execute(derived.where(derivations.c.source_id.in_(sources)))
    values = {row.source_id: row.value for row in found}
    held = read_records(connection, run_id, its_own.where(plan.c.conversation_id.in_(sources)), place)
    replayed: dict[str, list[ConversationRecord]] = defaultdict(list)
    for record in read_records(connection, run_id, _follow_ups_of(run_id, sources), place):
        assert record.planned.replay is not None
        replayed[column_text(record.planned.replay.source or "")].append(record)
    checks: dict[str, list[ContextCheck]] = defaultdict(list)
    for row in connection.execute(_context_checks_of(run_id, sources)):
        checks[row.source_id].append(stored(ContextCheck, row.value, place, "context_checks"))
    source_records = {column_text(record.planned.id): record for record in held}
    return [
        Family(
            derivation=stored(Derivation, values[source], place, "derivations"),
            source=source_records[source],
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


def read_folds(connection: Connection, numbers: Sequence[int], place: str) -> list[Fold]:
    """Return the folds with these numbers, in their order."""
    heads = {row.row_number: row for row in connection.execute(select(folds).where(folds.c.row_number.in_(numbers)))}
    query = select(relation_checks.c.fold, relation_checks.c.value).where(relation_checks.c.fold.in_(numbers))
    checks: dict[int, list[RelationCheck]] = defaultdict(list)
    for number, value in connection.execute(query.order_by(relation_checks.c.row_number)):
        checks[number].append(stored(RelationCheck, value, place, "relation_checks"))
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


def _ids_of(connection: Connection, run_id: str, source: str) -> Sequence[str]:
    query = select(follow_ups.c.conversation_id).where(follow_ups.c.run_id == run_id)
    return connection.execute(query.where(follow_ups.c.source_id == source)).scalars().all()


def _follow_ups_of(run_id: str, sources: Sequence[str]) -> Select[tuple[str, str]]:
    """Return the query for the follow-ups of these sources, in plan order."""
    planned = (plan.c.run_id == follow_ups.c.run_id) & (plan.c.conversation_id == follow_ups.c.conversation_id)
    return (
        select(plan.c.conversation_id, plan.c.value)
        .select_from(follow_ups)
        .join(plan, planned)
        .where(follow_ups.c.run_id == run_id, follow_ups.c.source_id.in_(sources))
        .order_by(plan.c.plan_index)
    )


def _context_checks_of(run_id: str, sources: Sequence[str]) -> Select[tuple[str, str]]:
    """Return the query for the context checks of these sources' follow-ups, in the order stored."""
    its_own = (context_checks.c.run_id == follow_ups.c.run_id) & (
        context_checks.c.conversation_id == follow_ups.c.conversation_id
    )
    return (
        select(follow_ups.c.source_id, context_checks.c.value)
        .join(context_checks, its_own)
        .where(follow_ups.c.run_id == run_id, follow_ups.c.source_id.in_(sources))
        .order_by(context_checks.c.row_number)
    )
