"""Confirms the failures of a stored run: plans the trials that are missing, has them run, and says what they show.

It must not print; the command line does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from hairpin.app.resume import Resumable
from hairpin.app.stored import StoredRun, open_stored
from hairpin.app.trials import Tried, run_trials
from hairpin.campaign.events import RunListener
from hairpin.domain.confirmation import Confirmation, ConfirmationSummary, summarise_confirmations
from hairpin.domain.confirming import kinds_for, trials_wanted
from hairpin.domain.outcome import Verdict
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.sut_spec import RecordedSut
from hairpin.domain.trials import ConfirmSpec
from hairpin.errors import InvalidInputError
from hairpin.sut.threads import run_in_daemon_thread


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What trials say of the conversations that were asked for, in plan order.

    ``tried``: what came of the trials that were run for it.
    """

    tried: Tried
    confirmations: tuple[Confirmation, ...]
    summary: ConfirmationSummary


async def confirm_run(
    resumable: Resumable,
    spec: ConfirmSpec,
    conversations: Sequence[str] = (),
    *,
    listener: RunListener,
    allow_changed: bool = False,
) -> Confirmed:
    """Try failed conversations of a stored run again, and write its summary and report anew.

    Args:
        resumable: the run, as ``app.resume.load_resumable`` reads it.
        spec: how often; trials that there are count.
        conversations: which; empty: all that failed.
        listener: hears of each trial.
        allow_changed: also when the assistant, packs or files of the user's are others than in the run.

    Raises:
        UserError: one of them is not there or did not fail, or something must be mended first.
        StoreError: the run cannot be read or written.
    """
    # Reading the rows and the scenario of a long campaign takes seconds: not on the caller's loop.
    sources, trials = await run_in_daemon_thread(_planned, resumable, conversations, spec)
    tried = await run_trials(resumable, trials, listener=listener, allow_changed=allow_changed)
    found = await run_in_daemon_thread(_found, resumable, {source.id for source in sources})
    return Confirmed(tried, found, summarise_confirmations(found, n_failed=len(sources)))


def spec_for(resumable: Resumable, *, rejudge: int | None, replay: int | None, resimulate: int | None) -> ConfirmSpec:
    """Return how often to try: as asked, else as the scenario says, else the default."""
    asked = {"rejudge": rejudge, "replay": replay, "resimulate": resimulate}
    own = resumable.request.inputs.scenario.confirm or ConfirmSpec()
    return own.model_copy(update={name: times for name, times in asked.items() if times is not None})


def with_limits(
    resumable: Resumable, *, concurrency: int | None, max_cost: float | None, max_tokens: int | None
) -> Resumable:
    """Return the run with other limits for its trials; ``None``: as in the run."""
    request, spending = resumable.request, resumable.request.spending
    spending = replace(
        spending,
        max_cost_usd=spending.max_cost_usd if max_cost is None else max_cost,
        max_tokens=spending.max_tokens if max_tokens is None else max_tokens,
    )
    request = replace(request, concurrency=concurrency or request.concurrency, spending=spending)
    return replace(resumable, request=request)


def _planned(
    resumable: Resumable, conversations: Sequence[str], spec: ConfirmSpec
) -> tuple[tuple[PlannedConversation, ...], tuple[PlannedConversation, ...]]:
    """Return the failed conversations, and the trials of them that are missing."""
    with open_stored(resumable.directory.path) as stored:
        sources = tuple(_sources(stored, conversations))
        return sources, tuple(_missing(stored, sources, spec))


def _found(resumable: Resumable, wanted: Set[str]) -> tuple[Confirmation, ...]:
    with open_stored(resumable.directory.path) as stored:
        return tuple(each for each in stored.confirmations() if each.conversation in wanted)


def _sources(stored: StoredRun, conversations: Sequence[str]) -> Iterator[PlannedConversation]:
    """Yield the failed conversations, in plan order; of those asked for each must be one."""
    for name in conversations:
        record = stored.conversation(name)
        verdict = record.outcome.judgement.verdict if record.outcome else None
        if not record.planned.for_itself or verdict is not Verdict.FAIL:
            what = "is a trial, canary or follow-up" if not record.planned.for_itself else f"has verdict {verdict}"
            raise InvalidInputError(
                f"{name} {what}: only a failed conversation can be confirmed",
                where=str(stored.directory.path),
                hint="leave the conversations out, and all that failed are tried",
            )
    for planned, outcome in stored.reader.ended():
        if outcome.judgement.verdict is Verdict.FAIL and (not conversations or planned.id in conversations):
            yield planned


def _missing(
    stored: StoredRun, sources: Sequence[PlannedConversation], spec: ConfirmSpec
) -> Iterator[PlannedConversation]:
    recorded = isinstance(stored.scenario().sut, RecordedSut)
    for source in sources:
        made = stored.reader.trials(source)
        for kind in kinds_for(source, recorded=recorded):
            try:
                yield from trials_wanted(source, kind, spec.times(kind), made)
            except ValueError as error:
                hint = f"ask for fewer with --{kind.value}, name the other conversations, or start a new run"
                raise InvalidInputError(str(error), where=str(stored.directory.path), hint=hint) from error
