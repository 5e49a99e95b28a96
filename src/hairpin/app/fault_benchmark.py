"""The benchmark of seeded faults: ordinary runs, one after the other, and what their rows say beside the truth.

It must not print; a run that exists is gone on with or read, never made twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from hairpin.analysis.fault_benchmark import fault_benchmark
from hairpin.analysis.fault_benchmark_model import BenchmarkConversation, FaultBenchmark, IndirectFinding
from hairpin.app.fault_indirect import check_sessions, replay_findings
from hairpin.app.fault_truth import true_strikes
from hairpin.app.fault_units import EARNS, LABELLED, LEAKING, BenchmarkPlan, Unit
from hairpin.app.request import FinishedRun, RunRequest
from hairpin.app.resume import ResumeRequest, load_resumable, resume_run
from hairpin.app.run import run_scenario
from hairpin.app.spending import SpendingLimits
from hairpin.app.stored import StoredRun, open_stored
from hairpin.campaign.events import RunListener, SilentListener
from hairpin.domain.base import Value
from hairpin.domain.facts import facts_of
from hairpin.domain.records import RunStatus
from hairpin.domain.sut_spec import TestbedSut
from hairpin.errors import HairpinError, InvalidInputError, RunBusyError, StoreError
from hairpin.graph.stopping import StopToken
from hairpin.settings import Settings, read_settings
from hairpin.store.directory import RunDirectory, write_text
from hairpin.store.file_lock import FileLockedError, locked_file

MANIFEST: Final = "benchmark.json"
"""In the benchmark's folder: what was chosen, so that it is gone on with and not mixed with another."""


class Manifest(Value):
    """What was chosen, as far as runs depend on it."""

    faults: tuple[str, ...]
    pools: tuple[str, ...]
    parts: tuple[str, ...]
    n_conversations: int
    judges: tuple[tuple[str, str, str], ...]


class BenchmarkReport(Value):
    """What the benchmark comes to.

    Attributes:
        labelled: of faults that labels show.
        indirect: of those that replays and session checks show.
        agents: who played which role, by judge.
        runs: the folders of the runs, below the benchmark's.
        notes: what a reader must know; such as what was left out, and why.
    """

    schema_version: int = 1
    manifest: Manifest
    labelled: FaultBenchmark
    indirect: tuple[IndirectFinding, ...]
    agents: tuple[tuple[str, str], ...]
    runs: tuple[str, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BenchmarkRequest:
    """What to run, where. ``out``: the benchmark's own folder."""

    plan: BenchmarkPlan
    out: Path
    concurrency: int = 4
    spending: SpendingLimits = field(default_factory=SpendingLimits)
    cache: Path | None = None
    settings: Settings = field(default_factory=read_settings)


def claim_folder(request: BenchmarkRequest) -> None:
    """Make the benchmark's folder, or make sure that it is that of the same one.

    Raises:
        InvalidInputError: another benchmark is in it, or something else.
        StoreError: it cannot be written.
    """
    path, wanted = request.out / MANIFEST, manifest_of(request.plan)
    try:
        if path.is_file():
            if _read_manifest(path) != wanted:
                hint = "name another folder with --out, or give the same options to go on with it"
                raise InvalidInputError("another benchmark is there", where=str(request.out), hint=hint)
            return
        if request.out.exists() and (not request.out.is_dir() or _holds_other_things(request.out)):
            raise InvalidInputError("is there already", where=str(request.out), hint="name a new folder with --out")
        request.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"{request.out}: no folder of a benchmark can be made or read here: {error.strerror or error}; "
            "name one that can be written with --out"
        ) from error
    write_text(path, wanted.model_dump_json(indent=2) + "\n")


def _holds_other_things(folder: Path) -> bool:
    """Whether there is more than what a benchmark leaves that was killed while it claimed ``folder``."""
    return any(not entry.name.lstrip(".").startswith(MANIFEST) for entry in folder.iterdir())


@contextmanager
def driving(request: BenchmarkRequest) -> Iterator[None]:
    """Hold, while inside, the right to run what is in the benchmark's folder: two at once would run everything twice.

    Raises:
        RunBusyError: on entering, another process holds it.
        StoreError: on entering, the lock cannot be made.
    """
    lock = request.out / f"{MANIFEST}.lock"
    with ExitStack() as held:
        try:
            held.enter_context(locked_file(lock))
        except FileLockedError as error:
            raise RunBusyError(
                f"{request.out}: {error.holder or 'another process'} is running this benchmark already; wait until it "
                "has ended, or stop it (Ctrl-C there), then run this again"
            ) from error
        except OSError as error:
            raise StoreError(
                f"{lock}: cannot be made: {error.strerror or error}; let the benchmark's folder be written"
            ) from error
        yield


def manifest_of(plan: BenchmarkPlan) -> Manifest:
    """Return what is written down of ``plan``."""
    return Manifest(
        faults=plan.faults,
        pools=plan.pools,
        parts=tuple(part.value for part in plan.parts),
        n_conversations=plan.n_conversations,
        judges=tuple(
            (judge.name, " ".join(f"{k}={v}" for k, v in sorted(judge.overrides.items())), judge.planted or "")
            for judge in plan.judges
        ),
    )


