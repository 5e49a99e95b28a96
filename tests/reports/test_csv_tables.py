from __future__ import annotations

import csv
import io
import locale

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.reports.csv_tables import FORMULA_STARTS, to_csv
from hairpin.reports.tables import (
    Cell,
    CellKind,
    Column,
    FloatCell,
    IntegerCell,
    IntervalCell,
    MissingCell,
    PercentCell,
    SpreadCell,
    Table,
    TextCell,
)
from hairpin.reports.text import visible

COLUMNS = (
    Column(name="Arm"),
    Column(name="Planned", kind=CellKind.INTEGER),
    Column(name="Share", kind=CellKind.PERCENT),
    Column(name="Rate", kind=CellKind.INTERVAL),
    Column(name="C", kind=CellKind.SPREAD),
    Column(name="Cost", kind=CellKind.FLOAT, unit="USD"),
)
ROW: tuple[Cell, ...] = (
    TextCell(text="guided"),
    IntegerCell(value=12345),
    PercentCell(share=1 / 3),
    IntervalCell(share=0.25, low=0.2, high=0.31),
    SpreadCell(mean=0.71, sd=0.125),
    FloatCell(value=-1e-7),
)


def texts(*values: str) -> Table:
    rows = tuple((TextCell(text=value),) for value in values)
    return Table(id="t", title="T", columns=(Column(name="Text"),), rows=rows)


def read(table: Table) -> list[list[str]]:
    return list(csv.reader(io.StringIO(to_csv(table), newline=""), strict=True))


def test_numbers_are_whole_and_bounds_have_fields_of_their_own() -> None:
    header, row = read(Table(id="t", title="T", columns=COLUMNS, rows=(ROW,)))
    assert header == ["Arm", "Planned", "Share", "Rate", "Rate low", "Rate high", "C", "C sd", "Cost (USD)"]
    assert row[0] == "guided"
    assert list(map(float, row[1:])) == [12345, 1 / 3, 0.25, 0.2, 0.31, 0.71, 0.125, -1e-7]


def test_a_missing_value_is_empty_and_says_why_in_the_notes() -> None:
    missing = tuple(MissingCell(reason="no rate") if column.kind is CellKind.INTERVAL else cell
                    for column, cell in zip(COLUMNS, ROW, strict=True))  # fmt: skip
    header, first, second = read(Table(id="t", title="T", columns=COLUMNS, rows=(ROW, missing)))
    assert header[-1] == "notes"
    assert (first[-1], second[-1], second[3:6]) == ("", "Rate: no rate", ["", "", ""])


@pytest.mark.parametrize("start", FORMULA_STARTS)
def test_a_text_that_a_spreadsheet_would_run_is_made_harmless(start: str) -> None:
    hostile = f'{start}HYPERLINK("http://x";"y")'
    ((_,), (shown,)) = read(texts(hostile))
    assert shown == "'" + visible(hostile)


def test_a_name_of_a_column_is_made_harmless_too() -> None:
    table = Table(id="t", title="T", columns=(Column(name="=cmd"),), rows=())
    assert to_csv(table) == '"\'=cmd"\r\n'


def test_a_negative_number_stays_a_number() -> None:
    table = Table(id="t", title="T", columns=(Column(name="d", kind=CellKind.FLOAT),), rows=((FloatCell(value=-0.5),),))
    assert to_csv(table) == '"d"\r\n-0.5\r\n'


@given(st.lists(st.text(max_size=20), min_size=1, max_size=4))
def test_any_text_comes_back_in_one_field(values: list[str]) -> None:
    _, *rows = read(texts(*values))
    for value, (shown,) in zip(values, rows, strict=True):
        assert shown == ("'" if value.startswith(FORMULA_STARTS) else "") + visible(value)
        assert not shown.startswith(FORMULA_STARTS)


def test_text_is_quoted_so_that_no_other_separator_splits_it() -> None:
    assert to_csv(texts("a;=1", 'say "hi"')).split("\r\n")[1:3] == ['"a;=1"', '"say ""hi"""']


def test_the_text_is_the_same_under_any_locale() -> None:
    table = Table(id="t", title="T", columns=COLUMNS, rows=(ROW,))
    before, plain = locale.setlocale(locale.LC_ALL), to_csv(table)
    for name in ("de_DE.UTF-8", "C.UTF-8", "C"):
        try:
            locale.setlocale(locale.LC_ALL, name)
        except locale.Error:
            continue
        try:
            assert to_csv(table) == plain
        finally:
            locale.setlocale(locale.LC_ALL, before)
