"""How well questions are made to stand alone, against rewrites by people (TREC CAsT 2019 and 2020).

    python -m benchmarks.decontextualiser --cast2019 evaluation_topics_v1.0.json \
        evaluation_topics_annotated_resolved_v1.0.tsv --cast2020 2020_manual_evaluation_topics_v1.0.json
    … --gguf model.gguf --limit 50        the same by a model, on the first 50 questions that have others before them

BLEU is that of a corpus, to four words, with case and the tokens of mteval-v13a; cosines are those of all-MiniLM-L6-v2.

Last result, 2 shared cores; the offline agent was built on these very questions:
    2019, 479 questions   as asked  BLEU 60.4, cos 0.767     offline  BLEU 69.7, cos 0.873
    2020, 216 questions   as asked  BLEU 45.6, cos 0.711     offline  BLEU 49.8, cos 0.757
"""

from __future__ import annotations

import argparse
import json
import math
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from random import Random

import anyio
import numpy as np
import structlog

from hairpin.agents.llm.decontextualiser import DECONTEXTUALISER_SLOTS, LlmDecontextualiser
from hairpin.agents.offline.decontextualiser import OfflineDecontextualiser
from hairpin.domain.briefs import RewriteBrief
from hairpin.domain.encoder import EncoderSpec
from hairpin.domain.llm_calls import LlmRequest
from hairpin.domain.model_spec import LocalModel
from hairpin.domain.outcome import Role
from hairpin.embeddings.build import load_encoder
from hairpin.llm.budget import Budget
from hairpin.llm.call_costs import Player
from hairpin.llm.gateway import Gateway, GatewayTools
from hairpin.llm.providers import Providers
from hairpin.llm.traffic.waiting import Deadline
from hairpin.packs.finder import PackFinder
from hairpin.packs.prompts import find_prompt
from hairpin.ports import Decontextualiser, Encoder, RoleError

