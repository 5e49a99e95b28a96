from __future__ import annotations

from hairpin.analysis.proportions import proportion
from hairpin.analysis.spreads import spread as spread_of
from hairpin.domain.arm import Arm
from hairpin.reports.cell_text import cell_text
from hairpin.reports.cells import (
    arm_colour,
    arm_text,
    interval,
    missing,
    number,
    numbered,
    percent,
    share,
    spread,
    sut_text,
    whose,
)
from hairpin.reports.tables import MissingCell


def test_figures_become_cells() -> None:
    quarter = proportion(1, 4)
    assert cell_text(interval(quarter)) == "25.0 % [4.6, 69.9]"
    assert cell_text(percent(quarter)) == cell_text(share(0.25)) == "25.0 %"
    assert cell_text(spread(spread_of([1.0, 3.0]))) == "2.00 ± 1.41"
    assert cell_text(number(0.0)) == "0.00"


def test_what_is_undefined_is_missing_with_the_reason_of_the_analysis() -> None:
    nothing = proportion(0, 0, reason="no conversation passed or failed")
    for cell in (interval(nothing), percent(nothing, darkest=1.0)):
        assert cell == MissingCell(reason="no conversation passed or failed")
    assert spread(spread_of([], reason="no values")) == MissingCell(reason="no values")
    assert share(None, "unknown") == MissingCell(reason="unknown")
    assert number(None, "unknown") == MissingCell(reason="unknown")
    assert missing("") == MissingCell(reason="nothing to count")


def test_the_darkest_share_has_all_of_the_heat() -> None:
    assert percent(proportion(1, 4), darkest=0.25).heat == 1
    assert percent(proportion(1, 4), darkest=0.5).heat == 0.5
    assert percent(proportion(0, 4), darkest=0.0).heat is None


def test_none_stands_for_all() -> None:
    assert cell_text(sut_text(None)) == cell_text(arm_text(None)) == "all"
    assert (cell_text(sut_text("a")), cell_text(arm_text(Arm.BASELINE))) == ("a", "baseline")
    assert (whose(None), whose("a")) == ("all assistants", "a")


def test_arms_have_colours_and_the_first_of_a_kind_no_number() -> None:
    assert arm_colour(Arm.GUIDED) != arm_colour(Arm.BASELINE)
    assert [numbered("profile", index) for index in (0, 1)] == ["profile", "profile-1"]
