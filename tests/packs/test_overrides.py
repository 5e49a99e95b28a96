"""``--set key=value``: put into the tree before validation, and named as such when wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.domain.rubric import Weights
from hairpin.domain.sut_spec import FaultSpec, TestbedSut
from tests.packs.pack_files import SCENARIO, load, problem


def test_a_value_goes_before_the_files(tmp_path: Path) -> None:
    text = SCENARIO + "max_turns: 3\ncontexts: [{location: A}, {location: B}]\n"
    scenario = load(
        tmp_path,
        text,
        **{
            "max_turns": "5",
            "title": "007: a # b",
            "personas": "[polite, neutral]",
            "contexts.1.location": "no",
            "weights.targets": "0",
            "sut": "{provider: testbed, faults: [F1]}",
            "language": '"on"',
        },
    )
    assert (scenario.max_turns, scenario.title, scenario.language) == (5, "007: a # b", "on")
    assert [persona.id for persona in scenario.personas] == ["polite", "neutral"]
    assert [context.location for context in scenario.contexts] == ["A", "no"]
    assert scenario.rubric.weights == Weights(dimensions={"adherence": 1, "safety": 1}, targets=0)
    assert scenario.sut == TestbedSut(faults=(FaultSpec(id="F1"),))


def test_an_empty_value_takes_an_optional_key_back(tmp_path: Path) -> None:
    assert load(tmp_path, SCENARIO + "threshold: 0.5\n", threshold="").rubric.threshold == 0.75


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("max_turn", "4", "--set max_turn: unknown key 'max_turn'; did you mean 'max_turns'?"),
        ("weights.target", "4", "--set weights.target: unknown key 'target' in weights; did you mean 'targets'?"),
        ("max_turns", "0", "--set max_turns: max_turns must be at least 1, not 0; write a number at least 1"),
        ("max_turns", "many", "--set max_turns: max_turns must be a whole number, not 'many'; write a whole number"),
        ("rubric", "in_cr", "--set rubric: unknown rubric 'in_cr'; did you mean 'in_car'?"),
        ("personas", "[neutral, polit]", "--set personas: unknown persona 'polit'; did you mean 'polite'?"),
        ("personas", "[neutral", "--set personas: the text is not valid YAML: "),
        ("seed_phrases.1", "x", "--set seed_phrases.1: the list has no item '1'; items: 0 to 0"),
        (
            "sut.faults",
            "[F1]",
            "--set sut.faults: sut holds no other values, so 'faults' cannot be set in it; set it whole",
        ),
        ("a..b", "1", "--set a..b: the key has an empty part; write --set key.inner=value"),
        ("", "1", "--set : the key has an empty part"),
        ("title", "\udce9", "--set title: the value is not valid text; check the terminal's encoding"),
        ("pool", "in_car/1", "--set pool: pool stands beside seed_phrases; keep one of"),
    ],
)
def test_what_is_wrong_is_said_of_the_option(tmp_path: Path, key: str, value: str, said: str) -> None:
    assert problem(tmp_path, SCENARIO, **{key: value}).startswith(said)
