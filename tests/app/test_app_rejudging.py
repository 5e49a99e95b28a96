"""Stored runs judged again: nothing is sent to the assistant, and deterministic judges say again what they said."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

import hairpin
from hairpin.app.campaign_inputs import CampaignChoices, load_campaign
from hairpin.app.forecast import estimate_of
from hairpin.app.inputs import RunInputs
from hairpin.app.loop import run_in_loop
from hairpin.app.rejudging import load_rejudging
from hairpin.app.request import FinishedRun, RunRequest
from hairpin.app.resume import ResumeRequest, load_resumable, resume_run
from hairpin.app.run import run_scenario
from hairpin.app.stored import open_stored
from hairpin.campaign.events import SilentListener
from hairpin.domain.arm import Arm
from hairpin.domain.outcome import Role, StopReason, Verdict
from hairpin.domain.recording import LeftOut
from hairpin.domain.records import ConversationRecord, RunStatus
from hairpin.errors import InvalidInputError, UnknownReferenceError

ASSISTANT = """
from pathlib import Path
from hairpin.domain.sut_spec import FaultSpec
from hairpin.testbed.adapter import TestbedAdapter

LOG = Path(__file__).with_name("sut.log")

def note(what):
    with LOG.open("a") as log:
        log.write(what + "\\n")

class Ica(TestbedAdapter):
    def __init__(self):
        note("built")
        super().__init__(faults=(FaultSpec(id="F1"), FaultSpec(id="F3"), FaultSpec(id="F9")))

    async def open(self, start):
        note("opened")
        session = await super().open(start)
        send = session.send

        async def noted(utterance):
            note("sent")
            return await send(utterance)

        session.send = noted
        return session
"""
CAMPAIGN = """
id: two_arms
sut: ./ica.py:Ica
seed_phrases:
  - Guide me to Marienplatz while avoiding toll roads
  - Find a cafe nearby and set the temperature to 21 degrees
  - Play some jazz and remind me to call Anna at 6
personas: [polite, impatient]
checks: [{regex: "[a-z]"}, {regex: "^(?!.*toll)"}]
campaign: {arms: [guided, baseline], split: count, max_turns: [3], baseline: {max_turns: 3}, runs: 1}
"""
SCRIPT = """
id: greeting
sut: ./ica.py:answer
turns:
  - {user: Set the temperature to 21 degrees, checks: [{contains: degrees}]}
  - {user: And play some jazz, checks: [{contains: jazz}]}
