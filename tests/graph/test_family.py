"""The metamorphic node: what is derived, run, checked and folded, and what happens when any of it breaks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from hairpin.domain.briefs import ContextBrief
from hairpin.domain.families import Family
from hairpin.domain.outcome import Role, Stop, StopReason
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import (
    ContextFinding,
    ContextMethod,
    ContextReason,
    Derivation,
    MetamorphicRelation,
    RelationCheck,
)
from hairpin.errors import EncoderError, ProviderStoppedError, StoreError
from hairpin.graph.family import build_family_graph, run_family
from hairpin.graph.family_state import FamilyDeps, FamilyEnd, FollowUpEnd
from hairpin.graph.stopping import StopToken
from hairpin.ports import RoleError
from tests.graph.families import SEED, FamilyStore, follow_up_of, source_record
from tests.patience import SLOWNESS

pytestmark = pytest.mark.anyio
ENDED = Stop(reason=StopReason.SCRIPT_EXHAUSTED)


@dataclass
class Nursery:
    """Everything of one family that a test can change; the defaults make a smooth one of three follow-ups."""

    store: FamilyStore = field(default_factory=FamilyStore)
    stop: StopToken = field(default_factory=StopToken)
    run_stop: StopToken = field(default_factory=StopToken)
    orders: tuple[tuple[int, ...], ...] = ((1, 0), (0, 1), (1, 0))
    derived: int = 0
    asked: list[str] = field(default_factory=list)
    briefs: list[ContextBrief] = field(default_factory=list)
    asks_models: bool = False
    told: list[tuple[str, int]] = field(default_factory=list)
    related: list[Family] = field(default_factory=list)
    checking_now: int = 0
    most_checking: int = 0

    async def derive(self, source: ConversationRecord) -> Any:
        self.derived += 1
        follow_ups = tuple(follow_up_of(source.planned, number, order) for number, order in enumerate(self.orders))
        names = tuple(planned.id for planned in follow_ups)
        return Derivation(source=source.planned.id, test_seed=SEED, follow_ups=names), follow_ups

    async def ask(self, planned: PlannedConversation) -> FollowUpEnd:
        self.asked.append(planned.id)
        await anyio.lowlevel.checkpoint()
        self.store.end(planned.id, ENDED)
        return FollowUpEnd(conversation=planned.id, stop=ENDED)

    async def check(self, brief: ContextBrief) -> ContextFinding:
        self.briefs.append(brief)
        self.checking_now += 1
        self.most_checking = max(self.most_checking, self.checking_now)
        await anyio.lowlevel.checkpoint()
        self.checking_now -= 1
        return ContextFinding(equivalent=brief.source == brief.follow_up, reason=ContextReason.SAME_PREFIX)

    async def relate(self, family: Family) -> tuple[RelationCheck, ...]:
        self.related.append(family)
        return (RelationCheck(relation=MetamorphicRelation.MR1, source=family.source.planned.id, index=0),)

    async def run(self) -> FamilyEnd:
        deps = FamilyDeps(
            source="c0001",
            store=self.store,
            derive=self.derive,
            ask=self.ask,
            checker=self,
            relate=self.relate,
            stop=self.stop,
            run_stop=self.run_stop,
            asks_models=self.asks_models,
            derived=lambda derivation, n_left: self.told.append((derivation.source, n_left)),
        )
        with anyio.fail_after(10 * SLOWNESS):
            return await run_family(build_family_graph(), deps)


async def test_follow_ups_are_planned_run_checked_and_folded() -> None:
    nursery = Nursery()
    end = await nursery.run()
    assert (end.complete, end.n_follow_ups, end.n_ended, end.problems) == (True, 3, 3, ())
    assert sorted(nursery.asked) == ["c0001-x0", "c0001-x1", "c0001-x2"]
    assert nursery.told == [("c0001", 3)]
    assert len(nursery.store.checks) == 6
    (fold,) = nursery.store.folds
    assert (fold.complete, fold.n_follow_ups, len(fold.checks)) == (True, 3, 1)
    (family,) = nursery.related
    assert [record.planned.id for record in family.follow_ups] == ["c0001-x0", "c0001-x1", "c0001-x2"]
    assert len(family.context_checks) == 6


async def test_a_context_is_made_of_the_questions_before_and_the_reference_text() -> None:
    nursery = Nursery(orders=((1, 0),))
    await nursery.run()
    first, second = nursery.briefs
    assert (first.question, first.source, first.follow_up) == ("why?", ("who?",), ())
    assert (second.question, second.source, second.follow_up) == ("who?", (), ("why?",))
    assert first.reference_text == "Once upon a time."
    assert (first.needs_reply, second.needs_reply) == (True, False)
    assert first.rng_seed != second.rng_seed


async def test_foreign_rounds_and_other_methods_need_no_context_check() -> None:
    class Mixed(Nursery):
        async def derive(self, source: ConversationRecord) -> Any:
            foreign = follow_up_of(source.planned, 0, (0, None, 1))
            metal = follow_up_of(source.planned, 1, (0, 1), metal=True)
            derivation = Derivation(source="c0001", test_seed=SEED, follow_ups=(foreign.id, metal.id))
            return derivation, (foreign, metal, source.planned)

    nursery = Mixed()
    assert (await nursery.run()).fold is not None
    assert [(check.conversation, check.position, check.index) for check in nursery.store.checks] == [
        ("c0001-x0", 0, 0),
        ("c0001-x0", 2, 1),
    ]
    assert nursery.briefs[1].follow_up == ("who?", "something else?")


async def test_a_source_without_follow_ups_is_folded_all_the_same() -> None:
    """What the test seed itself got wrong is found without any follow-up."""
    nursery = Nursery(orders=())
    end = await nursery.run()
    assert (end.complete, end.n_follow_ups) == (True, 0)
    assert len(nursery.store.folds) == 1


async def test_few_contexts_are_checked_at_once_and_every_finding_is_stored_once() -> None:
    nursery = Nursery(orders=((1, 0),) * 30)
    end = await nursery.run()
    assert end.complete
    assert 1 < nursery.most_checking <= 8
    assert len(nursery.store.checks) == 60
    assert len(nursery.store.batches) >= 3
    assert len({(check.conversation, check.position) for check in nursery.store.checks}) == 60


async def test_what_was_derived_before_is_read_back_and_only_what_is_missing_is_done() -> None:
    nursery = Nursery()
    first = await nursery.run()
    nursery.store.reopen("c0001-x1")
    kept = nursery.store.checks[:]
    nursery.store.checks[:] = [check for check in kept if (check.conversation, check.position) != ("c0001-x2", 1)]
    nursery.asked.clear()
    nursery.briefs.clear()
    again = await nursery.run()
    assert first.complete
    assert again.complete
    assert (nursery.derived, nursery.asked, len(nursery.briefs)) == (1, ["c0001-x1"], 1)
    assert len(nursery.store.checks) == 6
    assert (again.n_follow_ups, again.n_ended) == (3, 3)
    assert nursery.told[-1] == ("c0001", 1)


async def test_findings_of_another_method_or_of_repeats_do_not_count() -> None:
    nursery = Nursery(orders=((1, 0),))
    await nursery.run()
    changes: list[dict[str, Any]] = [{"method": ContextMethod.LLM_JUDGE}, {"repeat": 1}]
    nursery.store.checks[:] = [
        check.model_copy(update=change) for check, change in zip(nursery.store.checks, changes, strict=True)
    ]
    await nursery.run()
    assert len(nursery.store.checks) == 4


async def test_a_follow_up_that_is_not_run_leaves_the_family_incomplete_but_folded() -> None:
    class Late(Nursery):
        async def ask(self, planned: PlannedConversation) -> FollowUpEnd:
            if planned.id == "c0001-x1":
                return FollowUpEnd(conversation=planned.id, why="no time is left")
            return await super().ask(planned)

    nursery = Late()
    end = await nursery.run()
    assert (end.complete, end.n_follow_ups, end.n_ended, end.problems) == (False, 3, 2, ())
    assert [(fold.complete, fold.n_follow_ups) for fold in nursery.store.folds] == [(False, 2)]


async def test_what_asking_raises_is_told_and_the_other_follow_ups_go_on() -> None:
    class Broken(Nursery):
        async def ask(self, planned: PlannedConversation) -> FollowUpEnd:
            if planned.id == "c0001-x0":
                raise ValueError("cannot ask")
            return await super().ask(planned)

    end = await Broken().run()
    assert (end.complete, end.n_ended) == (False, 2)
    assert end.problems[0].startswith("c0001-x0: ValueError: cannot ask")


async def test_when_nothing_can_be_derived_the_family_stays_open_and_says_why() -> None:
    class Speechless(Nursery):
        async def derive(self, source: ConversationRecord) -> Any:
            raise RoleError(StopReason.REFUSED, Role.QUESTION_WRITER, "I would rather not")

    nursery = Speechless()
    end = await nursery.run()
    assert (end.complete, end.fold, nursery.store.derived, nursery.asked) == (False, None, None, [])
    assert end.problems == ("metamorphic: question_writer: refused: I would rather not",)


async def test_texts_that_cannot_be_encoded_leave_the_family_incomplete() -> None:
    class Unencoded(Nursery):
        async def check(self, brief: ContextBrief) -> ContextFinding:
            if len(self.briefs) == 2:
                raise EncoderError("the model is not there")
            return await super().check(brief)

    nursery = Unencoded()
    end = await nursery.run()
    assert end.problems == ("contexts: the model is not there",)
    assert [fold.complete for fold in nursery.store.folds] == [False]
    assert len(nursery.asked) == 3


async def test_contexts_of_which_a_role_that_failed_says_nothing_are_counted_with_the_first_reason() -> None:
    """The family stays open: who goes on with the run has them asked again, and nothing else."""

    class Unanswered(Nursery):
        async def check(self, brief: ContextBrief) -> ContextFinding:
            number, finding = len(self.briefs), await super().check(brief)
            if number >= 2:
                return finding
            return ContextFinding(equivalent=None, reason=ContextReason.ROLE_FAILED, detail="decontextualiser: refused")

    nursery = Unanswered()
    end = await nursery.run()
    assert (end.complete, end.untold, end.untold_why) == (False, 2, "decontextualiser: refused")
    assert end.only_untold
    again = await nursery.run()
    assert (again.complete, again.untold, again.only_untold) == (True, 0, False)
    assert len(nursery.briefs) == 6 + 2


async def test_answers_that_cannot_be_encoded_leave_the_family_without_a_fold() -> None:
    class Unencoded(Nursery):
        async def relate(self, family: Family) -> Any:
            raise EncoderError("the model is not there")

    nursery = Unencoded()
    end = await nursery.run()
    assert (end.complete, end.fold, end.n_ended) == (False, None, 3)
    assert end.problems == ("check_relations: the model is not there",)
    assert len(nursery.store.checks) == 6


async def test_a_model_that_takes_no_call_ends_the_run_at_once_though_follow_ups_still_wait() -> None:
    class Exhausted(Nursery):
        async def ask(self, planned: PlannedConversation) -> FollowUpEnd:
            await anyio.sleep_forever()
            raise AssertionError

        async def check(self, brief: ContextBrief) -> ContextFinding:
            if len(self.briefs) == 1:
                raise ProviderStoppedError("the quota is used up")
            self.briefs.append(brief)
            await anyio.sleep_forever()
            raise AssertionError

    with pytest.raises(ProviderStoppedError, match="quota"):
        await Exhausted().run()


@pytest.mark.parametrize("call", ["record_derivation", "record_context_checks", "record_fold"])
async def test_a_row_that_cannot_be_stored_ends_the_run(call: str) -> None:
    nursery = Nursery()
    nursery.store.fails = call
    with pytest.raises(StoreError, match="the disk is full"):
        await nursery.run()


async def test_once_time_is_up_no_context_check_begins_and_what_is_there_is_folded() -> None:
    class Timed(Nursery):
        async def check(self, brief: ContextBrief) -> ContextFinding:
            if len(self.briefs) == 3:
                self.stop.set(StopReason.DEADLINE)
            return await super().check(brief)

    nursery = Timed(orders=((1, 0),) * 30)
    end = await nursery.run()
    assert not end.complete
    assert 3 < len(nursery.store.checks) < 20
    assert [fold.complete for fold in nursery.store.folds] == [False]


async def test_a_role_that_had_no_time_left_is_asked_again_by_whoever_goes_on() -> None:
    class Timed(Nursery):
        async def check(self, brief: ContextBrief) -> ContextFinding:
            if len(self.briefs) == 2:
                self.stop.set(StopReason.DEADLINE)
            found = await super().check(brief)
            if self.stop.reason is not None:
                return ContextFinding(equivalent=None, reason=ContextReason.ROLE_FAILED, detail="no time is left")
            return found

    nursery = Timed()
    assert not (await nursery.run()).complete
    assert [check for check in nursery.store.checks if check.finding.equivalent is None] == []
    nursery.stop = StopToken()
    nursery.briefs = [*nursery.briefs, *nursery.briefs]
    assert (await nursery.run()).complete
    assert len(nursery.store.checks) == 6


async def test_a_role_that_fails_in_time_makes_its_finding_not_applicable() -> None:
    class Failing(Nursery):
        async def check(self, brief: ContextBrief) -> ContextFinding:
            return ContextFinding(equivalent=None, reason=ContextReason.ROLE_FAILED, detail="refused")

    nursery = Failing()
    end = await nursery.run()
    assert (end.complete, end.only_untold, end.problems) == (False, True, ())
    assert len(nursery.store.checks) == 6


@pytest.mark.parametrize("asks_models", [True, False])
async def test_once_time_is_up_nothing_is_derived_that_a_model_takes_part_in(asks_models: bool) -> None:
    nursery = Nursery(asks_models=asks_models)
    nursery.stop.set(StopReason.DEADLINE)
    end = await nursery.run()
    assert (end.complete, end.problems) == (False, ())
    assert (nursery.derived, len(nursery.store.folds)) == ((0, 0) if asks_models else (1, 1))


async def test_a_context_check_that_takes_too_long_is_cut() -> None:
    class Slow(Nursery):
        async def check(self, brief: ContextBrief) -> ContextFinding:
            if len(self.briefs) == 5:
                self.stop.set(StopReason.DEADLINE, at_once=True)
                await anyio.sleep_forever()
            return await super().check(brief)

    nursery = Slow()
    end = await nursery.run()
    assert (end.complete, end.n_ended) == (False, 3)
    assert len(nursery.store.checks) <= 5
    assert [fold.complete for fold in nursery.store.folds] == [False]


@pytest.mark.parametrize("where", ["derive", "ask", "check", "relate"])
async def test_an_interrupt_ends_a_family_at_once_and_leaves_it_open(where: str) -> None:
    nursery = Nursery()
    nursery.stop = nursery.run_stop.branch()

    async def interrupt(*_: Any) -> Any:
        nursery.run_stop.set(StopReason.INTERRUPTED)
        if where == "ask":
            return FollowUpEnd(conversation="c0001-x0", why="interrupted")
        return await anyio.sleep_forever()

    setattr(nursery, where, interrupt)
    end = await nursery.run()
    assert (end.complete, end.fold, end.problems) == (False, None, ())
    assert nursery.store.folds == []
    assert (nursery.store.derived is None) == (where == "derive")


async def test_a_family_of_a_run_that_was_interrupted_already_does_nothing() -> None:
    nursery = Nursery()
    nursery.run_stop.set(StopReason.INTERRUPTED)
    end = await nursery.run()
    assert (end.n_follow_ups, nursery.derived, nursery.asked) == (0, 0, [])


async def test_cancelling_a_family_ends_every_branch() -> None:
    class Hanging(Nursery):
        left: int = 0

        async def ask(self, planned: PlannedConversation) -> FollowUpEnd:
            self.asked.append(planned.id)
            if len(self.asked) == 3:
                scope.cancel()
            try:
                await anyio.sleep_forever()
            finally:
                self.left += 1
            raise AssertionError

    nursery = Hanging()
    with anyio.CancelScope() as scope:
        await nursery.run()
    assert (nursery.left, nursery.checking_now) == (3, 0)
    assert nursery.store.folds == []


def test_a_source_is_a_family_of_its_own_in_the_store() -> None:
    assert source_record().planned.id == "c0001"


def test_the_family_graph_has_the_nodes_of_the_design() -> None:
    drawn = build_family_graph().get_graph()
    assert set(drawn.nodes) == {
        "__start__",
        "metamorphic",
        "follow_up",
        "context_check",
        "check_relations",
        "__end__",
    }
