from __future__ import annotations

from hairpin.analysis.metamorphic.model import Figure as Number
from hairpin.analysis.metamorphic.model import Levels
from hairpin.analysis.metamorphic.ratios import RatioPoint
from hairpin.reports.metamorphic_ratios import ratios_section
from hairpin.reports.tables import Figure
from tests.reports.sample_campaign import shown_rows


def point(ratio: float, checks: int, bugs: int) -> RatioPoint:
    return RatioPoint(
        sut="<A>",
        name=f"A at {ratio}",
        ratio=ratio,
        checks=checks,
        bugs=bugs,
        levels=Levels(l1=1, l2=2, l3=3, unclassed=4),
        unique=Number(value=0.5) if bugs else Number(value=None, reason="it revealed nothing new"),
    )


def test_every_ratio_has_its_bugs_levels_and_what_nobody_else_revealed() -> None:
    (figure,) = ratios_section([point(0.1, 20, 5), point(0.5, 0, 0)]).parts
    assert isinstance(figure, Figure)
    assert shown_rows(figure.data) == [
        ["<A>", "A at 0.1", "0.10", "20", "5", "25.0 %", "1", "2", "3", "4", "50.0 %"],
        ["<A>", "A at 0.5", "0.50", "0", "0", "–", "1", "2", "3", "4", "–"],
    ]
    assert list(figure.data.reasons) == ["no check was executed", "it revealed nothing new"]
    assert "<A>" not in figure.svg
    assert "&lt;A&gt;" in figure.svg