"""
ANSWER = "def answer(utterance: str) -> str:\n    {}\n"


def play(inputs: RunInputs, out: Path, **changed: object) -> FinishedRun:
    request = dataclasses.replace(RunRequest(inputs=inputs, out=out, concurrency=8), **changed)  # type: ignore[arg-type]
    return run_in_loop(lambda: run_scenario(request))


def records(run: FinishedRun | Path) -> dict[str, ConversationRecord]:
    with open_stored(run if isinstance(run, Path) else run.directory.path) as stored:
        return {record.planned.id: record for record in stored.conversations()}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def script(folder: Path) -> Path:
    (folder / "ica.py").write_text(ANSWER.format("return 'It is 21 degrees.'"))
    (folder / "s.yaml").write_text(SCRIPT)
    return hairpin.run("s.yaml", out=folder / "runs", fail_on="none").path


def differing(before: ConversationRecord, after: ConversationRecord) -> Iterator[str]:
    """Yield what of a conversation is another now; how long it took is."""
    for name in ("planned", "exchanges", "failures", "target_events", "scores"):
        if getattr(before, name) != getattr(after, name):
            yield name
    assert before.outcome is not None
    assert after.outcome is not None
    if (before.outcome.stop, before.outcome.judgement) != (after.outcome.stop, after.outcome.judgement):
        yield "outcome"


def assert_what_arms_and_strategies_did_is_said_again(source: FinishedRun, again: FinishedRun) -> None:
    before = {section.id: section for section in source.report.sections}
    now = {section.id: section for section in again.report.sections}
    for name in ("overview", "comparison", "strategies", "profile", "coverage"):
        assert now[name] == before[name]


@pytest.mark.timeout(300)  # twice 100 conversations, with a processor that others may use
def test_a_campaign_of_100_conversations_is_judged_exactly_as_before_and_its_assistant_hears_nothing(
    folder: Path,
) -> None:
    (folder / "ica.py").write_text(ASSISTANT)
    (folder / "s.yaml").write_text(CAMPAIGN)
    inputs = load_campaign("s.yaml", CampaignChoices(conversations=100))
    source = play(inputs, folder / "runs", campaign=True)
    before = records(source)
    assert {record.planned.arm for record in before.values()} == {Arm.GUIDED, Arm.BASELINE}
    assert any(failure.mode == "check_failed" for record in before.values() for failure in record.failures)
    log = folder / "sut.log"
    assert log.read_text().split().count("sent") == sum(len(record.exchanges) for record in before.values())
    heard = log.read_bytes()
    (folder / "ica.py").unlink()  # what is not there cannot be built

    again = play(load_rejudging(source.directory.path), folder / "again")
    assert log.read_bytes() == heard
    after = records(again)
    assert list(after) == list(before)
    assert len(after) == 100
    assert {name: others for name in after if (others := list(differing(before[name], after[name])))} == {}
    assert again.report.summary.failures_by_mode == source.report.summary.failures_by_mode
    found = again.report.judge_differences
    assert found is not None
    assert (found.n_conversations, found.identical, found.n_verdict_changes) == (100, 100, 0)
    assert_what_arms_and_strategies_did_is_said_again(source, again)


def test_a_run_that_judges_again_says_whose_conversations_these_are(script: Path, folder: Path) -> None:
    again = play(load_rejudging(script), folder / "again")
    assert again.directory.name.startswith("greeting-rejudged-")
    with open_stored(script) as source, open_stored(again.directory.path) as stored:
        rejudged, info = stored.run_info().rejudged, source.run_info()
    assert rejudged is not None
    assert (rejudged.run_id, rejudged.location, rejudged.n_conversations) == (info.run_id, str(script.resolve()), 1)
    assert (rejudged.modes["request_omitted"], rejudged.dimensions["plan_coherence"]) == (
        "Request ignored",
        "Plan Coherence",
    )
    (section,) = again.report.sections
    assert f"of run {info.run_id} of greeting judged again" in section.text[0]
    assert str(script.parent) not in again.directory.report.read_text()
    (sut,) = again.report.summary.suts.values()
    assert sut.transport == "recorded"


def test_other_judging_is_told_with_examples(script: Path, folder: Path) -> None:
    inputs = load_rejudging(script, overrides={"checks": '[{contains: "snow"}]', "threshold": "0.1"})
    assert (inputs.scenario.rubric.threshold, len(inputs.checks)) == (0.1, 1)
    found = play(inputs, folder / "again").report.judge_differences
    assert found is not None
    (mode,) = (mode for mode in found.modes if mode.mode == "check_failed")
    # The second turn's own check failed before, and fails still.
    assert (mode.both, mode.only_before, mode.only_after) == (1, 0, 1)
    assert mode.examples[0].t == 0
    assert mode.examples[0].after_evidence


def test_what_is_judged_again_can_be_judged_again(script: Path, folder: Path) -> None:
    once = play(load_rejudging(script), folder / "once")
    twice = play(load_rejudging(once.directory.path), folder / "twice")
    assert not list(differing(records(once)["c0001"], records(twice)["c0001"]))


def test_an_interrupted_one_is_gone_on_with(folder: Path) -> None:
    (folder / "ica.py").write_text(ANSWER.format("return 'It is 21 degrees.'"))
    (folder / "s.yaml").write_text(SCRIPT)
    source = hairpin.run("s.yaml", out=folder / "runs", fail_on="none", overrides={"repeats": 6}).path
    inputs = load_rejudging(source)
    request = RunRequest(inputs=inputs, out=folder / "again", concurrency=1)

    class Stopping(SilentListener):
        def conversation_ended(self, *_: object) -> None:
            request.stop.set(StopReason.INTERRUPTED)

    stopped = run_in_loop(lambda: run_scenario(dataclasses.replace(request, listener=Stopping())))
    assert stopped.report.status is RunStatus.INTERRUPTED
    assert stopped.report.summary.conversations.missing
    resumable = load_resumable(ResumeRequest(run=stopped.directory.path))
    finished = run_in_loop(lambda: resume_run(resumable, listener=SilentListener()))
    assert finished.report.status is RunStatus.FINISHED
    before, after = records(source), records(finished)
    assert all(not list(differing(before[name], after[name])) for name in after)
    assert len(after) == 6


def test_what_the_assistant_broke_is_left_out(folder: Path) -> None:
    broken = "if broken.append(1) or len(broken) > 3: raise RuntimeError('gone')\n    return 'It is 21 degrees.'"
    (folder / "ica.py").write_text("broken = []\n" + ANSWER.format(broken))
    (folder / "s.yaml").write_text(SCRIPT)
    overrides = {"repeats": 2}
    source = hairpin.run("s.yaml", out=folder / "runs", fail_on="none", overrides=overrides, concurrency=1).path
    inputs = load_rejudging(source)
    assert inputs.rejudged is not None
    left_out = LeftOut(id="c0002", why="sut_error: no judge can make it valid")
    assert inputs.rejudged.left_out == (left_out,)
    report = play(inputs, folder / "again").report
    assert report.summary.conversations.planned == 1
    (table,) = (table for table in report.sections[0].tables if table.id == "judged-left-out")
    assert len(table.rows) == 1
    with pytest.raises(InvalidInputError, match="no conversation of the run can be judged again; the first: c0002"):
        load_rejudging(source, conversations=("c0002",))


def test_conversations_can_be_named(folder: Path) -> None:
    (folder / "ica.py").write_text(ANSWER.format("return 'It is 21 degrees.'"))
    (folder / "s.yaml").write_text(SCRIPT)
    source = hairpin.run("s.yaml", out=folder / "runs", fail_on="none", overrides={"repeats": 3}).path
    inputs = load_rejudging(source, conversations=("c0003", "c0001"))
    assert [each.id for each in inputs.recordings.recordings] == ["c0001", "c0003"] if inputs.recordings else False
    with pytest.raises(UnknownReferenceError, match="c0009"):
        load_rejudging(source, conversations=("c0009",))


def test_nobody_but_judges_and_who_finds_targets_is_needed(folder: Path) -> None:
    (folder / "ica.py").write_text(ASSISTANT)
    (folder / "s.yaml").write_text(CAMPAIGN)
    inputs = load_campaign("s.yaml", CampaignChoices(conversations=2))
    again = load_rejudging(play(inputs, folder / "runs", campaign=True).directory.path)
    assert again.cast.needed == {Role.EXTRACTOR, Role.TURN_JUDGE, Role.CONVERSATION_JUDGE}
    assert again.scenario.confirm is None
    assert estimate_of(again).n_conversations == 2


def test_a_check_that_broke_does_not_keep_a_whole_conversation_from_being_judged(folder: Path) -> None:
    (folder / "ica.py").write_text(ANSWER.format("return 'It is 21 degrees.'"))
    (folder / "checks.py").write_text("def odd(reply):\n    raise KeyError(reply)\n")
    (folder / "s.yaml").write_text(SCRIPT.replace("{contains: jazz}", "./checks.py:odd"))
    source = hairpin.run("s.yaml", out=folder / "runs", fail_on="none").path
    assert (outcome := records(source)["c0001"].outcome) is not None
    assert outcome.judgement.verdict is Verdict.INVALID
    (folder / "checks.py").write_text("def odd(reply):\n    return False\n")
    assert (now := records(play(load_rejudging(source), folder / "again"))["c0001"].outcome) is not None
    assert (now.stop.reason, now.judgement.verdict) == (StopReason.SCRIPT_EXHAUSTED, Verdict.FAIL)
