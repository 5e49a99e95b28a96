"""Turns per second of the testbed's servers with 64 conversations at once.

    python benchmarks/testbed_server.py

The server is ``hairpin sut serve testbed`` in a process of its own, the client is this one, with plain aiohttp. Wanted:
at least 1,000 turns per second over REST. "New words": in most conversations some utterances have never been heard, so
that the server's cache of parsed utterances does not know them.

Last result: docs/results/testbed_server.md.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import aiohttp
import anyio

WANTED_PER_S = 1000
TALK = (
    "Guide me to Marienplatz while avoiding toll roads",
    "Add a stop at a bakery on the way",
    "Set the temperature to {a} degrees and turn on the seat heating",
    "How long will it take?",
    "Find a restaurant near there",
    "Set the fan to level {b} and the volume to {c}, and then take me to Pasing without motorways",
    "What is the battery level?",
    "Never mind the bakery, thanks",
)
"""``a``, ``b`` and ``c`` are numbers: they make utterances new."""


class Session(Protocol):
    async def say(self, utterance: str) -> str: ...

    async def close(self) -> None: ...


@dataclass
class Rest:
    client: aiohttp.ClientSession
    url: str
    session_id: str

    @classmethod
    async def open(cls, client: aiohttp.ClientSession, url: str) -> Rest:
        async with client.post(f"{url}/sessions", json={"rng_seed": 1}) as answer:
            return cls(client, url, (await answer.json())["session_id"])

    async def say(self, utterance: str) -> str:
        async with self.client.post(
            f"{self.url}/sessions/{self.session_id}/turns", json={"utterance": utterance}
        ) as answer:
            return str((await answer.json())["text"])

    async def close(self) -> None:
        async with self.client.delete(f"{self.url}/sessions/{self.session_id}"):
            pass


@dataclass
class WebSocket:
    socket: aiohttp.ClientWebSocketResponse

    @classmethod
    async def open(cls, client: aiohttp.ClientSession, url: str) -> WebSocket:
        socket = await client.ws_connect(f"{url}/ws")
        await socket.send_json({"rng_seed": 1})
        await socket.receive_json()
        return cls(socket)

    async def say(self, utterance: str) -> str:
        await self.socket.send_json({"utterance": utterance})
        return str((await self.socket.receive_json())["text"])

    async def close(self) -> None:
        await self.socket.close()


@dataclass
class Chat:
    client: aiohttp.ClientSession
    url: str
    messages: list[dict[str, str]]

    @classmethod
    async def open(cls, client: aiohttp.ClientSession, url: str) -> Chat:
        return cls(client, url, [{"role": "system", "content": '{"rng_seed": 1}'}])

    async def say(self, utterance: str) -> str:
        self.messages.append({"role": "user", "content": utterance})
        body: dict[str, Any] = {"model": "testbed", "messages": self.messages}
        async with self.client.post(f"{self.url}/v1/chat/completions", json=body) as answer:
            text = str((await answer.json())["choices"][0]["message"]["content"])
        self.messages.append({"role": "assistant", "content": text})
        return text

    async def close(self) -> None:
        return


TRANSPORTS: dict[str, Callable[..., Any]] = {
    "REST": Rest.open,
    "WebSocket": WebSocket.open,
    "OpenAI-compatible": Chat.open,
}


@contextmanager
def server_process() -> Iterator[tuple[int, str]]:
    """Start the server; yield its process id and address."""
    command = [sys.executable, "-c", "from hairpin.cli import main; main()", "sut", "serve", "testbed"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.pid, process.stdout.readline().split()[-1]
        finally:
            process.terminate()


def cpu_s(pid: int) -> float:
    """Return the CPU seconds a process has used; NaN where the system does not say."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def utterances(conversation: int, *, new_words: bool) -> Sequence[str]:
    number = conversation if new_words else 0
    a, b, c = 16 + number % 120 / 10, number // 120 % 6, number // 720 % 11
    return [line.format(a=a, b=b, c=c) for line in TALK]


async def measure(name: str, pid: int, url: str, *, turns: int, sessions: int, new_words: bool) -> float:
    """Print and return turns per second."""
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as client:
        await run(name, client, url, range(sessions), sessions, new_words=False)
        start, used = time.perf_counter(), cpu_s(pid)
        numbers = range(sessions, sessions + turns // len(TALK))
        await run(name, client, url, numbers, sessions, new_words=new_words)
        wall_s, used = time.perf_counter() - start, cpu_s(pid) - used
    n_turns = len(numbers) * len(TALK)
    words = "new words" if new_words else "known words"
    print(
        f"{name:18} {words:12} {n_turns / wall_s:7,.0f} turns per second, "
        f"{1000 * used / n_turns:5.2f} ms CPU of the server per turn"
    )
    return n_turns / wall_s


async def run(
    name: str, client: aiohttp.ClientSession, url: str, numbers: range, in_flight: int, *, new_words: bool
) -> None:
    waiting = iter(numbers)

    async def worker() -> None:
        for number in waiting:
            session: Session = await TRANSPORTS[name](client, url)
            for utterance in utterances(number, new_words=new_words):
                assert await session.say(utterance)
            await session.close()

    async with anyio.create_task_group() as group:
        for _ in range(in_flight):
            group.start_soon(worker)


async def main_async(options: argparse.Namespace) -> float:
    rest_per_s = 0.0
    with server_process() as (pid, url):
        for name in options.only or TRANSPORTS:
            for new_words in (False, True):
                per_s = await measure(
                    name, pid, url, turns=options.turns, sessions=options.sessions, new_words=new_words
                )
                if name == "REST":
                    rest_per_s = per_s if not rest_per_s else min(rest_per_s, per_s)
    return rest_per_s


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=8000)
    parser.add_argument("--sessions", type=int, default=64)
    parser.add_argument("--only", action="append", choices=list(TRANSPORTS), help="may be repeated; default: all")
    options = parser.parse_args()
    print(f"{options.sessions} sessions, Python {platform.python_version()}, {os.cpu_count()} cores")
    rest_per_s = anyio.run(main_async, options)
    print(
        f"REST, the slower of the two: {rest_per_s / WANTED_PER_S:.2f} of the {WANTED_PER_S:,} turns per second wanted"
    )


if __name__ == "__main__":
    main()
