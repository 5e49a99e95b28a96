from __future__ import annotations

import pytest

from hairpin.domain.relations import MetamorphicRelation, RelationCheck
from hairpin.domain.replay import Method
from hairpin.reports.html import render_page
from hairpin.reports.markdown import section_lines
from hairpin.reports.metamorphic_violations import SHOWN, violation_texts, violations_section
from hairpin.reports.tables import Table
from tests.analysis.metamorphic.family_builders import a_check, a_family, a_record, a_replay, a_seed, scored
from tests.reports.sample_campaign import shown_rows

RBT, MR1, MR2, MR3, MR4, METAL, QAASKER = MetamorphicRelation
HOSTILE = "<img src=x onerror=alert(1)> | `code` \u202ethgir"


def violations(*checks: RelationCheck, answers: tuple[str, str] = ("41", "the barn")) -> Table:
    family = a_family(
        a_record("f1", answers, replay=a_replay(Method.MORTAR, [1, 0], kind="RS")),
        a_record("f2", ["elsewhere"], replay=a_replay(Method.MORTAR, [0], kind="RR")),
    )
    (table,) = violations_section([scored(family, *checks)], "runs/x").tables
    return table


def test_a_violation_is_shown_with_its_turn_question_answer_and_what_that_was_compared_with() -> None:
    check = a_check(MR1, ("f1", 1), index=0, level=3).model_copy(update={"similarity": 0.25})
    assert shown_rows(violations(check)) == [
        [
            "f1",
            "1",
            "Where does Mina live?",
            "MR1: equivalent context, unlike the expected answer",
            "the barn",
            "old mill",
            "0.25",
            "L3",
        ]
    ]


def test_two_outputs_of_a_group_are_compared_with_each_other() -> None:
    (row,) = shown_rows(violations(a_check(MR3, ("f1", 1), ("f2", 0), index=0)))
    assert row[4:6] == ["the barn", "elsewhere (f2, turn 0)"]


def test_lines_say_too_where_the_other_output_of_a_group_is() -> None:
    check = a_check(MR4, ("f1", 1), ("f2", 0), index=0)
    family = a_family(
        a_record("f1", ["41", "the barn"], replay=a_replay(Method.MORTAR, [1, 0], kind="RS")),
        a_record("f2", ["elsewhere"], replay=a_replay(Method.MORTAR, [0], kind="RR")),
    )
    head, _, _, compared, _ = violation_texts(scored(family, check), check)
    assert head.endswith(": f1, turn 1")
    assert compared == "  compared with  elsewhere (f2, turn 0)"


def test_what_has_no_similarity_or_no_level_says_why() -> None:
    table = violations(a_check(MR1, ("f1", 1), index=0))
    assert [row[6:] for row in shown_rows(table)] == [["–", "–"]]
    assert list(table.reasons) == ["compared by words", "without gold answers nobody knows"]


def test_the_test_seed_itself_has_no_level_since_levels_are_of_replays() -> None:
    assert list(violations(a_check(RBT, index=2)).reasons) == ["compared by words", "levels are of replays only"]


@pytest.mark.parametrize(("number", "folded"), [(25, False), (26, True)])
def test_a_list_of_more_than_25_is_folded(number: int, folded: bool) -> None:
    assert violations(*[a_check(MR1, ("f1", 1), index=0, level=1)] * number).folded is folded


def test_what_the_source_run_did_not_show_comes_first_and_rbt_last() -> None:
    checks = [
        a_check(RBT, index=2),
        a_check(MR1, ("f1", 0), index=1, level=1),
        a_check(MR2, ("f1", 1), index=0, level=3),
        a_check(MR4, ("f1", 1), ("f2", 0), index=0, level=2),
        a_check(MR1, ("f2", 0), index=0, violated=False),
        a_check(MR3, index=1, violated=None, reason="fewer_than_two"),
    ]
    assert [row[3].partition(":")[0] for row in shown_rows(violations(*checks))] == ["MR2", "MR4", "MR1", "RBT"]


def test_what_baselines_found_comes_after_what_mortar_did() -> None:
    checks = [
        a_check(QAASKER, ("f2", 0), index=0, level=3),
        a_check(METAL, ("f2", 0), index=0, level=3),
        a_check(MR1, ("f1", 1), index=0, level=1),
    ]
    assert [row[3].partition(":")[0] for row in shown_rows(violations(*checks))] == ["MR1", "METAL", "QAASKER"]


def test_a_long_list_is_cut_and_says_so() -> None:
    checks = [a_check(MR1, ("f1", 1), index=0, level=1)] * (SHOWN + 1)
    table = violations(*checks)
    assert len(table.rows) == SHOWN
    assert f"The first {SHOWN} of {SHOWN + 1} are listed." in table.note
    assert "are listed" not in violations(*checks[:SHOWN]).note


def test_nothing_violated_is_told() -> None:
    table = violations(a_check(MR1, ("f1", 1), violated=False))
    assert (table.rows, table.empty) == ((), "No relation was violated.")


@pytest.mark.parametrize("place", [0, 1])
def test_what_an_assistant_says_is_shown_and_does_nothing(place: int) -> None:
    answers = ("41", HOSTILE) if place else (HOSTILE, "the barn")
    family = a_family(a_record("f1", answers, replay=a_replay(Method.MORTAR, [1, 0], kind="RS")), seed=a_seed())
    section = violations_section([scored(family, a_check(MR1, ("f1", place), index=1 - place))], "runs/<b>x</b>")
    page = render_page("title", (), [section])
    assert "<img" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert "<b>x" not in page
    assert "\u202e" not in page
    lines = "\n".join(section_lines(section))
    assert "\\<img" in lines
    assert "\\`code\\`" in lines
    assert "\\| " in lines
