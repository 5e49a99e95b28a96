from __future__ import annotations

import subprocess
import sys
from xml.etree.ElementTree import fromstring

import pytest

from hairpin.reports.charts import Chart, IntervalChart, Mark, Panel, Series, Whisker, WhiskerSeries
from hairpin.reports.plotting import draw, draw_intervals
from tests.patience import SLOWNESS

UP = Series(name="guided", x=(0.0, 1.0, 2.0), y=(0.0, 2.0, 3.0), low=(0.0, 1.0, 2.0), high=(0.0, 3.0, 4.0))


def a_chart(*series: Series, chart_id: str = "fig", percent: bool = False) -> Chart:
    panel = Panel(title="all", y_label="failed", series=series, marks=(Mark(name="half", y=0.5),), percent=percent)
    return Chart(id=chart_id, label="Failures", x_label="minutes", panels=(panel,))


def words(svg: str) -> str:
    return " ".join(" ".join(fromstring(svg).itertext()).split())


def test_the_same_chart_gives_the_same_bytes() -> None:
    assert draw(a_chart(UP)) == draw(a_chart(UP))


def test_words_stay_words() -> None:
    shown = words(draw(a_chart(UP)))
    for word in ("failed", "minutes", "guided", "half", "all"):
        assert word in shown


@pytest.mark.parametrize("name", ["_hidden", "a $x^ b", "客户", "</svg><script>", "a\u202eb", "\\frac"])
def test_any_name_is_shown_literally(name: str) -> None:
    svg = draw(a_chart(UP.model_copy(update={"name": name})))
    assert name.replace("\u202e", "<U+202E>") in words(svg)
    assert "<script" not in svg


def test_a_line_without_a_name_is_not_in_the_legend() -> None:
    assert words(draw(a_chart(UP))).count("guided") == 1
    assert "guided" not in words(draw(a_chart(UP.model_copy(update={"name": ""}))))


def test_colours_are_the_pages_with_a_fallback() -> None:
    svg = draw(a_chart(UP, UP.model_copy(update={"colour": 1, "dashed": True, "thin": True, "step": True})))
    assert "var(--series-0, #0072b2)" in svg
    assert "var(--series-1, #d55e00)" in svg
    assert "currentColor" in svg
    assert "#0a0b" not in svg
    assert "#0102" not in svg


def test_two_figures_share_no_id() -> None:
    ids = [{e.get("id") for e in fromstring(draw(a_chart(UP, chart_id=name))).iter() if e.get("id")} for name in "ab"]
    assert ids[0]
    assert not ids[0] & ids[1]


@pytest.mark.parametrize("points", [(), (1.0,)])
def test_few_points_are_drawn_too(points: tuple[float, ...]) -> None:
    assert "failed" in words(draw(a_chart(Series(name="guided", x=points, y=points), percent=True)))


def test_where_nothing_was_found_the_axis_still_counts_whole_ones() -> None:
    nothing = Series(name="guided", x=(0.0, 25.0, 50.0), y=(0.0, 0.0, 0.0))
    assert "0.0" not in words(draw(a_chart(nothing)))


def test_matplotlib_is_loaded_when_something_is_drawn_and_not_before() -> None:
    program = "import sys, hairpin.reports.plotting; print('matplotlib' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=50 * SLOWNESS
    )
    assert done.stdout.strip() == "False"


def test_intervals_stand_in_named_rows_beside_a_mark() -> None:
    whiskers = (Whisker(row=0, value=0.5, low=-0.25, high=0.75), Whisker(row=1, value=1.0))
    series = (WhiskerSeries(name="a $judge", whiskers=whiskers), WhiskerSeries(name="people", whiskers=(), colour=1))
    chart = IntervalChart(
        id="fig", label="κ", x_label="kappa", rows=("safety", "plan"), series=series, mark=Mark(name="line", y=0.5)
    )
    svg = draw_intervals(chart)
    assert svg == draw_intervals(chart)
    for word in ("a $judge", "people", "kappa", "safety", "plan", "line", "−0.2"):
        assert word in words(svg)
    assert "var(--series-0, #0072b2)" in svg
