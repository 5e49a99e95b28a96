from __future__ import annotations

import pytest

from hairpin.reports.tables import (
    Align,
    Cell,
    CellKind,
    Column,
    IntegerCell,
    IntervalCell,
    MissingCell,
    Section,
    Table,
    TextCell,
    all_tables,
)

COLUMNS = (Column(name="Arm", header=True), Column(name="Failed", kind=CellKind.INTEGER))


def a_table(*rows: tuple[Cell, ...], table_id: str = "outcomes") -> Table:
    return Table(id=table_id, title="Outcomes", columns=COLUMNS, rows=rows)


def test_a_row_has_a_cell_for_each_column() -> None:
    with pytest.raises(ValueError, match="table outcomes: row 0 has 1 cells for 2 columns"):
        a_table((TextCell(text="guided"),))


def test_a_cell_is_of_the_kind_of_its_column() -> None:
    with pytest.raises(ValueError, match="row 0 has text in the column 'Failed' of integer"):
        a_table((TextCell(text="guided"), TextCell(text="12")))


def test_any_value_may_be_missing_and_each_reason_has_one_mark() -> None:
    none, never = MissingCell(reason="nothing failed"), MissingCell(reason="never tried")
    table = a_table((TextCell(text="a"), none), (never, none), (TextCell(text="b"), never))
    assert table.reasons == {"nothing failed": "a", "never tried": "b"}


def test_marks_go_on_after_z() -> None:
    rows = tuple((TextCell(text="x"), MissingCell(reason=f"reason {n}")) for n in range(28))
    assert list(a_table(*rows).reasons.values())[24:] == ["y", "z", "a1", "b1"]


def test_an_interval_is_in_order() -> None:
    with pytest.raises(ValueError, match="swap them"):
        IntervalCell(share=0.5, low=0.6, high=0.4)


@pytest.mark.parametrize("table_id", ["", "../x", "A", "a b", "1", "a/b", "a.csv"])
def test_an_id_can_be_a_file_name(table_id: str) -> None:
    with pytest.raises(ValueError, match="id"):
        a_table(table_id=table_id)


def test_numbers_stand_at_the_end_of_a_line() -> None:
    assert [column.align for column in COLUMNS] == [Align.START, Align.END]


def test_no_two_tables_share_an_id() -> None:
    one = Section(id="s", title="S", parts=(a_table((TextCell(text="a"), IntegerCell(value=1))),))
    assert [table.id for table in all_tables([one])] == ["outcomes"]
    with pytest.raises(ValueError, match="several tables are called outcomes"):
        all_tables([one, one])
