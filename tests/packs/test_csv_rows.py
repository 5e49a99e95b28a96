"""Rows of CSV files: lines that spreadsheets count, and what is no CSV told with the row where it begins."""

from __future__ import annotations

import pytest

from hairpin.errors import InvalidInputError
from hairpin.packs.csv_rows import csv_rows


def test_rows_have_the_line_on_which_they_end_whatever_ends_the_lines() -> None:
    text = 'a;b\r\n\r1;"two\r\nlines"\n;\n3;4'
    assert list(csv_rows(text, "x.csv", delimiter=";", skipped=1)) == [
        (2, ["a", "b"]),
        (5, ["1", "two\nlines"]),
        (7, ["3", "4"]),
    ]


@pytest.mark.parametrize(
    ("row", "what", "hint"),
    [
        (f"1,{'x' * 200_000}", "a cell of the row that begins here has more than 131,072 characters", "shorten it"),
        ('1,"x\n2,y\n', "the row that begins here opens a double quote and never closes it", "close it"),
        ('1,"x"y\n', "in the row that begins here, ',' expected after '\"'", "write a quote inside of it twice"),
    ],
)
def test_what_is_no_csv_is_told_with_the_row_where_it_begins_and_the_way_out(row: str, what: str, hint: str) -> None:
    with pytest.raises(InvalidInputError) as told:
        list(csv_rows(f"a,b\n0,0\n{row}", "x.csv"))
    assert str(told.value).startswith(f"x.csv:3: this is no CSV: {what}; ")
    assert hint in str(told.value)
