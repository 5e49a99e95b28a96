"""CPU time per stored exchange, with many conversations writing at once, against a commit per row in the same run.

    python benchmarks/store_writer.py

Wanted (design, section 8): 0.01 to 0.13 ms CPU per exchange. Both figures include making the exchange and its JSON.

Last result, 64 conversations of 200 exchanges, 2 shared cores, Python 3.11, SQLite 3.40:
    a commit per row                   0.2529 ms CPU per exchange, 3,551 exchanges per second
    one writer, 64 conversations       0.0776 ms CPU per exchange, 11,342 exchanges per second
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
from sqlalchemy import insert

from hairpin.domain.conversation import Exchange
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import RunInfo
from hairpin.domain.users import Context
from hairpin.store import rows, schema, sqlite
from hairpin.store.runs import SqlRunStore, create_store


class SystemClock:
    def monotonic(self) -> float:
        return time.monotonic()

    def now(self) -> datetime:
        return datetime.now(UTC)


def run_info() -> RunInfo:
    return RunInfo(
        run_id="r1",
        name="benchmark",
        hairpin_version="0",
        created_at="2026-11-29T00:00:00+00:00",
        fingerprint="f",
        fingerprint_parts={},
        agents={},
        suts={},
        threshold=0.75,
    )


def planned(index: int) -> PlannedConversation:
    return PlannedConversation(
        index=index,
        id=f"c{index}",
        sut="a",
        seed_phrase="Guide me home",
        persona="neutral",
        context=Context(),
        repeat=0,
        max_turns=8,
        rng_seed=index,
    )


def exchange(t: int) -> Exchange:
    user = "Guide me to Marienplatz while avoiding toll roads, please."
    reply = "Here is a route without toll roads: 23 minutes through the old town, arriving at 18:03. Shall we go? " * 3
    return Exchange(t=t, user=user, assistant=reply, latency_ms=120.5, metadata={"model": "m", "tokens": 87})


async def prepare(store: SqlRunStore, n_writers: int) -> None:
    await store.create_run(run_info())
    await store.add_plan([planned(index) for index in range(n_writers)])
    for index in range(n_writers):
        await store.lease(planned(index), attempt_id=f"a{index}", worker="w", lease_s=600)


@contextmanager
def timed(label: str, n_exchanges: int) -> Iterator[list[float]]:
    figures: list[float] = []
    cpu, wall = time.process_time(), time.perf_counter()
    yield figures
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    figures.append(cpu * 1000 / n_exchanges)
    print(f"{label:<34} {figures[0]:.4f} ms CPU per exchange, {n_exchanges / wall:,.0f} exchanges per second")


async def group_commit(folder: Path, n_writers: int, n_each: int) -> float:
    async def write(store: SqlRunStore, index: int) -> None:
        log = store.log(f"a{index}")
        for t in range(n_each):
            await log.record_exchange(exchange(t))

    with create_store(folder / "group.sqlite", clock=SystemClock()) as store:
        await prepare(store, n_writers)
        with timed(f"one writer, {n_writers} conversations", n_writers * n_each) as figures:
            async with anyio.create_task_group() as tasks:
                for index in range(n_writers):
                    tasks.start_soon(write, store, index)
    return figures[0]


async def commit_per_row(folder: Path, n_writers: int, n_each: int) -> float:
    path = folder / "single.sqlite"
    with create_store(path, clock=SystemClock()) as store:
        await prepare(store, n_writers)
    database = sqlite.open_file(path)
    with database.engine.connect() as connection, timed("a commit per row", n_writers * n_each) as figures:
        for t in range(n_each):
            for index in range(n_writers):
                with connection.begin():
                    row = rows.exchange_row(f"a{index}", exchange(t), recorded_at=SystemClock().now().isoformat())
                    connection.execute(insert(schema.exchanges), row)
    return figures[0]


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--writers", type=int, default=64)
    parser.add_argument("--each", type=int, default=200, help="exchanges per writer")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        single = await commit_per_row(Path(folder), options.writers, options.each)
        grouped = await group_commit(Path(folder), options.writers, options.each)
    print(f"the group commit needs {grouped / single:.0%} of the CPU time")


if __name__ == "__main__":
    anyio.run(main)
