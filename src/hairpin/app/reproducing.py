"""A stored conversation said again to its live assistant: what is planned, run as trials, and what came of it.

It must not print; the command line does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hairpin.app.request import FinishedRun
from hairpin.app.resume import Resumable, ResumeRequest, load_resumable
from hairpin.app.stored import open_stored
from hairpin.app.trials import run_trials
from hairpin.campaign.events import RunListener
from hairpin.campaign.playing import trial_playing
from hairpin.domain.outcome import StopReason
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord
from hairpin.domain.reproduction import ReproductionReport, compare_replay, failures_from, fresh_replays
from hairpin.domain.tally import standing
from hairpin.errors import InvalidInputError
from hairpin.graph.stopping import StopToken
from hairpin.ports import SutAdapter
from hairpin.reports.glossary import Glossary
from hairpin.settings import LogLevel


@dataclass(frozen=True, slots=True)
class ReplayWish:
    """Which conversation of which run is said again, ``times`` times, answered anew from turn ``from_turn`` on."""

    run: str | Path
    conversation: str
    from_turn: int = 0
    times: int = 1
    adapters: Mapping[str, SutAdapter] = field(default_factory=dict)
    stop: StopToken = field(default_factory=StopToken)
    log_level: LogLevel = LogLevel.INFO


@dataclass(frozen=True, slots=True)
class Reproducing:
    """A stored run, a conversation of it, and the replays of it that are to be run; ``choice``: as ``StoredRun``'s."""

    resumable: Resumable
    source: ConversationRecord
    replays: tuple[PlannedConversation, ...]
    from_turn: int
    titles: Glossary
    choice: str


def load_reproducing(wish: ReplayWish) -> Reproducing:
    """Read what is to be said again; nothing is changed yet.

    Raises:
        UserError: no such run or conversation, it cannot be said again, or something that it needs must be mended.
        StoreError: the database cannot be read.
    """
    with open_stored(wish.run) as stored:
        directory, source, titles, choice = (
            stored.directory,
            stored.conversation(wish.conversation),
            stored.glossary(),
            stored.choice,
        )
        _require_replayable(source, recorded=stored.scenario().recorded, where=str(directory.path))
        made = stored.reader.trials(source.planned)
    try:
        replays = fresh_replays(source.planned, wish.times, made, from_turn=wish.from_turn)
    except ValueError as error:
        hint = "replay another conversation of the run, or start a new run"
        raise InvalidInputError(str(error), where=str(directory.path), hint=hint) from error
    for replay in replays:
        assert replay.trial is not None
        trial_playing(source, replay.trial)
    request = ResumeRequest(run=directory.path, adapters=wish.adapters, stop=wish.stop, log_level=wish.log_level)
    return Reproducing(load_resumable(request), source, replays, wish.from_turn, titles, choice)


async def reproduce(
    loaded: Reproducing, *, listener: RunListener, allow_changed: bool = False
) -> tuple[FinishedRun, ReproductionReport]:
    """Run the replays and say what came of them.

    Raises:
        RunBusyError: another process is driving the run.
        UserError: what it runs against has changed, or must be mended first.
        StoreError: it cannot be read or written.
    """
    tried = await run_trials(loaded.resumable, loaded.replays, listener=listener, allow_changed=allow_changed)
    source, outcome = loaded.source, loaded.source.outcome
    ended = [record for record in tried.records if record.outcome is not None]
    report = ReproductionReport(
        run=str(loaded.resumable.directory.path),
        conversation=source.planned.id,
        sut=source.planned.sut,
        from_turn=loaded.from_turn,
        standing=standing(source),
        success_score=outcome.judgement.success_score if outcome else None,
        failures=failures_from(source, loaded.from_turn),
        replays=tuple(compare_replay(source, record, from_turn=loaded.from_turn) for record in ended),
        n_missing=len(loaded.replays) - len(ended),
    )
    return tried.finished, report


def exit_code(finished: FinishedRun, report: ReproductionReport) -> int:
    """Return 0 where the replays say something, 3 where none came to a verdict, or the code of what ended them."""
    if finished.error is not None:
        return finished.error.exit_code
    return 0 if len(report.replays) > report.n_unusable else 3


def _require_replayable(source: ConversationRecord, *, recorded: bool, where: str) -> None:
    planned, outcome = source.planned, source.outcome
    if recorded:
        raise InvalidInputError(
            "its conversations are written down, replies included: there is no assistant to say them to again",
            where=where,
            hint="'hairpin rejudge RUN' judges them again; replay the run in which they were held",
        )
    if planned.replay is not None:
        hint = "'hairpin metamorphic' replays test seeds"
        raise InvalidInputError(f"conversation {planned.id!r} has no verdict to make again", where=where, hint=hint)
    if not planned.for_itself:
        hint = f"replay the conversation that it follows: {planned.id.partition('~')[0]}"
        raise InvalidInputError(f"conversation {planned.id!r} is itself a trial or a canary", where=where, hint=hint)
    if outcome is None or outcome.stop.reason is StopReason.INTERRUPTED:
        hint = "'hairpin resume RUN' goes on with it"
        raise InvalidInputError(f"conversation {planned.id!r} has not ended", where=where, hint=hint)
