"""Failed conversations of a stored run, paired with their trials."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from hairpin.app.confirmations import confirmations_of, unconfirmed
from hairpin.domain.confirmation import Label
from hairpin.domain.outcome import Stop, StopReason, Verdict
from hairpin.domain.plan import PlannedConversation, plan_trial
from hairpin.domain.records import Outcome
from hairpin.domain.scenario import Scenario
from hairpin.domain.scoring import Judgement, TargetRatios
from hairpin.domain.trials import TrialKind
from hairpin.store.reader import RunReader, open_run
from hairpin.store.runs import SqlRunStore, create_store
from tests.domain.builders import a_scenario
from tests.store.store_values import StandingClock, a_plan, a_run

pytestmark = pytest.mark.anyio
REJUDGE, REPLAY, _ = TrialKind


@dataclass(frozen=True)
class Stored:
    reader: RunReader

    def scenario(self) -> Scenario:
        return a_scenario()


def ended(verdict: Verdict) -> Outcome:
    ratios = TargetRatios(uttered=None, all=None, without_dropped=None)
    judgement = Judgement(verdict=verdict, blame=None, success_score=None, ratios=ratios)
    return Outcome(stop=Stop(reason=StopReason.TURNS_EXHAUSTED), judgement=judgement)


async def play(store: SqlRunStore, planned: PlannedConversation, verdict: Verdict | None) -> None:
    await store.lease(planned, attempt_id=planned.id, worker="w", lease_s=60)
    if verdict is not None:
        await store.finish_attempt(planned.id, ended(verdict))


async def filled(folder: Path, verdicts: Sequence[Verdict]) -> Path:
    """Three conversations with these verdicts; the first two get trials, one of which has not ended."""
    path = folder / "run.sqlite"
    with create_store(path, clock=StandingClock()) as store:
        await store.create_run(a_run())
        plan = a_plan(len(verdicts))
        for planned, verdict in zip(plan, verdicts, strict=True):
            await play(store, planned, verdict)
        for planned in plan[:2]:
            for number, came in enumerate((Verdict.FAIL, Verdict.PASS, None)):
                await play(store, plan_trial(planned, REPLAY, number), came)
            for number in range(2):
                await play(store, plan_trial(planned, REJUDGE, number), Verdict.FAIL)
        await play(store, plan_trial(plan[2], REPLAY, 0, from_turn=1), Verdict.FAIL)
    return path


async def test_failed_conversations_come_with_their_trials_in_plan_order(tmp_path: Path) -> None:
    """Of the third there is only a replay from a later turn, which says nothing."""
    path = await filled(tmp_path, [Verdict.FAIL] * 3)
    with closing(open_run(path)) as reader:
        found = list(confirmations_of(Stored(reader)))
    assert [each.conversation for each in found] == ["c0001", "c0002"]
    assert [[(its.n, its.reproduced) for its in each.verdict.trials] for each in found] == [
        [(2, 2), (2, 1), (0, 0)]
    ] * 2
    assert {each.verdict.label for each in found} == {Label.FLAKY_SUT}
    assert unconfirmed(found) == {}


async def test_what_did_not_fail_is_left_out_whatever_trials_it_has(tmp_path: Path) -> None:
    """It was replayed by hand."""
    path = await filled(tmp_path, [Verdict.PASS, Verdict.FAIL, Verdict.FAIL])
    with closing(open_run(path)) as reader:
        assert [each.conversation for each in confirmations_of(Stored(reader))] == ["c0002"]


async def test_trials_are_read_apart_from_conversations_and_by_their_source(tmp_path: Path) -> None:
    path = await filled(tmp_path, [Verdict.FAIL] * 3)
    with closing(open_run(path)) as reader:
        assert [each.planned.id for each in reader.conversations()] == ["c0001", "c0002", "c0003"]
        assert [each.planned.id for each in reader.trials(a_plan(2)[1])] == [
            "c0002~rejudge1",
            "c0002~rejudge2",
            "c0002~replay1",
            "c0002~replay2",
            "c0002~replay3",
        ]
        assert len(list(reader.asides())) == 11
        assert len(reader.progress().finished_asides) == 9
        assert [(planned.id, outcome.judgement.verdict) for planned, outcome in reader.ended()] == [
            ("c0001", Verdict.FAIL),
            ("c0002", Verdict.FAIL),
            ("c0003", Verdict.FAIL),
        ]
        assert reader.progress().unfinished == ()
