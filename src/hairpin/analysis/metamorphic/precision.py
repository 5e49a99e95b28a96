"""How many of the violations that a person looked at were the assistant's, method by method.

Source: MORTAR, section V-B1, Table VIII.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sklearn.metrics import cohen_kappa_score  # type: ignore[import-untyped]

from hairpin.analysis.metamorphic.model import Figure
from hairpin.analysis.model import Proportion
from hairpin.analysis.proportions import proportion
from hairpin.domain.base import Value
from hairpin.domain.detections import Detection
from hairpin.domain.replay import Method


class Precision(Value):
    """Of one method. ``unlabelled`` detections count for nothing; ``kappa`` is Cohen's, between two raters."""

    method: Method
    genuine: Proportion
    unlabelled: int
    kappa: Figure


def precisions(first: Sequence[Detection], second: Sequence[Detection] | None = None) -> tuple[Precision, ...]:
    """Return the precision of every method by the labels of ``first``, and how far ``second`` agrees with them."""
    others = {each.id: each.genuine for each in second or ()}
    return tuple(
        _of_method(method, [each for each in first if each.method is method], None if second is None else others)
        for method in Method
        if any(each.method is method for each in first)
    )


def _of_method(method: Method, own: Sequence[Detection], others: Mapping[str, bool | None] | None) -> Precision:
    labels = [each.genuine for each in own if each.genuine is not None]
    return Precision(
        method=method,
        genuine=proportion(sum(labels), len(labels), reason="nothing is labelled"),
        unlabelled=len(own) - len(labels),
        kappa=_kappa(own, others),
    )


def _kappa(own: Sequence[Detection], others: Mapping[str, bool | None] | None) -> Figure:
    if others is None:
        return Figure(value=None, reason="one rater alone")
    pairs = [(each.genuine, others.get(each.id)) for each in own]
    both = [(one, other) for one, other in pairs if one is not None and other is not None]
    if not both:
        return Figure(value=None, reason="no detection is labelled by both raters")
    left, right = ([pair[side] for pair in both] for side in (0, 1))
    if len({*left, *right}) == 1:
        return Figure(value=None, reason="both raters say the same of everything")
    return Figure(value=float(cohen_kappa_score(left, right)))
