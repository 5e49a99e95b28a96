"""Confirming the failures of a stored run from Python.

Which trials are missing and what they show is ``app.confirm``'s to know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hairpin.api.arguments import Assistants, adapters_for, blocking, names_of, require_limits, require_number
from hairpin.api.results import require_unbroken
from hairpin.app.confirm import confirm_run, spec_for, with_limits
from hairpin.app.resume import ResumeRequest, load_resumable
from hairpin.campaign.events import SilentListener
from hairpin.domain.confirmation import Confirmation, ConfirmationSummary
from hairpin.domain.trials import MAX_TRIALS
from hairpin.sut.threads import run_in_daemon_thread


@dataclass(frozen=True, slots=True)
class ConfirmResult:
    """What trials say of the failed conversations that were asked for.

    Attributes:
        path: the folder of the run, which holds the trials too.
        summary: how many are confirmed, by label, mode and kind of trial.
        confirmations: what the trials of each conversation say of its verdict and its failures, in plan order.
        n_missing: trials that were not run to their end; the same call goes on with them.
    """

    path: Path
    summary: ConfirmationSummary
    confirmations: tuple[Confirmation, ...]
    n_missing: int


async def aconfirm(
    run: str | Path,
    conversations: str | Sequence[str] = (),
    *,
    rejudge: int | None = None,
    replay: int | None = None,
    resimulate: int | None = None,
    sut: Assistants | None = None,
    concurrency: int | None = None,
    max_cost: float | None = None,
    max_tokens: int | None = None,
    allow_changed: bool = False,
) -> ConfirmResult:
    """Try failed conversations of a stored run again and say which failures are confirmed; the trials are kept in it.

    Args:
        run: its folder, or the beginning of its name under ``runs/``.
        conversations: the id of one, or several; by default all that failed.
        rejudge: how often each is judged again on what was said; ``None``: as the scenario says, else 3.
        replay: how often the assistant gets the user's words again; ``None``: as the scenario says, else 3.
        resimulate: how often user and assistant speak anew; ``None``: as the scenario says, else 2.
        sut: the assistant, or several by label, where it was a Python object; one that stands alone takes the label of
            the run's only assistant.
        concurrency: trials at the same time; ``None``: as in the run.
        max_cost, max_tokens: limits as for :func:`arun`, of what the run has spent with its trials; ``None``: its own.
        allow_changed: also when the assistant, packs or files are others than when the run began.

    Raises:
        UserError: there is no such run, one of the conversations did not fail, another process drives the run, or
            something must be mended first.
        HairpinError: what ended the trials early, such as an assistant that is down; those that ended are kept.
        ValueError: a number is too small, or above 255 trials of a kind.
    """
    for name, times in {"rejudge": rejudge, "replay": replay, "resimulate": resimulate}.items():
        require_number(name, times, least=0, most=MAX_TRIALS - 1)
    require_limits(concurrency, max_cost, max_tokens)
    wanted = ResumeRequest(run=run, adapters=await adapters_for(run, sut))
    resumable = with_limits(
        await run_in_daemon_thread(load_resumable, wanted),
        concurrency=concurrency,
        max_cost=max_cost,
        max_tokens=max_tokens,
    )
    found = await confirm_run(
        resumable,
        spec_for(resumable, rejudge=rejudge, replay=replay, resimulate=resimulate),
        names_of(conversations),
        listener=SilentListener(),
        allow_changed=allow_changed,
    )
    require_unbroken(found.tried.finished)
    return ConfirmResult(resumable.directory.path, found.summary, found.confirmations, found.tried.n_missing)


def confirm(
    run: str | Path,
    conversations: str | Sequence[str] = (),
    *,
    rejudge: int | None = None,
    replay: int | None = None,
    resimulate: int | None = None,
    sut: Assistants | None = None,
    concurrency: int | None = None,
    max_cost: float | None = None,
    max_tokens: int | None = None,
    allow_changed: bool = False,
) -> ConfirmResult:
    """Confirm failures from code that has no running event loop; arguments and result are those of :func:`aconfirm`.

    Raises:
        UserError: called inside a running event loop; use ``await hairpin.aconfirm(...)`` there.
        HairpinError: whatever ``aconfirm`` raises.
        ValueError: as ``aconfirm``.
    """
    call = partial(
        aconfirm,
        run,
        conversations,
        rejudge=rejudge,
        replay=replay,
        resimulate=resimulate,
        sut=sut,
        concurrency=concurrency,
        max_cost=max_cost,
        max_tokens=max_tokens,
        allow_changed=allow_changed,
    )
    return blocking("confirm", call)
