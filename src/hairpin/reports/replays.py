"""The words in which reports speak of replays: what one is for, and what their relations found.

It computes nothing but sentences; tables of relations are ``reports.metamorphic_tables``.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from hairpin.domain.relation_counts import MetamorphicSummary
from hairpin.domain.relations import PAPER_ENCODER, AnswerComparison, MetamorphicSpec
from hairpin.domain.replay import Replay
from hairpin.reports.model import ReportModel, ViolationReport
from hairpin.reports.text import display_width, one_line, wrap


def replay_words(replay: Replay) -> str:
    """Say in a line what a conversation is replayed for."""
    kind = " ".join(filter(None, (replay.method.value.upper(), one_line(replay.kind))))
    numbered = f", number {replay.execution + 1}" if replay.execution else ""
    seed = f"test seed {one_line(replay.test_seed)}"
    if replay.source is None:
        return f"{seed} as it is ({kind})"
    return f"{kind}{numbered} of {one_line(replay.source)} ({seed})"


def replayed_line(replayed: MetamorphicSummary) -> str:
    """Say in a line how much was replayed and what came of it."""
    checks = replayed.total
    found = f"{checks.violations} of {_count(checks.checks, 'relation check')} violated"
    outside = [f"{replayed.broken} broke off"] * bool(replayed.broken)
    outside += [f"{replayed.missing} missing"] * bool(replayed.missing)
    outside += [f"{_count(checks.not_applicable, 'check')} not applicable"] * bool(checks.not_applicable)
    line = f"{_count(replayed.follow_ups, 'follow-up')} of {_count(replayed.sources, 'conversation')}, {found}"
    return f"{line}; besides {', '.join(outside)}" if outside else line


def violation_lines(report: ReportModel, *, width: int) -> Iterator[str]:
    """Yield the first violated relations, two lines each; of a run that has verdicts to tell only one, in one line.

    A command is not broken over lines.
    """
    if not report.violated:
        return
    first = report.violated[0]
    if not report.only_replays:
        asked = _clipped(first.question, max(8, width // 3))
        yield f"first violated relation: {first.relation.value}{_level(first)} {asked}: {_show(report, first)}"
        return
    number, shown = report.summary.metamorphic.total.violations, len(report.violated)
    which = "" if number == shown else f", {shown} of {number}, each of another question"
    yield f"violated relations{which}"
    for found in report.violated:
        yield _violation(found, width)
        yield f"    {_show(report, found)}"


def epsilon_note(spec: MetamorphicSpec) -> str:
    """Say that the default ε was found for another encoder than is used; empty where nothing is amiss."""
    encoder = spec.encoder.model or ""
    found_for_it = spec.epsilon != MetamorphicSpec().epsilon or PAPER_ENCODER in encoder
    if spec.comparison is not AnswerComparison.EMBEDDING or found_for_it:
        return ""
    return (
        f"ε = {spec.epsilon:g} was found for another encoder; 'hairpin metamorphic calibrate' finds this one's, or set "
        "metamorphic.comparison=lexical+embedding"
    )


def _violation(found: ViolationReport, width: int) -> str:
    head, between, last = f"  {found.relation.value}{_level(found)} ", " answered ", ", compared with "
    texts = [one_line(text) for text in (found.question, found.answer, found.compared_with)]
    room = width - len(head) - len(between) - len(last) - 2 * len(texts)
    asked, answered, other = (
        _clipped(text, share) for text, share in zip(texts, _shares(list(map(display_width, texts)), room), strict=True)
    )
    return f"{head}{asked}{between}{answered}{last}{other}"


def _shares(sizes: Sequence[int], room: int) -> list[int]:
    """Return how many columns each text gets: what short ones leave goes to long ones; eight at least."""
    shares = [0] * len(sizes)
    for left, place in zip(range(len(sizes), 0, -1), sorted(range(len(sizes)), key=sizes.__getitem__), strict=True):
        shares[place] = min(sizes[place], max(8, room // left))
        room -= shares[place]
    return shares


def _clipped(text: str, size: int) -> str:
    """Return ``text`` in quotes, in one line; what is cut off shows."""
    told = one_line(text)
    if display_width(told) <= size:
        return f'"{told}"'
    first, *_ = wrap(told, width=max(8, size - 1))
    return f'"{first}…"'


def _level(found: ViolationReport) -> str:
    return "" if found.level is None else f" L{found.level}"


def _show(report: ReportModel, found: ViolationReport) -> str:
    return f"hairpin show {shlex.quote(report.location)} {shlex.quote(found.conversation)}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
