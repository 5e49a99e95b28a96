"""A long run against a model server that fails all the time: nothing is lost, and the accounts agree with the server's.

    python -m benchmarks.soak [N_CONVERSATIONS] [CONCURRENCY]

Of the server's answers 30 % are 429 (a share of them with ``Retry-After``), 5 % are 500, 2 % are cut-off JSON and 1 %
never come. Prints one figure a line; exits with 1 when something is not as it must be.
"""

from __future__ import annotations

import asyncio
import gc
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hairpin.app.inputs import load_inputs
from hairpin.app.request import FinishedRun, RunRequest
from hairpin.app.run import run_scenario
from hairpin.app.stored import open_stored
from hairpin.campaign.events import ConversationEnd, SilentListener
from hairpin.domain.outcome import Blame
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord
from hairpin.testing import FakeAnswer, FakeModelServer, FakeRequest
from hairpin.testing.role_player import play_roles

GRACE_S = 0.5
"""A request that is on its way when the server asks to wait cannot be called back."""


@dataclass
class BadServer:
    """Answers as ``play`` does, or badly; the same request number always meets the same fate."""

    rng_seed: int = 1
    rate_limited: float = 0.30
    with_retry_after: float = 0.02
    overloaded: float = 0.05
    cut_off: float = 0.02
    hung: float = 0.01
    latency_s: float = 0.02

    def __call__(self, request: FakeRequest) -> FakeAnswer:
        fate = random.Random(f"{self.rng_seed} {request.number}").random()
        if fate < self.rate_limited:
            return FakeAnswer.rate_limited(retry_after=1 if fate < self.with_retry_after else None)
        fate -= self.rate_limited
        if fate < self.overloaded:
            return FakeAnswer.error(500, "internal error")
        fate -= self.overloaded
        text = play_roles(request)
        if fate < self.cut_off:
            return FakeAnswer(text[: len(text) // 2], finish_reason="length", usage="counted")
        if fate - self.cut_off < self.hung:
            return FakeAnswer.hanging()
        return FakeAnswer(text, usage="counted", delay_s=self.latency_s)


@dataclass
class Watch(SilentListener):
    """Notes the memory in use, in MiB, after each conversation."""

    mib: list[float] = field(default_factory=list)

    def conversation_ended(self, planned: PlannedConversation, end: ConversationEnd | None) -> None:
        super().conversation_ended(planned, end)
        self.mib.append(_mib_in_use())


@dataclass
class SoakResult:
    """What a soak found. ``problems`` is empty when everything is as it must be."""

    conversations: dict[str, int]
    stop_reasons: dict[str, int]
    requests: int
    requests_by_outcome: dict[str, int]
    tokens: int
    elapsed_s: float
    mib: list[float]
    problems: list[str]


async def soak(
    n_conversations: int, concurrency: int, *, out: Path, max_turns: int = 4, bad_server: BadServer | None = None
) -> SoakResult:
    """Run ``n_conversations``, ``concurrency`` at a time, with every role played over a bad connection."""
    watch, started_s = Watch(), time.monotonic()
    async with FakeModelServer(default=bad_server or BadServer()) as server:
        scenario = out / "soak.yaml"
        scenario.write_text(_scenario(server.base_url, n_conversations, concurrency, max_turns), encoding="utf-8")
        inputs = await asyncio.to_thread(load_inputs, scenario)
        finished = await run_scenario(
            RunRequest(inputs=inputs, out=out / "runs", concurrency=concurrency, listener=watch, canary=False)
        )
        await server.wait_until_idle()
        problems = list(_problems(finished, server, n_conversations))
    summary = finished.report.summary
    return SoakResult(
        conversations=summary.conversations.model_dump(),
        stop_reasons=dict(summary.stop_reasons),
        requests=summary.llm.attempts,
        requests_by_outcome=dict(summary.llm.failed),
        tokens=summary.llm.prompt_tokens + summary.llm.completion_tokens,
        elapsed_s=time.monotonic() - started_s,
        mib=watch.mib,
        problems=problems,
    )


def _scenario(base_url: str, n_conversations: int, concurrency: int, max_turns: int) -> str:
    return f"""
id: soak
sut: testbed
seed_phrases: [Guide me to Marienplatz]
contexts: [{{location: Garching}}]
max_turns: {max_turns}
repeats: {n_conversations}
models:
  default:
    provider: openai-compatible
    base_url: {base_url}
    model: m
    retry_output_tokens: 4096
    limits: {{concurrency: {concurrency}, timeout_s: 1, attempts: 12}}
"""


def _problems(finished: FinishedRun, server: FakeModelServer, n_conversations: int) -> Iterator[str]:
    summary, totals = finished.report.summary, server.totals
    counts = summary.conversations
    if finished.error is not None:
        yield f"the run was stopped: {finished.error}"
    if counts.planned != n_conversations or counts.missing:
        yield f"conversations were lost: {counts}"
    with open_stored(finished.directory.path) as stored:
        yield from _unexplained(stored.conversations())
    if summary.llm.attempts != totals.n_requests:
        yield f"{summary.llm.attempts} requests are accounted for, the server has {totals.n_requests}"
    ours = (summary.llm.prompt_tokens, summary.llm.completion_tokens)
    if ours != (totals.prompt_tokens, totals.completion_tokens):
        yield f"{ours} tokens are accounted for, the server has {totals.prompt_tokens, totals.completion_tokens}"
    if early := server.early_requests(grace_s=GRACE_S):
        yield f"{len(early)} requests came before a Retry-After had passed"


def _unexplained(records: Iterator[ConversationRecord]) -> Iterator[str]:
    for record in records:
        outcome = record.outcome
        if outcome is None:
            yield f"{record.planned.id} has no outcome"
        elif outcome.judgement.verdict == "invalid" and outcome.judgement.blame not in set(Blame):
            yield f"{record.planned.id} is invalid and nobody is to blame"


def _mib_in_use() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1024**2


def growth(mib: list[float]) -> float:
    """Return by how much more memory the last quarter uses than the second, as a share; the first still warms up."""
    quarter = len(mib) // 4
    second, last = mib[quarter : 2 * quarter], mib[-quarter:]
    return sum(last) / len(last) / (sum(second) / len(second)) - 1


def main() -> int:
    n_conversations = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    concurrency = int(sys.argv[2]) if len(sys.argv) > 2 else 32
    gc.collect()
    with tempfile.TemporaryDirectory() as folder:
        result = asyncio.run(soak(n_conversations, concurrency, out=Path(folder)))
    print(f"conversations   {result.conversations}")
    print(f"ended by        {dict(Counter(result.stop_reasons))}")
    print(f"requests        {result.requests} in {result.elapsed_s:.1f} s, {result.tokens} tokens")
    print(f"without answer  {result.requests_by_outcome}")
    print(f"memory          {result.mib[0]:.0f} MiB first, {result.mib[-1]:.0f} MiB last, {growth(result.mib):+.1%}")
    for problem in result.problems:
        print(f"PROBLEM         {problem}")
    return 1 if result.problems else 0


if __name__ == "__main__":
    sys.exit(main())
