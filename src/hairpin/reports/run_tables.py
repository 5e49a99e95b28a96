"""The tables that every run has: counts and rates by assistant, failures by mode.

It computes nothing but rows of a ``ReportModel``'s figures.
"""

from __future__ import annotations

from hairpin.domain.summary import Summary
from hairpin.domain.tally import GroupSummary
from hairpin.reports.model import AssistantReplays, ModeRow, ReportModel
from hairpin.reports.tables import (
    Cell,
    CellKind,
    Column,
    FloatCell,
    IntegerCell,
    MissingCell,
    PercentCell,
    Section,
    Table,
    TextCell,
)

_NO_RATE = "no conversation passed or failed"
_NO_SCORE = "no rated conversation has a success score"


def run_section(report: ReportModel) -> Section:
    """Return the tables of any run; of one that only replayed, what was asked, since nothing has a verdict."""
    summary = report.summary
    if report.only_replays:
        return Section(id="summary", title="Summary", parts=(_replayed_assistants(report),))
    return Section(id="summary", title="Summary", parts=(_assistants(summary), _modes(report), _stop_reasons(summary)))


def _assistants(summary: Summary) -> Table:
    counts = ("planned", "passed", "failed", "inconclusive", "invalid", "missing")
    rows: list[tuple[Cell, ...]] = [
        (TextCell(text=label), TextCell(text=f"{sut.name} {sut.version}".strip()), *_group_cells(sut, counts))
        for label, sut in summary.suts.items()
    ]
    return Table(
        id="assistants",
        title="Assistants under test",
        note="The failure rate is failed / (passed + failed). C is the success score.",
        columns=(
            Column(name="Assistant", header=True),
            Column(name="Name"),
            *(Column(name=name.capitalize(), kind=CellKind.INTEGER) for name in counts),
            Column(name="Failure rate", kind=CellKind.PERCENT),
            Column(name="Mean C", kind=CellKind.FLOAT),
            Column(name="Failure types per conversation", kind=CellKind.FLOAT),
        ),
        rows=tuple(rows),
    )


def _replayed_assistants(report: ReportModel) -> Table:
    return Table(
        id="assistants",
        title="Assistants under test",
        note="Test seeds: asked as they are. Broken off: of both, those that ended in an error or were cut short.",
        columns=(
            Column(name="Assistant", header=True),
            Column(name="Name"),
            Column(name="Test seeds", kind=CellKind.INTEGER),
            Column(name="Follow-ups", kind=CellKind.INTEGER),
            Column(name="Broken off", kind=CellKind.INTEGER),
            Column(name="Missing", kind=CellKind.INTEGER),
            Column(name="Utterances sent", kind=CellKind.INTEGER),
        ),
        rows=tuple(
            (
                TextCell(text=label),
                TextCell(text=f"{sut.name} {sut.version}".strip()),
                *_replay_cells(report.replays[label]),
            )
            for label, sut in report.summary.suts.items()
        ),
    )


def _replay_cells(asked: AssistantReplays) -> tuple[Cell, ...]:
    return tuple(
        IntegerCell(value=number)
        for number in (asked.test_seeds, asked.follow_ups, asked.broken, asked.missing, asked.calls)
    )


def _group_cells(group: GroupSummary, counts: tuple[str, ...]) -> tuple[Cell, ...]:
    rate, score, types = (
        group.failure_rate,
        group.mean_success_score,
        group.unique_failure_types_per_conversation,
    )
    return (
        *(IntegerCell(value=getattr(group.conversations, name)) for name in counts),
        MissingCell(reason=_NO_RATE) if rate is None else PercentCell(share=rate),
        MissingCell(reason=_NO_SCORE) if score is None else FloatCell(value=score),
        MissingCell(reason=_NO_RATE) if types is None else FloatCell(value=types),
    )


def _modes(report: ReportModel) -> Table:
    labels = tuple(report.summary.suts) if len(report.summary.suts) > 1 else ()
    return Table(
        id="failures-by-mode",
        title="Failures by mode",
        note="Counted over passed and failed conversations only.",
        empty="No failure was found in the conversations that passed or failed.",
        columns=(
            Column(name="Mode", header=True),
            Column(name="Critical"),
            Column(name="Instances", kind=CellKind.INTEGER),
            Column(name="Conversations", kind=CellKind.INTEGER),
            *(Column(name=f"Instances, {label}", kind=CellKind.INTEGER) for label in labels),
        ),
        rows=tuple(_mode_cells(row, labels) for row in report.modes),
    )


def _mode_cells(row: ModeRow, labels: tuple[str, ...]) -> tuple[Cell, ...]:
    return (
        TextCell(text=row.mode.title),
        TextCell(text="yes" if row.critical else "no"),
        IntegerCell(value=row.count.instances),
        IntegerCell(value=row.count.conversations),
        *(IntegerCell(value=row.by_sut[label].instances) for label in labels),
    )


def _stop_reasons(summary: Summary) -> Table:
    return Table(
        id="stop-reasons",
        title="How conversations ended",
        empty="No conversation has ended.",
        columns=(Column(name="Stop reason", header=True), Column(name="Conversations", kind=CellKind.INTEGER)),
        rows=tuple((TextCell(text=name), IntegerCell(value=n)) for name, n in summary.stop_reasons.items()),
    )
