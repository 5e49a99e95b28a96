"""A table in a terminal is no wider than the terminal, and loses nothing for it."""

from __future__ import annotations

import pytest

from hairpin.reports.cells import count, counts, missing, text, words, written
from hairpin.reports.table_text import table_lines
from hairpin.reports.tables import Table
from hairpin.reports.text import display_width

INTERVALS = ("0.62 [0.40, 0.75]", "0.71 [0.55, 0.83]")
AGREEMENT = Table(
    id="t",
    title="Agreement of judges with people",
    columns=(words("Rater", header=True), *(written(f"figure {n}") for n in range(6)), counts("of so many pairs")),
    rows=tuple(
        (text(name), *(text(value),) * 6, count(12)) for name, value in zip(("ann", "bob"), INTERVALS, strict=True)
    ),
)
EVIDENCE = Table(
    id="t",
    title="T",
    columns=(words("what", header=True), words("why"), counts("turns of it")),
    rows=((text("a"), text("said one thing and then quite another thing"), count(3)),),
)


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    for table in (AGREEMENT, EVIDENCE):
        assert max(map(display_width, table_lines(table, width=width))) <= width


def test_a_table_that_fits_is_as_it_is_without_a_width() -> None:
    assert table_lines(AGREEMENT, width=200) == table_lines(AGREEMENT)


def test_columns_without_room_follow_below_beside_those_that_name_the_rows() -> None:
    assert table_lines(AGREEMENT, width=48) == [
        "Agreement of judges with people",
        "Rater           figure 0           figure 1",
        "ann    0.62 [0.40, 0.75]  0.62 [0.40, 0.75]",
        "bob    0.71 [0.55, 0.83]  0.71 [0.55, 0.83]",
        "",
        "Rater           figure 2           figure 3",
        "ann    0.62 [0.40, 0.75]  0.62 [0.40, 0.75]",
        "bob    0.71 [0.55, 0.83]  0.71 [0.55, 0.83]",
        "",
        "Rater           figure 4           figure 5",
        "ann    0.62 [0.40, 0.75]  0.62 [0.40, 0.75]",
        "bob    0.71 [0.55, 0.83]  0.71 [0.55, 0.83]",
        "",
        "Rater  of so many pairs",
        "ann                  12",
        "bob                  12",
    ]


def test_words_are_broken_between_words_before_columns_move() -> None:
    assert table_lines(EVIDENCE, width=34) == [
        "T",
        "                          turns of",
        "what  why                       it",
        "a     said one thing             3",
        "      and then quite",
        "      another thing",
    ]


def test_reasons_and_what_is_said_of_an_empty_table_are_broken_too() -> None:
    why = "nobody rated any conversation that anybody else rated"
    table = EVIDENCE.model_copy(update={"rows": ((text("a"), text("b"), missing(why)),), "empty": why})
    assert table_lines(table, width=40)[-2:] == ["(a) nobody rated any conversation that", "anybody else rated"]
    empty = table.model_copy(update={"rows": ()})
    assert table_lines(empty, width=40)[1:] == ["nobody rated any conversation that", "anybody else rated"]
