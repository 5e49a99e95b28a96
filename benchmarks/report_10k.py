"""Seconds and peak memory of ``hairpin report`` over 10,000 stored conversations, and seconds of what a resume reads.

    python benchmarks/report_10k.py

Wanted: each report under 60 s and 1 GB; what a resume reads of the store well under its 5 s.
The first report, which is not part of that, makes vectors of what users said in failed conversations, where an encoder
is at hand; all others find them in a cache of their own.

Last result, 2 cores shared with six other busy processes, Python 3.11, SQLite 3.40:
    progress                                 0.2 s
    report --format html, no encoder        38.8 s,    342 MB (12 s of CPU time)
    report --format html, vectors cached    98.5 s,    392 MB (nearly all of the rest is the clustering)
    report --format junit, vectors cached   75.7 s,    392 MB
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio

from hairpin.domain.arm import Arm
from hairpin.domain.conversation import Exchange
from hairpin.domain.failures import Failure
from hairpin.domain.outcome import Stop, StopReason, Verdict
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import Outcome, RunInfo, RunStatus
from hairpin.domain.scenario import Scenario
from hairpin.domain.scoring import DimensionScore, Judgement, TargetRatios
from hairpin.domain.sut import SutIdentity
from hairpin.domain.targets import Target, TargetEvent
from hairpin.packs.finder import PackFinder
from hairpin.packs.scenarios import dump_scenario, load_scenario
from hairpin.store.directory import RunDirectory, write_text
from hairpin.store.reader import open_run
from hairpin.store.runs import SqlRunStore, create_store

SUTS = ("clean", "faulty", "slow")
WORKERS = 32
UTTERANCES = 4000
"""So many different ones are said: each takes milliseconds to encode."""

USER = "Guide me to the old town please, and find somewhere to eat on the way that is open until late."
REPLY = "Here is a way through the old town: 23 minutes, arriving at 18:03. There are three places to eat. " * 4


class SystemClock:
    def monotonic(self) -> float:
        return time.monotonic()

    def now(self) -> datetime:
        return datetime.now(UTC)


def run_info(scenario: Scenario) -> RunInfo:
    return RunInfo(
        run_id="benchmark",
        name=scenario.id,
        hairpin_version="0",
        created_at="2026-11-29T00:00:00+00:00",
        fingerprint="f",
        fingerprint_parts={},
        agents={},
        suts={sut: SutIdentity(name=sut) for sut in SUTS},
        threshold=0.75,
        critical_modes=scenario.rubric.critical_modes,
        campaign=True,
    )


def planned(scenario: Scenario, index: int, rng: random.Random) -> PlannedConversation:
    phrase = rng.choice(scenario.campaign.pools[0].phrases) if scenario.campaign else None
    return PlannedConversation(
        index=index,
        id=f"c{index + 1:05d}",
        sut=SUTS[index % len(SUTS)],
        arm=Arm.GUIDED if index // len(SUTS) % 2 == 0 else Arm.BASELINE,
        seed_phrase=phrase.text if phrase else USER,
        task=phrase.task if phrase else "",
        persona=rng.choice(scenario.personas).id,
        context=rng.choice(scenario.contexts),
        repeat=0,
        max_turns=8,
        rng_seed=index,
        run=index // len(SUTS) // 2 % 6,
    )


def utterance(index: int, t: int) -> str:
    return f"{USER} ({(index * 8 + t) % UTTERANCES})"


async def play(store: SqlRunStore, scenario: Scenario, plan: PlannedConversation, rng: random.Random) -> None:
    attempt = f"a{plan.index}"
    await store.lease(plan, attempt_id=attempt, worker="w", lease_s=600)
    log, failed = store.log(attempt), False
    target = Target(id="g1", text="the old town", kind="navigation", introduced=0)
    for t in range(8):
        strategy = rng.choice(scenario.strategies).id if plan.arm is Arm.GUIDED and t else None
        reply = Exchange(t=t, user=utterance(plan.index, t), assistant=REPLY, strategy=strategy, latency_ms=120.5)
        await log.record_exchange(reply)
        mode = rng.choice(scenario.rubric.modes)
        found = rng.random() < 0.08
        failure = Failure(t=t, mode=mode.id, kind=mode.kind, target_id="g1", strategy=strategy, evidence=REPLY[:100])
        event = TargetEvent(t=t, target=target, old=None, reason="said")
        await log.record_turn([failure] * found, [event] * (t == 0))
        failed |= found
    for dimension in scenario.rubric.dimensions:
        await log.record_score(DimensionScore(dimension=dimension.id, score=1, reasoning=REPLY[:120]))
    judgement = Judgement(
        verdict=Verdict.FAIL if failed else Verdict.PASS,
        blame=None,
        success_score=0.4 if failed else 0.9,
        ratios=TargetRatios(uttered=1.0, all=1.0, without_dropped=1.0),
    )
    stop = Stop(reason=StopReason.TURNS_EXHAUSTED)
    await store.finish_attempt(
        attempt, Outcome(stop=stop, judgement=judgement, elapsed_s=9.6, active_s=plan.index * 1.4)
    )


async def make_run(directory: RunDirectory, n: int) -> None:
    scenario = load_scenario("campaigns/paper", finder=PackFinder.standard())
    write_text(directory.scenario, dump_scenario(scenario))
    rng = random.Random(1)
    plans: Iterator[PlannedConversation] = (planned(scenario, index, rng) for index in range(n))

    async def work(store: SqlRunStore) -> None:
        for plan in plans:
            await play(store, scenario, plan, random.Random(plan.rng_seed))

    with create_store(directory.database, clock=SystemClock()) as store:
        await store.create_run(run_info(scenario))
        async with anyio.create_task_group() as tasks:
            for _ in range(WORKERS):
                tasks.start_soon(work, store)
        await store.finish_run(RunStatus.FINISHED, detail="", elapsed_s=14400)


def measured(command: list[str], cache: Path) -> tuple[float, float]:
    """Run a command and return its wall seconds and its peak memory in MB."""
    environ = {**os.environ, "HAIRPIN_CACHE_DIR": str(cache)}
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)} ended with exit code {process.returncode}")
    return time.perf_counter() - started, usage.ru_maxrss / 1024


def report(directory: RunDirectory, formats: str, *, what: str = "report") -> None:
    hairpin = [sys.executable, "-c", "from hairpin.cli import main; main()"]
    seconds, peak = measured([*hairpin, "report", str(directory.path), "--format", formats], directory.path / "cache")
    print(f"{what} --format {formats:<8} {seconds:6.1f} s, {peak:6.0f} MB at most")


def resume_reads(directory: RunDirectory) -> None:
    started = time.perf_counter()
    with closing(open_run(directory.database)) as reader:
        finished = len(reader.progress().finished)
    print(f"progress of {finished:,} finished conversations {time.perf_counter() - started:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--conversations", type=int, default=10_000)
    parser.add_argument("--formats", default="html,json,junit,csv,md", help="each is measured by itself")
    parser.add_argument("--keep", type=Path, help="a new folder to make the run in, instead of one that is removed")
    options = parser.parse_args()
    with TemporaryDirectory() as temporary:
        directory = RunDirectory(options.keep or Path(temporary))
        directory.path.mkdir(exist_ok=True)
        if not directory.database.exists():
            anyio.run(make_run, directory, options.conversations)
        print(f"{options.conversations:,} conversations, {directory.database.stat().st_size / 2**20:.0f} MB of rows")
        resume_reads(directory)
        report(directory, "csv", what="first report")
        for formats in options.formats.split(","):
            report(directory, formats)
        print(f"report.html {directory.report.stat().st_size / 2**20:.1f} MB")


if __name__ == "__main__":
    main()