async def run_unit(request: BenchmarkRequest, unit: Unit, *, listener: RunListener, stop: StopToken) -> FinishedRun:
    """Run one of the benchmark's runs, or what is left of it, within the limits of ``request``.

    Judges are not tried beforehand: how wrong they are is what is asked.

    Raises:
        UserError: something must be mended first.
        StoreError: it cannot be written.
    """
    begun = run_of(request, unit)
    if begun is not None:
        wanted = ResumeRequest(run=begun.path, stop=stop, settings=request.settings)
        resumable = load_resumable(wanted)
        asked = replace(
            resumable.request,
            inputs=unit.inputs,  # a judge that was planted is in no file
            diversity=False,
            concurrency=request.concurrency,
            spending=request.spending,
            cache=request.cache,
        )
        return await resume_run(replace(resumable, request=asked), listener=listener)
    return await run_scenario(
        RunRequest(
            inputs=unit.inputs,
            campaign=True,
            out=request.out / unit.name,
            concurrency=request.concurrency,
            listener=listener,
            stop=stop,
            settings=request.settings,
            spending=request.spending,
            canary=False,
            diversity=False,
            cache=request.cache,
            packs=request.plan.packs,
        )
    )


def run_of(request: BenchmarkRequest, unit: Unit) -> RunDirectory | None:
    """Return the run of ``unit`` that was begun, if it was; one that was killed before it began is none."""
    folder = request.out / unit.name
    begun = [RunDirectory(entry) for entry in sorted(folder.iterdir())] if folder.is_dir() else []
    return next((run for run in begun if run.has_store and _holds_run(run)), None)


def _holds_run(directory: RunDirectory) -> bool:
    with open_stored(directory.path) as stored:
        return stored.reader.run_id() is not None


def is_done(request: BenchmarkRequest, unit: Unit) -> bool:
    """Whether nothing of ``unit`` is left to be run."""
    begun = run_of(request, unit)
    if begun is None:
        return False
    with open_stored(begun.path) as stored:
        return stored.run_info().status is RunStatus.FINISHED


async def run_benchmark(request: BenchmarkRequest, units: Sequence[Unit]) -> BenchmarkReport:
    """Run all that is not done, silently, and return what it comes to.

    Raises:
        HairpinError: a run was stopped; what is stored is gone on with next time.
        RunBusyError: another process runs what is in this folder.
    """
    claim_folder(request)
    with driving(request):
        for unit in units:
            if is_done(request, unit):
                continue
            finished = await run_unit(request, unit, listener=SilentListener(), stop=StopToken())
            if finished.error is not None:
                raise HairpinError(f"{unit.name}: {finished.error}") from finished.error
    return await read_benchmark(request, units)


async def read_benchmark(request: BenchmarkRequest, units: Sequence[Unit]) -> BenchmarkReport:
    """Return what the rows of the runs come to, as far as they go; faults of sessions are checked now.

    Raises:
        InvalidInputError: a run was made by another version of the testbed.
        StoreError: a run cannot be read.
    """
    conversations: list[BenchmarkConversation] = []
    indirect: list[IndirectFinding] = []
    agents: dict[str, str] = {}
    runs: list[str] = []
    notes: list[str] = []
    for unit in units:
        begun = run_of(request, unit)
        if begun is None:
            notes.append(f"{unit.name} was not run.")
            continue
        runs.append(str(begun.path.relative_to(request.out)))
        with open_stored(begun.path) as stored:
            if stored.run_info().status is not RunStatus.FINISHED:
                notes.append(f"{unit.name} is not finished: it counts as far as it got.")
            if unit.replays:
                indirect += await replay_findings(stored, unit)
                continue
            agents[unit.cell.judge] = stored.run_info().agents["turn_judge"]
            conversations += await _judged(stored, unit)
    if LEAKING in request.plan.faults:
        indirect += await check_sessions(request.plan, request.settings)
    scenarios = [unit.inputs.scenario for unit in units if not unit.replays]
    labelled = fault_benchmark(
        conversations,
        faults=LABELLED,
        modes=[mode.id for mode in scenarios[0].rubric.modes] if scenarios else list(EARNS.values()),
        strategies={
            unit.cell.pool: [strategy.id for strategy in unit.inputs.scenario.strategies]
            for unit in units
            if not unit.replays
        },
    )
    return BenchmarkReport(
        manifest=manifest_of(request.plan),
        labelled=labelled,
        indirect=tuple(indirect),
        agents=tuple(agents.items()),
        runs=tuple(runs),
        notes=tuple(notes),
    )


async def _judged(stored: StoredRun, unit: Unit) -> list[BenchmarkConversation]:
    suts = testbeds_of(unit)
    asks_models = next(stored.reader.llm_requests(), None) is not None
    where = str(stored.directory.path)
    found: list[BenchmarkConversation] = []
    for record in stored.conversations():
        if not record.planned.for_itself:
            continue
        tokens = sum(_tokens(stored, record.planned.id)) if asks_models else 0
        found.append(
            BenchmarkConversation(
                cell=unit.cell,
                fault=unit.faults[record.planned.sut],
                facts=facts_of(record),
                strikes=await true_strikes(record, suts, where=where),
                tokens=tokens,
            )
        )
    return found


def testbeds_of(unit: Unit) -> dict[str, TestbedSut]:
    """Return the assistants of ``unit`` by label."""
    spec = unit.inputs.scenario.campaign
    suts = spec.suts if spec is not None else {}
    return {label: sut for label, sut in suts.items() if isinstance(sut, TestbedSut)}


def _tokens(stored: StoredRun, conversation_id: str) -> Iterator[int]:
    for request in stored.reader.llm_requests(conversation_id):
        yield (request.tokens.prompt_tokens or 0) + (request.tokens.completion_tokens or 0)


def _read_manifest(path: Path) -> Manifest:
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except ValidationError as error:
        hint = "name another folder with --out"
        raise InvalidInputError("is not what a benchmark writes", where=str(path), hint=hint) from error
