"""Campaigns in processes of their own: whom they talk to, what was asked of them, and what is stored in the end.

It holds no tests.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from pydantic import JsonValue

from hairpin.testing import Answer, Answerer, FakeAnswer, FakeModelServer, FakeRequest
from hairpin.testing.role_player import play_roles
from tests.e2e.warm_hairpin import Process, WarmHairpin
from tests.patience import SLOWNESS
from tests.store.places import FilePlace, Place, PostgresPlace

MAX_TURNS: Final = 3
LATENCY_S: Final = 0.02
CLOCKS_APART_S: Final = 0.01
"""How far two clocks of one machine may have drifted apart during a test."""

_NAMED = re.compile(r"Noted for ([a-z0-9-]+)\.")
_PHRASE = re.compile(r"Guide me to stop (\d+)")
_SQLITE_LOCK = """
import sqlite3, sys, time
file = sqlite3.connect(sys.argv[1], timeout=10, isolation_level=None)
file.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
time.sleep(float(sys.argv[2]))
"""
_POSTGRES_LOCK = """
import psycopg, sys, time
with psycopg.connect(sys.argv[1]) as connection:
    while True:
        try:
            connection.execute("LOCK TABLE attempts, outcomes, plan IN EXCLUSIVE MODE")
            break
        except psycopg.errors.DeadlockDetected:  # who drives the run held one of them and waited for another
            connection.rollback()
    print("locked", flush=True)
    time.sleep(float(sys.argv[2]))
"""


@dataclass
class World:
    """A user's folder with a scenario in it, the servers of models and assistant, and where rows go."""

    folder: Path
    roles: FakeModelServer
    assistant: FakeModelServer
    warm: WarmHairpin
    url: str | None = None
    env: dict[str, str] = field(default_factory=dict)
    _lockers: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def n_requests(self) -> int:
        return len(self.roles.requests) + len(self.assistant.requests)

    @property
    def run_folder(self) -> Path:
        (folder,) = (self.folder / "runs").iterdir()
        return folder

    @property
    def place(self) -> Place:
        return PostgresPlace(self.url) if self.url else FilePlace(self.run_folder / "run.sqlite")

    @property
    def summary(self) -> dict[str, Any]:
        summary: dict[str, Any] = json.loads((self.run_folder / "summary.json").read_text(encoding="utf-8"))
        return summary

    def campaign(self, *options: str, **started: Any) -> Process:
        """Start a campaign."""
        store = ("--store", self.url) if self.url else ()
        arguments = ("campaign", "s.yaml", "--no-canary", "--fail-on", "none", *store, *options)
        return self.start(*arguments, **started)

    def resume(self, *options: str, **started: Any) -> Process:
        """Start going on with the campaign."""
        return self.start("resume", str(self.run_folder), *options, **started)

    def start(self, *arguments: str, env: Mapping[str, str] | None = None, **started: Any) -> Process:
        """Start the command line."""
        return self.warm.start(*arguments, cwd=self.folder, env={**self.env, **(env or {})}, **started)

    def wait_for_requests(self, n_more: int, process: Process, *, timeout_s: float = 60) -> None:
        """Wait until so many more requests have come, or the process has ended."""
        wanted = self.n_requests + n_more
        wait_until(lambda: self.n_requests >= wanted or not process.running, timeout_s, lambda: process.err)

    def lock_store(self, hold_s: float) -> subprocess.Popen[str]:
        """Let another process hold the store locked; return it as soon as it does."""
        script, place = (_POSTGRES_LOCK, self.url) if self.url else (_SQLITE_LOCK, self.place.address)
        command = [sys.executable, "-c", script, str(place), str(hold_s)]
        locker = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self._lockers.append(locker)
        assert locker.stdout is not None
        assert locker.stdout.readline() == "locked\n"
        return locker

    def close(self) -> None:
        """End who still holds the store locked."""
        for locker in self._lockers:
            with locker:
                locker.kill()


@contextmanager
def world(
    folder: Path,
    warm: WarmHairpin,
    *,
    url: str | None = None,
    role: Answer | Answerer | None = None,
    assistant: Answer | Answerer | None = None,
    latency_s: float = LATENCY_S,
    n_phrases: int = 20,
    **keys: JsonValue,
) -> Iterator[World]:
    """Serve models and an assistant, and write a scenario with two arms; ``keys`` change it."""

    def play(request: FakeRequest) -> FakeAnswer:
        return FakeAnswer(text=play_roles(request), delay_s=latency_s)

    def answer(request: FakeRequest) -> FakeAnswer:
        return FakeAnswer(text=f"Noted for {conversation_of(request)}.", delay_s=latency_s)

    with FakeModelServer(default=role or play) as roles, FakeModelServer(default=assistant or answer) as sut:
        (folder / "s.yaml").write_text(json.dumps({**scenario_of(roles, sut, n_phrases), **keys}), encoding="utf-8")
        made = World(folder, roles, sut, warm, url)
        try:
            yield made
        finally:
            made.close()


