"""A stored conversation said again from Python, also to an assistant that no file names."""

from __future__ import annotations

from pathlib import Path

import pytest

import hairpin
from hairpin.domain.reproduction import ReplayResult
from hairpin.errors import InvalidInputError, UserError

SCENARIO = """
id: ride
sut: testbed
turns:
  - user: Take me home
    checks: [{contains: home}]
  - user: Are we there?
oracles: []
"""


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    path = tmp_path / "ride.yaml"
    path.write_text(SCENARIO)
    return path


def deaf(utterance: str) -> str:
    return "Where to?"


def polite(utterance: str) -> str:
    return "Driving home."


def failed_run(scenario: Path) -> Path:
    return hairpin.run(scenario, sut=deaf, out=scenario.parent / "runs", fail_on="none").path


def results(report: hairpin.ReproductionReport) -> list[tuple[str, ReplayResult]]:
    return [(each.id, each.result) for each in report.replays]


def test_replays_say_whether_the_failure_came_again_and_are_kept_in_the_run(scenario: Path) -> None:
    run = failed_run(scenario)
    report = hairpin.replay(run, "c0001", times=2, sut=deaf)
    assert isinstance(report, hairpin.ReproductionReport)
    assert (report.conversation, report.sut, report.n_missing) == ("c0001", "deaf", 0)
    assert results(report) == [(f"c0001~replay{n}", ReplayResult.REPRODUCED) for n in (1, 2)]
    later = hairpin.replay(run, "c0001", sut=polite, allow_changed=True)
    assert results(later) == [("c0001~replay3", ReplayResult.NOT_REPRODUCED)]
    assert hairpin.load_run(run).summary.conversations.planned == 1


def test_stored_replies_stand_before_the_turn_that_is_named(scenario: Path) -> None:
    report = hairpin.replay(failed_run(scenario), "c0001", from_turn=1, sut=deaf)
    (replay,) = report.replays
    assert [turn.standing for turn in replay.turns] == [True, False]


def test_what_cannot_be_done_is_an_error_that_names_it(scenario: Path) -> None:
    run = failed_run(scenario)
    with pytest.raises(InvalidInputError, match=r"Python object 'deaf'.*hairpin\.replay"):
        hairpin.replay(run, "c0001")
    with pytest.raises(InvalidInputError, match=r"any more: sut\.deaf;"):
        hairpin.replay(run, "c0001", sut=str.upper)
    with pytest.raises(UserError, match="c0009"):
        hairpin.replay(run, "c0009", sut=deaf)
    with pytest.raises(UserError, match="turn"):
        hairpin.replay(run, "c0001", from_turn=7, sut=deaf)
    with pytest.raises(ValueError, match="from_turn must be at least 0, not -1"):
        hairpin.replay(run, "c0001", from_turn=-1, sut=deaf)
    for times, message in ((0, "at least 1, not 0"), (257, "at most 256, not 257")):
        with pytest.raises(ValueError, match=f"times must be {message}"):
            hairpin.replay(run, "c0001", times=times, sut=deaf)


@pytest.mark.anyio
async def test_inside_a_loop_the_async_form_is_named_and_works(scenario: Path) -> None:
    run = (await hairpin.arun(scenario, sut=deaf, out=scenario.parent / "runs", fail_on="none")).path
    with pytest.raises(UserError, match=r"await hairpin\.areplay"):
        hairpin.replay(run, "c0001")
    assert results(await hairpin.areplay(run, "c0001", sut=deaf)) == [("c0001~replay1", ReplayResult.REPRODUCED)]
