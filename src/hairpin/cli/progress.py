"""Progress of a run: a live view on a terminal, plain lines elsewhere. Always on stderr.

It must not print results; those go to stdout.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from hairpin.domain.canary_rates import CanaryTally
from hairpin.domain.canary_words import counted_line
from hairpin.domain.outcome import StopReason, Verdict
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import Outcome
from hairpin.domain.relations import count_violations

if TYPE_CHECKING:
    from hairpin.campaign.events import ArmStatus, CampaignStatus, ConversationEnd
    from hairpin.domain.outcome import Stop
    from hairpin.graph.family_state import FamilyEnd

LINE_EVERY_S: Final = 30.0
"""Where there is no terminal, a campaign says how it stands this often."""

_MODES_SHOWN: Final = 6


class RunProgress:
    """A run listener that shows how many conversations ended, and how; of a campaign also what it has left.

    ``monotonic``: seconds on a clock that never goes back; ``campaign``: conversations are too many for a line each.
    """

    def __init__(self, monotonic: Callable[[], float], *, campaign: bool = False) -> None:
        self._console = Console(file=sys.stderr, highlight=False, markup=False, emoji=False)
        self._monotonic = monotonic
        self._campaign = campaign
        self._live = Live(console=self._console, transient=True, refresh_per_second=4)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TextColumn("{task.fields[counts]}"),
            TimeElapsedColumn(),
            console=self._console,
        )
        self._task: TaskID | None = None
        self._n_planned: int | None = None
        self._counts: Counter[str] = Counter()
        self._modes: Counter[str] = Counter()
        self._retries = self._replays_known = self._replays_ended = self._asides_ended = 0
        self._ending = self._writing = False
        self._started_s = self._said_s = monotonic()
        self._status: CampaignStatus | None = None
        self._canaries = CanaryTally(scored=False)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._console.is_terminal:
            self._live.stop()

    def run_started(self, *, n_planned: int | None) -> None:
        """Show how much there is to do."""
        self._n_planned = n_planned
        self._started_s = self._said_s = self._monotonic()
        if self._console.is_terminal:
            self._task = self._bar.add_task("conversations", total=n_planned, counts="")
            self._show()

    def conversation_started(self, planned: PlannedConversation) -> None:
        """Show nothing: a conversation counts when it ends."""

    def conversation_retried(self, planned: PlannedConversation, stop: Stop) -> None:
        """Count it, and say why."""
        self._retries += 1
        self._say(f"{planned.id} {planned.sut}: tried again after {stop.reason}: {stop.detail}")

    def conversation_ended(self, planned: PlannedConversation, end: ConversationEnd | None) -> None:
        """Count it; without a terminal, print one line, unless a campaign has too many of them."""
        self._counts[_word(end.outcome if end else None)] += 1
        if end is not None and end.outcome.judgement.verdict in (Verdict.PASS, Verdict.FAIL):
            self._modes.update({failure.mode for failure in end.failures})
        if self._console.is_terminal:
            self._show()
        elif not self._campaign:
            done, of = self._counts.total(), "" if self._n_planned is None else f"/{self._n_planned}"
            self._say(f"{done}{of} {planned.id} {planned.sut}: {_ending(end.outcome if end else None)}")

    def family_started(self, source: str, *, n_follow_ups: int, n_left: int) -> None:  # noqa: ARG002 - a listener's
        """Show that there are more replays."""
        self._replays_known += n_follow_ups
        self._replays_ended += n_follow_ups - n_left
        if self._console.is_terminal:
            self._show()

    def follow_up_started(self, planned: PlannedConversation) -> None:
        """Show nothing: a replay counts when it ends."""

    def follow_up_ended(self, planned: PlannedConversation, end: ConversationEnd | None) -> None:  # noqa: ARG002 - ditto
        """Count it, apart from conversations."""
        self._replays_ended += end is not None
        if self._console.is_terminal:
            self._show()

    def family_ended(self, end: FamilyEnd) -> None:
        """Without a terminal say what was found, unless a campaign has too much of it."""
        if end.fold is not None and not self._console.is_terminal and not self._campaign:
            n_checks = sum(check.violated is not None for check in end.fold.checks)
            found = f"{count_violations(end.fold.checks)} of {n_checks} relation check{'s' * (n_checks != 1)} violated"
            self._say(f"{self._replays()}; {end.source}: {end.n_ended} of {end.n_follow_ups} replayed, {found}")

    def aside_started(self, planned: PlannedConversation) -> None:
        """Show nothing: a trial counts when it ends."""

    def aside_ended(self, planned: PlannedConversation, end: ConversationEnd | None) -> None:
        """Count it, apart from conversations; without a terminal, print one line, unless it belongs to a campaign."""
        is_canary = planned.canary is not None
        self._asides_ended += end is not None and not is_canary
        if end is not None and is_canary:
            self._canaries.scored |= end.outcome.judgement.success_score is not None
            self._canaries.add(planned, end.failures, end.outcome)
        if self._console.is_terminal:
            self._show()
        elif not self._campaign:
            shown = "" if end is None or not is_canary else f"; {self._judges()}"
            self._say(f"{planned.id} {planned.sut}: {_ending(end.outcome if end else None)}{shown}")

    def ticked(self, status: CampaignStatus) -> None:
        """Show how the campaign stands; without a terminal, one line every half minute."""
        self._status = status
        now_s = self._monotonic()
        if self._console.is_terminal:
            self._show()
        elif now_s - self._said_s >= LINE_EVERY_S:
            self._said_s = now_s
            self._say("; ".join(self._lines()))

    def run_ended(self) -> None:
        """Say that the report is written: that of a campaign takes a while."""
        self._writing = True
        if self._console.is_terminal:
            self._show()
        elif self._campaign:
            self._say("writing the report")

    def ending(self) -> None:
        """Show that the run was interrupted and is ending; without a terminal nothing hides what was said of it."""
        self._ending = True
        if self._console.is_terminal:
            self._show()

    def _say(self, line: str) -> None:
        self._console.print(line, soft_wrap=True)

    def _show(self) -> None:
        if self._task is not None:
            self._bar.update(self._task, completed=self._counts.total(), counts=self._counted())
        lines = self._lines()[1:] if self._status is not None else []
        if self._status is None and self._replays_known:
            lines.append(self._replays())
        if self._status is None and self._asides_ended:
            lines.append(self._asides())
        if self._status is None and self._canaries.planned:
            lines.append(self._judges())
        if self._ending:
            lines.append("interrupted, ending the conversations; a second signal ends at once")
        if self._writing:
            lines.append("writing the report")
        shown = Group(self._bar, *(Text(f"  {line}") for line in lines))
        self._live.update(shown, refresh=self._ending or self._writing)

    def _lines(self) -> list[str]:
        """Return how the campaign stands, the counts first."""
        lines = [f"{self._counts.total()} conversations ({self._counted() or 'none ended yet'})"]
        if self._status is not None:
            lines += [_cell_words(self._status), *(_arm_words(arm, its) for arm, its in self._status.arms.items())]
        minutes = (self._monotonic() - self._started_s) / 60
        if minutes > 0:
            lines.append(f"{self._counts.total() / minutes:.1f} conversations per minute")
        if self._replays_known:
            lines.append(self._replays())
        if self._asides_ended:
            lines.append(self._asides())
        if self._canaries.planned:
            lines.append(self._judges())
        if self._modes:
            shown = ", ".join(f"{mode} {number}" for mode, number in self._modes.most_common(_MODES_SHOWN))
            lines.append(f"failures in conversations: {shown}")
        lines += [f"{self._retries} tried again"] if self._retries else []
        return [*lines, *(self._status.models if self._status is not None else ())]

    def _replays(self) -> str:
        return f"replays {self._replays_ended}/{self._replays_known}"

    def _asides(self) -> str:
        return f"trials {self._asides_ended}"

    def _judges(self) -> str:
        return counted_line(self._canaries.summary())

    def _counted(self) -> str:
        return ", ".join(f"{number} {name}" for name, number in sorted(self._counts.items()))


def _cell_words(status: CampaignStatus) -> str:
    if status.n_cells == 1:
        return f"against {status.sut}"
    return f"cell {status.cell + 1} of {status.n_cells}: run {status.run + 1} against {status.sut}"


def _arm_words(arm: str, status: ArmStatus) -> str:
    left = [] if status.left_s is None else [f"{_clock(status.left_s)} left"]
    if status.conversations_left is not None:
        left.append(f"{status.conversations_left} conversations left")
    running = f"{status.started} begun, {status.running} running, {status.distinct} distinct failures"
    return f"{arm}: {_clock(status.used_s)} used, {', '.join([*left, running])}"


def _clock(seconds: float) -> str:
    minutes, second = divmod(int(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02d}:{second:02d}"


def _word(outcome: Outcome | None) -> str:
    if outcome is None:
        return "interrupted"
    verdict = outcome.judgement.verdict
    if verdict is None:
        return _replayed_word(outcome.stop)
    return {Verdict.PASS: "passed", Verdict.FAIL: "failed"}.get(verdict, str(verdict))


def _ending(outcome: Outcome | None) -> str:
    if outcome is None:
        return "interrupted"
    score = outcome.judgement.success_score
    shown = "" if score is None else f", C = {score:.2f}"
    if outcome.judgement.verdict is None:
        return _replayed(outcome.stop)
    return f"{_word(outcome)}{shown} ({outcome.stop.reason})"


def _replayed(stop: Stop) -> str:
    """Say that it was replayed, and what came between where that was not to its end."""
    from hairpin.reports.wording import STOP_WORDS

    word = _replayed_word(stop)
    return word if stop.reason is StopReason.SCRIPT_EXHAUSTED else f"{word}: {STOP_WORDS[stop.reason]}"


def _replayed_word(stop: Stop) -> str:
    return "replayed" if stop.rule.verdict is None else "not replayed to the end"