def scenario_of(roles: FakeModelServer, assistant: FakeModelServer, n_phrases: int) -> dict[str, JsonValue]:
    """Return a scenario whose every request tells which conversation it belongs to."""
    provider = "openai-compatible"
    model = {"provider": provider, "base_url": roles.base_url, "model": "m"}
    return {
        "id": "chaos",
        "sut": {"provider": provider, "base_url": assistant.base_url, "model": "ica", "context": "json"},
        "models": {"default": {**model, "structured_output": "json_schema_strict"}},
        "seed_phrases": [f"Guide me to stop {number:03d}" for number in range(n_phrases)],
        "contexts": [{"location": "Garching"}],
        "max_turns": MAX_TURNS,
        "campaign": {
            "arms": ["guided", "baseline"],
            "max_turns": [MAX_TURNS],
            "baseline": {"persona": "neutral", "max_turns": MAX_TURNS},
        },
    }


def conversation_of(request: FakeRequest) -> str:
    """Return the id of the conversation in which the assistant is asked."""
    said: dict[str, str] = json.loads(str(request.messages[0]["content"]))
    return said["conversation_id"]


@dataclass(frozen=True)
class Asked:
    """A request, when it came, and the conversations that it can belong to: one, or one of each arm."""

    at: float
    conversations: frozenset[str]


def requests_of(served: World) -> list[Asked]:
    """Return all requests, of models and assistant, with times in seconds since 1970."""
    offset_s = time.time() - time.monotonic()
    by_phrase: dict[str, set[str]] = {}
    for conversation, value in served.place.query("SELECT conversation_id, value FROM plan"):
        found = _PHRASE.search(json.loads(value)["seed_phrase"])
        assert found is not None
        by_phrase.setdefault(found[1], set()).add(conversation)

    def owners(request: FakeRequest) -> frozenset[str]:
        text = json.dumps(request.messages)
        if named := _NAMED.search(text):
            return frozenset({named[1]})
        phrases = [phrase for phrase in _PHRASE.findall(text) if phrase in by_phrase]
        assert phrases, f"a request that belongs to nothing planned: {text}"
        return frozenset(by_phrase[phrases[0]])

    asked = [Asked(r.received_at + offset_s, frozenset({conversation_of(r)})) for r in served.assistant.chat_requests]
    return asked + [Asked(r.received_at + offset_s, owners(r)) for r in served.roles.chat_requests]


def attempts_of(served: World) -> int:
    """Return how many attempts were ever opened."""
    return int(served.place.query("SELECT count(*) FROM attempts")[0][0])


def accepted_at(served: World) -> dict[str, float]:
    """Return when each conversation's accepted outcome was stored, in seconds since 1970."""
    found = served.place.query("SELECT conversation_id, recorded_at FROM outcomes WHERE accepted")
    assert len(dict(found)) == len(found), "a conversation has two accepted outcomes"
    return {conversation: datetime.fromisoformat(at).timestamp() for conversation, at in found}


def paid_twice(served: World) -> list[Asked]:
    """Return the requests that came for conversations which had their accepted outcome."""
    at, never = accepted_at(served), float("inf")
    return [
        asked
        for asked in requests_of(served)
        if all(at.get(each, never) + CLOCKS_APART_S < asked.at for each in asked.conversations)
    ]


def check_whole(served: World, *, n_conversations: int, arms: tuple[str, ...] = ("guided", "baseline")) -> None:
    """Check that a finished campaign is what it would have been without interruptions."""
    planned = [each for (each,) in served.place.query("SELECT conversation_id FROM plan ORDER BY plan_index")]
    assert len(planned) == n_conversations
    assert set(accepted_at(served)) == set(planned)
    assert Counter(each.partition("-")[0] for each in planned) == dict.fromkeys(arms, n_conversations // len(arms))
    assert paid_twice(served) == []
    neither = (
        "SELECT attempt_id FROM attempts WHERE attempt_id NOT IN (SELECT attempt_id FROM outcomes) "
        "AND attempt_id NOT IN (SELECT attempt_id FROM aborts)"
    )
    assert served.place.query(neither) == []
    assert served.place.query("SELECT * FROM leases") == []
    if isinstance(served.place, FilePlace):
        assert served.place.query("PRAGMA integrity_check") == [("ok",)]
        assert served.place.query("PRAGMA foreign_key_check") == []
    counts = served.summary["conversations"]
    assert served.summary["status"] == "finished"
    assert counts["planned"] == n_conversations == counts["passed"], counts
    assert {counts[name] for name in ("failed", "inconclusive", "invalid", "missing")} == {0}


def wait_until(holds: Any, timeout_s: float = 60, told: Any = lambda: "") -> None:
    """Wait until something holds; a minute at most where the machine is idle."""
    deadline = time.monotonic() + timeout_s * SLOWNESS
    while not holds():
        assert time.monotonic() < deadline, f"it never came to that; {told()}"
        time.sleep(0.003)
