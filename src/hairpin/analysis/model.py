"""The results of the analysis: what tables and figures are built on.

It computes nothing. Where a figure is undefined it is ``None``, and ``reason`` beside it says why.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from pydantic import Field

from hairpin.analysis.coverage_model import Coverage
from hairpin.analysis.scope import Scope
from hairpin.domain.arm import Arm
from hairpin.domain.base import Value
from hairpin.domain.tally import ConversationCounts


class Proportion(Value):
    """A share with its Wilson interval. With ``n = 0`` the rate is ``None`` and the interval is [0, 1]."""

    successes: int = Field(ge=0)
    n: int = Field(ge=0)
    rate: float | None
    low: float = Field(ge=0, le=1)
    high: float = Field(ge=0, le=1)
    confidence: float = Field(default=0.95, gt=0, lt=1)
    reason: str = ""


class Spread(Value):
    """Location and spread of ``n`` values. ``sd`` is the sample's (n − 1), ``None`` for fewer than two values."""

    n: int = Field(ge=0)
    mean: float | None
    sd: float | None
    median: float | None
    reason: str = ""


class AtLeastTypes(Value):
    """The share of rated conversations with at least ``k`` different failure types."""

    k: int = Field(ge=1)
    share: Proportion


class DistinctCost(Value):
    """What distinct failures (signatures, version 1) cost in a group.

    Attributes:
        distinct: different (assistant, signature) pairs in rated conversations; an assistant's failure is its own.
        without_strategy: different (assistant, mode, kind of target) among them, which an arm without strategies can
            find as many of.
        conversations: the rated conversations they were found in.
        cost_usd: of all conversations, whatever became of them; ``None`` where one's is unknown.
        active_s: active time of all cells of the group together; ``None`` outside campaigns.
        reason: why a figure is missing.
    """

    distinct: int = Field(ge=0)
    without_strategy: int = Field(ge=0)
    conversations: int = Field(ge=0)
    cost_usd: float | None
    active_s: float | None
    per_100_conversations: float | None
    conversations_per_distinct: float | None
    usd_per_distinct: float | None
    active_s_per_distinct: float | None
    reason: str = ""


class GroupFigures(Value):
    """The figures of one group; all but ``conversations`` and ``distinct``'s cost are over passed and failed ones.

    Attributes:
        success_score: C.
        failure_types: unique failure types per conversation, failed checks apart.
        at_least: for k = 1 up to the most types that one conversation of the campaign has; empty when it has none.
        instances: failure instances, failed checks included.
        first_failure_t: t, from 0, of the first failure of the conversations that have one.
        early_instances: the share of instances in the first half of their conversation, t < n_turns / 2. Its interval
            takes instances for independent, which those of one conversation are not.
        early_first: the same for first failures; the late share is what is left to 1.
    """

    scope: Scope
    conversations: ConversationCounts
    failure_rate: Proportion
    success_score: Spread
    failure_types: Spread
    at_least: tuple[AtLeastTypes, ...]
    turns: Spread
    instances: int = Field(ge=0)
    first_failure_t: Spread
    early_instances: Proportion
    early_first: Proportion
    distinct: DistinctCost


class Magnitude(StrEnum):
    """How large an effect is, by max(Â12, 1 − Â12): from .56 small, from .64 medium, from .71 large.

    Source: Vargha and Delaney, 2000.
    """

    NEGLIGIBLE = "negligible"
    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


class EffectSize(Value):
    """Vargha–Delaney Â12 = (greater + ties / 2) / (n1 · n2): how often the first group has the greater value."""

    n1: int = Field(ge=0)
    n2: int = Field(ge=0)
    greater: int = Field(ge=0)
    ties: int = Field(ge=0)
    a12: float | None
    magnitude: Magnitude | None
    reason: str = ""


class UMethod(StrEnum):
    """How a p value was found: from the exact distribution of U, from its normal approximation, or without a test."""

    EXACT = "exact"
    ASYMPTOTIC = "asymptotic"
    NONE = "none"


class RankTest(Value):
    """A two-sided Mann–Whitney U test; ``u`` is the first group's. ``significant``: p ≤ α."""

    n1: int = Field(ge=0)
    n2: int = Field(ge=0)
    u: float | None
    p: float | None
    method: UMethod
    alpha: float
    significant: bool | None
    reason: str = ""


class RankComparison(Value):
    """The values of one arm against those of another: the groups, the test and the effect."""

    first: Spread
    second: Spread
    test: RankTest
    effect: EffectSize


class RateDifference(Value):
    """The failure rate of one arm minus that of another, with Newcombe's interval from the two Wilson intervals."""

    first: Proportion
    second: Proportion
    difference: float | None
    low: float = Field(ge=-1, le=1)
    high: float = Field(ge=-1, le=1)
    reason: str = ""


