"""The study of the context check: findings beside what people say of the same contexts.

It makes no check itself; whoever does leaves short cuts off, so that every finding has both similarities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final

from pydantic import Field

from hairpin.analysis.binary import BinaryScores, Confusion, binary_scores, confusion_of
from hairpin.analysis.calibration import Calibration, Goal, calibrate_thresholds
from hairpin.analysis.kappa import Kappa, fleiss_kappa
from hairpin.analysis.model import Spread
from hairpin.analysis.spreads import spread
from hairpin.domain.base import Value
from hairpin.domain.relations import ContextFinding, ContextMethod, ContextReason

EC_GRID: Final = tuple(round(step / 100, 2) for step in range(30, 101, 2))
"""0.30 to 1.00, holds the paper's 0.8."""


class Reading(StrEnum):
    """By which similarities contexts are told apart: of the rewritten questions, of the reference answers, or both."""

    QUESTIONS = "questions"
    ANSWERS = "answers"
    BOTH = "both"


class LabelledFinding(Value):
    """What a check found of an item, and what people say: ``label`` is true for equivalent contexts."""

    item: str
    repeat: int = Field(default=0, ge=0)
    label: bool
    finding: ContextFinding


class RepeatStudy(Value):
    """How often the same check comes out the same.

    Attributes:
        n_repeats: k, the first attempt included.
        n_items: those that were decided each time; ``n_incomplete``: the others, left out.
        n_equal: decisions after the first that equal it, of ``n_compared``; ``equal_share``: their share.
        n_steady: items that never changed.
        kappa: Fleiss' κ, the repeats taken for raters.
        accuracy: of single repeats, over those items.
    """

    n_repeats: int = Field(ge=0)
    n_items: int = Field(ge=0)
    n_incomplete: int = Field(ge=0)
    n_equal: int = Field(ge=0)
    n_compared: int = Field(ge=0)
    equal_share: float | None
    n_steady: int = Field(ge=0)
    kappa: Kappa
    accuracy: Spread


class MethodStudy(Value):
    """One way to check contexts, beside labels.

    Attributes:
        n_items: different items.
        n_findings: findings in all; ``not_applicable``: how many of them decided nothing, by reason.
        n_calls: rewrites, answers or verdicts that were asked for.
        scores: of the first repeat, findings that decided nothing left out: "true" is equivalent.
        repeats: over all repeats.
    """

    method: ContextMethod
    n_items: int = Field(ge=0)
    n_findings: int = Field(ge=0)
    not_applicable: Mapping[ContextReason, int] = Field(default_factory=dict)
    n_calls: int = Field(ge=0)
    scores: BinaryScores
    repeats: RepeatStudy


class SweepLine(Value):
    """How contexts are told apart by one reading at every threshold; ``None``: no item has what it needs."""

    reading: Reading
    calibration: Calibration | None
    reason: str = ""


class ContextStudy(Value):
    """The study of the context check.

    Attributes:
        epsilon_ec: ε_EC, that the findings were made with.
        methods: one per way to check contexts.
        sweep: the three lines of Fig. 6, all over the same items: those of EC's first repeat with both similarities,
            else with those of the questions.
        n_swept: how many these are; ``n_left_out``: first findings that lack a similarity or decided nothing.
    """

    epsilon_ec: float
    methods: tuple[MethodStudy, ...]
    sweep: tuple[SweepLine, ...]
    n_swept: int = Field(ge=0)
    n_left_out: int = Field(ge=0)


def context_study(
    findings: Mapping[ContextMethod, Sequence[LabelledFinding]],
    *,
    epsilon_ec: float = 0.8,
    grid: Sequence[float] = EC_GRID,
) -> ContextStudy:
    """Return the study of ``findings``, by the way they were made.

    Raises:
        ValueError: two findings of one method for the same item and repeat, or an item with two labels.

    Source: MORTAR, section V-C3, Fig. 6 and Table XII; section V-D2.
    """
    swept = _first(findings.get(ContextMethod.EC, ()))
    usable, sweep = _sweep(swept, epsilon_ec, grid)
    return ContextStudy(
        epsilon_ec=epsilon_ec,
        methods=tuple(method_study(method, findings[method]) for method in ContextMethod if method in findings),
        sweep=sweep,
        n_swept=len(usable),
        n_left_out=len(swept) - len(usable),
    )


def method_study(method: ContextMethod, findings: Sequence[LabelledFinding]) -> MethodStudy:
    """Return what the findings of one method come to; raises ValueError."""
    _refuse_contradictions(findings)
    undecided = Counter(each.finding.reason for each in findings if each.finding.equivalent is None)
    return MethodStudy(
        method=method,
        n_items=len({each.item for each in findings}),
        n_findings=len(findings),
        not_applicable={reason: undecided[reason] for reason in ContextReason if undecided[reason]},
        n_calls=sum(each.finding.n_calls for each in findings),
        scores=binary_scores(_confusion(_first(findings))),
        repeats=repeat_study(findings),
    )


