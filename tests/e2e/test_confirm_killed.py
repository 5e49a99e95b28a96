"""A run with ``confirm:`` that is killed again and again and gone on with: every trial gets one outcome."""

from __future__ import annotations

import random
import signal
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from hairpin.store.reader import open_run
from tests.e2e.campaign_runs import wait_until
from tests.e2e.warm_hairpin import Process, WarmHairpin

pytestmark = pytest.mark.chaos

N_KILLS: Final = 4
MOST_OUTCOMES: Final = 8
N_TRIALS: Final = 2 + 2 + 1
N_CONVERSATIONS: Final = 6
SCENARIO: Final = f"""\
id: ride
sut: ./slow.py:Slow
seed_phrases: [Take me home]
checks: [{{contains: home}}]
oracles: []
max_turns: 2
repeats: {N_CONVERSATIONS}
confirm: {{rejudge: 2, replay: 2, resimulate: 1}}
"""
SLOW: Final = """\
import asyncio
from hairpin import TextAdapter

class Slow(TextAdapter):
    async def reply(self, utterance, start, history):
        await asyncio.sleep(0.02)
        return "Where to?"
"""


def rows(run: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(run / "run.sqlite")) as database:
        return database.execute(sql).fetchall()


def n_outcomes(runs: Path) -> int:
    """How many outcomes are stored; 0 before there is a store."""
    found = list(runs.glob("*/run.sqlite"))
    try:
        return int(rows(found[0].parent, "SELECT count(*) FROM outcomes")[0][0]) if found else 0
    except sqlite3.OperationalError:  # whoever is to be killed may not have made the tables yet
        return 0


def strike(runs: Path, process: Process, n_more: int) -> None:
    """Kill a process once it has stored so many more outcomes."""
    wanted = n_outcomes(runs) + n_more
    wait_until(lambda: n_outcomes(runs) >= wanted or not process.running, told=lambda: process.err)
    assert process.running, f"it ended by itself: {process.err}"
    process.send(signal.SIGKILL)
    process.wait()


@pytest.mark.timeout(60)
def test_trials_that_are_killed_again_and_again_are_all_run_once(tmp_path: Path, warm: WarmHairpin) -> None:
    rng = random.Random(4)
    (tmp_path / "s.yaml").write_text(SCENARIO)
    (tmp_path / "slow.py").write_text(SLOW)
    runs = tmp_path / "runs"
    process = warm.start("run", "s.yaml", "--fail-on", "none", "--concurrency", "2", cwd=tmp_path)
    for _ in range(N_KILLS):
        strike(runs, process, rng.randint(1, MOST_OUTCOMES))
        (run,) = runs.iterdir()
        process = warm.start("resume", str(run), cwd=tmp_path)
    assert process.wait() == 0, process.err
    accepted = Counter(each for (each,) in rows(run, "SELECT conversation_id FROM outcomes WHERE accepted"))
    assert accepted == dict.fromkeys((each for (each,) in rows(run, "SELECT conversation_id FROM plan")), 1)
    assert len(accepted) == N_CONVERSATIONS * (1 + N_TRIALS)
    with closing(open_run(run / "run.sqlite")) as reader:
        sources = Counter(each.planned.trial.source for each in reader.asides() if each.planned.trial is not None)
    assert sources == {f"c{number + 1:04d}": N_TRIALS for number in range(N_CONVERSATIONS)}


@pytest.mark.timeout(60)
def test_confirm_that_is_killed_goes_on_with_what_is_missing(tmp_path: Path, warm: WarmHairpin) -> None:
    (tmp_path / "s.yaml").write_text(SCENARIO.partition("confirm:")[0])
    (tmp_path / "slow.py").write_text(SLOW)
    ended = warm.run("run", "s.yaml", "--fail-on", "none", cwd=tmp_path)
    assert ended.code == 0, ended.err
    (run,) = (tmp_path / "runs").iterdir()
    process = warm.start("confirm", str(run), "--concurrency", "2", cwd=tmp_path)
    strike(tmp_path / "runs", process, 5)
    again = warm.run("confirm", str(run), cwd=tmp_path)
    assert again.code == 0, again.err
    assert f"{N_CONVERSATIONS} of {N_CONVERSATIONS} failed conversations" in again.out
    accepted = Counter(each for (each,) in rows(run, "SELECT conversation_id FROM outcomes WHERE accepted"))
    assert set(accepted.values()) == {1}
    assert len(accepted) == N_CONVERSATIONS * (1 + 3 + 3 + 2)
