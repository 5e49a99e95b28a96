"""A process that writes for ever and says what was acknowledged; a test kills it.

python -m tests.store.writing_child DATABASE
"""

from __future__ import annotations

import itertools
import sys

import anyio

from hairpin.store.runs import SqlRunStore
from tests.store.places import place_at
from tests.store.store_values import StandingClock, a_plan, a_run, an_exchange, planned_as

N_WRITERS = 16


async def write_for_ever(store: SqlRunStore, conversation_id: str) -> None:
    await store.lease(planned_as(conversation_id), attempt_id=f"a-{conversation_id}", worker="child", lease_s=60)
    log = store.log(f"a-{conversation_id}")
    for t in itertools.count():
        await log.record_exchange(an_exchange(t))
        sys.stdout.write(f"{conversation_id} {t}\n")
        sys.stdout.flush()


async def main(address: str) -> None:
    with place_at(address).create(StandingClock()) as store:
        await store.create_run(a_run())
        await store.add_plan(a_plan(N_WRITERS))
        async with anyio.create_task_group() as tasks:
            for planned in a_plan(N_WRITERS):
                tasks.start_soon(write_for_ever, store, planned.id)


if __name__ == "__main__":
    anyio.run(main, sys.argv[1])