def repeat_study(findings: Sequence[LabelledFinding]) -> RepeatStudy:
    """Return how steady the findings of one method are; raises ValueError.

    Source: MORTAR, section V-C3: "over 84 % judgements … are identical with the first attempt", Fleiss' κ 0.63.
    """
    _refuse_contradictions(findings)
    repeats = sorted({each.repeat for each in findings})
    by_item: dict[str, dict[int, LabelledFinding]] = {}
    for each in findings:
        by_item.setdefault(each.item, {})[each.repeat] = each
    complete = [rows for found in by_item.values() if (rows := _decided(found, repeats)) is not None]
    decisions = [[row.finding.equivalent is True for row in rows] for rows in complete]
    n_equal = sum(later == row[0] for row in decisions for later in row[1:])
    n_compared = sum(len(row) - 1 for row in decisions)
    accuracies = [_confusion(column).accuracy for column in zip(*complete, strict=True)]
    return RepeatStudy(
        n_repeats=len(repeats),
        n_items=len(complete),
        n_incomplete=len(by_item) - len(complete),
        n_equal=n_equal,
        n_compared=n_compared,
        equal_share=n_equal / n_compared if n_compared else None,
        n_steady=sum(len(set(row)) == 1 for row in decisions),
        kappa=fleiss_kappa([(sum(row), len(row) - sum(row)) for row in decisions]),
        accuracy=spread([value for value in accuracies if value is not None], reason="no item was decided each time"),
    )


def _decided(found: Mapping[int, LabelledFinding], repeats: Sequence[int]) -> list[LabelledFinding] | None:
    """Return an item's findings in the order of ``repeats``; ``None`` unless each is there and decided."""
    rows = [found[repeat] for repeat in repeats if repeat in found]
    whole = len(rows) == len(repeats) and all(row.finding.equivalent is not None for row in rows)
    return rows if whole else None


def _first(findings: Iterable[LabelledFinding]) -> list[LabelledFinding]:
    """Return the finding of every item with the lowest repeat."""
    first: dict[str, LabelledFinding] = {}
    for each in findings:
        if each.item not in first or each.repeat < first[each.item].repeat:
            first[each.item] = each
    return list(first.values())


def _confusion(findings: Iterable[LabelledFinding]) -> Confusion:
    return confusion_of(
        (each.label, each.finding.equivalent) for each in findings if each.finding.equivalent is not None
    )


def _sweep(
    findings: Sequence[LabelledFinding], epsilon_ec: float, grid: Sequence[float]
) -> tuple[list[LabelledFinding], tuple[SweepLine, ...]]:
    """Return the findings that are swept, and the lines."""
    decided = [each for each in findings if each.finding.equivalent is not None]
    usable = [each for each in decided if similarity_of(each.finding, Reading.BOTH) is not None]
    usable = usable or [each for each in decided if each.finding.cos_q is not None]
    return usable, tuple(_line(reading, usable, epsilon_ec, grid) for reading in Reading)


def _line(reading: Reading, findings: Sequence[LabelledFinding], epsilon_ec: float, grid: Sequence[float]) -> SweepLine:
    found = [(similarity_of(each.finding, reading), each.label) for each in findings]
    known = [(similarity, label) for similarity, label in found if similarity is not None]
    if not known:
        return SweepLine(reading=reading, calibration=None, reason=f"no finding has the similarity of {reading}")
    calibration = calibrate_thresholds(
        [similarity for similarity, _ in known],
        [label for _, label in known],
        grid,
        default=epsilon_ec,
        goal=Goal.BALANCED_ACCURACY,
    )
    return SweepLine(reading=reading, calibration=calibration)


def similarity_of(finding: ContextFinding, reading: Reading) -> float | None:
    """Return what ``reading`` compares with ε_EC, ``None`` when the finding lacks it.

    Source: MORTAR, eq. 42.
    """
    if reading is Reading.QUESTIONS:
        return finding.cos_q
    if reading is Reading.ANSWERS:
        return finding.cos_a
    return None if finding.cos_q is None or finding.cos_a is None else (finding.cos_q + finding.cos_a) / 2


def _refuse_contradictions(findings: Iterable[LabelledFinding]) -> None:
    labels: dict[str, bool] = {}
    seen: set[tuple[str, int]] = set()
    for each in findings:
        if (each.item, each.repeat) in seen:
            raise ValueError(f"two findings for item {each.item!r}, repeat {each.repeat}; give one")
        if labels.setdefault(each.item, each.label) is not each.label:
            raise ValueError(f"item {each.item!r} has two labels; give it one")
        seen.add((each.item, each.repeat))
