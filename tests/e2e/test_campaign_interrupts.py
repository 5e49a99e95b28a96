"""Campaigns that are interrupted or killed, and that only one process can drive."""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path

import anyio
import pytest

from hairpin.testing import FakeAnswer, FakeRequest
from tests.e2e.campaign_runs import World, accepted_at, attempts_of, check_whole, conversation_of, wait_until, world
from tests.e2e.warm_hairpin import Process, WarmHairpin

N = 8
BOTH_STORES = pytest.mark.parametrize("store", ["sqlite", "postgresql"])


def url_of(store: str, request: pytest.FixtureRequest) -> str | None:
    return str(request.getfixturevalue("postgres_url")) if store == "postgresql" else None


def slow(request: FakeRequest) -> FakeAnswer:
    return FakeAnswer(text=f"Noted for {conversation_of(request)}.", delay_s=3)


@BOTH_STORES
def test_only_one_process_drives_a_run(
    tmp_path: Path, warm: WarmHairpin, store: str, request: pytest.FixtureRequest
) -> None:
    """B14: neither beside the campaign nor beside a resume is there another one."""
    released = threading.Event()

    async def answer(asked: FakeRequest) -> FakeAnswer:
        await anyio.to_thread.run_sync(released.wait, abandon_on_cancel=True)
        return FakeAnswer(text=f"Noted for {conversation_of(asked)}.")

    with world(tmp_path, warm, url=url_of(store, request), assistant=answer) as served:
        campaign = served.campaign("--conversations", "4", "--concurrency", "2")
        wait_until(lambda: len(served.assistant.requests) == 2)
        refuse_beside(served, campaign)
        campaign.send(signal.SIGKILL)
        campaign.wait()
        resumed = served.resume()
        wait_until(lambda: len(served.assistant.requests) == 4)
        refuse_beside(served, resumed)
        released.set()
        assert resumed.wait() == 0, resumed.err
        check_whole(served, n_conversations=4)
        assert attempts_of(served) == 6


def refuse_beside(served: World, driving: Process) -> None:
    """Check that nobody can go on with a run that ``driving`` drives, and that it says so."""
    before = served.n_requests, attempts_of(served)
    second = served.resume()
    assert second.wait() == 2
    assert "is driving this run already" in second.err
    assert f"process {driving.pid} " in second.err
    assert driving.running
    assert (served.n_requests, attempts_of(served)) == before


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_is_answered_at_once_and_nothing_is_asked_any_more(
    tmp_path: Path, warm: WarmHairpin, number: signal.Signals, code: int
) -> None:
    """B13: word within a second, no request after two, and a report that says what is there."""
    with world(tmp_path, warm, assistant=slow) as served:
        process = served.campaign("--conversations", "20")
        served.wait_for_requests(12, process)
        process.send(number)
        sent_s = time.monotonic()
        wait_until(lambda: "interrupted" in process.err, 1)
        assert process.wait() == code
        assert max(r.received_at for r in (*served.roles.requests, *served.assistant.requests)) < sent_s + 2
        assert "Traceback" not in process.err
        assert "destroyed" not in process.err
        counts = served.summary["conversations"]
        assert served.summary["status"] == "interrupted"
        assert (counts["planned"], counts["missing"], counts["completed"]) == (20, 20, 0)
        assert "interrupted" in process.out
        assert "interrupted" in (served.run_folder / "report.html").read_text(encoding="utf-8")
        assert served.place.query("PRAGMA integrity_check") == [("ok",)]


def test_a_second_signal_ends_a_campaign_at_once(tmp_path: Path, warm: WarmHairpin) -> None:
    """Also while the end of the conversations cannot be stored."""
    with world(tmp_path, warm) as served:
        process = served.campaign("--conversations", str(N))
        served.wait_for_requests(10, process)
        locker = served.lock_store(60)
        process.send(signal.SIGINT)
        wait_until(lambda: "second signal" in process.err)
        process.send(signal.SIGINT)
        assert process.wait(5) == 130
        assert locker.poll() is None
        locker.kill()
        assert served.resume().wait() == 0
        check_whole(served, n_conversations=N)


def test_a_campaign_that_is_killed_twice_asks_nothing_again_that_is_done(tmp_path: Path, warm: WarmHairpin) -> None:
    """B14: killed when four of ten have ended and the fifth is at its second turn, and 300 ms into the resume."""
    with world(tmp_path, warm, latency_s=0.05) as served:
        process = served.campaign("--conversations", "10", "--arms", "guided", "--concurrency", "1")
        fifth_at_turn_two = 4 * 3 + 2
        wait_until(lambda: len(served.assistant.requests) >= fifth_at_turn_two, told=lambda: process.err)
        process.send(signal.SIGKILL)
        process.wait()
        done = set(accepted_at(served))
        assert done == {f"guided-00{n}" for n in range(1, 5)}
        again = served.resume()
        time.sleep(0.3)
        again.send(signal.SIGKILL)
        again.wait()
        assert served.resume().wait() == 0
        check_whole(served, n_conversations=10, arms=("guided",))
        tries = dict(served.place.query("SELECT conversation_id, count(*) FROM attempts GROUP BY conversation_id"))
        assert {tries[each] for each in done} == {1}
        assert tries["guided-005"] in (2, 3)
        (detail,) = served.place.query(
            "SELECT detail FROM aborts JOIN attempts USING (attempt_id) "
            "WHERE conversation_id = 'guided-005' AND number = 1"
        )
        assert detail == ("the process that held it is gone",)
