"""Every number in the tables of replays, against families made by hand."""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.analysis.metamorphic.analyse import analyse_replays
from hairpin.analysis.metamorphic.model import MetamorphicAnalysis
from hairpin.analysis.metamorphic.scored import ScoredFamily
from hairpin.domain.families import Family
from hairpin.domain.outcome import StopReason
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import (
    ContextCheck,
    ContextFinding,
    ContextReason,
    MetamorphicRelation,
    MetamorphicSpec,
    RelationCheck,
)
from hairpin.domain.replay import Method, NotApplicable, Perturbation
from hairpin.reports.metamorphic_tables import (
    ablation_section,
    effort_section,
    levels_section,
    overview_section,
    relations_section,
    uniqueness_section,
)
from hairpin.reports.tables import Section, Table
from tests.analysis.metamorphic.family_builders import a_check, a_family, a_record, a_replay, a_seed, scored
from tests.reports.sample_campaign import shown_rows

RBT, MR1, MR2, MR3, MR4, METAL, QAASKER = MetamorphicRelation
SPEC = MetamorphicSpec(
    perturbations=(Perturbation.RS, Perturbation.RR), relations=(MR1, MR2), baselines=(Method.METAL,)
)


def follow_up(name: str, *indexes: int, kind: str = "RS", source: str = "c1", sut: str = "A") -> ConversationRecord:
    replay = a_replay(Method.MORTAR, indexes, kind=kind, source=source)
    return a_record(name, ["x"] * len(indexes), replay=replay, sut=sut)


def analysed(families: Sequence[ScoredFamily], spec: MetamorphicSpec = SPEC) -> MetamorphicAnalysis:
    """Analyse families whose checks, scored anew, are those of the follow-ups that are left."""
    checks = {each.family.source.planned.id: each.checks for each in families}

    def rescore(some: Sequence[Family], _: MetamorphicSpec) -> tuple[tuple[RelationCheck, ...], ...]:
        return tuple(tuple(c for c in checks[f.source.planned.id] if _is_left(c, f)) for f in some)

    return analyse_replays(families, spec, rescore)


def _is_left(check: RelationCheck, family: Family) -> bool:
    there = {family.source.planned.id, *(record.planned.id for record in family.follow_ups)}
    return all(output.conversation in there for output in check.outputs)


def one_assistant() -> ScoredFamily:
    """Two perturbed replays and one of METAL: three bugs of MORTAR in four checks, one of METAL in one."""
    family = a_family(
        follow_up("f1", 1, 0),
        follow_up("f2", 0, 2, kind="RR"),
        a_record("f3", ["y"], replay=a_replay(Method.METAL, [0], kind="synonym")),
    )
    return scored(
        family,
        a_check(RBT, index=0, violated=True),
        a_check(RBT, index=1, violated=False),
        a_check(RBT, index=2, violated=False),
        a_check(MR1, ("f1", 1), index=0, level=1),
        a_check(MR1, ("f1", 0), index=1, level=2),
        a_check(MR1, ("f2", 1), index=2, violated=False),
        a_check(MR2, ("f2", 0), index=0, level=1),
        a_check(MR2, ("f2", 1), index=2, violated=None, reason="blank_answer"),
        a_check(METAL, ("f3", 0), index=0, level=1),
    )


def another_assistant() -> ScoredFamily:
    family = a_family(follow_up("g1", 1, 0, source="c9", sut="B"), sut="B", source="c9")
    return scored(
        family,
        *(a_check(RBT, index=index, violated=False, source="c9") for index in range(3)),
        a_check(MR1, ("g1", 0), index=1, level=3, source="c9"),
        a_check(MR1, ("g1", 1), index=0, violated=False, source="c9"),
    )


def table(section: Section | None, table_id: str) -> Table:
    assert section is not None
    return next(each for each in section.tables if each.id == table_id)


def rows(section: Section | None, table_id: str) -> list[list[str]]:
    return shown_rows(table(section, table_id))


def test_bugs_by_method_are_counted_per_test_case_and_per_check() -> None:
    overview = overview_section(analysed([one_assistant(), another_assistant()]))
    assert rows(overview, "methods") == [
        ["A", "MORTAR", "2", "4", "3", "1.50", "75.0 %"],
        ["A", "METAL", "1", "1", "1", "1.00", "100.0 %"],
        ["B", "MORTAR", "1", "2", "1", "1.00", "50.0 %"],
    ]
    assert rows(overview, "rbt") == [
        ["A", "1", "1", "100.0 %", "3", "1", "33.3 %"],
        ["B", "1", "0", "0.0 %", "3", "0", "0.0 %"],
    ]


def test_the_variation_is_over_assistants_and_there_is_none_of_a_single_one() -> None:
    """Population CV of 3/4 and 1/2: 0.125 / 0.625; of 1/3 and 0: 1."""
    overview = overview_section(analysed([one_assistant(), another_assistant()]))
    found = table(overview, "variation")
    assert shown_rows(found) == [["RBT", "1.000"], ["MORTAR", "0.200"], ["METAL", "–"]]
    assert list(found.reasons) == ["fewer than two values do not vary"]
    alone = overview_section(analysed([one_assistant()]))
    assert "variation" not in [each.id for each in alone.tables]


def test_what_no_check_was_executed_for_has_no_rate_and_says_why() -> None:
    family = a_family(follow_up("f1", 0))
    overview = overview_section(
        analysed([scored(family, a_check(MR1, ("f1", 0), violated=None, reason="needs_reply"))])
    )
    found = table(overview, "methods")
    assert shown_rows(found) == [["A", "MORTAR", "1", "0", "0", "0.00", "–"]]
    assert list(found.reasons) == ["no check was executed"]


