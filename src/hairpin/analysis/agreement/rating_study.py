"""The whole study of agreement (RQ0): judges beside people, people beside each other, and what drives disagreement.

It must not read ratings from anywhere. Source: in-car paper, section IV-B, Table III.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hairpin.analysis.agreement.bootstrap import Estimate
from hairpin.analysis.agreement.coefficients import Statistic
from hairpin.analysis.agreement.drivers import (
    item_disagreements,
    pair_agreements,
    rater_standings,
    verdict_departures,
    without_overlap,
)
from hairpin.analysis.agreement.fleiss import fleiss_kappas, usable_items, why_no_fleiss
from hairpin.analysis.agreement.groups import Disagreement, GroupAgreement
from hairpin.analysis.agreement.krippendorff import Metric, krippendorff_alphas, why_no_alpha
from hairpin.analysis.agreement.model import AgreementStudy, ManyRaters, StudyRatings, StudySettings, VerdictCounts
from hairpin.analysis.agreement.rated import Rated, mean_over, rated
from hairpin.analysis.agreement.rows import constant_row, judge_row, mean_figure, people_row
from hairpin.analysis.agreement.scale import MISSING, Floats, Weighting
from hairpin.analysis.agreement.tables import level_counts
from hairpin.analysis.agreement.verdicts import FAILED


def study_agreement(ratings: StudyRatings, settings: StudySettings) -> AgreementStudy:
    """Return how far the judges agree with the people, and the people with each other.

    Raises:
        ValueError: there is no dimension, no person or no conversation, or a score is not on the scale.
    """
    if not (ratings.dimensions and ratings.people and ratings.conversations):
        raise ValueError("no dimension, no person or no conversation: there is nothing to compare")
    arrays = rated(ratings, settings)
    people = arrays.among_people()
    judges = [arrays.with_people(codes) for codes in arrays.judges]
    rows = [judge_row(arrays, number, groups) for number, groups in enumerate(judges)]
    names = [sheet.name for sheet in ratings.people]
    pairs = list(pair_agreements(people, ratings.dimensions, names))
    for sheet, groups in zip(ratings.judges, judges, strict=True):
        pairs += pair_agreements(groups, ratings.dimensions, [*names, sheet.name])
    return AgreementStudy(
        settings=settings,
        conversations=ratings.conversations,
        dimensions=ratings.dimensions,
        people=tuple(names),
        judges=tuple(sheet.name for sheet in ratings.judges),
        n_ratings=int((arrays.people != MISSING).sum()),
        n_possible=int(arrays.people.size),
        rows=(*rows, people_row(arrays, people), constant_row(arrays)),
        many=tuple(_many_raters(arrays, people)),
        pairs=tuple(pairs),
        raters=rater_standings(arrays, people),
        alone=without_overlap(arrays),
        items=item_disagreements(arrays),
        departures=tuple(verdict_departures(arrays)),
        verdicts=_verdict_counts(arrays),
    )


def _verdict_counts(arrays: Rated) -> VerdictCounts:
    most = arrays.majority
    return VerdictCounts(
        majorities=int((most.codes != MISSING).sum()),
        fails=int((most.codes == FAILED).sum()),
        ties=most.n_ties,
        silent=most.n_silent,
        stated=arrays.verdicts.n_stated,
        missing=arrays.verdicts.n_missing,
        overruled=arrays.verdicts.n_overruled,
        with_targets=len(arrays.with_targets),
        judges_missing=arrays.judged.n_missing,
    )


def _many_raters(arrays: Rated, people: Sequence[GroupAgreement]) -> list[ManyRaters]:
    """Return the figures of all people at once, of each dimension, then in the mean."""
    unweighted = Disagreement(arrays.settings.scale, Weighting.NONE, arrays.settings.levels)
    plain = people if arrays.settings.weighting is Weighting.NONE else arrays.among_people(unweighted)
    counts = [level_counts(arrays.people[:, d], arrays.n_levels) for d in range(len(arrays.ratings.dimensions))]
    fleiss = [fleiss_kappas(each, arrays.weights) for each in counts]
    alphas = {
        metric: [krippendorff_alphas(each, arrays.settings.scale, metric, arrays.weights) for each in counts]
        for metric in Metric
    }
    return [
        *(
            ManyRaters(
                dimension=dimension,
                light=mean_figure(arrays, [people[d]], Statistic.KAPPA),
                light_unweighted=mean_figure(arrays, [plain[d]], Statistic.KAPPA),
                fleiss=_one(arrays, fleiss[d], int(usable_items(counts[d]).sum()), why_no_fleiss(counts[d])),
                alphas={metric: _alpha(arrays, of_all[d], counts[d], metric) for metric, of_all in alphas.items()},
                n_fleiss=int(usable_items(counts[d]).sum()),
            )
            for d, dimension in enumerate(arrays.ratings.dimensions)
        ),
        ManyRaters(
            dimension=None,
            light=mean_figure(arrays, people, Statistic.KAPPA),
            light_unweighted=mean_figure(arrays, plain, Statistic.KAPPA),
            fleiss=_mean(arrays, fleiss),
            alphas={metric: _mean(arrays, of_all) for metric, of_all in alphas.items()},
            n_fleiss=min(int(usable_items(each).sum()) for each in counts),
        ),
    ]


def _alpha(arrays: Rated, values: Floats, counts: Floats, metric: Metric) -> Estimate:
    n = int((counts.sum(axis=1) > 1).sum())
    return _one(arrays, values, n, why_no_alpha(counts, arrays.settings.scale, metric))


def _one(arrays: Rated, values: Floats, n: int, reason: str) -> Estimate:
    return arrays.estimate(values, n=n, reason=reason)


def _mean(arrays: Rated, by_dimension: Sequence[Floats]) -> Estimate:
    stack = np.stack(by_dimension)
    n = int((~np.isnan(stack[:, 0])).sum())
    reason = "undefined on every dimension"
    return arrays.estimate(mean_over(stack), n=n, n_undefined=len(stack) - n, reason=reason)
