"""Which runs may be compared, and what is tested against what; the runs are real ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import hairpin
from hairpin.app.campaign_inputs import CampaignChoices, load_campaign
from hairpin.app.comparison import changed_between, compare_assistants, compare_stored
from hairpin.app.inputs import load_inputs
from hairpin.app.loop import run_in_loop
from hairpin.app.request import RunRequest
from hairpin.app.run import run_scenario
from hairpin.app.stored import open_stored
from hairpin.errors import InvalidInputError
from hairpin.ports import SutAdapter
from hairpin.reports.comparison import ComparisonReport
from hairpin.sut.callables import adapter_of

N = 8
SCRIPT = f"""
id: greeting
sut: ./ica.py:answer
repeats: {N}
turns: [{{user: hello, checks: [{{contains: hello}}, './checks.py:polite']}}]
oracles: []
"""
GOOD = "def answer(utterance: str) -> str:\n    return utterance\n"
BAD = "def answer(utterance: str) -> str:\n    return 'What?'\n"
POLITE = "def polite(reply: str) -> bool:\n    return True\n"


def good(utterance: str) -> str:
    return utterance


def bad(utterance: str) -> str:
    return "What?"


def broken(utterance: str) -> str:
    raise RuntimeError(utterance)


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    (tmp_path / "ica.py").write_text(GOOD)
    (tmp_path / "checks.py").write_text(POLITE)
    path = tmp_path / "s.yaml"
    path.write_text(SCRIPT)
    return path


def play(scenario: Path, sut: Callable[[str], str] | None = None, **changed: object) -> Path:
    return hairpin.run(scenario, sut=sut, out=scenario.parent / "runs", fail_on="none", overrides=changed).path


def with_several(scenario: Path, adapters: Mapping[str, Callable[[str], str]]) -> Path:
    made: dict[str, SutAdapter] = {label: adapter_of(function, name=label) for label, function in adapters.items()}
    request = RunRequest(inputs=load_inputs(scenario), adapters=made, out=scenario.parent / "runs")

    async def main() -> Path:
        return (await run_scenario(request)).directory.path

    return run_in_loop(main)


def shares(report: ComparisonReport) -> dict[tuple[str, str | None], tuple[int, int]]:
    return {
        (test.scenario, test.mode): (test.first.successes, test.second.successes) for test in report.comparison.tests
    }


def test_a_worse_version_of_the_assistant_is_found_and_what_changed_is_named(scenario: Path) -> None:
    first = play(scenario)
    (scenario.parent / "ica.py").write_text(BAD)
    report = compare_stored(first, play(scenario))
    assert shares(report) == {("./ica.py:answer", None): (0, N), ("./ica.py:answer", "check_failed"): (0, N)}
    assert [test.mode for test in report.regressions] == [None, "check_failed"]
    assert [change.part for change in report.changes] == ["sut../ica.py:answer", "sut_files"]
    assert all(change.of_assistant for change in report.changes)
    assert report.exit_code(fail_on_regression=True) == 1
    assert compare_stored(report.second.location, first).exit_code(fail_on_regression=True) == 0, "it became better"


def test_the_only_assistants_of_two_runs_are_compared_whatever_they_are_called(scenario: Path) -> None:
    report = compare_stored(play(scenario, good), play(scenario, bad))
    assert [group.name for group in report.groups] == ["good → bad"]
    assert shares(report)["good → bad", None] == (0, N)


def test_of_several_assistants_each_is_compared_with_itself(scenario: Path) -> None:
    first = with_several(scenario, {"a": good, "b": good, "old": good})
    report = compare_stored(first, with_several(scenario, {"a": good, "b": bad, "new": good}))
    assert shares(report) == {
        ("a", None): (0, 0),
        ("b", None): (0, N),
        ("b", "check_failed"): (0, N),
    }
    assert (report.comparison.only_first, report.comparison.only_second) == (("old",), ("new",))


def test_the_arms_of_campaigns_are_tested_apart(scenario: Path) -> None:
    text = "id: ride\nsut: testbed\nseed_phrases: [Guide me home]\nmax_turns: 2\n"
    scenario.write_text(f"{text}campaign: {{conversations: 4, arms: [guided, baseline]}}\n")
    runs = [campaign(scenario) for _ in range(2)]
    report = compare_stored(*runs)
    assert [group.name for group in report.groups] == ["testbed, baseline", "testbed, guided"]
    assert [(group.first.planned, group.second.planned) for group in report.groups] == [(2, 2), (2, 2)]


def campaign(scenario: Path) -> Path:
    inputs = load_campaign(scenario, CampaignChoices())
    request = RunRequest(inputs=inputs, campaign=True, out=scenario.parent / "runs")

    async def main() -> Path:
        return (await run_scenario(request)).directory.path

    return run_in_loop(main)


CAMPAIGN = """
id: ride
sut: testbed
seed_phrases: [Guide me home, Play some jazz]
max_turns: 2
campaign:
  conversations: 8
  arms: [guided, baseline]
  suts: {clean: testbed, faulty: {provider: testbed, faults: [F1, F8]}, same: testbed}
