"""Noise calibration: the paper's count of violations beside those that stand out from the assistant's own noise.

It computes nothing; ``metamorphic.noise`` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from hairpin.metamorphic.noise import CalibratedClass, CalibratedRelation, NoiseReport, NullUsed
from hairpin.reports.cells import count, counts, number, numbers, text, words
from hairpin.reports.tables import Cell, Section, Table

SutNoise: TypeAlias = tuple[str, NoiseReport]
"""An assistant's label with its calibrated counts."""

_DIGITS = 4


def noise_section(found: Sequence[SutNoise], *, null_replays: int) -> Section:
    """Return both counts side by side, and what they were held against."""
    return Section(
        id="noise",
        title="Violations beyond noise",
        text=(
            "An assistant that says the same twice in other words violates a threshold too. So a violation counts here "
            "only if its similarity is also extreme among similarities that mean nothing: those of unchanged replays "
            "(MR1, MR3, METAL), and those of answers to different questions (MR2, MR4), of the same kind of answer; at "
            f"level {_alpha(found):g}, corrected by Benjamini and Hochberg over each group of relations. What is "
            "answered wrong in unchanged replays too does not stand out; RBT and L1 tell of it.",
            *_without_replays(null_replays),
            *(told for sut, report in found for told in _powerless(sut, report)),
        ),
        parts=(_counts(found), _nulls(found)),
    )


def _alpha(found: Sequence[SutNoise]) -> float:
    return found[0][1].alpha if found else 0.0


def _without_replays(null_replays: int) -> Iterator[str]:
    if not null_replays:
        yield (
            "The run has no unchanged replays, so nothing is known of MR1, MR3 and METAL: set metamorphic: "
            "{null_replays: 2} to replay every test seed as it is."
        )


def _powerless(sut: str, report: NoiseReport) -> Iterator[str]:
    for group in report.classes:
        if group.n_checks and not group.can_reject:
            names = ", ".join(each.relation.value for each in group.relations)
            yield (
                f"{sut}, {names}: the smallest p that can be reached is {group.smallest_p:.2g}, which is too large for "
                f"any of {group.n_checks:,} checks to be rejected; more unchanged replays or test seeds would help."
            )


def _counts(found: Sequence[SutNoise]) -> Table:
    return Table(
        id="calibrated",
        title="Violations as the paper counts them, and beyond noise",
        note="At least so many checks of a group must reach the smallest p together for any of them to be rejected.",
        columns=(
            words("Assistant", header=True),
            words("Relation"),
            counts("Checks"),
            counts("Violated"),
            counts("Beyond noise"),
            numbers("Smallest p"),
            numbers("Checks needed"),
        ),
        rows=tuple(
            _row(sut, group, each)
            for sut, report in found
            for group in report.classes
            for each in group.relations
            if each.n_checks
        ),
        empty="No check was executed.",
    )


def _row(sut: str, group: CalibratedClass, each: CalibratedRelation) -> tuple[Cell, ...]:
    needed = None if group.n_needed is None else float(group.n_needed)
    return (
        text(sut),
        text(each.relation.value),
        count(each.n_checks),
        count(each.n_violations),
        count(each.n_calibrated),
        number(group.smallest_p, "no check was executed", digits=_DIGITS),
        number(needed, "no number of checks is enough", digits=0),
    )


def _nulls(found: Sequence[SutNoise]) -> Table:
    return Table(
        id="nulls",
        title="What violations were held against",
        note="A kind of answer with too few similarities of its own is held against those of all kinds.",
        columns=(
            words("Assistant", header=True),
            words("Relation"),
            words("Kind of answer"),
            counts("Of that kind"),
            counts("Used"),
            words("Of which kinds"),
        ),
        rows=tuple(
            _null_row(sut, null)
            for sut, report in found
            for group in report.classes
            for each in group.relations
            for null in each.nulls
        ),
        empty="Nothing was held against anything.",
        folded=True,
    )


def _null_row(sut: str, null: NullUsed) -> tuple[Cell, ...]:
    return (
        text(sut),
        text(null.relation.value),
        text("unknown" if null.answer_type is None else null.answer_type.value.replace("_", " ")),
        count(null.n_own),
        count(null.n_used),
        text("all" if null.pooled else "its own"),
    )
