"""Stored runs compared from Python, as ``hairpin compare`` does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import hairpin
from hairpin.errors import InvalidInputError, UserError
from tests.patience import SLOWNESS

SCENARIO = "id: rides\nsut: testbed\noracles: []\nturns: [{user: Hi, checks: [{contains: hi}]}]\n"
CAMPAIGN = "id: rides\nsut: testbed\noracles: []\nseed_phrases: [Guide me home]\nmax_turns: 1\nchecks: [contains: hi]\n"


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six conversations with an assistant that passes, and six with one that fails."""
    folder = tmp_path_factory.mktemp("campaign")
    path = folder / "rides.yaml"
    path.write_text(CAMPAIGN)
    suts = {"good": greeting, "bad": silent}
    return hairpin.run_campaign(path, conversations=12, sut=suts, out=folder / "runs", fail_on="none").path


def greeting(utterance: str) -> str:
    return "hi"


def silent(utterance: str) -> str:
    return "no"


def run_of(folder: Path, sut: Callable[[str], str], **overrides: object) -> Path:
    path = folder / "rides.yaml"
    path.write_text(SCENARIO)
    given = {"repeats": 6, **overrides}
    return hairpin.run(path, sut=sut, out=folder / "runs", overrides=given, fail_on="none").path


def test_two_assistants_of_a_run(campaign: Path) -> None:
    report = hairpin.compare(campaign, suts=["good", "bad"])
    assert isinstance(report, hairpin.ComparisonReport)
    assert report.within_one_run
    assert {test.mode for test in report.regressions} == {None, "check_failed"}
    assert report.exit_code(fail_on_regression=True) == 1
    assert not hairpin.compare(campaign, suts=("bad", "good")).regressions
    assert not hairpin.compare(campaign, suts=("good", "bad"), alpha=1e-9).regressions


def test_two_runs_are_compared_unless_they_differ_in_more_than_the_assistant(tmp_path: Path) -> None:
    good, bad = run_of(tmp_path, greeting), run_of(tmp_path, silent)
    report = hairpin.compare(good, str(bad))
    assert (report.scenario, report.within_one_run) == ("rides", False)
    assert report.regressions
    other = run_of(tmp_path, silent, turn_timeout_s=9)
    with pytest.raises(InvalidInputError, match=r"differ in more than the assistant: settings \(turn_timeout_s\)"):
        hairpin.compare(good, other)
    assert "turn_timeout_s" in hairpin.compare(good, other, allow_changed=True).changes[-1].words


def test_what_cannot_be_compared_is_an_error_that_names_it(campaign: Path) -> None:
    with pytest.raises(InvalidInputError, match="unknown assistant 'ugly'"):
        hairpin.compare(campaign, suts=["good", "ugly"])
    with pytest.raises(InvalidInputError, match="there is only one run"):
        hairpin.compare(campaign)
    with pytest.raises(InvalidInputError, match="they are the same run"):
        hairpin.compare(campaign, campaign)
    with pytest.raises(InvalidInputError, match="compares assistants of one run, and two are named"):
        hairpin.compare(campaign, campaign, suts=["good", "bad"])
    with pytest.raises(InvalidInputError, match="must be between 0 and 1, not 2"):
        hairpin.compare(campaign, suts=["good", "bad"], alpha=2)
    with pytest.raises(UserError, match="no_such_run"):
        hairpin.compare("no_such_run", campaign)


def test_functions_that_run_load_no_statistics() -> None:
    program = "import sys, hairpin; hairpin.run, hairpin.confirm; print('scipy' in sys.modules); hairpin.compare"
    done = subprocess.run(
        [sys.executable, "-c", program + "; print('scipy' in sys.modules)"],
        capture_output=True,
        text=True,
        timeout=50 * SLOWNESS,
        check=True,
    )
    assert done.stdout.split() == ["False", "True"]
