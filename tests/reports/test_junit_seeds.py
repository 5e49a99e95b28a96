"""Test seeds as test cases: they fail with what their replays violated."""

from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

import pytest

from hairpin.analysis.metamorphic.scored import ScoredFamily
from hairpin.domain.outcome import StopReason
from hairpin.domain.relations import MetamorphicRelation, RelationCheck
from hairpin.domain.replay import Method
from hairpin.domain.summary import summarise
from hairpin.reports.build import build_report
from hairpin.reports.junit import junit_parts
from hairpin.reports.junit_seeds import MOST_TOLD, seed_case
from tests.analysis.metamorphic.family_builders import a_check, a_family, a_record, a_replay, scored
from tests.reports.sample_run import GLOSSARY, a_run, replayed

RBT, MR1, MR2, MR3, MR4, METAL, QAASKER = MetamorphicRelation
HELD = a_check(MR1, ("c1.RS.1", 1), violated=False)
VIOLATED = a_check(MR1, ("c1.RS.1", 1), index=0).model_copy(update={"similarity": 0.25})


def a_scored(
    *checks: RelationCheck, sut: str = "clean", stop: StopReason = StopReason.SCRIPT_EXHAUSTED
) -> ScoredFamily:
    replay = a_record(
        "c1.RS.1",
        ["41", "the <barn>\n- not a second line\x07"],
        replay=a_replay(Method.MORTAR, [1, 0], kind="RS"),
        stop=stop,
        sut=sut,
    )
    return scored(a_family(replay, sut=sut), *checks)


def case(*checks: RelationCheck, stop: StopReason = StopReason.SCRIPT_EXHAUSTED) -> Element:
    return seed_case("stories", "runs/my run", a_scored(*checks, stop=stop))


def document(*families: ScoredFamily) -> Element:
    records = (replayed(0), replayed(7, "c0001"))
    report = build_report(a_run(), summarise(a_run(), records), records, glossary=GLOSSARY)
    return fromstring("".join(junit_parts(report, lambda _: (), lambda: iter(families))))


def test_a_violated_relation_fails_its_test_seed_and_says_where_and_how_to_see_it() -> None:
    found = case(HELD, VIOLATED, a_check(MR3, violated=None, reason="fewer_than_two"))
    assert (found.get("classname"), found.get("name")) == ("stories.clean", "c1 | d1")
    failure = found.find("failure")
    assert failure is not None
    assert failure.get("message") == "1 of 2 relation checks violated (MR1 1 of 2)"
    assert failure.text is not None
    assert failure.text.splitlines()[1:] == [
        "hairpin show 'runs/my run' CONVERSATION prints a replay whole.",
        "",
        "MR1: equivalent context, unlike the expected answer, similarity 0.25: c1.RS.1, turn 1",
        "  question       Where does Mina live?",
        "  answer         the <barn> - not a second line<U+0007>",
        "  compared with  old mill",
        "",
    ]


def test_violations_come_by_relation_and_a_long_list_is_cut_and_says_so() -> None:
    failure = case(*[VIOLATED] * MOST_TOLD, a_check(RBT, index=1), a_check(MR2, ("c1.RS.1", 0), index=1)).find(
        "failure"
    )
    assert failure is not None
    lines = (failure.text or "").splitlines()
    assert lines[3].startswith("RBT: ")
    assert lines[-1] == "and 2 more"
    assert "(RBT 1 of 1, MR1 50 of 50, MR2 1 of 1)" in (failure.get("message") or "")


@pytest.mark.parametrize("checks", [(), (HELD,)])
def test_without_a_violation_it_passes(checks: tuple[RelationCheck, ...]) -> None:
    assert len(case(*checks)) == 0


def test_a_replay_that_broke_off_is_an_error_where_nothing_else_was_found() -> None:
    error = case(HELD, stop=StopReason.SUT_ERROR).find("error")
    assert error is not None
    assert (error.get("type"), error.get("message")) == (
        "replay.sut_error",
        "1 of 2 replays broke off, the first: c1.RS.1 (sut_error)",
    )
    assert [each.tag for each in case(VIOLATED, stop=StopReason.SUT_ERROR)] == ["failure"]


def test_a_test_seed_that_was_never_asked_is_skipped() -> None:
    family = a_scored().family
    unasked = family.model_copy(update={"source": family.source.model_copy(update={"outcome": None})})
    assert [each.tag for each in seed_case("stories", "x", scored(unasked))] == ["skipped"]


def test_counts_agree_with_the_cases_of_each_assistant() -> None:
    root = document(a_scored(VIOLATED), a_scored(HELD), a_scored(stop=StopReason.SUT_ERROR), a_scored(sut="faulty"))
    suites = {(suite.get("name") or "").split()[-1]: suite for suite in root}
    assert {name: len(suite.findall("testcase")) for name, suite in suites.items()} == {"clean": 3, "faulty": 1}
    for element in (root, *root):
        cases = list(element.iter("testcase"))
        assert element.get("tests") == str(len(cases))
        for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert element.get(attribute) == str(sum(found.find(tag) is not None for found in cases))


def test_a_conversation_that_was_held_freely_is_no_second_test_case() -> None:
    family = a_scored(VIOLATED).family
    planned = family.source.planned.model_copy(update={"replay": None})
    free = family.model_copy(update={"source": family.source.model_copy(update={"planned": planned})})
    assert list(document(scored(free, VIOLATED)).iter("testcase")) == []
