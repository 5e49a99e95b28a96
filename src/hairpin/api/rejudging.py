"""Judging the conversations of a stored run again from Python.

What can be judged again is ``app.rejudging``'s to know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from hairpin.api.arguments import Manner, as_written, blocking, names_of
from hairpin.api.results import RunResult, result_of
from hairpin.app.rejudging import load_rejudging
from hairpin.app.run import run_scenario
from hairpin.store.directory import RUNS_FOLDER
from hairpin.sut.threads import run_in_daemon_thread


async def arejudge(
    run: str | Path,
    *,
    rubric: str | None = None,
    conversations: str | Sequence[str] = (),
    overrides: Mapping[str, object] | None = None,
    out: str | Path = RUNS_FOLDER,
    store: str | None = None,
    concurrency: int = 4,
    fail_on: str = "any",
    packs: Sequence[Path] = (),
    max_cost: float | None = None,
    max_tokens: int | None = None,
    canary: bool = True,
    cache: str | Path | None = None,
) -> RunResult:
    """Judge the conversations of a stored run again and return the run that holds the new judgements.

    The assistant is asked nothing. ``judge_differences`` of the result says what is judged differently now.

    Args:
        run: the folder of the stored run, or the beginning of its name under ``runs/``.
        rubric: a rubric in place of that of the run, by name.
        conversations: the id of one, or several, to judge; by default all that have an outcome.
        overrides: what is judged by, by (dotted) key: models, rubric, threshold, weights, oracles, checks, language, …
        store: the address of a database for the rows, as ``--store``.
        out, concurrency, fail_on, packs, max_cost, max_tokens, canary, cache: as for :func:`arun`.

    Raises:
        UserError: there is no such run or conversation, nothing of it can be judged again, or something must be mended.
        HairpinError: the run could not be read or stored, or what stopped it.
        ValueError: ``concurrency`` is below 1, or a limit below 0.
    """
    manner = Manner(out, concurrency, fail_on, packs, max_cost, max_tokens, canary, cache, store)
    load = partial(
        load_rejudging,
        run,
        rubric=rubric,
        conversations=names_of(conversations),
        packs=tuple(map(Path, packs)),
        overrides=as_written(overrides or {}),
    )
    # Reading a long run takes a second or so: not on the caller's loop.
    inputs = await run_in_daemon_thread(load)
    return result_of(await run_scenario(manner.request(inputs, {})))


def rejudge(
    run: str | Path,
    *,
    rubric: str | None = None,
    conversations: str | Sequence[str] = (),
    overrides: Mapping[str, object] | None = None,
    out: str | Path = RUNS_FOLDER,
    store: str | None = None,
    concurrency: int = 4,
    fail_on: str = "any",
    packs: Sequence[Path] = (),
    max_cost: float | None = None,
    max_tokens: int | None = None,
    canary: bool = True,
    cache: str | Path | None = None,
) -> RunResult:
    """Judge again from code that has no running event loop; arguments and result are those of :func:`arejudge`.

    Raises:
        UserError: called inside a running event loop; use ``await hairpin.arejudge(...)`` there.
        HairpinError: whatever ``arejudge`` raises.
        ValueError: as ``arejudge``.
    """
    call = partial(
        arejudge,
        run,
        rubric=rubric,
        conversations=conversations,
        overrides=overrides,
        out=out,
        store=store,
        concurrency=concurrency,
        fail_on=fail_on,
        packs=packs,
        max_cost=max_cost,
        max_tokens=max_tokens,
        canary=canary,
        cache=cache,
    )
    return blocking("rejudge", call)
