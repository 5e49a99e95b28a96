from __future__ import annotations

from hairpin.analysis.context_study import LabelledFinding, context_study
from hairpin.domain.relations import ContextFinding, ContextMethod, ContextReason
from hairpin.reports.context_study import METHOD_WORDS, READING_WORDS, context_study_sections
from hairpin.reports.tables import Figure, Section, Table, all_tables
from tests.reports.sample_campaign import shown_rows

EC, JUDGE = (METHOD_WORDS[method] for method in (ContextMethod.EC, ContextMethod.LLM_JUDGE))


def verdicts(right_equal: int, wrong_equal: int, wrong_other: int, right_other: int) -> list[LabelledFinding]:
    """Findings of a judge with these counts."""
    pairs = [(True, True)] * right_equal + [(True, False)] * wrong_equal
    pairs += [(False, True)] * wrong_other + [(False, False)] * right_other
    return [
        LabelledFinding(
            item=str(number),
            label=label,
            finding=ContextFinding(equivalent=said, reason=ContextReason.VERDICT, n_calls=1),
        )
        for number, (label, said) in enumerate(pairs)
    ]


def compared(item: str, cos_q: float, cos_a: float, *, label: bool, repeat: int = 0) -> LabelledFinding:
    finding = ContextFinding(
        equivalent=(cos_q + cos_a) / 2 >= 0.8, reason=ContextReason.SIMILARITY, cos_q=cos_q, cos_a=cos_a, n_calls=4
    )
    return LabelledFinding(item=item, repeat=repeat, label=label, finding=finding)


def tables(sections: tuple[Section, ...]) -> dict[str, Table]:
    return {table.id: table for table in all_tables(sections)}


def test_the_papers_table_is_shown_side_by_side_with_what_accuracy_hides() -> None:
    """MORTAR, Table XII; its judge is no better than always saying "equivalent"."""
    study = context_study({ContextMethod.EC: verdicts(111, 5, 6, 19), ContextMethod.LLM_JUDGE: verdicts(115, 1, 24, 1)})
    shown = tables(context_study_sections(study))
    ec, judge = shown_rows(shown["context-check"])
    assert ec[:2] == [EC, "141"]
    assert ec[2].startswith("92.2 % [")
    assert judge[2].startswith("82.3 % [")
    assert ec[3] == judge[3] == "82.3 %"
    assert (ec[4:6], judge[4:6]) == (["85.8 %", "0.73"], ["51.6 %", "0.10"])
    classes = [
        [*row[:2], *(cell.partition(" [")[0] for cell in row[4:6])] for row in shown_rows(shown["context-classes"])
    ]
    assert classes == [
        [EC, "equivalent", "94.9 %", "95.7 %"],
        [EC, "inequivalent", "79.2 %", "76.0 %"],
        [JUDGE, "equivalent", "82.7 %", "99.1 %"],
        [JUDGE, "inequivalent", "50.0 %", "4.0 %"],
    ]
    assert shown["context-undecided"].rows == ()


def test_the_lines_by_threshold_are_three_and_their_best_is_told() -> None:
    study = context_study(
        {
            ContextMethod.EC: [
                compared("wordy", 0.7, 0.95, label=True),
                compared("plain", 0.95, 0.95, label=True),
                compared("other", 0.85, 0.3, label=False),
                compared("same answer", 0.4, 1.0, label=False),
            ]
        }
    )
    sections = context_study_sections(study)
    figure = next(part for part in sections[1].parts if isinstance(part, Figure))
    assert all(name in figure.svg for name in READING_WORDS.values())
    assert "always the more frequent label" in figure.svg
    rows = shown_rows(tables(sections)["context-best-threshold"])
    assert [row[0] for row in rows] == ["questions only", "answers only", "questions and answers"]
    assert rows[2][1:] == ["0.80", "100.0 %", "100.0 %", "0.80", "100.0 %", "100.0 %"]
    assert rows[1][2:4] == ["75.0 %", "75.0 %"]
    assert "Over 4 first checks" in sections[1].text[0]


def test_repeats_and_checks_that_decided_nothing_are_counted() -> None:
    broken = ContextFinding(equivalent=None, reason=ContextReason.ROLE_FAILED)
    study = context_study(
        {
            ContextMethod.EC: [
                compared("a", 1, 1, label=True),
                compared("a", 1, 1, label=True, repeat=1),
                compared("b", 0, 0, label=False),
                compared("b", 1, 1, label=False, repeat=1),
                LabelledFinding(item="c", label=True, finding=broken),
            ]
        }
    )
    shown = tables(context_study_sections(study))
    assert shown_rows(shown["context-repeats"]) == [[EC, "2", "2", "1", "50.0 %", "1", "-0.33", "0.750 ± 0.354"]]
    assert shown_rows(shown["context-undecided"]) == [[EC, "an agent gave no usable answer", "1", "5"]]
    assert "1 that lack" in context_study_sections(study)[1].text[0]


def test_a_study_of_nothing_and_of_a_judge_alone_say_what_is_missing() -> None:
    for findings in ({}, {ContextMethod.LLM_JUDGE: verdicts(1, 0, 0, 0)}):
        shown = tables(context_study_sections(context_study(findings)))
        assert "context-by-threshold" not in shown
        assert [row[1:] for row in shown_rows(shown["context-best-threshold"])] == [["–"] * 6] * 3
    assert shown_rows(shown["context-repeats"])[0][4:7] == ["–", "1", "–"]
    assert shown_rows(shown["context-check"])[0][4:6] == ["–", "–"]


def test_labels_that_are_all_the_same_leave_no_best_threshold() -> None:
    study = context_study({ContextMethod.EC: [compared("a", 0.9, 0.9, label=True)]})
    rows = shown_rows(tables(context_study_sections(study))["context-best-threshold"])
    assert rows[0][1:] == ["0.80", "100.0 %", "–", "–", "–", "–"]
