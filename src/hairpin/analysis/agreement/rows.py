"""The rows of Table III: each judge with people, people among themselves, and who always says the same.

It must not resample; ``rated`` has everything under every resample.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from hairpin.analysis.agreement.bootstrap import Estimate
from hairpin.analysis.agreement.coefficients import NO_OVERLAP, Statistic, why_undefined
from hairpin.analysis.agreement.groups import GroupAgreement, mean_of
from hairpin.analysis.agreement.model import AgreementRow, Coefficient, RatingFigures, RowKind
from hairpin.analysis.agreement.rated import Rated, mean_over
from hairpin.analysis.agreement.scale import MISSING, Codes, Floats
from hairpin.analysis.agreement.verdicts import FAILED, PASSED, f1s, majority

PEOPLE: Final = "people"
CONSTANT: Final = "constant guess"
NO_PAIR: Final = "there are not two raters to compare"
NO_MAJORITY: Final = "no verdict stands beside a majority"
_NOBODY: Final = {FAILED: "nobody says fail", PASSED: "nobody says pass"}

Groups = Sequence[GroupAgreement]


def judge_row(rated: Rated, judge: int, groups: Groups) -> AgreementRow:
    """Return the row of a judge from its agreement with every person, by dimension."""
    codes = rated.judged.codes[judge]
    beside = int(((rated.majority.codes != MISSING) & (codes != MISSING)).sum())
    return _row(
        rated,
        (rated.ratings.judges[judge].name, RowKind.JUDGE),
        dict.fromkeys(Statistic, groups),
        {kind: _f1_of_one(rated, codes, kind, beside) for kind in (FAILED, PASSED)},
        beside,
    )


def people_row(rated: Rated, groups: Groups) -> AgreementRow:
    """Return the human baseline: means over pairs of people; F1 of each against the majority of the others."""
    beside = 0
    found: dict[int, list[Floats]] = {FAILED: [], PASSED: []}
    for person, codes in enumerate(rated.verdicts.codes):
        others = majority(np.delete(rated.verdicts.codes, person, axis=0)).codes
        beside += int(((others != MISSING) & (codes != MISSING)).sum())
        for kind, values in found.items():
            values.append(f1s(others, codes, rated.weights, positive=kind))
    f1 = {kind: _mean_f1(rated, values, kind, beside) for kind, values in found.items()}
    return _row(rated, (PEOPLE, RowKind.PEOPLE), dict.fromkeys(Statistic, groups), f1, beside)


def constant_row(rated: Rated) -> AgreementRow:
    """Return the row of a constant guess: for each figure that of the constant with the largest one."""
    n_dimensions = len(rated.ratings.dimensions)
    of_levels = [rated.with_people(np.full((n_dimensions, rated.n_items), level)) for level in range(rated.n_levels)]
    chosen = {each: [_best(of_levels, d, each) for d in range(n_dimensions)] for each in Statistic}
    exact = chosen[Statistic.EXACT]
    groups = {**chosen, Statistic.KAPPA: exact, Statistic.RHO: exact}
    beside = int((rated.majority.codes != MISSING).sum())
    f1 = {kind: _f1_of_one(rated, np.full(rated.n_items, kind), kind, beside) for kind in (FAILED, PASSED)}
    return _row(rated, (CONSTANT, RowKind.CONSTANT), groups, f1, beside)


def _best(of_levels: Sequence[Groups], dimension: int, statistic: Statistic) -> GroupAgreement:
    found = [level[dimension] for level in of_levels]
    return max(found, key=lambda group: float(np.nan_to_num(mean_of([group], statistic)[0], nan=-2.0)))


def _row(
    rated: Rated,
    name: tuple[str, RowKind],
    groups: Mapping[Statistic, Groups],
    f1: Mapping[int, Estimate],
    n_verdicts: int,
) -> AgreementRow:
    dimensions = tuple(
        rating_figures(rated, dimension, {each: [of_all[d]] for each, of_all in groups.items()})
        for d, dimension in enumerate(rated.ratings.dimensions)
    )
    return AgreementRow(
        name=name[0],
        kind=name[1],
        overall=rating_figures(rated, None, groups),
        dimensions=dimensions,
        f1_fail=f1[FAILED],
        f1_pass=f1[PASSED],
        cv_kappa=variation([each.kappa.value for each in dimensions]),
        cv_rho=variation([each.rho.value for each in dimensions]),
        n_verdicts=n_verdicts,
    )


def rating_figures(rated: Rated, dimension: str | None, groups: Mapping[Statistic, Groups]) -> RatingFigures:
    """Return the means over all pairs of all ``groups``, by statistic."""
    found = {each: mean_figure(rated, groups[each], each) for each in Statistic}
    return RatingFigures(
        dimension=dimension,
        kappa=found[Statistic.KAPPA],
        rho=found[Statistic.RHO],
        exact=found[Statistic.EXACT],
        within_one=found[Statistic.WITHIN_ONE],
        n_ratings=int(sum(group.n_items.sum() for group in groups[Statistic.EXACT])),
    )


def mean_figure(rated: Rated, groups: Groups, statistic: Statistic) -> Estimate:
    """Return the mean of one statistic over all pairs of all ``groups``; pairs without one are left out, counted."""
    n_pairs = sum(len(group.pairs) for group in groups)
    n = int(sum(group.counts[statistic][0] for group in groups))
    overlap = int(sum(group.n_items.sum() for group in groups))
    reason = NO_PAIR if not n_pairs else why_undefined(statistic, overlap)
    return rated.estimate(mean_of(groups, statistic), n=n, n_undefined=n_pairs - n, reason=reason)


def variation(values: Sequence[float | None]) -> Coefficient:
    """Return the coefficient of variation of figures by dimension: population standard deviation over mean."""
    known = [value for value in values if value is not None]
    if len(known) < 2:
        return Coefficient(value=None, n=len(known), reason="fewer than two dimensions have a value")
    mean = float(np.mean(known))
    if mean <= 0:
        return Coefficient(value=None, n=len(known), reason="the mean over dimensions is not above 0")
    return Coefficient(value=float(np.std(known)) / mean, n=len(known), n_undefined=len(values) - len(known))


def _f1_of_one(rated: Rated, codes: Codes, kind: int, beside: int) -> Estimate:
    found = f1s(rated.majority.codes, codes, rated.weights, positive=kind)
    return rated.estimate(found, n=beside, reason=_NOBODY[kind] if beside else NO_MAJORITY)


def _mean_f1(rated: Rated, values: Sequence[Floats], kind: int, beside: int) -> Estimate:
    if not values:
        return Estimate(value=None, reason=NO_OVERLAP)
    stack = np.stack(values)
    n = int((~np.isnan(stack[:, 0])).sum())
    reason = _NOBODY[kind] if beside else NO_MAJORITY
    return rated.estimate(mean_over(stack), n=n, n_undefined=len(values) - n, reason=reason)
