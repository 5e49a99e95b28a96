"""Who and what drives disagreement: each person left out, each conversation, each verdict of a judge against most.

It must not resample: these are pointers to look at, not estimates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from hairpin.analysis.agreement.coefficients import NO_OVERLAP, Statistic, why_undefined
from hairpin.analysis.agreement.groups import GroupAgreement
from hairpin.analysis.agreement.krippendorff import NO_PAIR
from hairpin.analysis.agreement.model import (
    Coefficient,
    ItemDisagreement,
    PairAgreement,
    RaterStanding,
    VerdictDeparture,
)
from hairpin.analysis.agreement.rated import Rated
from hairpin.analysis.agreement.scale import MISSING, Codes, Floats, distances
from hairpin.analysis.agreement.tables import level_counts
from hairpin.analysis.agreement.verdicts import FAILED, PASSED
from hairpin.domain.outcome import Verdict

Groups = Sequence[GroupAgreement]


def rater_standings(rated: Rated, groups: Groups) -> tuple[RaterStanding, ...]:
    """Return every person's agreement with the others and what it is without this person; the furthest first."""
    overall = _mean_kappa(groups, np.ones(len(groups[0].pairs), dtype=bool)) if groups else None
    rated_by_any = (rated.people != MISSING).any(axis=0)
    found = []
    for person, sheet in enumerate(rated.ratings.people):
        own = np.array([person in pair for pair in groups[0].pairs], dtype=bool) if groups else np.zeros(0, dtype=bool)
        without = _mean_kappa(groups, ~own)
        given = rated.people[person] != MISSING
        found.append(
            RaterStanding(
                name=sheet.name,
                n_ratings=int(given.sum()),
                n_missing=int((rated_by_any & ~given).sum()),
                kappa=_mean_kappa(groups, own),
                without=without,
                change=_change(overall, without),
            )
        )
    return tuple(sorted(found, key=lambda each: 2.0 if each.kappa.value is None else each.kappa.value))


def without_overlap(rated: Rated) -> tuple[str, ...]:
    """Return the people who rated nothing that another person rated."""
    seen = rated.people != MISSING
    shared = seen.sum(axis=0) > 1
    return tuple(sheet.name for sheet, own in zip(rated.ratings.people, seen, strict=True) if not (own & shared).any())


def item_disagreements(rated: Rated) -> tuple[ItemDisagreement, ...]:
    """Return how far people disagree on each conversation, the worst first; then those that fewer than two rated."""
    apart = distances(rated.n_levels, rated.settings.weighting)
    by_dimension = np.stack(
        [_disagreements(level_counts(codes, rated.n_levels), apart) for codes in _dimensions(rated)]
    )
    found = []
    for item, conversation in enumerate(rated.ratings.conversations):
        values = by_dimension[:, item]
        known = values[~np.isnan(values)]
        value = Coefficient(value=float(known.mean()), n=len(known)) if len(known) else _unrated()
        worst = rated.ratings.dimensions[int(np.nanargmax(values))] if value.value else None
        fail, passed = _votes(rated, item)
        found.append(
            ItemDisagreement(
                conversation=conversation, disagreement=value, worst_dimension=worst, fail=fail, passed=passed
            )
        )
    return tuple(sorted(found, key=lambda each: 1.0 if each.disagreement.value is None else -each.disagreement.value))


def verdict_departures(rated: Rated) -> Iterator[VerdictDeparture]:
    """Yield the conversations where a judge's verdict is not that of most people, judge by judge."""
    words = {FAILED: Verdict.FAIL, PASSED: Verdict.PASS}
    for sheet, codes in zip(rated.ratings.judges, rated.judged.codes, strict=True):
        for item, (own, most) in enumerate(zip(codes, rated.majority.codes, strict=True)):
            if MISSING not in (own, most) and own != most:
                fail, passed = _votes(rated, item)
                conversation = rated.ratings.conversations[item]
                yield VerdictDeparture(
                    judge=sheet.name, conversation=conversation, verdict=words[int(own)], fail=fail, passed=passed
                )


def pair_agreements(groups: Groups, dimensions: Sequence[str], names: Sequence[str]) -> Iterator[PairAgreement]:
    """Yield the figures of every pair of raters on every dimension; ``names``: of the raters in ``groups``."""
    for dimension, group in zip(dimensions, groups, strict=True):
        for number, (first, second) in enumerate(group.pairs):
            n = int(group.n_items[number])
            kappa, rho, exact, within_one = (
                _coefficient(float(group.values[each][number]), n, each) for each in Statistic
            )
            yield PairAgreement(
                first=names[first],
                second=names[second],
                dimension=dimension,
                kappa=kappa,
                rho=rho,
                exact=exact,
                within_one=within_one,
            )


def _mean_kappa(groups: Groups, chosen: NDArray[np.bool_]) -> Coefficient:
    values = np.concatenate([group.values[Statistic.KAPPA][chosen] for group in groups]) if groups else np.zeros(0)
    known = values[~np.isnan(values)]
    if len(known):
        return Coefficient(value=float(known.mean()), n=len(known), n_undefined=len(values) - len(known))
    overlap = int(sum(group.n_items[chosen].sum() for group in groups))
    reason = why_undefined(Statistic.KAPPA, overlap) if len(values) else "no other pair of raters"
    return Coefficient(value=None, n=0, n_undefined=len(values), reason=reason)


def _change(overall: Coefficient | None, without: Coefficient) -> Coefficient:
    if overall is None or overall.value is None or without.value is None:
        return Coefficient(value=None, n=0, reason=without.reason or (overall.reason if overall else NO_OVERLAP))
    return Coefficient(value=without.value - overall.value, n=without.n)


def _disagreements(counts: Floats, apart: Floats) -> Floats:
    """Return (n_items,) the mean distance of two ratings of an item; NaN where there are no two."""
    n = counts.sum(axis=1)
    total = np.einsum("ni,ij,nj->n", counts, apart, counts)
    found = np.full(len(counts), np.nan)
    np.divide(total, n * (n - 1), out=found, where=n > 1)
    return found


def _dimensions(rated: Rated) -> Iterator[Codes]:
    return (rated.people[:, d] for d in range(len(rated.ratings.dimensions)))


def _votes(rated: Rated, item: int) -> tuple[int, int]:
    votes = rated.verdicts.codes[:, item]
    return int((votes == FAILED).sum()), int((votes == PASSED).sum())


def _unrated() -> Coefficient:
    return Coefficient(value=None, n=0, reason=NO_PAIR)


def _coefficient(value: float, n: int, statistic: Statistic) -> Coefficient:
    if np.isnan(value):
        return Coefficient(value=None, n=n, reason=why_undefined(statistic, n))
    return Coefficient(value=value, n=n)
