"""One process drives a run; its death, however it comes, lets the next one in."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from hairpin.errors import RunBusyError
from hairpin.store.runs import SqlRunStore
from tests.store.places import Place
from tests.store.store_values import StandingClock, a_run

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server's lock is waited for only shortly, except where a process was killed."""
    monkeypatch.setattr("hairpin.store.postgres.NOTICING_S", 0.1)


@pytest.fixture
def begun(store: SqlRunStore) -> SqlRunStore:
    anyio.run(store.create_run, a_run())
    return store


@pytest.fixture
def child(begun: SqlRunStore, place: Place) -> Iterator[subprocess.Popen[str]]:
    begun.progress()
    command = [sys.executable, "-m", "tests.store.driving_child", place.address]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, text=True, stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "driving\n"
        yield process
        process.kill()


def test_a_run_that_another_process_drives_is_refused_naming_it(
    begun: SqlRunStore, place: Place, child: subprocess.Popen[str]
) -> None:
    with pytest.raises(RunBusyError) as caught, begun.drive():
        pytest.fail("two at once")
    assert str(caught.value).startswith(place.name)
    assert f"process {child.pid} on {socket.gethostname()} is driving this run already" in str(caught.value)
    assert "wait until it has ended, or stop it" in str(caught.value)


def test_a_killed_driver_leaves_the_run_free(
    begun: SqlRunStore, child: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hairpin.store.postgres.NOTICING_S", 30)
    child.kill()
    child.wait()
    with begun.drive():
        assert os.getpid() != child.pid


def test_two_stores_of_one_process_cannot_drive_one_run_either(
    begun: SqlRunStore, place: Place, clock: StandingClock
) -> None:
    driven = []
    with place.open(clock) as second:
        with begun.drive(), pytest.raises(RunBusyError, match=f"process {os.getpid()} "), second.drive():
            pytest.fail("two at once")
        with second.drive():
            driven.append(second)
    assert driven == [second]
