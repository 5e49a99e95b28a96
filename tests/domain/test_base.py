from __future__ import annotations

import pytest
from pydantic import ValidationError

from hairpin.domain.base import Value


class Point(Value):
    x: float


def test_a_value_never_changes() -> None:
    point = Point(x=1)
    with pytest.raises(ValidationError):
        point.x = 2  # type: ignore[misc]  # that it is refused is the point


def test_a_value_has_no_unknown_fields() -> None:
    with pytest.raises(ValidationError, match="extra_forbidden"):
        Point.model_validate({"x": 1, "y": 2})


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_value_is_finite(number: float) -> None:
    with pytest.raises(ValidationError, match="finite_number"):
        Point(x=number)


def test_equal_parts_make_equal_values() -> None:
    assert Point(x=1) == Point(x=1.0)
    assert len({Point(x=1), Point(x=1), Point(x=2)}) == 2
