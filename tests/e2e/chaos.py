"""Blows that end a campaign's process again and again, and what is left to go on with.

It holds no tests.
"""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tests.e2e.campaign_runs import World, accepted_at, check_whole
from tests.e2e.warm_hairpin import Process

MOST_REQUESTS: Final = 60
"""A kill comes after so many requests at most: most come when some conversations have ended and others run."""

CONVERSATIONS_PER_KILL: Final = 4
"""They take 56 requests at least, and not every kill lets so many pass: the campaign cannot end before the last one."""

CONCURRENCY: Final = 2
HELD_S: Final = 4.0
EARLY_S: Final = 0.3


class When(StrEnum):
    """``WORKING``: after some requests; ``EARLY``: in the first 0.3 s; ``LOCKED``: another process has the store."""

    WORKING = "working"
    EARLY = "early"
    LOCKED = "locked"


@dataclass(frozen=True)
class Blow:
    """A signal, and when it comes: after so many requests, or so many seconds."""

    number: signal.Signals
    when: When
    n_requests: int
    after_s: float


def blows_of(rng_seed: int, n: int) -> list[Blow]:
    """Return ``n`` blows: every signal at every kind of moment as n allows, and never early in the first process."""
    rng = random.Random(rng_seed)
    signals = [(signal.SIGKILL, signal.SIGTERM, signal.SIGINT)[i % 3] for i in range(n)]
    moments = [(When.WORKING, When.EARLY, When.WORKING, When.LOCKED, When.WORKING)[i % 5] for i in range(n)]
    rng.shuffle(signals)
    rng.shuffle(moments)
    first = moments.index(When.WORKING)
    moments[0], moments[first] = moments[first], moments[0]
    return [
        Blow(number, when, rng.randint(1, MOST_REQUESTS), rng.uniform(0, EARLY_S))
        for number, when in zip(signals, moments, strict=True)
    ]


def strike(served: World, process: Process, blow: Blow) -> None:
    """Let the moment come, send the signal, and wait until the process is gone."""
    if blow.when is When.EARLY:
        time.sleep(blow.after_s)
    else:
        served.wait_for_requests(blow.n_requests, process)
    if blow.when is When.LOCKED:
        served.lock_store(HELD_S)
        time.sleep(blow.after_s)
    assert process.running, f"it ended by itself: {process.err}"
    process.send(blow.number)
    code = process.wait()
    # Before its handlers are there, the operating system ends it.
    assert code in (-blow.number, 128 + blow.number), (blow, process.err)
    assert "Traceback" not in process.err
    assert "destroyed" not in process.err


def survive(served: World, blows: list[Blow], *, told: Callable[[str], None] = lambda _: None) -> None:
    """Run a campaign through all blows to its end, and check that nothing is lost and nothing is there twice.

    ``told`` hears of every blow.
    """
    n_conversations = CONVERSATIONS_PER_KILL * len(blows)
    process = served.campaign("--conversations", str(n_conversations), "--concurrency", str(CONCURRENCY))
    for blow in blows:
        began_s, before = time.monotonic(), served.n_requests
        strike(served, process, blow)
        took = f"{time.monotonic() - began_s:.1f} s, {served.n_requests - before} requests"
        told(f"{blow.number.name} {blow.when}: exit {process.code} after {took}; {len(accepted_at(served))} have ended")
        process = served.resume()
    assert process.wait(120) == 0, process.err
    check_whole(served, n_conversations=n_conversations)
