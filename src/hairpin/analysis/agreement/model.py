"""What is found of agreement, as values: what tables and figures show.

It computes nothing; undefined figures are ``None`` with a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from pydantic import Field

from hairpin.analysis.agreement.bootstrap import Estimate, IntervalMethod
from hairpin.analysis.agreement.coefficients import Statistic
from hairpin.analysis.agreement.krippendorff import Metric
from hairpin.analysis.agreement.scale import ORDINAL_SCALE, Levels, Scale, Weighting
from hairpin.analysis.agreement.verdicts import RaterSheet, VerdictRule
from hairpin.domain.base import Value
from hairpin.domain.outcome import Verdict

RHO_REFERENCE: Final = 0.50
"""A correlation with people from which G-Eval calls a judge useful (in-car paper, section V-A)."""

F1_REFERENCE: Final = 0.71
"""The F1 that STELLAR reaches (in-car paper, section V-A)."""


class Coefficient(Value):
    """A figure of agreement that is not resampled.

    Attributes:
        value: ``None`` with the ``reason`` why there is none.
        n: how many items it is over; of a mean, how many values.
        n_undefined: values that a mean leaves out, because they are undefined.
    """

    value: float | None
    n: int = Field(ge=0)
    n_undefined: int = Field(default=0, ge=0)
    reason: str = ""


class StudySettings(Value):
    """How agreement is computed."""

    scale: Scale = ORDINAL_SCALE
    weighting: Weighting = Weighting.QUADRATIC
    levels: Levels = Levels.DECLARED
    rule: VerdictRule
    n_resamples: int = Field(default=2000, ge=0)
    interval: IntervalMethod = IntervalMethod.BCA
    rng_seed: int = 1


class StudyRatings(Value):
    """Who rated what. ``conversations`` are resampled; every rating is of one of them and of one of ``dimensions``."""

    conversations: tuple[str, ...]
    dimensions: tuple[str, ...]
    people: tuple[RaterSheet, ...]
    judges: tuple[RaterSheet, ...] = ()


class RowKind(StrEnum):
    """Whose agreement with people a row is of: a judge's, their own, or that of who always says the same."""

    JUDGE = "judge"
    PEOPLE = "people"
    CONSTANT = "constant"


class RatingFigures(Value):
    """Means over pairs of raters, of one dimension or (``None``) over all pairs and dimensions.

    ``n_ratings``: how many pairs of ratings they rest on.
    """

    dimension: str | None
    kappa: Estimate
    rho: Estimate
    exact: Estimate
    within_one: Estimate
    n_ratings: int = Field(ge=0)

    def of(self, statistic: Statistic) -> Estimate:
        """Return the figure of ``statistic``."""
        figures: Mapping[Statistic, Estimate] = {
            Statistic.KAPPA: self.kappa,
            Statistic.RHO: self.rho,
            Statistic.EXACT: self.exact,
            Statistic.WITHIN_ONE: self.within_one,
        }
        return figures[statistic]


class AgreementRow(Value):
    """One row of Table III.

    Attributes:
        overall: over all pairs of raters and dimensions.
        dimensions: of each dimension.
        f1_fail: F1 of the verdict ``fail`` against the majority of people; of people the mean over raters, each against
            the majority of the others; of a constant, that of who always says fail.
        f1_pass: the same for ``pass``.
        cv_kappa: the coefficient of variation of κ over dimensions: population standard deviation over mean.
        cv_rho: the same of ρ.
        n_verdicts: verdicts that stand beside a majority.
    """

    name: str
    kind: RowKind
    overall: RatingFigures
    dimensions: tuple[RatingFigures, ...]
    f1_fail: Estimate
    f1_pass: Estimate
    cv_kappa: Coefficient
    cv_rho: Coefficient
    n_verdicts: int = Field(ge=0)


