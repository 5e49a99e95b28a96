from __future__ import annotations

import pytest

from hairpin.domain.state_changes import StateChange
from hairpin.reports.state_text import state_text


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (StateChange(path="car.heat", before=20, now=22), "car.heat: 20 → 22"),
        (StateChange(path="to", before=None, now="Airport"), "to: null → Airport"),
        (StateChange(path="stops", before=[], now=["A", "ü"]), 'stops: [] → ["A", "ü"]'),
        (StateChange(path="x", now=" ", known_before=False), 'x: new → " "'),
        (StateChange(path="x", before=True, known=False), "x: true → gone"),
        (StateChange(path="x", before="a" * 61, now="b" * 60), f"x: {'a' * 59}… → {'b' * 60}"),
    ],
)
def test_a_change_is_told_on_one_line(change: StateChange, text: str) -> None:
    assert state_text(change) == text
