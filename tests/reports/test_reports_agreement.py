from __future__ import annotations

import json

from hairpin.analysis.agreement.bootstrap import Estimate
from hairpin.analysis.agreement.rating_study import study_agreement
from hairpin.analysis.agreement.verdicts import RaterSheet
from hairpin.reports.agreement import AgreementReport, agreement_json, agreement_page
from hairpin.reports.agreement_tables import estimate_cell, items_table, overall_table
from hairpin.reports.cell_text import cell_text
from hairpin.reports.cells import missing, text
from hairpin.reports.pages import PageFormat, page_files, page_text
from tests.analysis.agreement.rating_sheets import a_sheet, some_ratings, some_settings


def a_report(*people: RaterSheet, judge: RaterSheet | None = None) -> AgreementReport:
    judges = () if judge is None else (judge,)
    study = study_agreement(some_ratings(*people, judges=judges), some_settings("x"))
    return AgreementReport(
        runs=tuple("runs/a" for _ in judges),
        judges=tuple(each.name for each in judges),
        files=("r.csv",),
        n_annotations=4,
        n_unrated=1,
        study=study,
        titles={"x": "Plan Coherence"},
    )


REPORT = a_report(a_sheet("ann", x="01202"), a_sheet("bob", x="01222"), judge=a_sheet("gpt <b>", judge=True, x="21202"))


def test_a_figure_has_its_interval_in_brackets_and_an_undefined_one_its_reason() -> None:
    assert estimate_cell(Estimate(value=-0.126, low=-0.5, high=0.25)) == text("−0.13 [−0.50, 0.25]")
    assert estimate_cell(Estimate(value=0.5)) == text("0.50")
    assert estimate_cell(Estimate(value=None, reason="nobody says so")) == missing("nobody says so")


def test_the_page_begins_with_what_was_found() -> None:
    first, found, few = agreement_page(REPORT).text
    assert first == "2 people, 5 conversations, 1 dimension: 10 of 10 possible scores."
    assert found.startswith("gpt <b>: κ ")
    assert "G-Eval's 0.50" in found
    assert few == "Intervals by resampling come out too short with so few conversations (5)."


def test_the_page_ends_with_what_was_compared_and_how() -> None:
    (table,) = agreement_page(REPORT).sections[-1].tables
    said = [": ".join(map(cell_text, row)) for row in table.rows]
    assert said == [
        "Judge: gpt <b>, run runs/a",
        "Annotations: r.csv",
        "κ: quadratic weights, on the declared scale 0/1/2",
        "Intervals: 50 resamples of conversations, bca, random seed 1",
        "Verdict: fail where C < 0.75, by the same weights for people and judges (equal weights): Plan Coherence 1, "
        "completion left out, as no person rated it",
        "Most people: say fail of 2 of 4 conversations",
        "Left out: 1 conversation of the runs that nobody rated",
        "Left out: 1 conversation of which as many people say pass as fail: no majority, in no F1",
    ]


def test_a_page_names_no_absolute_path() -> None:
    """It is passed on; where its author keeps runs is nobody's business."""
    report = REPORT.model_copy(update={"runs": ("/home/ann/runs/a",), "files": ("/home/ann/r.csv", "more/s.csv")})
    page = page_text(agreement_page(report), width=200)
    assert "/home" not in page
    assert "run a\n" in page
    assert "r.csv, more/s.csv" in page


def test_terminal_markdown_and_html_have_the_same_tables() -> None:
    page = agreement_page(REPORT)
    shown = page_text(page, width=100)
    files = {file.path: "".join(file.parts) for form in PageFormat for file in page_files(page, "a", form)}
    assert set(files) == {"a.html", "a.md", "figures/agreement-kappa.svg", "figures/agreement-rho.svg"}
    for title in ("Agreement with people", "Agreement by dimension", "Which raters drive disagreement"):
        assert title in shown
        assert title in files["a.md"]
        assert title in files["a.html"]
    assert "gpt <b>" not in files["a.html"]


def test_json_holds_every_pair() -> None:
    told = json.loads(agreement_json(REPORT))
    assert told["schema_version"] == 1
    assert len(told["study"]["pairs"]) == 3


def test_only_the_worst_conversations_are_listed() -> None:
    people = [a_sheet("ann", x="0" * 15), a_sheet("bob", x="0" * 14 + "2")]
    report = a_report(*people)
    assert report.study is not None
    table = items_table(report.study, {})
    assert len(table.rows) == 10
    assert table.rows[0][0] == text("c14")
    assert "The first 10 of 15." in table.note


def test_one_person_alone_has_no_table_of_drivers() -> None:
    page = agreement_page(a_report(a_sheet("ann", x="0120")))
    (drivers,) = (section for section in page.sections if section.id == "agreement-drivers")
    assert drivers.tables == ()


def test_judges_stand_before_people() -> None:
    assert REPORT.study is not None
    assert [row[0] for row in overall_table(REPORT.study).rows] == [
        text("gpt <b>"),
        text("people"),
        text("constant guess"),
    ]


def test_a_figure_below_zero_has_the_same_sign_in_words_as_in_tables() -> None:
    against = a_report(
        a_sheet("ann", x="02020"), a_sheet("bob", x="20202"), judge=a_sheet("gpt", judge=True, x="02020")
    )
    said = " ".join(agreement_page(against).text)
    assert "people's −" in said
    assert "people's -" not in said
