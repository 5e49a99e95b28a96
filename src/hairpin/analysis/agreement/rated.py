"""Ratings as arrays, and the agreement of every pair of raters under every resample: what rows are made of.

It must not decide what is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from hairpin.analysis.agreement.bootstrap import Estimate, estimate, resample_weights
from hairpin.analysis.agreement.groups import Disagreement, GroupAgreement, group_agreement
from hairpin.analysis.agreement.model import StudyRatings, StudySettings
from hairpin.analysis.agreement.scale import MISSING, Codes, Floats
from hairpin.analysis.agreement.verdicts import Majority, RaterSheet, SheetVerdicts, majority, sheet_verdicts
from hairpin.domain.rng import derive_rng_seed


@dataclass(frozen=True, slots=True)
class Rated:
    """A study's ratings.

    Attributes:
        people: (n_people, n_dimensions, n_items) codes; ``judges``: theirs.
        weights: (1 + n_items + n_resamples, n_items) how often each conversation is counted.
        verdicts: of people; ``judged``: of judges; ``majority``: what most people say.
    """

    ratings: StudyRatings
    settings: StudySettings
    people: Codes
    judges: Codes
    weights: Floats
    verdicts: SheetVerdicts
    judged: SheetVerdicts
    majority: Majority
    with_targets: frozenset[str]

    @property
    def n_items(self) -> int:
        """How many conversations there are."""
        return len(self.ratings.conversations)

    @property
    def n_levels(self) -> int:
        """How many levels the scale has."""
        return len(self.settings.scale.levels)

    @property
    def disagreement(self) -> Disagreement:
        """What a disagreement counts."""
        return Disagreement(self.settings.scale, self.settings.weighting, self.settings.levels)

    def among_people(self, disagreement: Disagreement | None = None) -> list[GroupAgreement]:
        """Return the agreement of every pair of people, dimension by dimension."""
        pairs = list(combinations(range(len(self.people)), 2))
        wanted = disagreement or self.disagreement
        return [
            group_agreement(self.people[:, d], pairs, wanted, self.weights) for d in range(len(self.ratings.dimensions))
        ]

    def with_people(self, codes: Codes) -> list[GroupAgreement]:
        """Return the agreement of a rater with ``codes`` (n_dimensions, n_items) with every person, by dimension."""
        n = len(self.people)
        pairs = [(person, n) for person in range(n)]
        return [
            group_agreement(np.vstack([self.people[:, d], codes[None, d]]), pairs, self.disagreement, self.weights)
            for d in range(len(self.ratings.dimensions))
        ]

    def estimate(self, values: Floats, *, n: int, n_undefined: int = 0, reason: str = "") -> Estimate:
        """Return a figure with its interval from its value under every row of weights."""
        method = self.settings.interval
        return estimate(values, self.n_items, method, n=n, n_undefined=n_undefined, reason=reason)


def rated(ratings: StudyRatings, settings: StudySettings) -> Rated:
    """Return ``ratings`` as arrays, with resamples drawn.

    Raises:
        ValueError: a score is not on the scale.
    """
    with_targets = frozenset(name for sheet in ratings.people for name in sheet.completed)
    verdicts, judged = (
        sheet_verdicts(sheets, ratings.conversations, settings.rule, with_targets=with_targets)
        for sheets in (ratings.people, ratings.judges)
    )
    seed = derive_rng_seed(settings.rng_seed, "agreement")
    return Rated(
        ratings=ratings,
        settings=settings,
        people=_codes(ratings.people, ratings, settings),
        judges=_codes(ratings.judges, ratings, settings),
        weights=resample_weights(len(ratings.conversations), settings.n_resamples, seed),
        verdicts=verdicts,
        judged=judged,
        majority=majority(verdicts.codes),
        with_targets=with_targets & set(ratings.conversations),
    )


def mean_over(stack: Floats) -> Floats:
    """Return (W,) the mean over the first axis of ``stack`` (n, W) of what is defined; NaN where nothing is."""
    number = (~np.isnan(stack)).sum(axis=0)
    return np.where(number > 0, np.nansum(stack, axis=0) / np.maximum(number, 1), np.nan)


def _codes(sheets: Sequence[RaterSheet], ratings: StudyRatings, settings: StudySettings) -> Codes:
    found = np.full((len(sheets), len(ratings.dimensions), len(ratings.conversations)), MISSING)
    for row, sheet in enumerate(sheets):
        for column, conversation in enumerate(ratings.conversations):
            scores = sheet.scores.get(conversation, {})
            for d, dimension in enumerate(ratings.dimensions):
                found[row, d, column] = settings.scale.code(scores.get(dimension))
    return found
