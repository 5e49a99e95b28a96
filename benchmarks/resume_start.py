"""How long ``hairpin resume`` takes to begin where 10,000 conversations are stored already.

    python benchmarks/resume_start.py [--stored 10000]

A campaign of both arms is made in a store without being held, but for its last four conversations; then the command is
run in a process of its own, and its log and rows say when it went on. Wanted: under 5 s.

Last result: see docs/results/campaign_speed.md.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import anyio

from hairpin.app.assistants import assistants_of
from hairpin.app.campaign_inputs import CampaignChoices, load_campaign
from hairpin.app.request import RunRequest
from hairpin.app.run_info import run_info_of
from hairpin.app.stored import open_stored
from hairpin.app.system import SystemClock, new_id
from hairpin.domain.outcome import Stop, StopReason, Verdict
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import Outcome, RunStatus
from hairpin.domain.sampling import plan_arm
from hairpin.domain.scoring import Judgement, TargetRatios
from hairpin.packs.scenarios import dump_scenario
from hairpin.store.directory import RunDirectory, create_run_directory, write_text
from hairpin.store.runs import SqlRunStore, create_store

LEFT = 4
WORKERS = 64


def planned(request: RunRequest, sut: str, number: int) -> Iterator[PlannedConversation]:
    """Yield the first ``number`` conversations, half of each arm."""
    scenario = request.inputs.scenario
    assert scenario.campaign is not None
    for arm in scenario.campaign.arms:
        stream = plan_arm(scenario, scenario.campaign, run=0, sut=sut, sut_number=0, arm=arm)
        yield from islice(stream, number // 2)


async def make_run(stored: int, folder: Path) -> RunDirectory:
    """Store a campaign that was interrupted."""
    chosen = CampaignChoices(conversations=stored + LEFT, arms="guided,baseline")
    request = RunRequest(
        inputs=load_campaign("campaigns/paper", chosen, overrides={"campaign.runs": "1"}), campaign=True
    )
    adapters = assistants_of(request)
    (sut,) = adapters
    run = run_info_of(request, adapters, run_id=new_id(), created=datetime.now(UTC))
    directory = create_run_directory(folder, "resume", created=datetime.now(UTC), run_id=run.run_id)
    write_text(directory.scenario, dump_scenario(request.inputs.scenario))
    conversations = planned(request, sut, stored)
    with create_store(directory.database, clock=SystemClock()) as store:
        await store.create_run(run)
        async with anyio.create_task_group() as group:
            for _ in range(WORKERS):
                group.start_soon(_finish_all, store, conversations)
        await store.finish_run(RunStatus.INTERRUPTED, detail="", elapsed_s=1.0)
    return directory


async def _finish_all(store: SqlRunStore, conversations: Iterator[PlannedConversation]) -> None:
    ratios = TargetRatios(uttered=1.0, all=1.0, without_dropped=1.0)
    judgement = Judgement(verdict=Verdict.PASS, blame=None, success_score=1.0, ratios=ratios)
    outcome = Outcome(stop=Stop(reason=StopReason.TURNS_EXHAUSTED), judgement=judgement, elapsed_s=1.0, active_s=1.0)
    for each in conversations:
        attempt_id = new_id()
        await store.lease(each, attempt_id=attempt_id, worker="w", lease_s=60)
        await store.finish_attempt(attempt_id, outcome)


def first_event_s(log: Path, event: str, since_s: float) -> float:
    """Return seconds from ``since_s`` to the first such event in a log."""
    for line in log.read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        if told["event"] == event:
            return datetime.fromisoformat(told["timestamp"]).timestamp() - since_s
    raise SystemExit(f"{log} has no event {event}")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--stored", type=int, default=10_000)
    stored = parser.parse_args().stored
    with tempfile.TemporaryDirectory() as folder:
        started_s = time.monotonic()
        directory = asyncio.run(make_run(stored, Path(folder)))
        print(f"made                   {stored} conversations in {time.monotonic() - started_s:.0f} s")
        began_s, started_s = time.time(), time.monotonic()
        subprocess.run(
            [sys.executable, "-m", "hairpin", "resume", str(directory.path)], check=True, capture_output=True
        )
        whole_s = time.monotonic() - started_s
        print(f"resume goes on after   {first_event_s(directory.log, 'run_resumed', began_s):.2f} s")
        print(f"report included        {whole_s:.1f} s")
        with open_stored(directory.path) as run:
            assert len(run.reader.progress().finished) == stored + LEFT


if __name__ == "__main__":
    main()
