"""Failures confirmed on real stores: flaky assistants, flaky judges and faults that always strike are told apart."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hairpin.app.confirm import Confirmed, confirm_run, spec_for
from hairpin.app.inputs import RunInputs, load_inputs
from hairpin.app.request import FinishedRun, RunRequest
from hairpin.app.resume import ResumeRequest, load_resumable
from hairpin.app.run import run_scenario
from hairpin.app.stored import open_stored
from hairpin.campaign.events import SilentListener
from hairpin.domain.briefs import DimensionBrief
from hairpin.domain.confirmation import Confirmation, Label, reproduction
from hairpin.domain.conversation import Exchange
from hairpin.domain.gate import parse_fail_on
from hairpin.domain.scoring import DimensionScore
from hairpin.domain.sut import SessionStart
from hairpin.domain.tally import Standing
from hairpin.domain.trials import ConfirmSpec, TrialKind
from hairpin.errors import InvalidInputError, UnknownReferenceError
from hairpin.ports import SutAdapter
from hairpin.reports.junit import junit_parts
from hairpin.store.reader import open_run
from hairpin.sut.base import TextAdapter

pytestmark = pytest.mark.anyio
REJUDGE, REPLAY, RESIMULATE = TrialKind

SCRIPT = """
id: ride
sut: testbed
turns: [{user: Take me home, checks: [{contains: home}]}]
oracles: []
"""
TALK = """
id: ride
sut: testbed
seed_phrases: [Take me home]
oracles: [dimensions]
simulator_review: false
max_turns: 2
"""


class Flaky(TextAdapter):
    """Fails half of the time, at random."""

    def __init__(self, rng_seed: int) -> None:
        self._random = Random(rng_seed)

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        return "What?" if self._random.random() < 0.5 else "Driving home"


class FlakyBySeed(TextAdapter):
    """Fails half of the time, as its random seed says: asked with the same one it always does the same."""

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        return "What?" if Random(start.rng_seed).random() < 0.5 else "Driving home"


class Broken(TextAdapter):
    """Always fails."""

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        return "What?"


@dataclass(frozen=True)
class FlakyJudge:
    """Gives all or nothing, at random, whatever was said."""

    random: Random

    async def score(self, brief: DimensionBrief) -> DimensionScore:
        return DimensionScore(dimension=brief.dimension.id, score=2 * (self.random.random() < 0.5), reasoning="planted")


def with_flaky_judge(inputs: RunInputs) -> RunInputs:
    judge, roles = FlakyJudge(Random(5)), inputs.cast.offline
    roles = replace(roles, conversation_judges=dict.fromkeys(roles.conversation_judges, judge))
    return replace(inputs, cast=replace(inputs.cast, offline=roles))


async def ran(
    folder: Path, scenario: str, adapter: SutAdapter, *, flaky_judge: bool = False, **spec: int
) -> FinishedRun:
    """Run a scenario with ``confirm:`` as ``spec`` says, one conversation after another."""
    confirm = f"confirm: {{{', '.join(f'{kind}: {times}' for kind, times in spec.items())}}}\n" if spec else ""
    (folder / "s.yaml").write_text(scenario + confirm)
    inputs = load_inputs(folder / "s.yaml")
    request = RunRequest(
        inputs=with_flaky_judge(inputs) if flaky_judge else inputs,
        adapters={"ica": adapter},
        out=folder / "runs",
        concurrency=1,
        gate=parse_fail_on("none"),
    )
    finished = await run_scenario(request)
    assert finished.error is None
    return finished


def found_in(finished: FinishedRun) -> tuple[Confirmation, ...]:
    with open_stored(finished.directory.path) as stored:
        return stored.confirmations()


async def confirmed(finished: FinishedRun, adapter: SutAdapter, spec: ConfirmSpec, *names: str) -> Confirmed:
    resumable = load_resumable(ResumeRequest(run=finished.directory.path, adapters={"ica": adapter}))
    return await confirm_run(resumable, spec, names, listener=SilentListener())


def pooled(found: Sequence[Confirmation], kind: TrialKind) -> Any:
    """All trials of a kind of these conversations together, with the interval of their rate."""
    its = [each for one in found for each in one.verdict.trials if each.kind is kind]
    return reproduction(kind, sum(each.reproduced for each in its), sum(each.n for each in its))


async def test_a_flaky_assistant_is_labelled_flaky_with_an_interval_around_its_chance(tmp_path: Path) -> None:
    finished = await ran(tmp_path, SCRIPT + "repeats: 8\n", Flaky(3), rejudge=2, replay=8)
    found = found_in(finished)
    assert len(found) == finished.report.summary.conversations.failed > 2
    assert {each.verdict.label for each in found} == {Label.FLAKY_SUT}
    share = pooled(found, REPLAY)
    assert share.low < 0.5 < share.high
    covering = [its for each in found for its in each.verdict.trials if its.kind is REPLAY and its.low < 0.5 < its.high]
    assert len(covering) == len(found)
    assert {each.instances[0].finding.label for each in found} == {Label.FLAKY_SUT}


async def test_an_assistant_that_draws_by_its_random_seed_is_caught_too(tmp_path: Path) -> None:
    """The first replay keeps the seed and fails again; the others have seeds of their own."""
    finished = await ran(tmp_path, SCRIPT + "repeats: 8\n", FlakyBySeed(), rejudge=2, replay=8)
    found = found_in(finished)
    assert len(found) > 2
    assert {each.verdict.label for each in found} == {Label.FLAKY_SUT}
    with open_stored(finished.directory.path) as stored:
        firsts = [stored.conversation(f"{each.conversation}~replay1") for each in found]
    assert all(each.outcome is not None and each.outcome.judgement.verdict == "fail" for each in firsts)


async def test_a_flaky_judge_is_told_from_the_assistant(tmp_path: Path) -> None:
    finished = await ran(tmp_path, TALK + "repeats: 4\n", Broken(), flaky_judge=True, rejudge=8, replay=2)
    found = found_in(finished)
    assert found
    assert {each.verdict.label for each in found} == {Label.FLAKY_JUDGE}
    assert finished.report.summary.confirmation.confirmed == 0


async def test_a_fault_that_always_strikes_is_stable_and_confirmed(tmp_path: Path) -> None:
    finished = await ran(tmp_path, SCRIPT, Broken(), rejudge=2, replay=2)
    (found,) = found_in(finished)
    assert (found.verdict.label, found.verdict.confirmed) == (Label.STABLE, True)
    summary = finished.report.summary.confirmation
    assert (summary.tried, summary.confirmed, summary.by_label) == (1, 1, {"stable": 1})


async def test_trials_are_in_no_figure_and_in_no_list_of_conversations(tmp_path: Path) -> None:
    with_trials = await ran(tmp_path, SCRIPT + "repeats: 2\n", Broken(), rejudge=2, replay=2)
    (tmp_path / "plain").mkdir()
    without = await ran(tmp_path / "plain", SCRIPT + "repeats: 2\n", Broken())
    apart = {"run_id", "elapsed_s", "fingerprint", "confirmation"}
    assert with_trials.report.summary.model_dump(exclude=apart) == without.report.summary.model_dump(exclude=apart)
    assert with_trials.report.n_conversations == without.report.n_conversations == 2
    assert [each.id for each in with_trials.report.conversations] == ["c0001", "c0002"]
    assert {group.standing for group in with_trials.report.groups} == {Standing.FAIL}
    with open_stored(with_trials.directory.path) as stored:
        assert [each.id for each in stored.facts()] == ["c0001", "c0002"]
        junit = "".join(junit_parts(with_trials.report, stored.conversation_reports))
    assert "~" not in junit
    with closing(open_run(with_trials.directory.database)) as reader:
        assert len(list(reader.asides())) == 8
        assert [planned.id for planned, _ in reader.ended()] == ["c0001", "c0002"]
        assert len(reader.progress().finished_asides) == 8
        assert len(reader.progress().finished) == 2


async def test_a_stored_run_is_confirmed_later_and_only_what_is_missing_is_run(tmp_path: Path) -> None:
    finished = await ran(tmp_path, SCRIPT + "repeats: 2\n", Broken())
    assert found_in(finished) == ()
    assert finished.report.summary.confirmation.untried == 2
    first = await confirmed(finished, Broken(), ConfirmSpec(rejudge=2, replay=2))
    assert ([each.verdict.label for each in first.confirmations], len(first.tried.records)) == ([Label.STABLE] * 2, 8)
    more = await confirmed(finished, Broken(), ConfirmSpec(rejudge=2, replay=3), "c0002")
    assert [record.planned.id for record in more.tried.records] == ["c0002~replay3"]
    assert (more.summary.tried, more.tried.n_missing) == (1, 0)
    nothing = await confirmed(finished, Broken(), ConfirmSpec(rejudge=1, replay=1))
    assert (nothing.tried.records, nothing.summary.confirmed) == ((), 2)


async def test_how_the_run_stands_and_what_it_took_stay_as_they_were(tmp_path: Path) -> None:
    finished = await ran(tmp_path, SCRIPT, Broken())
    again = await confirmed(finished, Broken(), ConfirmSpec(rejudge=1, replay=1))
    before, after = finished.report.summary, again.tried.finished.report.summary
    assert (before.status, before.elapsed_s) == (after.status, after.elapsed_s)
    section = next(each for each in again.tried.finished.report.sections if each.id == "confirmation")
    assert [len(table.rows) for table in section.tables] == [1, 1]


async def test_only_failed_conversations_can_be_confirmed(tmp_path: Path) -> None:
    finished = await ran(tmp_path, SCRIPT + "repeats: 8\n", Flaky(3))
    with open_stored(finished.directory.path) as stored:
        passed = next(each.id for each in stored.facts() if each.standing is Standing.PASS)
    with pytest.raises(InvalidInputError, match=f"{passed} has verdict pass: only a failed conversation"):
        await confirmed(finished, Flaky(3), ConfirmSpec(), passed)
    with pytest.raises(UnknownReferenceError):
        await confirmed(finished, Flaky(3), ConfirmSpec(), "c9999")


async def test_how_often_is_asked_else_the_scenarios_else_the_default(tmp_path: Path) -> None:
    finished = await ran(tmp_path, SCRIPT, Broken(), rejudge=1, replay=1)
    own = load_resumable(ResumeRequest(run=finished.directory.path, adapters={"ica": Broken()}))
    assert spec_for(own, rejudge=None, replay=5, resimulate=None) == ConfirmSpec(rejudge=1, replay=5, resimulate=2)
    plain = replace(own.request.inputs, scenario=own.request.inputs.scenario.model_copy(update={"confirm": None}))
    own = replace(own, request=replace(own.request, inputs=plain))
    assert spec_for(own, rejudge=None, replay=None, resimulate=0) == ConfirmSpec(resimulate=0)
