"""A campaign of four hours, whole, in virtual time: planning, clock, store, report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from hairpin.app.campaign_inputs import CampaignChoices, load_campaign
from hairpin.app.request import FinishedRun, RunRequest
from hairpin.app.run import run_scenario
from hairpin.app.stored import open_stored
from hairpin.domain.arm import Arm
from hairpin.domain.outcome import StopReason
from hairpin.domain.records import RunStatus
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.ports import SutAdapter, SutSession
from hairpin.store.writer import Writer
from hairpin.testbed.adapter import TestbedAdapter
from tests.virtual_time import VirtualClock, run_virtually

HOURS = 4
REPLY_S = 45.0


class Unhurried(SutAdapter):
    """The testbed, taking 45 s for each reply."""

    def __init__(self) -> None:
        self._inner = TestbedAdapter()

    async def open(self, start: SessionStart) -> SutSession:
        return UnhurriedSession(await self._inner.open(start))


class UnhurriedSession(SutSession):
    def __init__(self, inner: SutSession) -> None:
        self._inner = inner

    async def send(self, utterance: str) -> SutReply | str:
        await anyio.sleep(REPLY_S)
        return await self._inner.send(utterance)

    async def close(self) -> None:
        await self._inner.close()


@pytest.fixture
def store_is_busy(monkeypatch: pytest.MonkeyPatch) -> Callable[[], bool]:
    """Say whether the store's thread is about to answer: its work takes no virtual time."""
    waiting: list[object] = []
    submit = Writer._submit

    async def counted(self: Writer, *work: Any) -> Any:
        waiting.append(work)
        try:
            return await submit(self, *work)
        finally:
            waiting.pop()

    monkeypatch.setattr(Writer, "_submit", counted)
    return lambda: bool(waiting)


@pytest.mark.timeout(240)
def test_four_hours_of_both_arms_are_spent_stored_and_reported(
    tmp_path: Path, store_is_busy: Callable[[], bool]
) -> None:
    chosen = CampaignChoices(time=f"{HOURS}h", arms="guided,baseline", split="total")
    request = RunRequest(
        inputs=load_campaign("campaigns/paper", chosen, overrides={"campaign.runs": "1"}),
        campaign=True,
        adapters={"testbed": Unhurried()},
        out=tmp_path,
        concurrency=3,
        clock=VirtualClock(),
    )

    async def main() -> tuple[FinishedRun, float]:
        began_s = anyio.current_time()
        finished = await run_scenario(request)
        return finished, anyio.current_time() - began_s

    finished, took_s = run_virtually(main, threads_are_busy=store_is_busy)
    assert finished.report.status is RunStatus.FINISHED
    longest_s = 10 * REPLY_S
    assert HOURS * 3600 - 2 * longest_s <= took_s <= HOURS * 3600 + REPLY_S
    with open_stored(finished.directory.path) as stored:
        facts = stored.facts()
        activity = stored.reader.progress().activity
    reasons = Counter(fact.stop_reason for fact in facts)
    arms = Counter(fact.arm for fact in facts)
    assert set(reasons) <= {StopReason.TURNS_EXHAUSTED, StopReason.TARGETS_RESOLVED, StopReason.DEADLINE}
    assert reasons[StopReason.DEADLINE] <= 3
    assert arms[Arm.GUIDED] >= 55
    assert arms[Arm.BASELINE] >= 50
    assert sum(each.active_s for each in activity) == pytest.approx(took_s, abs=10)
    assert all(fact.active_s is not None and fact.active_s <= HOURS * 1800 + REPLY_S for fact in facts)
    ids = {section.id for section in finished.report.sections}
    assert {"overview", "comparison", "over-time", "methods"} <= ids
