"""What replays of one conversation show, as lines of plain text with a diff per turn, and as JSON.

It computes nothing; ``domain.reproduction`` does.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from enum import StrEnum
from typing import Final, NamedTuple

from hairpin.domain.reproduction import (
    FoundLabel,
    ReplayComparison,
    ReplayResult,
    ReproductionReport,
    TurnComparison,
)
from hairpin.reports.glossary import Glossary
from hairpin.reports.text import NO_ANSWER, is_blank, one_line, wrap

SCHEMA_VERSION: Final = 1

_WORDS: Final = {
    ReplayResult.REPRODUCED: "reproduced",
    ReplayResult.DIFFERENTLY: "ended differently",
    ReplayResult.NOT_REPRODUCED: "not reproduced",
    ReplayResult.UNUSABLE: "came to no verdict",
}


class LineKind(StrEnum):
    """What a line is, so that a terminal can colour it."""

    TEXT = "text"
    PLACE = "place"
    BEFORE = "before"
    AFTER = "after"


class Line(NamedTuple):
    """A line of the report."""

    text: str
    kind: LineKind = LineKind.TEXT


def reproduction_lines(report: ReproductionReport, titles: Glossary, *, width: int) -> Iterator[Line]:
    """Yield what came of the replays, and the first of each result whole: turn by turn, where it differs."""
    for paragraph in _sentences(report, titles):
        yield from (Line(each) for each in wrap(paragraph, width=width, rest="  "))
    shown: set[ReplayResult] = set()
    for replay in report.replays:
        yield Line("")
        yield Line(_told(replay))
        if replay.result not in shown:
            yield from _diff(report, replay, titles, width)
            shown.add(replay.result)
        yield Line(f"  hairpin show {shlex.quote(report.run)} {replay.id}")


def render_reproduction(report: ReproductionReport) -> str:
    """Return all there is as JSON, ASCII with escapes as ``summary.json`` is; ends with a newline."""
    told = {
        "schema_version": SCHEMA_VERSION,
        **report.model_dump(mode="json"),
        "results": {rate.result.value: rate.model_dump(mode="json", exclude={"result"}) for rate in report.rates},
        "n_unusable": report.n_unusable,
    }
    return json.dumps(told, indent=2, allow_nan=False) + "\n"


def _sentences(report: ReproductionReport, titles: Glossary) -> Iterator[str]:
    found = "; ".join(dict.fromkeys(_label(label, titles) for label in report.failures))
    anew = "" if not report.from_turn else f", answered anew from turn {report.from_turn} on"
    score = "" if report.success_score is None else f" (C {report.success_score:.2f})"
    yield f"{report.conversation} ({report.sut}): {report.standing.value}{score}{anew}; found: {found or 'no failure'}"
    n = len(report.replays) - report.n_unusable
    for rate in report.rates:
        if rate.number:
            interval = f" (95 % interval {100 * rate.low:.0f} to {100 * rate.high:.0f} %)"
            yield f"{_WORDS[rate.result]}: {rate.number} of {n}{interval if n > 1 else ''}"
    if report.n_unusable:
        yield f"{_WORDS[ReplayResult.UNUSABLE]}, and counted nowhere: {report.n_unusable}"
    if report.n_missing:
        yield f"not run to their end: {report.n_missing}"
    if len(report.replays) > len({replay.result for replay in report.replays}):
        yield "of each result only the first replay is shown turn by turn; the command below each shows it whole"


def _told(replay: ReplayComparison) -> str:
    score = "" if replay.success_score is None else f", C {replay.success_score:.2f}"
    why = f": {one_line(replay.detail)}" if replay.detail else ""
    return f"{replay.id}: {_WORDS[replay.result]} ({replay.standing.value}{score}){why}"


def _diff(report: ReproductionReport, replay: ReplayComparison, titles: Glossary, width: int) -> Iterator[Line]:
    same = [str(turn.t) for turn in replay.turns if turn.same]
    if same:
        what = "turn" if len(same) == 1 else "turns"
        yield Line(f"  the same to the letter, labels too: {what} {', '.join(same)}")
    if len(same) == len(replay.turns):
        return
    yield Line(f"  --- {report.conversation}", LineKind.BEFORE)
    yield Line(f"  +++ {replay.id}", LineKind.AFTER)
    for turn in replay.turns:
        if not turn.same:
            yield Line(f"  @@ turn {turn.t}{' (its reply stands)' if turn.standing else ''} @@", LineKind.PLACE)
            yield from (Line(each) for each in wrap(turn.user, width=width, first="    user: ", rest="    "))
            yield from _turn(turn, titles, width)


def _turn(turn: TurnComparison, titles: Glossary, width: int) -> Iterator[Line]:
    before = _block(turn.before, turn.labels_before, titles, width - 4)
    after = _block(turn.after, turn.labels_after, titles, width - 4)
    _, _, _, *lines = unified_diff(before, after, lineterm="", n=len(before) + len(after))
    kinds = {"-": LineKind.BEFORE, "+": LineKind.AFTER}
    for line in lines:
        yield Line(f"  {line[0]} {line[1:]}".rstrip(), kinds.get(line[0], LineKind.TEXT))


def _block(reply: str | None, labels: Sequence[FoundLabel], titles: Glossary, width: int) -> list[str]:
    """Return a reply and what was found in it, one thing a line."""
    said = NO_ANSWER if reply is not None and is_blank(reply) else reply
    lines = wrap("(not asked any more)" if said is None else said, width=width)
    return [*lines, *(f"[{_label(label, titles)}]" for label in labels)]


def _label(label: FoundLabel, titles: Glossary) -> str:
    kind = f", {one_line(label.target_kind)}" if label.target_kind else ""
    return f"{titles.mode(label.mode).title}{kind}"
