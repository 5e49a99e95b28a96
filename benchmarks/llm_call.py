"""CPU time per structured call to a model with 64 in flight, against langchain-openai as it comes, in the same run.

    python benchmarks/llm_call.py

The server is a process of its own, answers after 50 ms and is not counted. Wanted: at most 0.6 of the stock figure.

The gateway is all of it: structured output, limits, retries, accounting, budget, and the row in the store.

Last result, prompts of four exchanges, 2 shared cores with other load (only the ratios count), Python 3.11:
    with_structured_output(…).ainvoke     16.59 ms CPU per call, 1.00
    transport, through ainvoke             3.13 ms CPU per call, 0.19
    transport                              1.98 ms CPU per call, 0.12
    gateway, whole, rows thrown away       2.37 ms CPU per call, 0.14
    gateway, whole, rows in SQLite         3.37 ms CPU per call, 0.20
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from random import Random

import anyio
import structlog
from langchain_openai import ChatOpenAI
from pydantic import BaseModel, SecretStr

from hairpin.domain.llm_calls import CallOrigin, LlmRequest
from hairpin.domain.model_spec import CompatibleModel, ModelLimits
from hairpin.domain.outcome import Role
from hairpin.domain.records import RunInfo
from hairpin.llm.budget import Budget
from hairpin.llm.call_costs import Player
from hairpin.llm.completion import CompletionRequest
from hairpin.llm.gateway import Gateway, GatewayTools
from hairpin.llm.providers import Providers
from hairpin.llm.traffic.waiting import Deadline
from hairpin.ports import ChatMessage, ChatPrompt, LlmRequestLog
from hairpin.store.runs import create_store
from hairpin.testing import FakeAnswer, FakeModelServer

ANSWER = '{"reasoning": "The route avoids toll roads as asked.", "label": "completed", "score": 2}'
SERVER_DELAY_S = 0.05
WARM_UP = 128
RUN = RunInfo(
    run_id="bench",
    name="bench",
    hairpin_version="0",
    created_at="2026-01-01T00:00:00+00:00",
    fingerprint="",
    fingerprint_parts={},
    agents={},
    suts={},
    threshold=0.75,
)


class Verdict(BaseModel):
    reasoning: str
    label: str
    score: int


class SystemClock:
    def monotonic(self) -> float:
        return time.monotonic()

    def now(self) -> datetime:
        return datetime.now(UTC)


def messages(n_turns: int) -> list[ChatMessage]:
    turns = [
        ChatMessage(role="assistant" if index % 2 else "user", text=f"Turn {index}: take me there, please. " * 4)
        for index in range(2 * n_turns)
    ]
    return [ChatMessage(role="system", text="You judge conversations. " * 60), *turns]


async def serve() -> None:
    async with FakeModelServer(default=FakeAnswer(ANSWER, delay_s=SERVER_DELAY_S)) as server:
        print(server.base_url, flush=True)
        await anyio.to_thread.run_sync(sys.stdin.read)


@contextmanager
def server_process() -> Iterator[str]:
    with subprocess.Popen(
        [sys.executable, __file__, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate()


async def cpu_ms_per_call(call: Callable[[], Awaitable[object]], *, calls: int, in_flight: int) -> tuple[float, float]:
    """Return CPU milliseconds per call and calls per second."""
    await run_calls(call, WARM_UP, in_flight)
    wall, cpu = time.perf_counter(), time.process_time()
    await run_calls(call, calls, in_flight)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return 1000 * cpu / calls, calls / wall


async def run_calls(call: Callable[[], Awaitable[object]], calls: int, in_flight: int) -> None:
    numbers = iter(range(calls))

    async def worker() -> None:
        for _ in numbers:
            await call()

    async with anyio.create_task_group() as group:
        for _ in range(in_flight):
            group.start_soon(worker)


def stock_call(base_url: str, prompt: list[ChatMessage]) -> Callable[[], Awaitable[object]]:
    model = ChatOpenAI(
        model="fake", base_url=base_url, api_key=SecretStr("none"), max_completion_tokens=512, use_responses_api=False
    )
    structured = model.with_structured_output(Verdict, method="json_schema")
    spoken = [(message.role, message.text) for message in prompt]
    return lambda: structured.ainvoke(spoken)


def own_call(providers: Providers, base_url: str, prompt: list[ChatMessage]) -> Callable[[], Awaitable[object]]:
    transport = providers.transport(CompatibleModel(base_url=base_url, model="fake"))
    response_format = {
        "type": "json_schema",
        "json_schema": {"name": "Verdict", "strict": True, "schema": Verdict.model_json_schema()},
    }

    async def call() -> Verdict:
        request = CompletionRequest(messages=tuple(prompt), response_format=response_format, output_tokens=512)
        completion = await transport.complete(request)
        return Verdict.model_validate_json(completion.text)

    return call


def gateway_call(
    providers: Providers, base_url: str, prompt: list[ChatMessage], log: LlmRequestLog, *, in_flight: int
) -> Callable[[], Awaitable[object]]:
    spec = CompatibleModel(base_url=base_url, model="fake", limits=ModelLimits(concurrency=in_flight))
    numbers = count()
    tools = GatewayTools(
        log=log,
        logger=structlog.wrap_logger(None, wrapper_class=structlog.make_filtering_bound_logger("info")),
        clock=SystemClock(),
        new_id=lambda: f"{next(numbers):012x}",
        budget=Budget({Role.TURN_JUDGE: Player(model="fake")}, n_dimensions=4, max_tokens=10**12),
        deadline=Deadline(),
    )
    gateway = Gateway(
        {Role.TURN_JUDGE: spec}, prices={Role.TURN_JUDGE: None}, providers=providers, tools=tools, rng=Random(1)
    )
    model = gateway.models[Role.TURN_JUDGE]
    asked = ChatPrompt(stable=tuple(prompt[:-1]), request=prompt[-1].text)
    return lambda: model.ask(asked, Verdict, origin=CallOrigin())


class NoLog:
    """Implements ``ports.LlmRequestLog``."""

    async def record_request(self, request: LlmRequest) -> None:
        pass


def new_providers(*, traced: bool) -> Providers:
    return Providers(
        environ={}, default_gguf=None, clock=SystemClock(), logger=structlog.get_logger("bench"), traced=traced
    )


async def measure(base_url: str, *, calls: int, in_flight: int, n_turns: int) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        create_store(Path(folder) / "run.sqlite", clock=SystemClock()) as store,
    ):
        await store.create_run(RUN)
        await _measure(base_url, store, calls=calls, in_flight=in_flight, n_turns=n_turns)


async def _measure(base_url: str, store: LlmRequestLog, *, calls: int, in_flight: int, n_turns: int) -> None:
    prompt = messages(n_turns)
    direct, traced = new_providers(traced=False), new_providers(traced=True)
    variants = {
        "with_structured_output(…).ainvoke": stock_call(base_url, prompt),
        "transport, through ainvoke": own_call(traced, base_url, prompt),
        "transport": own_call(direct, base_url, prompt),
        "gateway, whole, rows thrown away": gateway_call(direct, base_url, prompt, NoLog(), in_flight=in_flight),
        "gateway, whole, rows in SQLite": gateway_call(direct, base_url, prompt, store, in_flight=in_flight),
    }
    stock_ms = 0.0
    for name, call in variants.items():
        cpu_ms, per_second = await cpu_ms_per_call(call, calls=calls, in_flight=in_flight)
        stock_ms = stock_ms or cpu_ms
        print(f"{name:36} {cpu_ms:6.2f} ms CPU per call, {per_second:6,.0f} calls per second, {cpu_ms / stock_ms:.2f}")
    await direct.aclose()
    await traced.aclose()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--calls", type=int, default=1500)
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--turns", type=int, default=4, help="exchanges in the prompt")
    options = parser.parse_args()
    if options.serve:
        anyio.run(serve)
        return
    with server_process() as base_url:
        anyio.run(lambda: measure(base_url, calls=options.calls, in_flight=options.in_flight, n_turns=options.turns))


if __name__ == "__main__":
    main()
