"""What was derived from conversations and what was checked of it: stored once, read back whole, counted in SQL."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from hairpin.domain.plan import PlannedConversation
from hairpin.domain.relation_counts import RelationCount, RelationTotals
from hairpin.domain.relations import Fold, MetamorphicRelation, RelationCheck
from hairpin.domain.replay import ReplayedQuestion
from hairpin.errors import StoreError, UnknownReferenceError
from hairpin.store import sqlite
from hairpin.store.runs import SqlRunStore
from tests.store.places import Place, reader_over
from tests.store.store_values import (
    StandingClock,
    a_context_check,
    a_derivation,
    a_follow_up,
    a_plan,
    a_relation_check,
    a_run,
    an_exchange,
    an_outcome,
)

pytestmark = pytest.mark.anyio

MR1, MR2, RBT = MetamorphicRelation.MR1, MetamorphicRelation.MR2, MetamorphicRelation.RBT
SOURCE, OTHER = a_plan(2)


@pytest.fixture
async def begun(store: SqlRunStore) -> SqlRunStore:
    await store.create_run(a_run())
    await store.add_plan([SOURCE, OTHER])
    return store


async def derive(store: SqlRunStore, source: PlannedConversation, *kinds: str) -> list[PlannedConversation]:
    follow_ups = [a_follow_up(source, number, kind) for number, kind in enumerate(kinds)]
    await store.record_derivation(a_derivation(source, follow_ups), follow_ups)
    return follow_ups


async def converse(store: SqlRunStore, planned: PlannedConversation) -> None:
    attempt_id = f"of {planned.id}"
    await store.lease(planned, attempt_id=attempt_id, worker="w", lease_s=60)
    await store.log(attempt_id).record_exchange(an_exchange(user=planned.id))
    await store.finish_attempt(attempt_id, an_outcome())


def fold(source: PlannedConversation, *checks: RelationCheck, complete: bool = True) -> Fold:
    return Fold(source=source.id, complete=complete, n_follow_ups=1, checks=checks)


async def test_a_derivation_comes_back_with_its_follow_ups_in_plan_order(begun: SqlRunStore) -> None:
    assert begun.derivation(SOURCE.id) is None
    follow_ups = await derive(begun, SOURCE, "RS", "RD")
    await derive(begun, OTHER, "RS")
    assert begun.derivation(SOURCE.id) == (a_derivation(SOURCE, follow_ups), tuple(follow_ups))


async def test_a_conversation_of_which_nothing_can_be_derived_has_a_derivation_all_the_same(begun: SqlRunStore) -> None:
    await derive(begun, SOURCE)
    assert begun.derivation(SOURCE.id) == (a_derivation(SOURCE, []), ())


async def test_a_conversation_is_derived_from_once_and_a_second_time_changes_nothing(begun: SqlRunStore) -> None:
    (first,) = await derive(begun, SOURCE, "RS")
    second = a_follow_up(SOURCE, 1, "RD")
    with pytest.raises(StoreError, match="what was derived from conversation 'c0001' was not stored"):
        await begun.record_derivation(a_derivation(SOURCE, [second]), [second])
    assert begun.derivation(SOURCE.id) == (a_derivation(SOURCE, [first]), (first,))
    assert [record.planned.id for record in begun.conversations()] == ["c0001", "c0002", first.id]


async def test_follow_ups_that_the_derivation_does_not_name_are_refused(begun: SqlRunStore) -> None:
    follow_up = a_follow_up(SOURCE)
    with pytest.raises(ValueError, match=r"names \(\), planned are \('c0001.RS.1',\)"):
        await begun.record_derivation(a_derivation(SOURCE, []), [follow_up])
    with pytest.raises(ValueError, match="'c0001'"):
        await begun.record_derivation(a_derivation(OTHER, [follow_up]), [follow_up])
    assert [record.planned for record in begun.conversations()] == [SOURCE, OTHER]


async def test_nothing_is_derived_from_a_conversation_that_is_not_planned(begun: SqlRunStore) -> None:
    stranger = a_plan(1, start=7)[0]
    with pytest.raises(StoreError, match="was not stored"):
        await derive(begun, stranger, "RS")
    assert len(list(begun.conversations())) == 2


async def test_a_follow_up_is_leased_and_finished_like_any_conversation(begun: SqlRunStore, place: Place) -> None:
    (follow_up,) = await derive(begun, SOURCE, "RS")
    await converse(begun, follow_up)
    record = place.reader().conversation(follow_up.id)
    assert record.planned == follow_up
    assert record.outcome == an_outcome()
    assert [exchange.user for exchange in record.exchanges] == [follow_up.id]


async def test_a_follow_up_with_other_questions_is_not_the_one_that_was_planned(begun: SqlRunStore) -> None:
    (follow_up,) = await derive(begun, SOURCE, "RS")
    assert follow_up.replay is not None
    asked = (ReplayedQuestion(text="something else?", index=0),)
    other = follow_up.model_copy(update={"replay": follow_up.replay.model_copy(update={"questions": asked})})
    with pytest.raises(StoreError, match="is not what is planned there"):
        await begun.lease(other, attempt_id="a", worker="w", lease_s=60)


async def test_a_follow_up_that_is_planned_as_it_is_leased_belongs_to_its_source_too(begun: SqlRunStore) -> None:
    await begun.lease(a_follow_up(SOURCE), attempt_id="a", worker="w", lease_s=60)
    await begun.add_plan([a_follow_up(SOURCE, 1, "RD")])
    assert [record.planned.id for record in begun.family(SOURCE.id)] == ["c0001", "c0001.RS.1", "c0001.RD.2"]


async def test_context_checks_come_back_in_the_order_stored_and_for_their_source_alone(begun: SqlRunStore) -> None:
    first, second = await derive(begun, SOURCE, "RS", "RD")
    (elsewhere,) = await derive(begun, OTHER, "RS")
    await begun.record_context_checks([a_context_check(second, 1), a_context_check(first, equivalent=None)])
    await begun.record_context_checks([a_context_check(elsewhere)])
    await begun.record_context_checks([])
    await begun.record_context_checks([a_context_check(second, 1, equivalent=False)])
    assert begun.context_checks(SOURCE.id) == (
        a_context_check(second, 1),
        a_context_check(first, equivalent=None),
        a_context_check(second, 1, equivalent=False),
    )
    assert begun.context_checks("c0009") == ()


async def test_a_context_check_of_no_follow_up_is_refused_with_those_beside_it(begun: SqlRunStore) -> None:
    (follow_up,) = await derive(begun, SOURCE, "RS")
    with pytest.raises(StoreError, match=r"context checks of conversation 'c0001\.RS\.1' was not stored"):
        await begun.record_context_checks([a_context_check(follow_up), a_context_check(OTHER)])
    assert begun.context_checks(SOURCE.id) == ()


async def test_of_a_source_the_last_fold_counts(begun: SqlRunStore, place: Place) -> None:
    await begun.record_fold(fold(OTHER, a_relation_check(OTHER, MR2)))
    await begun.record_fold(fold(SOURCE, a_relation_check(SOURCE, violated=True), complete=False))
    last = fold(SOURCE, a_relation_check(SOURCE), a_relation_check(SOURCE, RBT, violated=None, index=1))
    await begun.record_fold(last)
    reader = place.reader()
    assert list(reader.folds()) == [last, fold(OTHER, a_relation_check(OTHER, MR2))]
    assert reader.relation_totals() == RelationTotals(
        by_relation={
            RBT: RelationCount(not_applicable=1),
            MR1: RelationCount(checks=1),
            MR2: RelationCount(checks=1),
        }
    )


async def test_the_family_and_the_last_fold_of_one_source_are_those_among_all(begun: SqlRunStore, place: Place) -> None:
    await derive(begun, SOURCE, "RS", "RD")
    await derive(begun, OTHER, "RS")
    for violated in (True, False):
        await begun.record_fold(fold(SOURCE, a_relation_check(SOURCE, violated=violated)))
    reader = place.reader()
    assert [reader.family_of(SOURCE.id), reader.family_of(OTHER.id)] == list(reader.families())
    assert [reader.last_fold(SOURCE.id)] == list(reader.folds())
    assert reader.last_fold(OTHER.id) is None
    assert reader.family_of("c0009") is None


async def test_a_fold_without_checks_takes_the_place_of_one_with_checks(begun: SqlRunStore, place: Place) -> None:
    await begun.record_fold(fold(SOURCE, a_relation_check(SOURCE, violated=True)))
    await begun.record_fold(fold(SOURCE))
    assert list(place.reader().folds()) == [fold(SOURCE)]
    assert place.reader().relation_totals() == RelationTotals()


async def test_counts_in_sql_are_those_of_the_checks_themselves(begun: SqlRunStore, place: Place) -> None:
    values = [(True, 1), (True, 3), (True, 3), (True, None), (False, None), (None, None)]
    kept = []
    for source in (SOURCE, OTHER):
        checks = [
            a_relation_check(source, relation, violated=violated, level=level)
            for relation in (MR1, MR2, RBT)
            for violated, level in values
        ]
        kept += checks
        await begun.record_fold(fold(source, *checks))
    totals = place.reader().relation_totals()
    for relation in (MR1, MR2, RBT):
        told = Counter(check.violated for check in kept if check.relation is relation)
        assert totals.by_relation[relation] == RelationCount(
            checks=told[True] + told[False], violations=told[True], not_applicable=told[None]
        )
    mortar = Counter(check.level for check in kept if check.relation is not RBT and check.level)
    assert totals.levels == mortar == {1: 4, 3: 8}


async def test_checks_can_be_counted_by_a_user_in_sql(begun: SqlRunStore, place: Place) -> None:
    await derive(begun, SOURCE, "RS")
    await begun.record_fold(fold(SOURCE, a_relation_check(SOURCE, violated=True, level=2)))
    columns = "relation, question_index, kind, similarity, level"
    assert place.query(f"SELECT {columns} FROM relation_checks WHERE violated") == [("MR1", 0, "RS", 0.5, 2)]
    assert place.query("SELECT source_id, method, kind FROM follow_ups") == [("c0001", "mortar", "RS")]


async def test_a_family_is_its_source_and_then_its_follow_ups(begun: SqlRunStore) -> None:
    first, second = await derive(begun, SOURCE, "RS", "RD")
    await converse(begun, SOURCE)
    await converse(begun, second)
    records = begun.family(SOURCE.id)
    assert [record.planned for record in records] == [SOURCE, first, second]
    assert [record.outcome is not None for record in records] == [True, False, True]
    assert [record.planned for record in begun.family(OTHER.id)] == [OTHER]
    with pytest.raises(UnknownReferenceError, match="c0009"):
        begun.family("c0009")


async def test_families_come_in_plan_order_over_many_chunks(
    begun: SqlRunStore, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hairpin.store.reader.FAMILY_CHUNK", 3)
    monkeypatch.setattr("hairpin.store.reader.CHUNK", 2)
    monkeypatch.setattr("hairpin.store.reader.FOLD_CHUNK", 2)
    sources = [SOURCE, OTHER, *a_plan(5, start=2)]
    await begun.add_plan(sources[2:])
    kinds: Sequence[tuple[str, ...]] = [("RS",), ("RS", "RD", "RSR", "RSD"), (), (), (), ("RS", "RD")]
    derived = {}
    for source, named in reversed(list(zip(sources, kinds, strict=False))):
        derived[source.id] = await derive(begun, source, *named)
        await begun.record_fold(fold(source))
        for follow_up in derived[source.id]:
            await begun.record_context_checks([a_context_check(follow_up)])
    await converse(begun, SOURCE)
    reader = place.reader()
    families = list(reader.families())
    assert [family.source.planned for family in families] == sources[:6]
    assert families[0].source.outcome == an_outcome()
    for family in families:
        follow_ups = derived[family.source.planned.id]
        assert [record.planned for record in family.follow_ups] == follow_ups
        assert family.derivation == a_derivation(family.source.planned, follow_ups)
        assert family.context_checks == tuple(map(a_context_check, follow_ups))
    assert list(reader.derivations()) == [
        (family.derivation, tuple(record.planned for record in family.follow_ups)) for family in families
    ]
    assert [each.source for each in reader.folds()] == [source.id for source in sources[:6]]


async def test_the_queries_for_families_do_not_grow_with_their_number(file_store: SqlRunStore, path: Path) -> None:
    with file_store as store:
        await store.create_run(a_run())
        sources = a_plan(12)
        await store.add_plan(sources)
        engine = sqlite.open_reader(path)
        asked = queries(engine)
        reader = reader_over(engine, path)
        for source in sources[:2]:
            await derive(store, source, "RS")
        assert len(list(reader.families())) == 2
        few, asked[:] = len(asked), []
        for source in sources[2:]:
            await derive(store, source, "RS")
        assert len(list(reader.families())) == 12
        assert len(asked) <= few


def queries(engine: Engine) -> list[tuple[str, Any]]:
    asked: list[tuple[str, Any]] = []
    event.listen(
        engine, "before_cursor_execute", lambda _c, _d, statement, values, *_: asked.append((statement, values))
    )
    return asked


async def test_the_rows_of_a_family_are_looked_up_and_not_searched_for(file_store: SqlRunStore, path: Path) -> None:
    """SQLite reads all of a plan or of all checks where a query gives it a reason to: of thousands, for hours."""
    with file_store as store:
        await store.create_run(a_run())
        await store.add_plan([SOURCE])
        (follow_up,) = await derive(store, SOURCE, "RS")
        await store.record_context_checks([a_context_check(follow_up)])
        await store.record_fold(fold(SOURCE, a_relation_check(SOURCE)))
        engine = sqlite.open_reader(path)
        asked = queries(engine)
        reader = reader_over(engine, path)
        assert len(list(reader.families())) == len(list(reader.folds())) == len(list(reader.derivations())) == 1
        assert reader.context_checks(SOURCE.id) == (a_context_check(follow_up),)
        assert len(reader.family(SOURCE.id)) == 2
    with closing(sqlite3.connect(path)) as file:
        steps = [
            str(row[3])
            for statement, values in asked
            if statement.startswith("SELECT")
            for row in file.execute(f"EXPLAIN QUERY PLAN {statement}", values)
        ]
    whole = re.compile(r"SCAN (plan|context_checks|relation_checks)|SEARCH (plan|context_checks) .*\(run_id=\?\)")
    assert [step for step in steps if whole.search(step)] == []
    assert any("SEARCH plan" in step for step in steps)


async def test_a_run_without_replays_has_no_families(begun: SqlRunStore, place: Place) -> None:
    reader = place.reader()
    assert [list(reader.families()), list(reader.derivations()), list(reader.folds())] == [[], [], []]
    assert reader.relation_totals() == RelationTotals()


@pytest.mark.parametrize("place", ["postgresql"], indirect=True)
async def test_two_runs_in_one_database_keep_their_replays_apart(clock: StandingClock, place: Place) -> None:
    """In a file there is one run; in a server's database both have the same conversations."""
    for run_id in ("r1", "r2"):
        with place.create(clock, run_id) as store:
            await store.create_run(a_run(run_id))
            await store.add_plan([SOURCE])
            (follow_up,) = await derive(store, SOURCE, "RS" if run_id == "r1" else "RD")
            await store.record_context_checks([a_context_check(follow_up)] * (1 if run_id == "r1" else 3))
            await store.record_fold(fold(SOURCE, a_relation_check(SOURCE, violated=run_id == "r1")))
    first, second = place.reader("r1"), place.reader("r2")
    assert [family.follow_ups[0].planned.id for family in first.families()] == ["c0001.RS.1"]
    assert [family.follow_ups[0].planned.id for family in second.families()] == ["c0001.RD.1"]
    assert [len(reader.context_checks(SOURCE.id)) for reader in (first, second)] == [1, 3]
    assert [reader.relation_totals().by_relation[MR1].violations for reader in (first, second)] == [1, 0]
