from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.reports.cell_text import cell_text, column_title
from hairpin.reports.tables import (
    Cell,
    Column,
    FloatCell,
    IntegerCell,
    IntervalCell,
    MissingCell,
    PercentCell,
    SpreadCell,
    TextCell,
)


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        (TextCell(text="=1+1"), "=1+1"),
        (IntegerCell(value=12345), "12,345"),
        (FloatCell(value=2.955), "2.96"),
        (FloatCell(value=0.00001, digits=4), "< 0.0001"),
        (FloatCell(value=0.0), "0.00"),
        (FloatCell(value=-0.001), "0.00"),
        (FloatCell(value=-1.5), "-1.50"),
        (PercentCell(share=0.25), "25.0 %"),
        (IntervalCell(share=0.25, low=0.2, high=0.31), "25.0 % [20.0, 31.0]"),
        (SpreadCell(mean=0.71, sd=0.123), "0.71 ± 0.12"),
        (SpreadCell(mean=0.71, sd=0.001), "0.71 ± 0.00"),
        (SpreadCell(mean=0.71), "0.71"),
        (MissingCell(reason="none"), "–"),
    ],
)
def test_cells_read_as_people_write(cell: Cell, shown: str) -> None:
    assert cell_text(cell) == shown


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e12, max_value=1e12), st.integers(0, 6))
def test_a_shown_number_is_the_number_to_its_digits(value: float, digits: int) -> None:
    shown = cell_text(FloatCell(value=value, digits=digits))
    number = float(shown.removeprefix("< ").replace(",", ""))
    assert abs(number - value) <= 10.0**-digits * (1 if shown.startswith("<") else 0.5 + 1e-6) + abs(value) * 1e-12


def test_a_unit_follows_the_name() -> None:
    assert column_title(Column(name="Cost", unit="USD")) == "Cost (USD)"
    assert column_title(Column(name="Cost")) == "Cost"
