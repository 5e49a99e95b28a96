"""What the command line changes of a campaign."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hairpin.domain.arm import Arm
from hairpin.domain.campaign import CampaignSpec, Pairing, Split
from hairpin.domain.sut_spec import PythonSut, TestbedSut
from hairpin.errors import InvalidInputError
from hairpin.packs.campaign_overrides import override_campaign
from tests.packs.pack_files import SCENARIO, load, write

TIMED = SCENARIO + "campaign: {time: 1h, suts: {slow: {provider: testbed, faults: [F1]}, quick: testbed}}\n"


def overridden(tmp_path: Path, text: str = TIMED, **changes: Any) -> CampaignSpec:
    spec = override_campaign(load(tmp_path, text), folder=tmp_path, **changes).campaign
    assert spec is not None
    return spec


def refused(tmp_path: Path, text: str = TIMED, **changes: Any) -> str:
    with pytest.raises(InvalidInputError) as caught:
        overridden(tmp_path, text, **changes)
    return str(caught.value)


def test_nothing_given_changes_nothing(tmp_path: Path) -> None:
    scenario = load(tmp_path, TIMED)
    assert override_campaign(scenario) == scenario


def test_what_is_given_goes_before_the_file(tmp_path: Path) -> None:
    spec = overridden(
        tmp_path,
        time_s=60.0,
        conversations=10,
        max_distinct_failures=3,
        arms=["guided", "baseline"],
        split="count",
        pairing="paired",
        runs=2,
    )
    assert (spec.time_s, spec.conversations, spec.max_distinct_failures, spec.runs) == (60.0, 10, 3, 2)
    assert (spec.arms, spec.split, spec.pairing) == ((Arm.GUIDED, Arm.BASELINE), Split.COUNT, Pairing.PAIRED)
    assert list(spec.suts) == ["slow", "quick"]


def test_assistants_are_labels_of_the_campaign_or_references(tmp_path: Path) -> None:
    write(tmp_path, {"ica.py": "class Ica: ...\n"})
    spec = overridden(tmp_path, suts=["testbed", "slow", "./ica.py:Ica"])
    assert list(spec.suts) == ["testbed", "slow", "./ica.py:Ica"]
    assert spec.suts["testbed"] == TestbedSut()
    assert spec.suts["slow"] != TestbedSut()
    assert spec.suts["./ica.py:Ica"] == PythonSut(reference="./ica.py:Ica", folder=str(tmp_path))


def test_references_are_looked_for_in_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"ica.py": "class Ica: ...\n"})
    monkeypatch.chdir(tmp_path)
    spec = override_campaign(load(tmp_path, TIMED), suts=["./ica.py:Ica"]).campaign
    assert spec is not None
    assert spec.suts["./ica.py:Ica"] == PythonSut(reference="./ica.py:Ica", folder=str(tmp_path.resolve()))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"time_s": 0.0}, "--time: must be above 0, not 0"),
        ({"conversations": -3}, "--conversations: must be above 0, not -3; give a larger number"),
        ({"runs": 0}, "--runs: must be above 0, not 0"),
        ({"max_distinct_failures": 0}, "--max-failures: must be above 0, not 0"),
        (
            {"arms": ["guide"]},
            "--arms: must be 'guided' or 'baseline' or 'learned', not 'guide'; did you mean 'guided'?",
        ),
        ({"arms": ["guided", "guided"]}, "--arms: names 'guided' twice; name it once"),
        ({"arms": []}, "--arms: names no arm; write guided, baseline, or both; or guided,learned"),
        (
            {"arms": ["learned"]},
            "--arms: learned: learning is always compared with uniform choice, so it needs the guided arm beside it;"
            " write --arms guided,learned",
        ),
        ({"split": "half"}, "--split: must be 'time' or 'count' or 'total', not 'half'; known: 'count', 'time'"),
        ({"pairing": "pair"}, "--pairing: must be 'independent' or 'paired', not 'pair'; did you mean 'paired'?"),
        ({"suts": []}, "--sut: names no assistant; write labels of the campaign's assistants"),
        ({"suts": ["slow", "slow"]}, "--sut: names 'slow' twice; name it once"),
        ({"suts": ["slw"]}, "--sut: unknown assistant 'slw'; did you mean 'slow'? the campaign has 'slow', 'quick'"),
        ({"suts": ["v9"]}, "--sut: unknown assistant 'v9'; the campaign has 'slow', 'quick'; beside these, known: "),
        ({"pairing": "paired"}, "--pairing: 'paired' needs two arms, and the campaign has 'guided' alone; add --arms"),
        ({"suts": ["recorded"]}, "--sut: sut 'recorded' does not say enough"),
    ],
)
def test_what_is_wrong_is_said_of_the_option(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    assert refused(tmp_path, **changes).startswith(said)


def test_a_campaign_must_end_some_time(tmp_path: Path) -> None:
    endless = SCENARIO + "campaign: {max_distinct_failures: 3}\n"
    assert refused(tmp_path, endless).startswith(
        "scenario 'demo': nothing says when the campaign ends; give --time 4h or --conversations 100"
    )
    assert overridden(tmp_path, endless, conversations=5).time_s is None
    assert overridden(tmp_path, endless, time_s=5.0).conversations is None


def test_without_labels_of_its_own_a_campaign_knows_references_alone(tmp_path: Path) -> None:
    said = refused(tmp_path, SCENARIO + "campaign: {time: 1h}\n", suts=["testbde"])
    assert said == "--sut: unknown assistant 'testbde'; did you mean 'testbed'?"


def test_arms_are_paired_only_with_each_other_unless_one_is_left_out_for_once(tmp_path: Path) -> None:
    text = SCENARIO + "campaign: {time: 1h, pairing: paired}\n"
    assert refused(tmp_path, text).startswith("scenario 'demo': 'paired' needs two arms")
    assert overridden(tmp_path, text, arms=["baseline"]).arms == (Arm.BASELINE,)
    assert overridden(tmp_path, text, arms=["guided", "baseline"]).pairing is Pairing.PAIRED
    assert overridden(tmp_path, text, arms=["guided", "learned"]).pairing is Pairing.PAIRED


def test_a_scenario_that_is_no_campaign_yet_is_a_fault_of_the_caller(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="scenario 'demo' has no campaign"):
        override_campaign(load(tmp_path))
