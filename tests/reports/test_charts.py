from __future__ import annotations

import pytest

from hairpin.reports.charts import Series


@pytest.mark.parametrize(
    "bad", [{"y": (1.0,)}, {"low": (0.0, 0.0)}, {"low": (0.0,), "high": (1.0,)}], ids=["y", "one bound", "short bounds"]
)
def test_a_series_has_as_many_of_each(bad: dict[str, tuple[float, ...]]) -> None:
    with pytest.raises(ValueError, match="different lengths"):
        Series.model_validate({"name": "s", "x": (0.0, 1.0), "y": (0.0, 1.0), **bad})
