from __future__ import annotations

from hairpin.analysis.metamorphic.model import MetamorphicAnalysis, ThresholdPoint
from hairpin.domain.relations import MetamorphicSpec
from hairpin.reports.charts import MOST_SERIES
from hairpin.reports.metamorphic_figures import sensitivity_section
from hairpin.reports.svg import standalone
from hairpin.reports.tables import Figure
from tests.reports.sample_campaign import shown_rows

HOSTILE = "<script>alert('A')</script> & co"


def analysis(*points: ThresholdPoint, contexts: tuple[ThresholdPoint, ...] = ()) -> MetamorphicAnalysis:
    suts = tuple(dict.fromkeys(point.sut for point in points))
    return MetamorphicAnalysis(suts=suts, methods=(), epsilon=points, epsilon_ec=contexts)


def point(threshold: float, checks: int, bugs: int, sut: str = "A") -> ThresholdPoint:
    return ThresholdPoint(sut=sut, threshold=threshold, checks=checks, bugs=bugs)


def figures(found: MetamorphicAnalysis) -> list[Figure]:
    return [part for part in sensitivity_section(found, MetamorphicSpec()).parts if isinstance(part, Figure)]


def test_every_threshold_has_its_numbers_and_what_was_not_checked_has_no_rate() -> None:
    (figure,) = figures(analysis(point(0.4, 10, 2), point(0.6, 8, 4), point(0.9, 0, 0)))
    assert shown_rows(figure.data) == [
        ["A", "0.40", "10", "2", "20.0 %"],
        ["A", "0.60", "8", "4", "50.0 %"],
        ["A", "0.90", "0", "0", "–"],
    ]
    assert list(figure.data.reasons) == ["no check was executed"]
    assert "Rate⁺ of MORTAR" in figure.svg


def test_contexts_have_a_figure_only_where_similarity_decided_them() -> None:
    points = (point(0.6, 8, 4),)
    assert [each.id for each in figures(analysis(*points))] == ["epsilon"]
    assert [each.id for each in figures(analysis(*points, contexts=points))] == ["epsilon", "epsilon-ec"]


def test_the_values_that_the_run_was_made_with_are_told() -> None:
    spec = MetamorphicSpec(epsilon=0.45, epsilon_ec=0.75)
    (told,) = sensitivity_section(analysis(point(0.6, 8, 4)), spec).text
    assert "ε = 0.45 and ε_EC = 0.75" in told


def test_a_label_draws_nothing_but_itself() -> None:
    (figure,) = figures(analysis(point(0.6, 8, 4, sut=HOSTILE), point(0.7, 8, 4, sut=HOSTILE)))
    assert "<script" not in figure.svg
    assert "&lt;script&gt;" in standalone(figure.svg)


def test_more_assistants_than_colours_are_all_in_the_table() -> None:
    points = [point(0.6, 8, 4, sut=f"assistant {n}") for n in range(MOST_SERIES + 2)]
    (figure,) = figures(analysis(*points))
    assert len(figure.data.rows) == MOST_SERIES + 2
    assert f"assistant {MOST_SERIES - 1}" in figure.svg
    assert f"assistant {MOST_SERIES}" not in figure.svg
