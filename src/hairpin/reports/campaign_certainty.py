"""How certain a campaign's failure rates are: the failure probability whenever one looked.

It computes nothing; the intervals are ``analysis.sequences``'.
"""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.domain.arm import Arm
from hairpin.reports.campaign_results import ScopedSequence
from hairpin.reports.cells import (
    arm_colour,
    arm_text,
    arm_word,
    count,
    counts,
    intervals,
    missing,
    numbered,
    sut_text,
    whose,
    words,
)
from hairpin.reports.charts import Chart, Panel, Series
from hairpin.reports.plotting import draw
from hairpin.reports.tables import Cell, Figure, IntervalCell, Section, Table


def sequence_section(sequences: Sequence[ScopedSequence]) -> Section:
    """Return the failure probability with intervals that hold at every look."""
    suts = tuple(dict.fromkeys(each.scope.sut for each in sequences))
    figures = [
        _sequence([each for each in sequences if each.scope.sut == sut], numbered("failure-probability", index))
        for index, sut in enumerate(suts)
    ]
    return Section(
        id="certainty",
        title="How certain the failure rate is",
        text=(
            "All intervals along a line hold together with a probability of at least 95 %, however often one looks "
            "and whenever one stops. They are for conversations in plan order, over those that passed or failed.",
        ),
        parts=(_last(sequences), *figures),
    )


def _last(sequences: Sequence[ScopedSequence]) -> Table:
    return Table(
        id="certainty",
        title="Failure probability at the end",
        columns=(
            words("Arm", header=True),
            words("Assistant"),
            counts("Passed or failed"),
            counts("Failed"),
            intervals("Failure probability"),
        ),
        rows=tuple(
            (arm_text(each.scope.arm), sut_text(each.scope.sut), count(last.n), count(last.n_failed), _rate(each))
            for each in sequences
            for last in (each.sequence.last,)
        ),
    )


def _rate(each: ScopedSequence) -> Cell:
    last = each.sequence.last
    if not last.n:
        return missing("no conversation passed or failed")
    return IntervalCell(share=last.n_failed / last.n, low=last.low, high=last.high)


def _sequence(sequences: Sequence[ScopedSequence], figure_id: str) -> Figure:
    title = f"Failure probability, {whose(sequences[0].scope.sut)}"
    panel = Panel(y_label="failure probability", percent=True, series=tuple(map(_path, sequences)))
    return Figure(
        id=figure_id,
        title=title,
        note="The line is the share of failed conversations so far, the band its confidence sequence.",
        svg=draw(Chart(id=figure_id, label=title, x_label="Conversations passed or failed", panels=(panel,))),
        data=Table(
            id=figure_id,
            title=title,
            columns=(words("Arm"), counts("Passed or failed"), counts("Failed"), intervals("Failure probability")),
            rows=tuple(
                (
                    arm_text(each.scope.arm),
                    count(look.n),
                    count(look.n_failed),
                    IntervalCell(share=look.n_failed / look.n, low=look.low, high=look.high),
                )
                for each in sequences
                for look in each.sequence.looks
                if look.n
            ),
        ),
    )


def _path(each: ScopedSequence) -> Series:
    looks = [look for look in each.sequence.looks if look.n]
    return Series(
        name=arm_word(each.scope.arm),
        x=tuple(float(look.n) for look in looks),
        y=tuple(look.n_failed / look.n for look in looks),
        low=tuple(look.low for look in looks),
        high=tuple(look.high for look in looks),
        colour=arm_colour(each.scope.arm),
        dashed=each.scope.arm is Arm.BASELINE,
    )
