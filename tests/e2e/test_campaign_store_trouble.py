"""Campaigns whose store is locked, or whose disk is full: nothing is spent in vain, nothing is lost."""

from __future__ import annotations

import signal
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.e2e.campaign_runs import attempts_of, check_whole, world
from tests.e2e.warm_hairpin import WarmHairpin

N = 8


def test_a_store_that_is_locked_for_a_while_loses_nothing(tmp_path: Path, warm: WarmHairpin) -> None:
    """B15: many short conversations, a reader that never ends, and somebody who holds the file for four seconds."""
    with world(tmp_path, warm) as served:
        process = served.campaign("--conversations", "32", "--concurrency", "32")
        served.wait_for_requests(40, process)
        with closing(sqlite3.connect(served.place.address)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM plan").fetchall()
            served.lock_store(4)
            assert process.wait() == 0, process.err
        check_whole(served, n_conversations=32)
        assert attempts_of(served) == 32


def test_a_store_that_stays_locked_ends_the_campaign_with_its_name_and_is_gone_on_with(
    tmp_path: Path, warm: WarmHairpin
) -> None:
    """B15: the wait has an end; what could not be stored is not said to be, and is done again."""
    with world(tmp_path, warm) as served:
        process = served.campaign("--conversations", str(N))
        served.wait_for_requests(10, process)
        served.lock_store(14)
        assert process.wait() == 3, process.err
        assert f"{served.place.address.rpartition('/')[2]}: another process holds the database locked" in process.err
        assert "Traceback" not in process.err
        assert served.summary["status"] == "stopped"
        assert served.summary["conversations"]["missing"] > 0
        assert served.resume().wait() == 0
        check_whole(served, n_conversations=N)


def test_a_full_disk_is_found_before_any_model_is_asked(tmp_path: Path, warm: WarmHairpin) -> None:
    with world(tmp_path, warm) as served:
        process = served.campaign("--conversations", str(N), files=1_000_000)
        assert process.wait() == 2
        assert "no run directory can be made here" in process.err
        assert served.n_requests == 0
        assert list((tmp_path / "runs").iterdir()) == []


def test_a_folder_that_cannot_be_written_is_found_before_any_model_is_asked(tmp_path: Path, warm: WarmHairpin) -> None:
    (tmp_path / "taken").write_text("a file")
    with world(tmp_path, warm) as served:
        process = served.campaign("--conversations", str(N), "--out", "taken/runs")
        assert process.wait() == 2
        assert "taken" in process.err
        assert served.n_requests == 0


def test_a_disk_that_fills_up_stops_the_campaign_and_it_goes_on_when_there_is_room(
    tmp_path: Path, warm: WarmHairpin
) -> None:
    with world(tmp_path, warm) as served:
        process = served.campaign("--conversations", str(N))
        served.wait_for_requests(10, process)
        process.send(signal.SIGKILL)
        process.wait()
        before = served.n_requests
        none_left = served.resume(files=1)
        assert none_left.wait() in (2, 3)
        assert "Traceback" not in none_left.err
        assert served.n_requests == before
        little_left = served.resume(files=500_000)
        assert little_left.wait() == 3, little_left.err
        assert "Traceback" not in little_left.err
        assert "disk" in little_left.err
        assert served.n_requests > before
        assert served.resume().wait() == 0
        check_whole(served, n_conversations=N)
