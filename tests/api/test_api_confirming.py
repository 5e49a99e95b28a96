"""Failures confirmed from Python: trials and labels of ``hairpin confirm``, also for assistants that no file names."""

from __future__ import annotations

from pathlib import Path

import pytest

import hairpin
from hairpin.domain.confirmation import Label
from hairpin.domain.trials import TrialKind
from hairpin.errors import HairpinError, InvalidInputError, UserError
from hairpin.testing import FakeModelServer, fill_schema

SCENARIO = """
id: ride
sut: testbed
turns:
  - user: Take me home
    checks: [{contains: home}]
oracles: []
repeats: 3
"""
QUICK = {"rejudge": 2, "replay": 2, "resimulate": 0}


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
    result = hairpin.run(scenario, sut=deaf, out=scenario.parent / "runs", fail_on="none")
    assert result.summary.conversations.failed == 3
    return result.path


def test_all_that_failed_are_tried_and_said_to_be_confirmed(scenario: Path) -> None:
    run = failed_run(scenario)
    found = hairpin.confirm(run, sut=deaf, **QUICK)  # type: ignore[arg-type]  # one of several keywords
    assert isinstance(found, hairpin.ConfirmResult)
    assert (found.path.resolve(), found.n_missing) == (run.resolve(), 0)
    assert (found.summary.tried, found.summary.confirmed) == (3, 3)
    assert [each.conversation for each in found.confirmations] == ["c0001", "c0002", "c0003"]
    assert {each.verdict.label for each in found.confirmations} == {Label.STABLE}
    assert hairpin.load_run(run).summary.confirmation == found.summary


@pytest.mark.parametrize("named", ["c0002", ["c0002"]])
def test_one_conversation_is_named_and_a_second_call_only_adds_what_is_missing(
    scenario: Path, named: str | list[str]
) -> None:
    run = failed_run(scenario)
    hairpin.confirm(run, named, sut=deaf, rejudge=1, replay=1, resimulate=0)
    found = hairpin.confirm(run, named, sut=deaf, rejudge=3, replay=2, resimulate=0, concurrency=1)
    (only,) = found.confirmations
    assert only.conversation == "c0002"
    assert {each.kind: each.n for each in only.verdict.trials} == {TrialKind.REJUDGE: 3, TrialKind.REPLAY: 2}
    assert found.summary.trials["rejudge"].trials == 3


def test_another_assistant_is_refused_unless_that_is_allowed(scenario: Path) -> None:
    run = failed_run(scenario)
    with pytest.raises(InvalidInputError, match=r"Python object 'deaf'.*hairpin\.confirm"):
        hairpin.confirm(run)
    with pytest.raises(InvalidInputError, match=r"any more: sut\.deaf;"):
        hairpin.confirm(run, sut=str.upper)
    found = hairpin.confirm(run, "c0001", sut=polite, allow_changed=True, **QUICK)
    assert [each.verdict.label for each in found.confirmations] == [Label.FLAKY_SUT]
    assert found.summary.confirmed == 0


def test_what_did_not_fail_and_wrong_numbers_are_refused_before_anything_is_tried(scenario: Path) -> None:
    run = hairpin.run(scenario, sut=polite, out=scenario.parent / "runs").path
    with pytest.raises(InvalidInputError, match="c0001 has verdict pass: only a failed conversation can be confirmed"):
        hairpin.confirm(run, "c0001", sut=polite)
    with pytest.raises(UserError, match="c0009"):
        hairpin.confirm(run, "c0009", sut=polite)
    for wrong, message in (
        ({"rejudge": -1}, "rejudge must be at least 0, not -1"),
        ({"replay": 256}, "replay must be at most 255, not 256"),
        ({"concurrency": 0}, "concurrency must be at least 1, not 0"),
        ({"max_cost": -1}, "max_cost must be at least 0, not -1"),
    ):
        with pytest.raises(ValueError, match=message):
            hairpin.confirm(run, sut=polite, **wrong)  # type: ignore[arg-type]  # one of several keywords
    assert hairpin.confirm(run, sut=polite).summary.tried == 0


def test_what_ends_the_trials_early_is_raised(scenario: Path) -> None:
    """An assistant that is down by now says nothing of its failures."""
    with FakeModelServer(default=fill_schema) as server:
        overrides = {"sut": {"provider": "openai-compatible", "base_url": server.base_url, "model": "m"}}
        run = hairpin.run(scenario, overrides=overrides, out=scenario.parent / "runs", fail_on="none").path
    with pytest.raises(HairpinError):
        hairpin.confirm(run, "c0001", **QUICK)  # type: ignore[arg-type]  # one of several keywords


@pytest.mark.anyio
async def test_inside_a_loop_the_async_form_is_named_and_works(scenario: Path) -> None:
    with pytest.raises(UserError, match=r"await hairpin\.aconfirm"):
        hairpin.confirm(scenario)
    run = (await hairpin.arun(scenario, sut=deaf, out=scenario.parent / "runs", fail_on="none")).path
    found = await hairpin.aconfirm(run, "c0003", sut=deaf, **QUICK)  # type: ignore[arg-type]  # one of several keywords
    assert [each.conversation for each in found.confirmations] == ["c0003"]
