"""Sheets of ratings for tests: each digit is a score of one conversation, a point is none."""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.analysis.agreement.model import AgreementStudy, StudyRatings, StudySettings
from hairpin.analysis.agreement.rating_study import study_agreement
from hairpin.analysis.agreement.scale import ORDINAL_SCALE, Levels, Scale, Weighting
from hairpin.analysis.agreement.verdicts import RaterSheet, VerdictRule
from hairpin.domain.rubric import Weights


def a_sheet(name: str, *, judge: bool = False, **scores: str) -> RaterSheet:
    """The sheet of ``name`` with the scores of each dimension, conversation by conversation: ``x="012."``."""
    n = max(map(len, scores.values()))
    found = {
        f"c{item}": {dimension: int(row[item]) for dimension, row in scores.items() if row[item] != "."}
        for item in range(n)
    }
    return RaterSheet(name=name, scores=found, is_judge=judge)


def some_ratings(*people: RaterSheet, judges: tuple[RaterSheet, ...] = (), n: int | None = None) -> StudyRatings:
    """Ratings of conversations c0, c1, … on the dimensions that people's sheets have."""
    named = {name for sheet in people for name in sheet.scores}
    dimensions = dict.fromkeys(d for sheet in people for scores in sheet.scores.values() for d in scores)
    conversations = tuple(f"c{item}" for item in range(n or len(named)))
    return StudyRatings(conversations=conversations, dimensions=tuple(dimensions), people=people, judges=judges)


def some_settings(*dimensions: str, n_resamples: int = 50) -> StudySettings:
    """Settings with equal weights of ``dimensions``."""
    weights = Weights(dimensions=dict.fromkeys(dimensions, 1.0))
    return StudySettings(
        rule=VerdictRule(weights=weights, threshold=0.75, source="equal weights"), n_resamples=n_resamples
    )


def a_study_of(
    *raters: Sequence[int | None],
    scale: Scale = ORDINAL_SCALE,
    weighting: Weighting = Weighting.NONE,
    levels: Levels = Levels.DECLARED,
) -> AgreementStudy:
    """The study of people who rated one dimension, each conversation by conversation, without resamples."""
    people = tuple(
        RaterSheet(name=f"p{number}", scores={f"c{c}": {"x": d} for c, d in enumerate(own) if d is not None})
        for number, own in enumerate(raters)
    )
    conversations = tuple(f"c{item}" for item in range(len(raters[0])))
    ratings = StudyRatings(conversations=conversations, dimensions=("x",), people=people)
    how = {"scale": scale, "weighting": weighting, "levels": levels}
    return study_agreement(ratings, some_settings("x", n_resamples=0).model_copy(update=how))