def test_every_relation_has_its_checks_and_what_it_could_not_be_applied_to() -> None:
    assert rows(relations_section(analysed([one_assistant()])), "relations") == [
        ["A", "RBT", "3", "1", "33.3 %", "0", ""],
        ["A", "MR1", "3", "2", "66.7 %", "0", ""],
        ["A", "MR2", "1", "1", "100.0 %", "1", "blank answer (1)"],
        ["A", "METAL", "1", "1", "100.0 %", "0", ""],
    ]


def test_levels_are_those_of_bugs_with_the_variation_of_their_means() -> None:
    section = levels_section(analysed([one_assistant(), another_assistant()]))
    assert rows(section, "levels") == [
        ["A", "MORTAR", "2", "1", "0", "0"],
        ["A", "METAL", "1", "0", "0", "0"],
        ["B", "MORTAR", "0", "0", "1", "0"],
    ]
    assert rows(section, "level-variation") == [
        ["MORTAR", "1.0", "0.5", "0.5", "0.354"],
        ["METAL", "1.0", "0.0", "0.0", "1.414"],
    ]


def test_without_gold_answers_there_is_neither_rbt_nor_a_level() -> None:
    family = a_family(follow_up("f1", 0), seed=a_seed(gold=False))
    analysis = analysed([scored(family, a_check(MR1, ("f1", 0)))])
    assert levels_section(analysis) is None
    assert [each.id for each in overview_section(analysis).tables] == ["methods"]


def test_what_is_left_without_a_relation_and_without_a_perturbation() -> None:
    section = ablation_section(analysed([one_assistant()]))
    assert rows(section, "without-relation") == [["A", "MR1", "1", "-66.7 %"], ["A", "MR2", "2", "-33.3 %"]]
    assert rows(section, "without-perturbation") == [["A", "RS", "1", "-66.7 %"], ["A", "RR", "2", "-33.3 %"]]


def test_where_no_bug_was_found_nothing_can_be_missing() -> None:
    family = a_family(follow_up("f1", 0))
    section = ablation_section(analysed([scored(family, a_check(MR1, ("f1", 0), violated=False))]))
    found = table(section, "without-relation")
    assert shown_rows(found) == [["A", "MR1", "0", "–"], ["A", "MR2", "0", "–"]]
    assert list(found.reasons) == ["no bug was found at all"]


def test_questions_that_the_source_run_had_right_are_counted_by_who_revealed_them() -> None:
    """Question 0 was wrong in the source run already; MORTAR alone reveals question 1."""
    section = uniqueness_section(analysed([one_assistant()]).uniqueness)
    found = table(section, "unique")
    assert shown_rows(found) == [["A", "MORTAR", "1", "1", "100.0 %"], ["A", "METAL", "0", "0", "–"]]
    assert list(found.reasons) == ["it revealed nothing new"]
    assert rows(section, "unique-regions") == [["A", "MORTAR", "1"]]


def test_who_revealed_a_question_together_is_named_together() -> None:
    family = a_family(follow_up("f1", 1), a_record("f2", ["y"], replay=a_replay(Method.METAL, [1])))
    both = scored(family, a_check(MR1, ("f1", 0), index=1), a_check(METAL, ("f2", 0), index=1))
    section = uniqueness_section(analysed([both]).uniqueness)
    assert rows(section, "unique-regions") == [["A", "MORTAR and METAL", "1"]]


def test_effort_counts_conversations_utterances_and_those_that_broke_off() -> None:
    broken = a_record("f2", ["x"], replay=a_replay(Method.MORTAR, [0, 1], kind="RR"), stop=StopReason.SUT_ERROR)
    family = a_family(follow_up("f1", 1, 0), broken)
    section = effort_section(analysed([scored(family)]))
    assert rows(section, "effort") == [["A", "RBT", "1", "3", "0"], ["A", "MORTAR", "2", "3", "1"]]


def test_contexts_are_counted_by_what_decided_them() -> None:
    def context(position: int, reason: ContextReason, n_calls: int) -> ContextCheck:
        finding = ContextFinding(equivalent=True, reason=reason, n_calls=n_calls)
        return ContextCheck(conversation="f1", position=position, index=position, finding=finding)

    checks = [context(0, ContextReason.SAME_PREFIX, 0), context(1, ContextReason.SIMILARITY, 3)]
    family = a_family(follow_up("f1", 0, 1), context_checks=checks)
    found = table(effort_section(analysed([scored(family)])), "contexts")
    assert shown_rows(found) == [["same prefix", "1"], ["similarity", "1"]]
    assert "3 rewrites and reference answers for 2 checks, 1.50 per check" in found.note
    assert "would have been 8" in found.note
    empty = table(effort_section(analysed([scored(a_family())])), "contexts")
    assert (empty.rows, empty.empty) == ((), "No context was checked.")


def test_follow_ups_that_there_are_not_say_why() -> None:
    missing = [
        NotApplicable(method=Method.MORTAR, kind="RR", reason="too_short"),
        NotApplicable(method=Method.METAL, kind="", index=1, reason="no_synonym"),
    ]
    section = effort_section(analysed([scored(a_family(follow_up("f1", 0), not_applicable=missing))]))
    assert rows(section, "applicability") == [
        ["MORTAR", "RS", "1", "0", ""],
        ["MORTAR", "RR", "0", "1", "too short (1)"],
        ["METAL", "as it is", "0", "1", "no synonym (1)"],
    ]