class ArmComparison(Value):
    """One arm against another, for one assistant or all (RQ1): guided against baseline, or learned against guided.

    Attributes:
        arms: the first and the second.
        types_ratio: mean unique failure types per conversation, first over second (the paper's 2.96).
        success_score: of C; an Â12 below 0.5 says that conversations of the first come out worse.
        failure_types: of unique failure types per conversation; above 0.5: the first finds more.
    """

    sut: str | None
    arms: tuple[Arm, Arm] = (Arm.GUIDED, Arm.BASELINE)
    types_ratio: float | None
    types_ratio_reason: str = ""
    failure_rate: RateDifference
    success_score: RankComparison
    failure_types: RankComparison


class ModeShare(Value):
    """The share of a strategy's uses at whose turn ``mode`` was found."""

    mode: str
    share: Proportion


class StrategyRow(Value):
    """What one strategy's uses led to; a use is a turn whose utterance it wrote, in a rated conversation.

    Attributes:
        strategy: ``None``: the turns that no strategy wrote.
        aim: ξ(λ), ``None`` where there is none; then target hits and collateral are undefined.
        modes: in the order of the matrix.
        any_failure: uses with any failure type.
        target_hits: uses with the mode aimed at.
        collateral: uses with any other mode, whether or not the target was hit.
    """

    strategy: str | None
    aim: str | None
    uses: int = Field(ge=0)
    modes: tuple[ModeShare, ...]
    any_failure: Proportion
    target_hits: Proportion
    collateral: Proportion


class StrategyMatrix(Value):
    """Strategy × mode per use. The intervals take uses for independent, which those of one conversation are not."""

    scope: Scope
    modes: tuple[str, ...]
    rows: tuple[StrategyRow, ...]


class ProfileRow(Value):
    """One failure type in both arms. ``enrichment``: (n_S(m) / N_S) / (n_B(m) / N_B) over instances."""

    mode: str
    guided_instances: int = Field(ge=0)
    baseline_instances: int = Field(ge=0)
    enrichment: float | None
    reason: str = ""
    guided_prevalence: Proportion
    baseline_prevalence: Proportion


class FailureProfile(Value):
    """The failure-type profile (Table V) over rated conversations, failed checks apart; totals are N_S and N_B."""

    sut: str | None
    guided_instances: int = Field(ge=0)
    baseline_instances: int = Field(ge=0)
    rows: tuple[ProfileRow, ...]


class StepCurve(Value):
    """What one run had found at which active time: after ``times_s[i]``, ``counts[i]``; before the first time, 0."""

    run: int
    times_s: tuple[float, ...]
    counts: tuple[int, ...]


class CurvePoint(Value):
    """Mean ± sd over runs at one time; with one run there is no sd."""

    time_s: float
    mean: float
    sd: float | None


class Curve(Value):
    """Cumulative counts over active time: each run's, and their mean on the grid of times. A run keeps its last count.

    ``points`` is empty where no conversation has an active time. ``reason`` says so, or what was left out.
    """

    scope: Scope
    runs: tuple[StepCurve, ...]
    points: tuple[CurvePoint, ...]
    reason: str = ""


class CumulativeCurves(Value):
    """Fig. 1 for one assistant or all, and one arm: failed conversations, and distinct failures."""

    scope: Scope
    failed: Curve
    distinct: Curve


class CampaignAnalysis(Value):
    """Everything that is computed without an encoder. Tuples are in the order of the arms and assistants given.

    ``by_run``, ``strategies``, ``curves`` and ``coverage`` have, for each arm, all assistants together first (``sut``
    is ``None``), then each. ``comparisons`` and ``profiles`` are empty unless both arms are there; likewise.
    """

    suts: tuple[str, ...]
    arms: tuple[Arm, ...]
    modes: tuple[str, ...]
    overall: GroupFigures
    by_arm: tuple[GroupFigures, ...]
    by_sut_arm: tuple[GroupFigures, ...]
    by_run: tuple[GroupFigures, ...]
    comparisons: tuple[ArmComparison, ...]
    strategies: tuple[StrategyMatrix, ...]
    profiles: tuple[FailureProfile, ...]
    curves: tuple[CumulativeCurves, ...]
    coverage: tuple[Coverage, ...]

    def groups(self) -> Iterator[GroupFigures]:
        """Yield the figures of all groups: overall, arms, assistants by arm, runs."""
        yield self.overall
        yield from (*self.by_arm, *self.by_sut_arm, *self.by_run)

    def group(self, *, sut: str | None = None, arm: Arm | None = None, run: int | None = None) -> GroupFigures | None:
        """Return the figures of one group, ``None`` when it was not analysed."""
        scope = Scope(sut=sut, arm=arm, run=run)
        return next((figures for figures in self.groups() if figures.scope == scope), None)
