"""Bug levels."""

from __future__ import annotations

import pytest

from hairpin.metamorphic.levels import bug_level


@pytest.mark.parametrize(
    ("right", "level"),
    [
        ({0: False, 1: True}, 1),
        ({0: False, 1: False}, 1),
        ({0: True, 1: False}, 2),
        ({0: True, 1: True}, 3),
        ({0: True}, 3),
        ({1: True}, None),
        ({0: None, 1: True}, None),
        ({0: True, 1: None}, 2),
        ({0: False, 1: None}, 1),
        ({}, None),
    ],
)
def test_the_level_of_a_violation_about_question_0(right: dict[int, bool | None], level: int | None) -> None:
    assert bug_level(0, right) == level
