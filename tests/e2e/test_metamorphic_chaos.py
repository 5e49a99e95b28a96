"""Replays that are killed again and again and gone on with: in the end the same rows as if nothing had happened."""

from __future__ import annotations

import random
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from hairpin.domain.relations import ContextCheck
from hairpin.store.reader import RunReader
from hairpin.testing import FakeAnswer, FakeModelServer, FakeRequest
from tests.cli.replay_runs import SCENARIO, SEEDS, bag_of_words
from tests.e2e.campaign_runs import wait_until
from tests.e2e.warm_hairpin import Process, WarmHairpin
from tests.store.places import FilePlace, PostgresPlace

pytestmark = pytest.mark.chaos

N_KILLS: Final = 3
MOST_PIECES: Final = 20
"""A kill comes once so many more outcomes, findings and folds are stored, at most."""

N_FAMILIES: Final = 3
N_REPLAYS: Final = N_FAMILIES * (1 + 6)
SLOW_S: Final = 0.03
OPTIONS: Final = ("--concurrency", "2", "--fail-on", "none", "--set", f"repeats={N_FAMILIES}")


def slow_words(request: FakeRequest) -> FakeAnswer:
    """Answer with the same vectors every time, slowly, so that a kill comes before, between and after them."""
    return FakeAnswer(body=bag_of_words(request).body, delay_s=SLOW_S)


@dataclass(frozen=True)
class Runs:
    """A folder in which one run is, with its rows there or in PostgreSQL."""

    folder: Path
    url: str | None = None

    @property
    def run(self) -> Path:
        (folder,) = self.folder.iterdir()
        return folder

    @property
    def place(self) -> FilePlace | PostgresPlace:
        return PostgresPlace(self.url) if self.url else FilePlace(self.run / "run.sqlite")

    @property
    def reader(self) -> RunReader:
        ((run_id,),) = self.place.query("SELECT run_id FROM runs")
        return self.place.reader(run_id)

    @property
    def n_pieces(self) -> int:
        """How many outcomes, findings and folds are stored; 0 before there is a store."""
        tables = ("outcomes", "context_checks", "folds")
        if not self.url and not any(self.folder.glob("*/run.sqlite")):
            return 0  # asking would make the file
        try:
            return sum(int(self.place.query(f"SELECT count(*) FROM {table}")[0][0]) for table in tables)
        except Exception:  # noqa: BLE001 - whoever is to be killed may not have made the store yet
            return 0


def without_calls(check: ContextCheck) -> ContextCheck:
    """Return a finding without what it took: what a process has asked already it does not ask again."""
    return check.model_copy(update={"finding": check.finding.model_copy(update={"n_calls": 0})})


def found_in(runs: Runs) -> Iterator[tuple[Any, ...]]:
    """Yield of each family what was planned, said, found of contexts and of relations; nothing that names a time."""
    with closing(runs.reader) as reader:
        folds = {fold.source: fold for fold in reader.folds()}
        for family in reader.families():
            records = (family.source, *family.follow_ups)
            said = [(each.planned, [(x.user, x.assistant) for x in each.exchanges], each.outcome) for each in records]
            ended = [(planned, words, outcome and outcome.stop) for planned, words, outcome in said]
            contexts = sorted(
                map(without_calls, family.context_checks), key=lambda check: (check.conversation, check.position)
            )
            fold = folds[family.source.planned.id]
            yield family.derivation, ended, contexts, fold.complete, fold.n_follow_ups, fold.checks


def check_whole(runs: Runs) -> None:
    """Check that every conversation has one accepted outcome and every position one finding, and no attempt hangs."""
    planned = {each for (each,) in runs.place.query("SELECT conversation_id FROM plan")}
    accepted = Counter(each for (each,) in runs.place.query("SELECT conversation_id FROM outcomes WHERE accepted"))
    assert accepted == dict.fromkeys(planned, 1)
    assert len(planned) == N_REPLAYS
    with closing(runs.reader) as reader:
        found = Counter((c.conversation, c.position) for f in reader.families() for c in f.context_checks)
    assert set(found.values()) == {1}
    neither = (
        "SELECT attempt_id FROM attempts WHERE attempt_id NOT IN (SELECT attempt_id FROM outcomes) "
        "AND attempt_id NOT IN (SELECT attempt_id FROM aborts)"
    )
    assert runs.place.query(neither) == []


def strike(runs: Runs, process: Process, n_more: int) -> None:
    """Kill a process once it has stored so many more pieces."""
    wanted = runs.n_pieces + n_more
    wait_until(lambda: runs.n_pieces >= wanted or not process.running, told=lambda: process.err)
    assert process.running, f"it ended by itself: {process.err}"
    process.send(signal.SIGKILL)
    process.wait()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_replays_that_are_killed_again_and_again_come_to_the_rows_of_a_run_that_was_not(
    tmp_path: Path, warm: WarmHairpin, store: str, request: pytest.FixtureRequest
) -> None:
    url = str(request.getfixturevalue("postgres_url")) if store == "postgresql" else None
    rng = random.Random(1)
    with FakeModelServer(embed=slow_words) as server:
        (tmp_path / "seeds.jsonl").write_text(SEEDS, encoding="utf-8")
        (tmp_path / "s.yaml").write_text(SCENARIO.format(ratio=0.3, url=server.base_url), encoding="utf-8")
        env = {"HAIRPIN_CACHE_DIR": str(tmp_path / "cache")}
        whole, killed = Runs(tmp_path / "whole"), Runs(tmp_path / "killed", url)
        ended = warm.run("metamorphic", "s.yaml", *OPTIONS, "--out", "whole", cwd=tmp_path, env=env)
        assert ended.code == 0, ended.err
        at = () if url is None else ("--store", url)
        process = warm.start("metamorphic", "s.yaml", *OPTIONS, "--out", "killed", *at, cwd=tmp_path, env=env)
        for _ in range(N_KILLS):
            strike(killed, process, rng.randint(1, MOST_PIECES))
            process = warm.start("resume", str(killed.run), cwd=tmp_path, env=env)
        assert process.wait() == 0, process.err
    check_whole(whole)
    check_whole(killed)
    assert list(found_in(killed)) == list(found_in(whole))
