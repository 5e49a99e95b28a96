"""The public functions: run a scenario from Python, read a stored run.

Import them from ``hairpin``.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from hairpin.app.inputs import load_inputs
from hairpin.app.loop import run_in_loop
from hairpin.app.request import RunRequest
from hairpin.app.run import run_scenario
from hairpin.app.spending import SpendingLimits
from hairpin.app.stored import open_stored
from hairpin.domain.gate import Gate, parse_fail_on
from hairpin.domain.records import ConversationRecord
from hairpin.domain.summary import Summary
from hairpin.domain.sut_spec import PythonSut
from hairpin.errors import InvalidInputError, UserError
from hairpin.ports import SutAdapter
from hairpin.reports.model import ReportModel
from hairpin.store.directory import RUNS_FOLDER
from hairpin.sut.callables import adapter_of
from hairpin.sut.threads import run_in_daemon_thread

Assistant = SutAdapter | type[SutAdapter] | Callable[..., Any]


@dataclass(frozen=True, slots=True)
class RunResult:
    """A run that is stored.

    Attributes:
        path: its folder, with ``report.html``, ``summary.json`` and the rows.
        summary: the figures of ``summary.json``.
        exit_code: 0 gate passed, 1 gate failed, 3 too little was valid to say.
        sentence: why, in one sentence.
    """

    path: Path
    summary: Summary
    exit_code: int
    sentence: str

    @property
    def passed(self) -> bool:
        """Whether the gate passed."""
        return self.exit_code == 0

    def conversations(self) -> Iterator[ConversationRecord]:
        """Yield every planned conversation with all that was stored about it, in plan order."""
        with open_stored(self.path) as stored:
            yield from stored.conversations()


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
    _require_least(concurrency=(concurrency, 1), max_cost=(max_cost, 0), max_tokens=(max_tokens, 0))
    gate = parse_fail_on(fail_on, where="fail_on")
    spec, adapters = None, {}
    if sut is not None:
        label = getattr(sut, "__name__", type(sut).__name__)
        adapter = adapter_of(sut, name=label)
        spec, adapters = PythonSut(reference=label), {adapter.describe().name: adapter}
    written = _as_written(overrides or {})
    # Reading packs takes a second or so: not on the caller's loop.
    inputs = await run_in_daemon_thread(partial(load_inputs, scenario, packs=packs, overrides=written, sut=spec))
    finished = await run_scenario(
        RunRequest(
            inputs=inputs,
            adapters=adapters,
            out=Path(out),
            concurrency=concurrency,
            gate=gate,
            spending=SpendingLimits(max_cost_usd=max_cost, max_tokens=max_tokens),
            canary=canary,
            cache=None if cache is None else Path(cache),
        )
    )
    if finished.error is not None:
        raise finished.error
    return _result(finished.directory.path, finished.report)


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
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        pass
    else:
        raise UserError("hairpin.run was called inside a running event loop; use 'await hairpin.arun(...)' there")

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

    return run_in_loop(main)


def load_run(path: str | Path, *, fail_on: str = "any") -> RunResult:
    """Read a stored run and judge it by ``fail_on``.

    Raises:
        UserError: there is no such run.
        StoreError: its database cannot be read.
    """
    gate: Gate = parse_fail_on(fail_on, where="fail_on")
    with open_stored(path) as stored:
        report = stored.report(gate)
        return _result(stored.directory.path, report)


def _result(path: Path, report: ReportModel) -> RunResult:
    return RunResult(path=path, summary=report.summary, exit_code=report.exit_code, sentence=report.sentence)


def _require_least(**arguments: tuple[float | None, int]) -> None:
    for name, (value, least) in arguments.items():
        if value is not None and value < least:
            raise ValueError(f"{name} must be at least {least}, not {value}")


def _as_written(overrides: Mapping[str, object]) -> dict[str, str]:
    """Return values as ``--set`` takes them: a text as it is, anything else as JSON, which is YAML."""
    texts: dict[str, str] = {}
    for key, value in overrides.items():
        try:
            texts[key] = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError) as error:
            hint = "give a text, a number, a bool, or a list or dict of these"
            raise InvalidInputError(
                f"{value!r} cannot be a value: {error}", where=f"overrides[{key!r}]", hint=hint
            ) from error
    return texts
