"""Saying a stored conversation to its assistant again from Python.

Whether it ended as before is ``app.reproducing``'s to know.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from hairpin.api.arguments import Assistants, adapters_for, blocking, require_number
from hairpin.api.results import require_unbroken
from hairpin.app.reproducing import ReplayWish, load_reproducing, reproduce
from hairpin.campaign.events import SilentListener
from hairpin.domain.reproduction import ReproductionReport
from hairpin.domain.trials import MAX_TRIALS
from hairpin.sut.threads import run_in_daemon_thread


async def areplay(
    run: str | Path,
    conversation: str,
    *,
    from_turn: int = 0,
    times: int = 1,
    sut: Assistants | None = None,
    allow_changed: bool = False,
) -> ReproductionReport:
    """Say what the user said in a stored conversation to the assistant again, and say whether it ends as it did.

    The replays are judged and kept in the run, apart from its conversations.

    Args:
        run: its folder, or the beginning of its name under ``runs/``.
        conversation: its id, such as ``"c0001"``.
        from_turn: the first turn, from 0, that is answered anew; before it the stored replies stand.
        times: how often.
        sut: the assistant, or several by label, where it was a Python object; one that stands alone takes the label of
            the run's only assistant.
        allow_changed: also when the assistant, packs or files are others than when the run began.

    Raises:
        UserError: there is no such run or conversation, it cannot be said again, another process drives the run, or
            something must be mended first.
        HairpinError: what ended the replays early; those that ended are kept.
        ValueError: ``from_turn`` is below 0, or ``times`` not from 1 to 256.
    """
    require_number("from_turn", from_turn, least=0)
    require_number("times", times, least=1, most=MAX_TRIALS)
    adapters = await adapters_for(run, sut)
    wish = ReplayWish(run=run, conversation=conversation, from_turn=from_turn, times=times, adapters=adapters)
    loaded = await run_in_daemon_thread(load_reproducing, wish)
    finished, report = await reproduce(loaded, listener=SilentListener(), allow_changed=allow_changed)
    require_unbroken(finished)
    return report


def replay(
    run: str | Path,
    conversation: str,
    *,
    from_turn: int = 0,
    times: int = 1,
    sut: Assistants | None = None,
    allow_changed: bool = False,
) -> ReproductionReport:
    """Replay from code that has no running event loop; arguments and result are those of :func:`areplay`.

    Raises:
        UserError: called inside a running event loop; use ``await hairpin.areplay(...)`` there.
        HairpinError: whatever ``areplay`` raises.
        ValueError: as ``areplay``.
    """
    call = partial(areplay, run, conversation, from_turn=from_turn, times=times, sut=sut, allow_changed=allow_changed)
    return blocking("replay", call)
