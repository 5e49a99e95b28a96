"""Stored conversations said again to the live assistant; the runs are real ones."""

from __future__ import annotations

from pathlib import Path

import pytest

import hairpin
from hairpin.app.inputs import load_inputs
from hairpin.app.loop import run_in_loop
from hairpin.app.rejudging import load_rejudging
from hairpin.app.reproducing import ReplayWish, Reproducing, exit_code, load_reproducing, reproduce
from hairpin.app.request import RunRequest
from hairpin.app.run import run_scenario
from hairpin.app.stored import open_stored
from hairpin.campaign.events import SilentListener
from hairpin.domain.reproduction import ReplayResult, ReproductionReport
from hairpin.errors import InvalidInputError, UnknownReferenceError

TALKING = """
id: trip
sut: {provider: testbed, faults: [F3]}
seed_phrases: [Find a cafe nearby and set the temperature to 21 degrees]
max_turns: 4
"""
SCRIPT = """
id: greeting
sut: ./ica.py:answer
oracles: []
turns: [{user: hello, checks: [{contains: hello}]}, {user: bye, checks: [{contains: bye}]}]
"""
ANSWER = "def answer(utterance: str) -> str:\n    {}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def held(folder: Path, body: str, scenario: str = SCRIPT) -> Path:
    (folder / "ica.py").write_text(ANSWER.format(body))
    (folder / "s.yaml").write_text(scenario)
    return hairpin.run("s.yaml", out=folder / "runs", fail_on="none").path


def again(
    run: Path, *, allow_changed: bool = False, times: int = 1, from_turn: int = 0
) -> tuple[ReproductionReport, int]:
    loaded: Reproducing = load_reproducing(ReplayWish(run, "c0001", times=times, from_turn=from_turn))
    finished, report = run_in_loop(lambda: reproduce(loaded, listener=SilentListener(), allow_changed=allow_changed))
    return report, exit_code(finished, report)


def test_a_failure_of_the_testbed_comes_again_and_the_replays_are_in_no_figure(folder: Path) -> None:
    run = held(folder, "return utterance", TALKING)
    with open_stored(run) as stored:
        before = stored.summary()
    report, code = again(run, times=3)
    assert (code, report.n_unusable, report.n_missing) == (0, 0, 0)
    assert report.rates[0].number == 3
    assert all(turn.same for turn in report.replays[0].turns)  # it draws by the same random seed
    with open_stored(run) as stored:
        after = stored.summary()
        assert len(stored.reader.trials(stored.conversation("c0001").planned)) == 3
    assert (after.conversations, after.failures_by_mode) == (before.conversations, before.failures_by_mode)


def test_replays_go_on_with_the_numbers_of_those_before_also_from_a_later_turn(folder: Path) -> None:
    run = held(folder, "return utterance", TALKING)
    first, _ = again(run, times=2)
    later, code = again(run, times=2, from_turn=1)
    assert [each.id for each in (*first.replays, *later.replays)] == [f"c0001~replay{n}" for n in (1, 2, 3, 4)]
    assert code == 0
    assert [turn.standing for turn in later.replays[0].turns][:2] == [True, False]
    assert all(each.turns[0].before == each.turns[0].after for each in later.replays)
    assert {each.result for each in later.replays} <= {
        ReplayResult.REPRODUCED,
        ReplayResult.DIFFERENTLY,
        ReplayResult.NOT_REPRODUCED,
    }


def test_an_assistant_that_was_mended_does_not_do_it_again(folder: Path) -> None:
    run = held(folder, "return 'hello'")
    (folder / "ica.py").write_text(ANSWER.format("return utterance"))
    with pytest.raises(InvalidInputError, match="--allow-changed"):
        again(run)
    report, code = again(run, allow_changed=True)
    assert [each.result for each in report.replays] == [ReplayResult.NOT_REPRODUCED]
    assert code == 0
    same, differing = report.replays[0].turns
    assert same.same
    assert (differing.before, differing.after) == ("hello", "bye")
    assert [label.mode for label in differing.labels_before] == ["check_failed"]


def test_what_the_assistant_broke_off_can_be_said_again(folder: Path) -> None:
    """The turn that got no reply is said again too."""
    body = "if utterance == 'bye': raise RuntimeError('gone')\n    return utterance"
    run = held(folder, body)
    report, code = again(run)
    assert [each.result for each in report.replays] == [ReplayResult.REPRODUCED]
    assert code == 0 or report.n_unusable == 0
    (folder / "ica.py").write_text(ANSWER.format("return utterance"))
    mended, code = again(run, allow_changed=True)
    assert [each.result for each in mended.replays] == [ReplayResult.NOT_REPRODUCED]
    assert code == 0
    assert len(mended.replays[0].turns) == 2


def test_replays_that_all_come_to_no_verdict_exit_3(folder: Path) -> None:
    run = held(folder, "return utterance")
    (folder / "ica.py").write_text(ANSWER.format("raise RuntimeError('gone')"))
    report, code = again(run, allow_changed=True, times=2)
    assert {each.result for each in report.replays} == {ReplayResult.UNUSABLE}
    assert code == 3


def test_what_cannot_be_said_again_is_refused_with_the_way_out(folder: Path) -> None:
    run = held(folder, "return utterance")
    with pytest.raises(InvalidInputError, match="from turn 2: its user has 2 turns"):
        load_reproducing(ReplayWish(run, "c0001", from_turn=2))
    with pytest.raises(UnknownReferenceError, match="c0009"):
        load_reproducing(ReplayWish(run, "c0009"))
    again(run)
    with pytest.raises(InvalidInputError, match=r"is itself a trial or a canary.*c0001$"):
        load_reproducing(ReplayWish(run, "c0001~replay1"))
    with pytest.raises(InvalidInputError, match="has had 1 replays"):
        load_reproducing(ReplayWish(run, "c0001", times=256))


def test_a_run_of_written_conversations_has_no_assistant_to_ask(folder: Path) -> None:
    run = held(folder, "return utterance")
    request = RunRequest(inputs=load_rejudging(run), out=folder / "again")
    rejudged = run_in_loop(lambda: run_scenario(request)).directory.path
    with pytest.raises(InvalidInputError, match="there is no assistant to say them to again"):
        load_reproducing(ReplayWish(rejudged, "c0001"))


def test_a_conversation_that_never_ended_is_to_be_gone_on_with(folder: Path) -> None:
    (folder / "ica.py").write_text(ANSWER.format("raise ConnectionError('nobody there')"))
    (folder / "s.yaml").write_text(f"{SCRIPT}repeats: 2\n")
    request = RunRequest(inputs=load_inputs("s.yaml"), out=folder / "runs", concurrency=1)
    run = run_in_loop(lambda: run_scenario(request)).directory.path
    with pytest.raises(InvalidInputError, match=r"'c0002' has not ended.*resume"):
        load_reproducing(ReplayWish(run, "c0002"))
