"""Running a scenario from Python.

What is passed in is read by ``api.arguments``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from hairpin.api.arguments import Assistant, Manner, adapter_by_name, as_written, blocking
from hairpin.api.results import RunResult, result_of
from hairpin.app.inputs import load_inputs
from hairpin.app.run import run_scenario
from hairpin.domain.sut_spec import PythonSut
from hairpin.store.directory import RUNS_FOLDER
from hairpin.sut.threads import run_in_daemon_thread


async def arun(
    scenario: str | Path,
    *,
    sut: Assistant | None = None,
    out: str | Path = RUNS_FOLDER,
    concurrency: int = 4,
    fail_on: str = "any",
    overrides: Mapping[str, object] | None = None,
    packs: Sequence[Path] = (),
    max_cost: float | None = None,
    max_tokens: int | None = None,
    canary: bool = True,
    cache: str | Path | None = None,
) -> RunResult:
    """Run a scenario and return its result.

    Args:
        scenario: a scenario file, or the name of a shipped one.
        sut: the assistant to test in place of the scenario's: a function ``(utterance) -> str``, plain or async, or an
            adapter or its class.
        out: the folder in which the run's own folder is made.
        concurrency: conversations at the same time.
        fail_on: when the gate fails, as ``--fail-on``.
        overrides: values by (dotted) key, such as ``{"max_turns": 4, "contexts": [{"location": "Ulm"}]}``.
        packs: folders of packs, as ``--packs``.
        max_cost: the most that models which play roles may cost, in USD.
        max_tokens: the most tokens that they may use, in and out.
        canary: whether judges that models play are tried on transcripts with a known judgement first.
        cache: a file that keeps the answers of models, to be used again.

    Raises:
        UserError: something must be mended first; says what, where and how.
        HairpinError: the run could not be stored, or what stopped it.
        ValueError: ``concurrency`` is below 1, or a limit below 0.
    """
    manner = Manner(out, concurrency, fail_on, packs, max_cost, max_tokens, canary, cache)
    adapters = {} if sut is None else adapter_by_name(sut)
    spec = next((PythonSut(reference=label) for label in adapters), None)
    written = as_written(overrides or {})
    # Reading packs takes a second or so: not on the caller's loop.
    inputs = await run_in_daemon_thread(partial(load_inputs, scenario, packs=packs, overrides=written, sut=spec))
    return result_of(await run_scenario(manner.request(inputs, adapters)))


def run(
    scenario: str | Path,
    *,
    sut: Assistant | None = None,
    out: str | Path = RUNS_FOLDER,
    concurrency: int = 4,
    fail_on: str = "any",
    overrides: Mapping[str, object] | None = None,
    packs: Sequence[Path] = (),
    max_cost: float | None = None,
    max_tokens: int | None = None,
    canary: bool = True,
    cache: str | Path | None = None,
) -> RunResult:
    """Run a scenario from code that has no running event loop; arguments and result are those of :func:`arun`.

    Args:
        scenario: a scenario file, or the name of a shipped one.
        sut: the assistant to test in place of the scenario's: a function ``(utterance) -> str``, plain or async, or an
            adapter or its class.
        out: the folder in which the run's own folder is made.
        concurrency: conversations at the same time.
        fail_on: when the gate fails, as ``--fail-on``.
        overrides: values by (dotted) key, such as ``{"max_turns": 4, "contexts": [{"location": "Ulm"}]}``.
        packs: folders of packs, as ``--packs``.
        max_cost: the most that models which play roles may cost, in USD.
        max_tokens: the most tokens that they may use, in and out.
        canary: whether judges that models play are tried on transcripts with a known judgement first.
        cache: a file that keeps the answers of models, to be used again.

    Raises:
        UserError: called inside a running event loop; use ``await hairpin.arun(...)`` there.
        HairpinError: whatever ``arun`` raises.
    """

    async def main() -> RunResult:
        return await arun(
            scenario,
            sut=sut,
            out=out,
            concurrency=concurrency,
            fail_on=fail_on,
            overrides=overrides,
            packs=packs,
            max_cost=max_cost,
            max_tokens=max_tokens,
            canary=canary,
            cache=cache,
        )

    return blocking("run", main)
