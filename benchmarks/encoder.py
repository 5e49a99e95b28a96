"""Encoding texts with and without the cache: ``.venv/bin/python -m benchmarks.encoder``.

Targets: 10,000 cached texts in less than 1 s; comparing n texts by their n vectors instead of pair by pair.
"""

from __future__ import annotations

import argparse
import itertools
import os
import platform
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from hairpin.domain.encoder import EncoderSpec
from hairpin.embeddings.build import load_encoder
from hairpin.embeddings.vectors import cosines
from hairpin.ports import Encoder

TARGET_S = 1.0
VERBS = ("Take me to", "Find", "Call", "Tell me about", "Play something by", "Remind me of", "How far is")
THINGS = ("the station", "a café with a garden", "my sister", "the weather in Oslo", "the next meeting", "the museum")


def texts_of(n: int) -> list[str]:
    """Return ``n`` different utterances of 5 to 17 words."""
    pairs = itertools.cycle(itertools.product(VERBS, THINGS, ("", " and then tell me how long that takes, please")))
    return [
        f"{verb} {thing}{more}, number {number}" for number, (verb, thing, more) in zip(range(n), pairs, strict=False)
    ]


def wall_s(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def pairwise(encoder: Encoder, texts: Sequence[str]) -> None:
    """Compare every pair as is done naively: encode both, each time."""
    for left, right in itertools.combinations(texts, 2):
        vectors = encoder.encode([left, right])
        cosines(vectors[:1], vectors[1:])


def unique(encoder: Encoder, texts: Sequence[str]) -> None:
    vectors = encoder.encode(texts)
    cosines(vectors, vectors)


def compare_pairs(plain: Encoder, n: int) -> None:
    texts = texts_of(n)
    n_pairs = n * (n - 1) // 2
    once_s, pairs_s = wall_s(lambda: unique(plain, texts)), wall_s(lambda: pairwise(plain, texts))
    print(f"{n_pairs} pairs of {n} texts: pair by pair {pairs_s:.2f} s, each text once {once_s:.3f} s")
    print(f"  {pairs_s / once_s:.0f} times as fast")


def compare_cache(cache: Path, n: int) -> None:
    texts = texts_of(n)
    cold = load_encoder(EncoderSpec(device="cpu"), cache=cache)
    cold.encode(["warm up"])
    cold_s = wall_s(lambda: cold.encode(texts))
    warm_s = wall_s(lambda: load_encoder(EncoderSpec(device="cpu"), cache=cache).encode(texts))
    verdict = "within" if warm_s < TARGET_S * n / 10_000 else "over"
    print(f"cold cache: {n} texts in {cold_s:.2f} s, {n / cold_s:.0f} texts/s")
    print(f"warm cache, opened anew: {warm_s:.3f} s, {n / warm_s:.0f} texts/s, {verdict} {TARGET_S} s per 10,000")
    print(f"  {cold_s / warm_s:.0f} times as fast; {(cache / 'vectors.sqlite').stat().st_size / n:.0f} bytes per text")


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the encoder with and without its cache.")
    parser.add_argument("--texts", type=int, default=2_000)
    parser.add_argument("--pairs-of", type=int, default=16)
    asked = parser.parse_args()
    plain = load_encoder(EncoderSpec(device="cpu"), cache=None)
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores")
    print(f"loading {plain.identity} and encoding one text: {wall_s(lambda: plain.encode(['warm up'])):.1f} s")
    compare_pairs(plain, asked.pairs_of)
    with tempfile.TemporaryDirectory() as folder:
        compare_cache(Path(folder), asked.texts)


if __name__ == "__main__":
    main()
