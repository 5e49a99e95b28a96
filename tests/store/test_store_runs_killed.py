"""Another process writes, this one reads meanwhile, then kills it: what was acknowledged is there."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import anyio
import pytest

from hairpin.domain.records import RunStatus
from hairpin.store.attempts import LeaseHeldError
from tests.store.places import FilePlace, Place
from tests.store.store_values import StandingClock, an_exchange, an_outcome, planned_as
from tests.store.writing_child import N_WRITERS

ROOT = Path(__file__).parents[2]


@contextmanager
def writing_child(place: Place) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.store.writing_child", place.address]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        try:
            yield child
        finally:
            child.kill()


def stored(place: Place) -> Counter[str]:
    return Counter({record.planned.id: len(record.exchanges) for record in place.reader().conversations()})


def killed_in_mid_write(place: Place) -> Counter[str]:
    """Return how many exchanges of each conversation were acknowledged."""
    with writing_child(place) as child:
        assert child.stdout is not None
        lines = list(islice(child.stdout, 200))
        seen = stored(place)
        assert seen >= counted(lines), "a reader in another process sees what was acknowledged so far"
        lines += islice(child.stdout, 200)
        child.kill()
        lines += child.stdout
    assert child.returncode == -9
    assert stored(place) >= seen
    return counted(lines)


def counted(lines: list[str]) -> Counter[str]:
    return Counter(line.split()[0] for line in lines)


def test_acknowledged_rows_survive_a_kill(place: Place) -> None:
    acknowledged = killed_in_mid_write(place)
    assert len(acknowledged) == N_WRITERS
    assert stored(place) >= acknowledged
    for record in place.reader().conversations():
        assert list(record.exchanges) == [an_exchange(t) for t in range(len(record.exchanges))], "without a gap"
    if isinstance(place, FilePlace):
        assert place.query("PRAGMA integrity_check") == [("ok",)]


@pytest.mark.anyio
async def test_a_killed_run_is_still_running_by_its_rows_and_can_be_taken_over(
    place: Place, clock: StandingClock
) -> None:
    await anyio.to_thread.run_sync(killed_in_mid_write, place)
    with place.open(clock) as store:
        assert store.run_info().status is RunStatus.RUNNING
        with pytest.raises(LeaseHeldError, match="worker 'child'"):
            await store.lease(planned_as("c0001"), attempt_id="again", worker="w2", lease_s=60)
        clock.pass_s(61)
        await store.lease(planned_as("c0001"), attempt_id="again", worker="w2", lease_s=60)
        await store.finish_attempt("again", an_outcome())
        record = store.conversation("c0001")
        assert (record.attempts, record.exchanges, record.outcome) == (2, (), an_outcome())
