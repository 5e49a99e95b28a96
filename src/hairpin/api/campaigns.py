"""Running a campaign from Python.

What is passed in is read by ``api.arguments``; how a campaign spends its time is ``campaign``'s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from hairpin.api.arguments import Assistants, Manner, adapters_by_label, as_written, blocking, seconds_of
from hairpin.api.results import RunResult, result_of
from hairpin.app.campaign_inputs import CampaignChoices, load_campaign
from hairpin.app.inputs import RunInputs
from hairpin.app.run import run_scenario
from hairpin.domain.sut_spec import PythonSut
from hairpin.store.directory import RUNS_FOLDER
from hairpin.sut.threads import run_in_daemon_thread


async def arun_campaign(
    scenario: str | Path,
    time: str | float | None = None,
    *,
    conversations: int | None = None,
    max_failures: int | None = None,
    arms: str | Sequence[str] | None = None,
    split: str | None = None,
    pairing: str | None = None,
    runs: int | None = None,
    sut: Assistants | str | None = None,
    out: str | Path = RUNS_FOLDER,
    store: str | None = None,
    concurrency: int = 4,
    fail_on: str = "any",
    overrides: Mapping[str, object] | None = None,
    packs: Sequence[Path] = (),
    max_cost: float | None = None,
    max_tokens: int | None = None,
    canary: bool = True,
    cache: str | Path | None = None,
) -> RunResult:
    """Run a campaign over a scenario and return its result; ``None``: what the scenario's ``campaign`` says.

    Args:
        scenario: a scenario file, or the name of a shipped one.
        time: how long each arm is active in each run, as ``"4h"`` or in seconds.
        conversations: how many there are in all.
        max_failures: an arm that found so many distinct failures in a run begins nothing new.
        arms: ``"guided"``, ``"baseline"`` or both, joined by a comma or as a list.
        split: how arms share time: ``"time"``, ``"count"`` or ``"total"``.
        pairing: whether arms meet the same users: ``"independent"`` or ``"paired"``.
        runs: repetitions, each with the next pool of seed phrases.
        sut: the assistant to test instead, or several by label, in order; or as text what ``--sut`` takes.
        store: the address of a database for the rows, as ``--store``.
        out, concurrency, fail_on, overrides, packs, max_cost, max_tokens, canary, cache: as for :func:`arun`.

    Raises: what :func:`arun` raises.
    """
    manner = Manner(out, concurrency, fail_on, packs, max_cost, max_tokens, canary, cache, store)
    seconds, adapters = seconds_of(time), {} if sut is None or isinstance(sut, str) else adapters_by_label(sut)
    chosen = CampaignChoices(
        time=None if seconds is None else repr(seconds),
        conversations=conversations,
        max_distinct_failures=max_failures,
        arms=arms if arms is None or isinstance(arms, str) else ",".join(arms),
        split=split,
        pairing=pairing,
        runs=runs,
        suts=sut if isinstance(sut, str) else None,
    )
    inputs = await _loaded(scenario, chosen, packs, overrides or {}, tuple(adapters))
    return result_of(await run_scenario(manner.request(inputs, adapters, campaign=True)))


def run_campaign(
    scenario: str | Path,
    time: str | float | None = None,
    *,
    conversations: int | None = None,
    max_failures: int | None = None,
    arms: str | Sequence[str] | None = None,
    split: str | None = None,
    pairing: str | None = None,
    runs: int | None = None,
    sut: Assistants | str | None = None,
    out: str | Path = RUNS_FOLDER,
    store: str | None = None,
    concurrency: int = 4,
    fail_on: str = "any",
    overrides: Mapping[str, object] | None = None,
    packs: Sequence[Path] = (),
    max_cost: float | None = None,
    max_tokens: int | None = None,
    canary: bool = True,
    cache: str | Path | None = None,
) -> RunResult:
    """Run a campaign from code that has no running event loop; arguments and result are those of :func:`arun_campaign`.

    Raises:
        UserError: called inside a running event loop; use ``await hairpin.arun_campaign(...)`` there.
        HairpinError: whatever ``arun_campaign`` raises.
    """
    call = partial(
        arun_campaign,
        scenario,
        time,
        conversations=conversations,
        max_failures=max_failures,
        arms=arms,
        split=split,
        pairing=pairing,
        runs=runs,
        sut=sut,
        out=out,
        store=store,
        concurrency=concurrency,
        fail_on=fail_on,
        overrides=overrides,
        packs=packs,
        max_cost=max_cost,
        max_tokens=max_tokens,
        canary=canary,
        cache=cache,
    )
    return blocking("run_campaign", call)


async def _loaded(
    scenario: str | Path,
    chosen: CampaignChoices,
    packs: Sequence[Path],
    overrides: Mapping[str, object],
    labels: Sequence[str],
) -> RunInputs:
    """Load the inputs, off the caller's loop: reading packs takes a second or so."""
    suts = {label: PythonSut(reference=label) for label in labels}
    written = as_written(overrides)
    return await run_in_daemon_thread(
        partial(load_campaign, scenario, chosen, packs=packs, overrides=written, suts=suts)
    )
