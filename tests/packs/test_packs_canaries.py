"""Canary files: what they hold, whose are used, and what is said of a broken one."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.domain.rubric import Rubric
from hairpin.domain.targets import TargetStatus
from hairpin.errors import InvalidInputError
from hairpin.packs.canaries import BAD, GOOD, find_canaries, load_canaries
from hairpin.packs.finder import BUILT_IN, PackFinder, PackRoot
from hairpin.packs.resolver import PackResolver
from tests.packs.pack_files import RUBRIC, write

CANARIES = """\
version: 1
id: in_car
language: de
turn_judge:
  good:
    turns: [{user: Hallo, assistant: Hallo}]
  bad:
    modes: [constraint_missed]
    targets: [{id: g1, text: Tisch, kind: booking, constraints: [draußen], asked: 0}]
    turns: [{user: Ein Tisch, assistant: Wann?}, {user: "Um 8, draußen", assistant: ''}]
dimensions:
  adherence:
    good: {turns: [{user: a, assistant: b}]}
    bad: {turns: [{user: c, assistant: d}]}
"""


@pytest.fixture
def rubric(tmp_path: Path) -> Rubric:
    return PackResolver(finder(tmp_path, {})).rubric("in_car", where="test")


def finder(tmp_path: Path, mine: dict[str, str | bytes], shipped: dict[str, str | bytes] | None = None) -> PackFinder:
    built_in = write(tmp_path / "shipped", {"rubrics/in_car/rubric.yaml": RUBRIC, **(shipped or {})})
    return PackFinder((PackRoot("project", write(tmp_path / "mine", mine)), PackRoot(BUILT_IN, built_in)))


def test_canaries_are_transcripts_with_what_to_expect(rubric: Rubric) -> None:
    canaries = load_canaries(CANARIES.encode(), "c.yaml", rubric)
    good, bad = canaries.turns
    assert (good.name, good.modes, len(good.turns)) == (GOOD, (), 1)
    assert (bad.name, bad.modes, [turn.t for turn in bad.turns]) == (BAD, ("constraint_missed",), [0, 1])
    assert bad.turns[1].assistant == ""
    (target,) = bad.targets
    assert (target.id, target.kind, target.constraints, target.introduced) == ("g1", "booking", ("draußen",), 0)
    assert target.status is TargetStatus.INCOMPLETE
    assert [(item.dimension, item.good) for item in canaries.dimensions] == [("adherence", True), ("adherence", False)]
    assert (canaries.rubric, canaries.language, canaries.untested(("adherence", "safety"))) == (
        "in_car",
        "de",
        ("safety",),
    )


def test_a_rubric_without_the_file_has_none(tmp_path: Path, rubric: Rubric) -> None:
    assert find_canaries(rubric, finder(tmp_path, {})) is None


def test_they_are_found_beside_the_rubric_and_a_users_own_go_first(tmp_path: Path, rubric: Rubric) -> None:
    path = "rubrics/in_car/canaries.yaml"
    both = finder(tmp_path, {path: CANARIES.replace("de", "fr", 1)}, {path: CANARIES})
    found = find_canaries(rubric, both)
    assert found is not None
    canaries, origin = found
    assert canaries.language == "fr"
    assert (origin.kind, origin.name, origin.origin) == ("canaries", "in_car", f"project: {tmp_path / 'mine' / path}")


def test_those_of_a_rubric_that_a_users_own_shadows_are_not_the_users(tmp_path: Path, rubric: Rubric) -> None:
    shadowed = finder(tmp_path, {"rubrics/in_car/rubric.yaml": RUBRIC}, {"rubrics/in_car/canaries.yaml": CANARIES})
    assert find_canaries(rubric, shadowed) is None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("id: in_car", "id: other", "c.yaml:2: id must be 'in_car' like the rubric, not 'other'"),
        (
            "[constraint_missed]",
            "[constraint_mised]",
            "c.yaml:8: unknown failure mode 'constraint_mised'; did you mean",
        ),
        ("[constraint_missed]", "[]", "modes is empty"),
        ("  adherence:", "  adherance:", "c.yaml:12: unknown dimension 'adherance'; did you mean 'adherence'?"),
        ("asked: 0", "asked: 1", "c.yaml:9: asked must be an exchange before the judged one, not 1"),
        ("    bad: {turns: [{user: c, assistant: d}]}\n", "", "the key 'bad' is missing in dimensions.adherence"),
        ("user: Hallo", "user: ' '", "user is blank"),
        ("turns: [{user: Hallo, assistant: Hallo}]", "turns: []", "turns is empty"),
    ],
)
def test_a_file_that_does_not_fit_says_line_and_way_out(rubric: Rubric, old: str, new: str, said: str) -> None:
    assert old in CANARIES
    with pytest.raises(InvalidInputError) as caught:
        load_canaries(CANARIES.replace(old, new).encode(), "c.yaml", rubric)
    assert said in str(caught.value)


def test_the_shipped_rubric_has_canaries_for_every_dimension() -> None:
    shipped = PackFinder.standard(plugins=[])
    rubric = PackResolver(shipped).rubric("in_car", where="test")
    found = find_canaries(rubric, shipped)
    assert found is not None
    assert found[0].untested(dimension.id for dimension in rubric.dimensions) == ()
