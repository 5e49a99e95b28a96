"""A campaign that is killed thirty times on each store, and whether it has everything once in the end.

    python -m benchmarks.chaos [N_KILLS] [RNG_SEED]

Prints one line a kill and the figures of each store; exits with 1 when something is lost, paid twice or damaged.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from tests.e2e.campaign_runs import accepted_at, world
from tests.e2e.chaos import CONVERSATIONS_PER_KILL, blows_of, survive
from tests.e2e.warm_hairpin import WarmHairpin, warm_hairpin
from tests.postgres import database


def main() -> None:
    n_kills = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    rng_seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with warm_hairpin() as warm:
        for name, url in (("SQLite", None), ("PostgreSQL", database())):
            play(warm, name, url, n_kills, rng_seed)


def play(warm: WarmHairpin, name: str, url: str | None, n_kills: int, rng_seed: int) -> None:
    began_s = time.monotonic()
    with (
        tempfile.TemporaryDirectory() as folder,
        world(Path(folder), warm, url=url, n_phrases=CONVERSATIONS_PER_KILL * n_kills // 2) as served,
    ):
        survive(served, blows_of(rng_seed, n_kills), told=print)
        aborted = served.place.query("SELECT count(*) FROM aborts")[0][0]
        print(
            f"{name}: {n_kills} kills in {time.monotonic() - began_s:.0f} s; {len(accepted_at(served))} conversations, "
            f"each with one accepted outcome; {aborted} attempts given up; {served.n_requests} requests, none for a "
            "conversation that had ended; the database is whole"
        )


if __name__ == "__main__":
    main()
