from __future__ import annotations

from hairpin.analysis.metamorphic.precision import precisions
from hairpin.domain.detections import Detection
from hairpin.domain.relations import MetamorphicRelation
from hairpin.domain.replay import Method
from hairpin.reports.metamorphic_precision import precision_section
from tests.reports.sample_campaign import shown_rows


def labelled(method: Method, *labels: bool | None) -> list[Detection]:
    return [
        Detection(
            id=f"{method}{n}",
            method=method,
            relation=MetamorphicRelation.MR1,
            conversation="c1",
            turn=1,
            question="q",
            answer="a",
            genuine=label,
        )
        for n, label in enumerate(labels)
    ]


def test_each_method_has_its_precision_with_an_interval_and_the_agreement_of_two_raters() -> None:
    first = labelled(Method.MORTAR, True, True, False, False, None) + labelled(Method.METAL, True)
    second = labelled(Method.MORTAR, True, False, False, False, True) + labelled(Method.METAL, True)
    (table,) = precision_section(precisions(first, second)).tables
    assert shown_rows(table) == [
        ["MORTAR", "4", "2", "50.0 % [15.0, 85.0]", "1", "0.50"],
        ["METAL", "1", "1", "100.0 % [20.7, 100.0]", "0", "–"],
    ]
    assert list(table.reasons) == ["both raters say the same of everything"]


def test_without_labels_or_a_second_rater_the_reasons_are_told() -> None:
    (table,) = precision_section(precisions(labelled(Method.QAASKER, None))).tables
    assert shown_rows(table) == [["QAAsker", "0", "0", "–", "1", "–"]]
    assert list(table.reasons) == ["nothing is labelled", "one rater alone"]