MAX_ORDER = 4
_SPLITS = (
    (re.compile(r"([{-~\[-` -&(-+:-@/])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


@dataclass(frozen=True)
class Asked:
    """A question, those before it, and how people rewrote it."""

    question: str
    earlier: tuple[str, ...]
    gold: str


class Nothing:
    """Leaves questions as they are."""

    async def rewrite(self, brief: RewriteBrief) -> str:
        return brief.question


class Copying:
    """Leaves a question as it is when the model breaks; counts how often."""

    def __init__(self, inner: Decontextualiser) -> None:
        self.inner = inner
        self.n_broken = 0

    async def rewrite(self, brief: RewriteBrief) -> str:
        try:
            return await self.inner.rewrite(brief)
        except RoleError:
            self.n_broken += 1
            return brief.question


class SystemClock:
    """Implements ``ports.Clock``."""

    def monotonic(self) -> float:
        return time.monotonic()

    def now(self) -> datetime:
        return datetime.now(UTC)


class NoLog:
    """Implements ``ports.LlmRequestLog``."""

    async def record_request(self, request: LlmRequest) -> None:
        pass


def read_2019(topics: Path, gold: Path) -> Iterator[Asked]:
    rewrites = dict(line.split("\t", 1) for line in gold.read_text("utf-8").splitlines() if line)
    for topic in json.loads(topics.read_bytes()):
        texts = [turn["raw_utterance"] for turn in topic["turn"]]
        for place, turn in enumerate(topic["turn"]):
            yield Asked(texts[place], tuple(texts[:place]), rewrites[f"{topic['number']}_{turn['number']}"])


def read_2020(topics: Path) -> Iterator[Asked]:
    for topic in json.loads(topics.read_bytes()):
        texts = [turn["raw_utterance"] for turn in topic["turn"]]
        for place, turn in enumerate(topic["turn"]):
            yield Asked(texts[place], tuple(texts[:place]), turn["manual_rewritten_utterance"])


def words_13a(text: str) -> list[str]:
    """Return the tokens of mteval-v13a."""
    text = f" {text} "
    for pattern, by in _SPLITS:
        text = pattern.sub(by, text)
    return text.split()


def corpus_bleu(found: Sequence[str], gold: Sequence[str]) -> float:
    """Return BLEU, 0 to 100, of a corpus with one reference each (Papineni et al., 2002), without smoothing."""
    pairs = [(words_13a(one), words_13a(other)) for one, other in zip(found, gold, strict=True)]
    logs = 0.0
    for order in range(1, MAX_ORDER + 1):
        hits = total = 0
        for one, other in pairs:
            left, right = _ngrams(one, order), _ngrams(other, order)
            hits += (left & right).total()
            total += left.total()
        if not hits:
            return 0.0
        logs += math.log(hits / total) / MAX_ORDER
    n_found, n_gold = (sum(len(pair[side]) for pair in pairs) for side in (0, 1))
    return 100 * math.exp(logs + min(0.0, 1 - n_gold / n_found))


def _ngrams(words: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[start : start + order]) for start in range(len(words) - order + 1))


async def measure(name: str, role: Decontextualiser, asked: Sequence[Asked], encoder: Encoder) -> None:
    start = time.perf_counter()
    briefs = [RewriteBrief(reference_text=None, earlier=each.earlier, question=each.question) for each in asked]
    found = [await role.rewrite(brief) for brief in briefs]
    wall_s = time.perf_counter() - start
    gold = [each.gold for each in asked]
    cosines = np.sum(encoder.encode(found) * encoder.encode(gold), axis=1)
    exact = sum(" ".join(one.split()) == " ".join(other.split()) for one, other in zip(found, gold, strict=True))
    alike = float(np.mean(cosines >= 0.9))
    broken = f", {role.n_broken} broken" if isinstance(role, Copying) else ""
    print(
        f"  {name:12} BLEU {corpus_bleu(found, gold):5.1f}, equal {exact}/{len(gold)}, cos {np.mean(cosines):.3f}, "
        f"cos ≥ 0.9 {alike:.1%}, {1000 * wall_s / len(gold):.1f} ms per question{broken}"
    )


@asynccontextmanager
async def model_role(gguf: Path) -> AsyncIterator[Copying]:
    """Serve ``gguf`` and yield the decontextualiser that it plays, with the prompt that ships."""
    logger = structlog.wrap_logger(None, wrapper_class=structlog.make_filtering_bound_logger("error"))
    providers = Providers(environ={}, default_gguf=None, clock=SystemClock(), logger=logger)
    numbers = count()
    tools = GatewayTools(
        log=NoLog(),
        logger=logger,
        clock=SystemClock(),
        new_id=lambda: f"{next(numbers):012x}",
        budget=Budget({Role.DECONTEXTUALISER: Player(model=gguf.name)}, n_dimensions=0, max_tokens=10**9),
        deadline=Deadline(),
    )
    spec = LocalModel(gguf=str(gguf), parameters={"temperature": 0}, max_output_tokens=256)
    role = Role.DECONTEXTUALISER
    gateway = Gateway({role: spec}, prices={role: None}, providers=providers, tools=tools, rng=Random(1))
    prompt, _ = find_prompt("decontextualiser", PackFinder.standard(plugins=[]), slots=DECONTEXTUALISER_SLOTS)
    try:
        yield Copying(LlmDecontextualiser(gateway.models[role], prompt))
    finally:
        await providers.aclose()


async def compare(sets: dict[str, list[Asked]], gguf: Path | None, limit: int) -> None:
    encoder = load_encoder(EncoderSpec(device="cpu"), cache=None)
    for name, asked in sets.items():
        print(f"CAsT {name}, {len(asked)} questions")
        await measure("as asked", Nothing(), asked, encoder)
        await measure("offline", OfflineDecontextualiser(), asked, encoder)
        if gguf is not None:
            some = [each for each in asked if each.earlier][:limit]
            print(f"CAsT {name}, the first {len(some)} with questions before them")
            await measure("as asked", Nothing(), some, encoder)
            await measure("offline", OfflineDecontextualiser(), some, encoder)
            async with model_role(gguf) as role:
                await measure(gguf.name[:12], role, some, encoder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cast2019", type=Path, nargs=2, metavar=("TOPICS", "REWRITES"))
    parser.add_argument("--cast2020", type=Path, metavar="TOPICS")
    parser.add_argument("--gguf", type=Path, help="a model file that plays the role too")
    parser.add_argument("--limit", type=int, default=200, help="questions for the model")
    options = parser.parse_args()
    sets: dict[str, list[Asked]] = {}
    if options.cast2019:
        sets["2019"] = list(read_2019(*options.cast2019))
    if options.cast2020:
        sets["2020"] = list(read_2020(options.cast2020))
    if not sets:
        parser.error("name the files: --cast2019 TOPICS REWRITES and/or --cast2020 TOPICS")
    anyio.run(compare, sets, options.gguf, options.limit)


if __name__ == "__main__":
    main()
