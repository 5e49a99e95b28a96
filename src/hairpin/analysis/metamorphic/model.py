"""The results of replays as values: what tables and figures show.

It computes nothing; undefined figures are ``None`` with a reason.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.relations import MetamorphicRelation
from hairpin.domain.replay import Method

METHOD_OF: Mapping[MetamorphicRelation, Method] = {
    MetamorphicRelation.RBT: Method.RBT,
    MetamorphicRelation.MR1: Method.MORTAR,
    MetamorphicRelation.MR2: Method.MORTAR,
    MetamorphicRelation.MR3: Method.MORTAR,
    MetamorphicRelation.MR4: Method.MORTAR,
    MetamorphicRelation.METAL: Method.METAL,
    MetamorphicRelation.QAASKER: Method.QAASKER,
}
"""Whose relation it is."""

METHODS = (Method.RBT, Method.MORTAR, Method.METAL, Method.QAASKER)


class Figure(Value):
    """A number, ``None`` where it is undefined; ``reason`` says why."""

    value: float | None
    reason: str = ""


class RelationFigures(Value):
    """How one relation fared. ``not_applicable``: checks that could not be made, by reason."""

    relation: MetamorphicRelation
    checks: int = Field(ge=0)
    violations: int = Field(ge=0)
    not_applicable: Mapping[str, int] = Field(default_factory=dict)

    @property
    def rate(self) -> Figure:
        """Rate⁺: violations / checks executed."""
        return share(self.violations, self.checks)


class Levels(Value):
    """Violations by what the source run (RBT) said of their questions (MORTAR, section IV-E).

    ``l1``: it was wrong there too; ``l2``: right, but another one was wrong; ``l3``: all were right; ``unclassed``:
    without a gold answer nobody knows.
    """

    l1: int = Field(default=0, ge=0)
    l2: int = Field(default=0, ge=0)
    l3: int = Field(default=0, ge=0)
    unclassed: int = Field(default=0, ge=0)

    @property
    def all(self) -> int:
        """All violations."""
        return self.l1 + self.l2 + self.l3 + self.unclassed


class MethodFigures(Value):
    """What one method found in one assistant (MORTAR, Tables II, III, V, VI and IX).

    Attributes:
        test_cases: dialogues for RBT, (dialogue, perturbation, execution) for MORTAR, (dialogue, relation) for METAL
            and QAAsker, as far as they were run.
        failed_test_cases: those with a violation.
    """

    method: Method
    sut: str
    test_cases: int = Field(ge=0)
    failed_test_cases: int = Field(ge=0)
    relations: tuple[RelationFigures, ...] = ()
    levels: Levels = Levels()

    @property
    def checks(self) -> int:
        """Checks executed: the most bugs that could be found."""
        return sum(each.checks for each in self.relations)

    @property
    def bugs(self) -> int:
        """Violations."""
        return sum(each.violations for each in self.relations)

    @property
    def per_test_case(self) -> Figure:
        """B/TC: violations per test case."""
        return share(self.bugs, self.test_cases, nothing="no test case was run")

    @property
    def rate(self) -> Figure:
        """Rate⁺: violations / checks executed."""
        return share(self.bugs, self.checks)


class Ablation(Value):
    """What is left without one relation or perturbation (MORTAR, Tables X and XI).

    ``bugs``: found without it; ``change``: relative to all of them.
    """

    sut: str
    without: str
    bugs: int = Field(ge=0)
    change: Figure


class Uniqueness(Value):
    """Questions of test seeds that the source run (RBT) did not reveal, by who revealed them (MORTAR, Fig. 5).

    Attributes:
        regions: how many were revealed by exactly these methods, by their names joined with ``+``.
        revealed: how many each method revealed; ``unique``: how many it alone did.
    """

    sut: str
    regions: Mapping[str, int]
    revealed: Mapping[Method, int]
    unique: Mapping[Method, int]

    def share(self, method: Method) -> Figure:
        """Return which share of what ``method`` revealed nobody else did."""
        return share(self.unique[method], self.revealed[method], nothing="it revealed nothing new")


class ThresholdPoint(Value):
    """What MORTAR finds at another threshold."""

    sut: str
    threshold: float
    checks: int = Field(ge=0)
    bugs: int = Field(ge=0)

    @property
    def rate(self) -> Figure:
        """Rate⁺ at that threshold."""
        return share(self.bugs, self.checks)


class Applicability(Value):
    """For how many questions, or dialogues, a method had a follow-up, and why not for the others."""

    method: Method
    kind: str
    follow_ups: int = Field(ge=0)
    not_applicable: Mapping[str, int] = Field(default_factory=dict)


class Effort(Value):
    """What a method took of the assistant, and what checking contexts took of models.

    ``sut_calls``: utterances sent in its replays, also those that only lead up to a changed question.
    """

    method: Method
    sut: str
    replays: int = Field(ge=0)
    sut_calls: int = Field(ge=0)
    broken: int = Field(ge=0)


class ContextEffort(Value):
    """What checking contexts took. ``naive``: two rewrites and two answers for every check."""

    checks: int = Field(ge=0)
    calls: int = Field(ge=0)
    by_reason: Mapping[str, int] = Field(default_factory=dict)

    @property
    def naive(self) -> int:
        """Calls without memo and short cuts."""
        return 4 * self.checks

    @property
    def per_check(self) -> Figure:
        """Calls per check."""
        return share(self.calls, self.checks, nothing="no context was checked")


class MetamorphicAnalysis(Value):
    """Everything that is computed of the replays of a run."""

    suts: tuple[str, ...]
    methods: tuple[MethodFigures, ...]
    by_relation: tuple[Ablation, ...] = ()
    by_perturbation: tuple[Ablation, ...] = ()
    uniqueness: tuple[Uniqueness, ...] = ()
    epsilon: tuple[ThresholdPoint, ...] = ()
    epsilon_ec: tuple[ThresholdPoint, ...] = ()
    applicability: tuple[Applicability, ...] = ()
    effort: tuple[Effort, ...] = ()
    context_effort: ContextEffort = ContextEffort(checks=0, calls=0)

    def figures(self, method: Method, sut: str) -> MethodFigures | None:
        """Return what ``method`` found in ``sut``, ``None`` if it was not run."""
        return next((each for each in self.methods if (each.method, each.sut) == (method, sut)), None)


def share(part: float, whole: float, *, nothing: str = "no check was executed") -> Figure:
    """Return ``part / whole``, undefined for the reason ``nothing`` when ``whole`` is 0."""
    return Figure(value=part / whole) if whole else Figure(value=None, reason=nothing)
