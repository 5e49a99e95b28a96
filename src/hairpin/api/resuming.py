"""Going on with a stopped run from Python.

What is left to do is ``app.resume``'s to know.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from hairpin.api.arguments import Assistants, adapters_for, blocking, seconds_of
from hairpin.api.results import RunResult, result_of
from hairpin.app.resume import ResumeRequest, load_resumable, resume_run
from hairpin.campaign.events import SilentListener
from hairpin.sut.threads import run_in_daemon_thread


async def aresume(
    run: str | Path, *, sut: Assistants | None = None, time: str | float | None = None, allow_changed: bool = False
) -> RunResult:
    """Go on with a run that was stopped, with the settings that it began with, and return its result.

    Args:
        run: its folder, or the beginning of its name under ``runs/``.
        sut: the assistant, or several by label, where it was a Python object; one that stands alone takes the label of
            the run's only assistant.
        time: how much more time each arm of a campaign gets, as ``"30m"`` or in seconds.
        allow_changed: also when the assistant, packs or files are others than when the run began.

    Raises:
        UserError: there is no such run, another process drives it, or something must be mended first.
        HairpinError: it could not be stored, or what stopped it.
    """
    wanted = ResumeRequest(run=run, time_s=seconds_of(time), adapters=await adapters_for(run, sut))
    resumable = await run_in_daemon_thread(partial(load_resumable, wanted))
    return result_of(await resume_run(resumable, listener=SilentListener(), allow_changed=allow_changed))


def resume(
    run: str | Path, *, sut: Assistants | None = None, time: str | float | None = None, allow_changed: bool = False
) -> RunResult:
    """Go on with a run from code that has no running event loop; arguments and result are those of :func:`aresume`.

    Args:
        run: its folder, or the beginning of its name under ``runs/``.
        sut: the assistant, or several by label, where it was a Python object; one that stands alone takes the label of
            the run's only assistant.
        time: how much more time each arm of a campaign gets, as ``"30m"`` or in seconds.
        allow_changed: also when the assistant, packs or files are others than when the run began.

    Raises:
        UserError: called inside a running event loop; use ``await hairpin.aresume(...)`` there.
        HairpinError: whatever ``aresume`` raises.
    """
    return blocking("resume", lambda: aresume(run, sut=sut, time=time, allow_changed=allow_changed))