"""


def test_two_assistants_of_one_run_are_compared_per_arm(scenario: Path) -> None:
    scenario.write_text(CAMPAIGN)
    report = compare_assistants(campaign(scenario), ("clean", "faulty"))
    assert [(group.name, group.first_sut, group.second_sut) for group in report.groups] == [
        ("clean → faulty, baseline", "clean", "faulty"),
        ("clean → faulty, guided", "clean", "faulty"),
    ]
    assert sum(group.first.planned + group.second.planned for group in report.groups) == 6, "of 'same' there are two"
    assert (list(report.first.suts), list(report.second.suts)) == (["clean"], ["faulty"])
    (change,) = report.changes
    assert (change.part, change.of_assistant) == ("sut", True)
    assert "F1" in change.detail
    assert report.within_one_run


def test_the_worse_assistant_of_one_run_is_found(scenario: Path) -> None:
    run = with_several(scenario, {"a": good, "b": bad})
    report = compare_assistants(run, ("a", "b"))
    assert shares(report) == {("a → b", None): (0, N), ("a → b", "check_failed"): (0, N)}
    assert report.exit_code(fail_on_regression=True) == 1
    assert compare_assistants(run, ("b", "a")).exit_code(fail_on_regression=True) == 0
    scenario.write_text(SCRIPT.replace(f"repeats: {N}", "repeats: 4"))
    unrated = with_several(scenario, {"a": good, "c": broken})
    assert compare_assistants(unrated, ("a", "c")).exit_code(fail_on_regression=True) == 3


def test_assistants_that_a_run_does_not_have_are_refused_with_those_it_has(scenario: Path) -> None:
    run = with_several(scenario, {"clean": good, "faulty": bad})
    for suts, said in (
        (("clean", "fautly"), "unknown assistant 'fautly'; did you mean 'faulty'?.*has 'clean', 'faulty'"),
        (("v9", "clean"), "unknown assistant 'v9'; .*has 'clean', 'faulty'"),
        (("clean",), "must name two assistants of the run, not 'clean'; .*write --suts clean,faulty"),
        (("clean", "clean"), "must name two assistants of the run, not 'clean', 'clean'"),
        ((), "there is only one run; .*write --suts clean,faulty, or name a second run"),
    ):
        with pytest.raises(InvalidInputError, match=f"--suts: {said}"):
            compare_assistants(run, suts)
    with pytest.raises(InvalidInputError, match=r"has 'good' alone.*name a second run"):
        compare_assistants(play(scenario, good), ("good", "bad"))
    with pytest.raises(InvalidInputError, match="--alpha: must be between 0 and 1"):
        compare_assistants(run, ("clean", "faulty"), alpha=2)


def test_of_a_changed_campaign_the_keys_are_named(scenario: Path) -> None:
    scenario.write_text(CAMPAIGN)
    first = campaign(scenario)
    scenario.write_text(CAMPAIGN.replace("conversations: 8", "conversations: 6\n  max_turns: [1]"))
    with pytest.raises(InvalidInputError, match=r"settings \(campaign\.max_turns\)"):
        compare_stored(first, campaign(scenario))
    with pytest.raises(InvalidInputError, match=r"settings \(campaign\)"):
        compare_stored(first, hairpin.run(scenario, out=scenario.parent / "runs", fail_on="none").path)


def test_conversations_without_a_verdict_are_counted_beside_and_no_verdict_is_no_pass(scenario: Path) -> None:
    """Four errors: after five in a row an assistant would be left alone for a while."""
    report = compare_stored(play(scenario, good, repeats=4), play(scenario, broken, repeats=4))
    (group,) = report.groups
    assert group.second.invalid + group.second.missing == 4
    assert report.untested == ("good → broken",)
    assert not report.regressions
    assert report.exit_code(fail_on_regression=True) == 3
    assert report.exit_code(fail_on_regression=False) == 0


@pytest.mark.parametrize(
    ("changed", "named"),
    [({"max_turns": 4}, r"settings \(max_turns\)"), ({"strategies": "in_car/extended"}, "packs; strategies")],
)
def test_runs_that_differ_in_who_tests_are_refused_unless_that_is_allowed(
    scenario: Path, changed: dict[str, object], named: str
) -> None:
    first, second = play(scenario, good), play(scenario, good, **changed)
    with pytest.raises(InvalidInputError, match=rf"more than the assistant: {named}.*--allow-changed"):
        compare_stored(first, second)
    report = compare_stored(first, second, allow_changed=True)
    assert report.changes
    assert not any(change.of_assistant for change in report.changes)


def test_a_changed_check_is_no_change_of_the_assistant(scenario: Path) -> None:
    first = play(scenario)
    (scenario.parent / "checks.py").write_text(POLITE.replace("True", "'W' not in reply"))
    second = play(scenario)
    with pytest.raises(InvalidInputError, match="more than the assistant: files with checks;"):
        compare_stored(first, second)


def test_what_a_reader_can_understand_of_a_part_is_told(scenario: Path) -> None:
    with open_stored(play(scenario)) as stored:
        run, resolved = stored.run_info(), stored.scenario()
    parts = {**run.fingerprint_parts, "agent.simulator": "openai m", "hairpin": "9", "recordings": "abc"}
    changes = changed_between(run, run.model_copy(update={"fingerprint_parts": parts}), resolved, resolved)
    assert [change.words for change in changes] == [
        "user simulator (nobody → openai m)",
        f"Hairpin's version ({run.hairpin_version} → 9)",
        "recordings (only B has it)",
    ]


def test_what_cannot_be_compared_is_refused_with_the_way_out(scenario: Path) -> None:
    first = play(scenario)
    with pytest.raises(InvalidInputError, match=r"they are the same run.*two runs"):
        compare_stored(first, first)
    scenario.write_text(SCRIPT.replace("id: greeting", "id: parting"))
    with pytest.raises(InvalidInputError, match="the first is a run of scenario 'greeting', the second of 'parting'"):
        compare_stored(first, play(scenario))
    for alpha in (0, 1, float("nan")):
        with pytest.raises(InvalidInputError, match="--alpha: must be between 0 and 1"):
            compare_stored(first, first, alpha=alpha)


def test_a_run_that_was_cut_short_is_compared_by_what_it_has(scenario: Path) -> None:
    first, second = play(scenario, good), with_several(scenario, {"good": good})
    report = compare_stored(first, second)
    assert report.too_small == ()
    few = compare_stored(play(scenario, good, repeats=1), play(scenario, bad, repeats=1))
    assert few.too_small == ("good → bad",)
    assert json.loads(few.model_dump_json())["groups"][0]["arm"] is None
