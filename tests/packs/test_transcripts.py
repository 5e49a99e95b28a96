"""Files of known transcripts: what they hold, whose are used, and what is said of a broken one."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.domain.outcome import Verdict
from hairpin.domain.rubric import Rubric
from hairpin.errors import InvalidInputError
from hairpin.packs.finder import BUILT_IN, PackFinder, PackRoot
from hairpin.packs.resolver import PackResolver
from hairpin.packs.transcripts import find_transcripts, load_transcripts
from tests.packs.pack_files import RUBRIC, write

TRANSCRIPTS = """\
version: 1
id: in_car
language: de
transcripts:
  - id: table
    mode: constraint_missed
    context: {location: Bonn}
    turns:
      - {user: Hallo, reply: ''}
      - {user: Ein Tisch um 8, good: Um 8., bad: Um 9.}
      - {user: Und draußen, good: Draußen., bad: Drinnen.}
"""


def finder(tmp_path: Path, mine: dict[str, str | bytes], shipped: dict[str, str | bytes] | None = None) -> PackFinder:
    built_in = write(tmp_path / "shipped", {"rubrics/in_car/rubric.yaml": RUBRIC, **(shipped or {})})
    return PackFinder((PackRoot("project", write(tmp_path / "mine", mine)), PackRoot(BUILT_IN, built_in)))


@pytest.fixture
def rubric(tmp_path: Path) -> Rubric:
    return PackResolver(finder(tmp_path, {})).rubric("in_car", where="test")


def test_a_pair_is_two_transcripts_with_one_user(rubric: Rubric) -> None:
    known = load_transcripts(TRANSCRIPTS.encode(), "t.yaml", rubric)
    good, bad = known.all()
    assert (known.rubric, known.language, good.id, bad.id) == ("in_car", "de", "table.good", "table.bad")
    assert [exchange.user for exchange in good.exchanges] == [exchange.user for exchange in bad.exchanges]
    assert [exchange.assistant for exchange in good.exchanges] == ["", "Um 8.", "Draußen."]
    assert [exchange.assistant for exchange in bad.exchanges] == ["", "Um 9.", "Drinnen."]
    assert (good.truth.labelled, good.truth.verdict) == (None, Verdict.PASS)
    assert (bad.truth.mode, bad.truth.labelled, bad.truth.verdict) == ("constraint_missed", 1, Verdict.FAIL)
    assert good.context.location == "Bonn"


def test_the_label_may_be_asked_for_at_another_wrong_reply_and_the_verdict_left_open(rubric: Rubric) -> None:
    text = TRANSCRIPTS + "    labelled: 2\n    ruined: false\n"
    _, bad = load_transcripts(text.encode(), "t.yaml", rubric).all()
    assert (bad.truth.labelled, bad.truth.verdict) == (2, None)


def test_they_are_found_beside_the_rubric_and_those_of_a_shadowed_one_are_not(tmp_path: Path, rubric: Rubric) -> None:
    path = "rubrics/in_car/transcripts.yaml"
    assert find_transcripts(rubric, finder(tmp_path, {})) is None
    found = find_transcripts(rubric, finder(tmp_path, {}, {path: TRANSCRIPTS}))
    assert found is not None
    assert (found[0].language, found[1].kind, found[1].origin) == ("de", "transcripts", BUILT_IN)
    shadowed = finder(tmp_path, {"rubrics/in_car/rubric.yaml": RUBRIC}, {path: TRANSCRIPTS})
    assert find_transcripts(rubric, shadowed) is None


@pytest.mark.parametrize(
    ("written", "instead", "said"),
    [
        ("mode: constraint_missed", "mode: rudeness", r"t\.yaml:6: unknown failure mode 'rudeness'"),
        ("id: in_car", "id: banking", r"t\.yaml:2: id must be 'in_car' like the rubric, not 'banking'"),
        ("reply: ''", "good: ''", r"t\.yaml:9: .*needs 'reply', or 'good' and 'bad'"),
        ("good: Um 8., bad: Um 9.", "good: Um 8., bad: Um 8.", r"t\.yaml:10: .*the right and as the wrong reply"),
        ("    mode:", "    labelled: 0\n    mode:", r"t\.yaml:6: labelled must be .*, 1 or 2, not 0"),
        ("    mode:", "    verdict: fail\n    mode:", r"t\.yaml:6: .*verdict"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_line(rubric: Rubric, written: str, instead: str, said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        load_transcripts(TRANSCRIPTS.replace(written, instead, 1).encode(), "t.yaml", rubric)


def test_a_pair_without_a_wrong_reply_is_refused(rubric: Rubric) -> None:
    head = TRANSCRIPTS[: TRANSCRIPTS.index("      - {user: Ein")]
    with pytest.raises(InvalidInputError, match=r"t\.yaml:\d+: no reply of 'table' is wrong"):
        load_transcripts(head.encode(), "t.yaml", rubric)
