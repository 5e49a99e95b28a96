"""How much of Hairpin's prompts a provider's prefix cache would serve, measured on whole conversations.

    python -m benchmarks.prefix_cache [N_CONVERSATIONS] [MAX_TURNS]

A role's prompt begins with what stays the same and only appends the conversation, so each request shares its beginning
with an earlier one. "shared" is that beginning, as a share of all characters sent; "billed" counts only what a provider
would: 1,024 tokens at least, in steps of 128, four characters to a token.

Last result, 4 conversations of 8 turns from one seed phrase, in-car rubric, a model in every role:
    ExtractedTargets       5,028 characters,  75% shared,   0% billed as cached
    SpokenLine            79,857 characters,  72% shared,   0% billed as cached
    TurnAnswer           279,625 characters,  89% shared,  86% billed as cached
    StrategyChoice        87,932 characters,  51% shared,   0% billed as cached
    ScoreAnswer           54,468 characters,  64% shared,   0% billed as cached
    in all               506,910 characters,  77% shared,  48% billed as cached
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hairpin.app.inputs import load_inputs
from hairpin.app.request import RunRequest
from hairpin.app.run import run_scenario
from hairpin.testing import FakeModelServer, FakeRequest
from hairpin.testing.role_player import form_of, play_roles

CHARS_PER_TOKEN = 4
LEAST_TOKENS = 1_024
STEP_TOKENS = 128


@dataclass
class Share:
    """Characters sent, and of those how many an earlier request began with."""

    sent: int = 0
    shared: int = 0
    billed: int = 0

    def add(self, text: str, shared: int) -> None:
        tokens = shared // CHARS_PER_TOKEN // STEP_TOKENS * STEP_TOKENS
        self.sent += len(text)
        self.shared += shared
        self.billed += tokens * CHARS_PER_TOKEN if tokens >= LEAST_TOKENS else 0


async def requests_of_a_run(n_conversations: int, max_turns: int, out: Path) -> tuple[FakeRequest, ...]:
    async with FakeModelServer(default=play_roles) as server:
        scenario = out / "prefix.yaml"
        scenario.write_text(
            f"""
id: prefix
sut: testbed
seed_phrases: [Guide me to Marienplatz while avoiding toll roads]
contexts: [{{location: Garching, date: "2026-11-29", time: "11:40"}}]
max_turns: {max_turns}
repeats: {n_conversations}
models: {{default: {{provider: openai-compatible, base_url: "{server.base_url}", model: m}}}}
""",
            encoding="utf-8",
        )
        inputs = await asyncio.to_thread(load_inputs, scenario)
        await run_scenario(RunRequest(inputs=inputs, out=out / "runs", concurrency=1, canary=False))
        return server.chat_requests


def shares(requests: Sequence[FakeRequest]) -> dict[str, Share]:
    """Return the share of each role; what one role sent is no prefix of another's."""
    found: dict[str, Share] = defaultdict(Share)
    earlier: dict[str, list[str]] = defaultdict(list)
    for request in requests:
        role, text = form_of(request)[0], "\n".join(_texts(request))
        shared = max((_common(text, before) for before in earlier[role]), default=0)
        found[role].add(text, shared)
        earlier[role].append(text)
    return found


def _common(one: str, other: str) -> int:
    """Return how many characters both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (left, right) in pairs if left != right), min(len(one), len(other)))


def _texts(request: FakeRequest) -> Iterator[str]:
    for message in request.messages:
        yield f"{message['role']}: {message['content']}"


def main() -> None:
    n_conversations = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    max_turns = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    with tempfile.TemporaryDirectory() as folder:
        requests = asyncio.run(requests_of_a_run(n_conversations, max_turns, Path(folder)))
    total = Share()
    for role, share in shares(requests).items():
        print(
            f"    {role:18} {share.sent:9,} characters, {share.shared / share.sent:4.0%} shared, "
            f"{share.billed / share.sent:4.0%} billed as cached"
        )
        total = Share(total.sent + share.sent, total.shared + share.shared, total.billed + share.billed)
    print(
        f"    {'in all':18} {total.sent:9,} characters, {total.shared / total.sent:4.0%} shared, "
        f"{total.billed / total.sent:4.0%} billed as cached"
    )


if __name__ == "__main__":
    main()
