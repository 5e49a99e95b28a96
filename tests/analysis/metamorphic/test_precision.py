"""Precision of labelled detections."""

from __future__ import annotations

import pytest

from hairpin.analysis.metamorphic.precision import precisions
from hairpin.domain.detections import Detection
from hairpin.domain.relations import MetamorphicRelation
from hairpin.domain.replay import Method


def labelled(method: Method, *labels: bool | None) -> list[Detection]:
    return [
        Detection(
            id=f"{method}/{number}",
            method=method,
            relation=MetamorphicRelation.MR1,
            conversation="c1",
            turn=1,
            question="q",
            answer="a",
            genuine=label,
        )
        for number, label in enumerate(labels)
    ]


def test_precision_is_the_share_of_genuine_ones_among_those_labelled() -> None:
    first = labelled(Method.MORTAR, True, True, False, None) + labelled(Method.METAL, False)
    mortar, metal = precisions(first)
    assert mortar.genuine.rate == pytest.approx(2 / 3)
    assert mortar.unlabelled == 1
    assert (metal.genuine.rate, metal.kappa.reason) == (0.0, "one rater alone")


def test_two_raters_have_cohens_kappa() -> None:
    first = labelled(Method.MORTAR, True, True, False, False)
    second = labelled(Method.MORTAR, True, False, False, False)
    (found,) = precisions(first, second)
    assert found.kappa.value == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ((None, True), (True, None), "labelled by both"),
        ((True, True), (True, True), "say the same of everything"),
    ],
)
def test_where_agreement_says_nothing_it_is_undefined(
    first: tuple[bool | None, ...], second: tuple[bool | None, ...], reason: str
) -> None:
    (found,) = precisions(labelled(Method.MORTAR, *first), labelled(Method.MORTAR, *second))
    assert found.kappa.value is None
    assert reason in found.kappa.reason


def test_nothing_labelled_has_no_precision() -> None:
    (found,) = precisions(labelled(Method.QAASKER, None))
    assert found.genuine.rate is None
    assert found.genuine.reason == "nothing is labelled"
