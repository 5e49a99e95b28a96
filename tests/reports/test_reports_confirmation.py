"""What reports say of trials: a line, a section with two tables, and links to what the page shows."""

from __future__ import annotations

from hairpin.domain.confirmation import (
    Confirmation,
    ConfirmationSummary,
    InstanceFinding,
    decided,
    reproduction,
    summarise_confirmations,
)
from hairpin.domain.trials import TrialKind
from hairpin.reports.cell_text import cell_text
from hairpin.reports.confirmation import confirmation_lines, confirmation_section, confirmation_words
from hairpin.reports.glossary import Glossary
from hairpin.reports.tables import MissingCell, Section, Table, TextCell

REJUDGE, REPLAY, RESIMULATE = TrialKind
STABLE = decided((reproduction(REJUDGE, 3, 3), reproduction(REPLAY, 3, 3)))
FLAKY = decided((reproduction(REJUDGE, 3, 3), reproduction(REPLAY, 1, 3), reproduction(RESIMULATE, 0, 0, unusable=2)))
FOUND = (
    Confirmation(
        conversation="c0001",
        sut="ica",
        verdict=STABLE,
        instances=(InstanceFinding(mode="omitted", target_kind="heating", finding=FLAKY),),
    ),
    Confirmation(conversation="c0002", sut="ica", verdict=FLAKY),
    Confirmation(conversation="c0003", sut="ica", verdict=decided((reproduction(REJUDGE, 1, 1),))),
)
SUMMARY = summarise_confirmations(FOUND, n_failed=5)


def section() -> Section:
    return confirmation_section(FOUND, SUMMARY, Glossary(), location="runs/r 1", anchors={"c0001": "c-1"})


def tables() -> tuple[Table, ...]:
    return section().tables


def test_how_many_are_confirmed_is_said_with_what_the_others_are() -> None:
    assert confirmation_words(SUMMARY) == (
        "2 of 3 failed conversations that were tried are confirmed (1 stable, 1 flaky assistant, 1 undecided);"
        " 2 not tried"
    )
    assert section().text[0] == f"{confirmation_words(SUMMARY)}."


def test_conversations_stand_with_rates_intervals_and_a_link() -> None:
    conversations, _ = tables()
    assert [[cell_text(cell) for cell in row] for row in conversations.rows] == [
        ["c0001", "ica", "stable", "100 % [44, 100]", "100 % [44, 100]", "–"],
        ["c0002", "ica", "flaky assistant", "100 % [44, 100]", "33 % [6, 79]", "–"],
        ["c0003", "ica", "undecided (1 more rejudge trial)", "100 % [21, 100]", "–", "–"],
    ]
    names = [row[0] for row in conversations.rows]
    assert [name.anchor for name in names if isinstance(name, TextCell)] == ["c-1", None, None]
    assert "hairpin show 'runs/r 1' CONVERSATION" in conversations.note


def test_why_a_rate_is_missing_is_said() -> None:
    conversations, _ = tables()
    reasons = [row[-1].reason for row in conversations.rows if isinstance(row[-1], MissingCell)]
    assert reasons == [
        "a trial of this kind says nothing of such a conversation",
        "no trial came to a verdict",
        "a trial of this kind says nothing of such a conversation",
    ]


def test_each_failure_stands_with_a_label_of_its_own() -> None:
    _, failures = tables()
    assert [[cell_text(cell) for cell in row][:5] for row in failures.rows] == [
        ["c0001", "Omitted", "heating", "flaky assistant", "1"]
    ]


def test_lines_for_a_terminal_say_how_often_it_failed_again() -> None:
    assert list(confirmation_lines(FOUND))[1:] == [
        "c0002 ica: flaky assistant; judged again 3 of 3 (44 to 100 %), replayed 1 of 3 (6 to 79 %), "
        "simulated anew never",
        "c0003 ica: undecided (1 more rejudge trial); judged again 1 of 1 (21 to 100 %)",
        "in brackets: 95 % intervals of the share of trials that failed again",
    ]


def test_nothing_tried_can_be_said_too() -> None:
    empty = confirmation_section((), ConfirmationSummary(), Glossary(), location="r")
    assert [table.rows for table in empty.tables] == [(), ()]


def test_where_nothing_was_tried_no_labels_are_promised() -> None:
    assert confirmation_words(ConfirmationSummary(untried=9)) == "no failed conversation was tried; 9 not tried"