class ManyRaters(Value):
    """How far all people agree at once, on one dimension or (``None``) in the mean over dimensions.

    ``light`` has the weights of the study, ``light_unweighted`` none; ``fleiss`` takes levels for categories;
    ``n_fleiss``: the conversations it is over, in the mean the fewest of a dimension.
    """

    dimension: str | None
    light: Estimate
    light_unweighted: Estimate
    fleiss: Estimate
    alphas: Mapping[Metric, Estimate]
    n_fleiss: int = Field(ge=0)


class PairAgreement(Value):
    """Two raters on one dimension, without resampling."""

    first: str
    second: str
    dimension: str
    kappa: Coefficient
    rho: Coefficient
    exact: Coefficient
    within_one: Coefficient


class RaterStanding(Value):
    """One person among the others.

    Attributes:
        n_ratings: scores given; ``n_missing``: those of the others' conversations that were not.
        kappa: mean κ with the other people, over pairs and dimensions.
        without: the people's mean κ without this rater; ``change``: how much it rises by that.
    """

    name: str
    n_ratings: int = Field(ge=0)
    n_missing: int = Field(ge=0)
    kappa: Coefficient
    without: Coefficient
    change: Coefficient


class ItemDisagreement(Value):
    """How far people disagree on one conversation.

    Attributes:
        disagreement: the mean over dimensions and pairs of raters, from 0 to 1, by the study's weights.
        worst_dimension: where they disagree most; ``None`` where they disagree nowhere.
        fail, passed: how many people's verdicts say so.
    """

    conversation: str
    disagreement: Coefficient
    worst_dimension: str | None
    fail: int = Field(ge=0)
    passed: int = Field(ge=0)


class VerdictDeparture(Value):
    """A conversation where a judge's verdict is not that of most people; ``fail``, ``passed``: their votes."""

    judge: str
    conversation: str
    verdict: Verdict
    fail: int = Field(ge=0)
    passed: int = Field(ge=0)


class VerdictCounts(Value):
    """Where people's verdicts are from and what became of them.

    Attributes:
        majorities: conversations with a majority; ``fails`` of them say fail.
        ties: conversations without one, since as many say pass as fail: excluded.
        silent: conversations of which no person has a verdict: excluded.
        stated: people's verdicts taken as stated, where scores or completion lack for C.
        missing: people's ratings of a conversation without C or a stated verdict.
        overruled: people's verdicts stated otherwise than C ≥ θ says of their own scores, which counts.
        with_targets: conversations whose completion a person rated: T counts in these.
        judges_missing: conversations that a judge scored without C.
    """

    majorities: int = Field(ge=0)
    fails: int = Field(ge=0)
    ties: int = Field(ge=0)
    silent: int = Field(ge=0)
    stated: int = Field(ge=0)
    overruled: int = Field(default=0, ge=0)
    missing: int = Field(ge=0)
    with_targets: int = Field(ge=0)
    judges_missing: int = Field(ge=0)


class AgreementStudy(Value):
    """Everything that was found.

    Attributes:
        n_ratings: scores given by people; ``n_possible``: had every one rated everything.
        rows: judges in the order given, then people, then the constant guess.
        pairs: every pair of a person with a person or a judge, on every dimension.
        alone: people who share no conversation with any other.
    """

    settings: StudySettings
    conversations: tuple[str, ...]
    dimensions: tuple[str, ...]
    people: tuple[str, ...]
    judges: tuple[str, ...]
    n_ratings: int = Field(ge=0)
    n_possible: int = Field(ge=0)
    rows: tuple[AgreementRow, ...]
    many: tuple[ManyRaters, ...]
    pairs: tuple[PairAgreement, ...]
    raters: tuple[RaterStanding, ...]
    alone: tuple[str, ...]
    items: tuple[ItemDisagreement, ...]
    departures: tuple[VerdictDeparture, ...]
    verdicts: VerdictCounts

    def row(self, kind: RowKind) -> AgreementRow:
        """Return the row of people or of the constant guess."""
        return next(row for row in self.rows if row.kind is kind)
