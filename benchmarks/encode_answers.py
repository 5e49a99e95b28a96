"""Encoding a run's answers: ``.venv/bin/python -m benchmarks.encode_answers CoQA.json``.

The answers of CoQA, gold and alternative, stand in for those of a run: their lengths and how often they repeat.
Compared with encoding both answers anew for every comparison, the service must be ten times as fast where equal texts
are encoded once, and five times as fast where no text repeats; cache cold, in one process. The CPU's time is shown too:
other work on the machine changes it less. On CUDA it also says how far float16 moves cosines from those of the CPU.

Last result, two cores with a load of 2, CoQA's Wikipedia and Gutenberg part:
    as they are: 6,576 answers, 46.1 % of them different, 9,864 pairs: 7.8 s, 12.8 times as fast as pair by pair
    none twice: as many, all different: 17.9 s, 6.4 times as fast
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Literal

import anyio
import numpy as np

from hairpin.domain.encoder import EncoderSpec
from hairpin.embeddings.batching import BatchingEncoder
from hairpin.embeddings.build import load_encoder
from hairpin.embeddings.cosines import device_pair_cosines, flipped_decisions
from hairpin.embeddings.devices import choose_device
from hairpin.embeddings.texts import is_blank, normalised
from hairpin.ports import Encoder, FloatArray, FloatMatrix, IndexArray

EPSILON = 0.6
WARM_UP = ["A text that loads the model.", "Another one."]


def answers_of(path: Path) -> list[list[str]]:
    """Return the answers of each question, gold first, from CoQA's JSON or from lists in a ``.jsonl``."""
    if path.suffix == ".jsonl":
        groups = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    else:
        groups = [
            [
                answers[place]["input_text"]
                for answers in (dialogue["answers"], *dialogue["additional_answers"].values())
            ]
            for dialogue in json.loads(path.read_text(encoding="utf-8"))["data"]
            for place in range(len(dialogue["questions"]))
        ]
    return [[text for text in group if not is_blank(text)] for group in groups]


def comparisons_of(groups: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Return the pairs of answers to the same question: what MR1 to MR4 compare."""
    return [pair for group in groups for pair in combinations(group, 2)]


def load(device: str, dtype: Literal["float32", "float16"] | None = None) -> Encoder:
    encoder = load_encoder(EncoderSpec(device=device, dtype=dtype), cache=None)
    encoder.encode(WARM_UP)
    return encoder


@dataclass(frozen=True)
class Spent:
    """Seconds of the wall clock and of the CPU, in all threads."""

    wall_s: float
    cpu_s: float

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.wall_s + other.wall_s, self.cpu_s + other.cpu_s)

    def times(self, factor: float) -> Spent:
        return Spent(self.wall_s * factor, self.cpu_s * factor)


def spent(work: Callable[[], object]) -> Spent:
    wall_s, cpu_s = time.perf_counter(), time.process_time()
    work()
    return Spent(time.perf_counter() - wall_s, time.process_time() - cpu_s)


def pairwise(encoder: Encoder, pairs: Sequence[tuple[str, str]]) -> None:
    """Compare the naive way: both texts go through the model, each time."""
    for left, right in pairs:
        vectors = encoder.encode([left, right])
        float(vectors[0] @ vectors[-1])


async def served(encoder: Encoder, groups: Sequence[Sequence[str]]) -> FloatMatrix:
    """Return the vectors of all answers, asked for by one caller per question, as conversations do."""
    made: dict[int, FloatMatrix] = {}

    async def converse(number: int) -> None:
        made[number] = await service.encode(groups[number])

    async with BatchingEncoder.running(encoder) as service, anyio.create_task_group() as tasks:
        for number in range(len(groups)):
            tasks.start_soon(converse, number)
    return np.concatenate([made[number] for number in range(len(groups))])


def compared(encoder: Encoder, groups: Sequence[Sequence[str]], device: str) -> FloatArray:
    """Return the cosines of all comparisons."""
    return device_pair_cosines(device)(anyio.run(served, encoder, groups), *pair_indexes(groups))


def pair_indexes(groups: Sequence[Sequence[str]]) -> tuple[IndexArray, IndexArray]:
    starts = np.cumsum([0, *map(len, groups)])
    pairs = [
        (start + a, start + b)
        for start, group in zip(starts[:-1], groups, strict=True)
        for a, b in combinations(range(len(group)), 2)
    ]
    left, right = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return left, right


def without_repeats(groups: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the same answers, each with a number of its own, so that no two are equal."""
    number = iter(range(10**9))
    return [[f"{text} {next(number)}" for text in group] for group in groups]


def compare(
    name: str, encoder: Encoder, groups: Sequence[Sequence[str]], args: argparse.Namespace, target: int
) -> None:
    pairs = comparisons_of(groups)
    subset = Random(args.rng_seed).sample(pairs, min(args.pairs, len(pairs)))
    texts = [normalised(text) for group in groups for text in group]
    half = len(subset) // 2
    # Before and after, because other work on the machine comes and goes.
    before = spent(lambda: pairwise(encoder, subset[:half]))
    once = spent(lambda: compared(encoder, groups, args.device))
    each = (before + spent(lambda: pairwise(encoder, subset[half:]))).times(1 / len(subset))
    naive = each.times(len(pairs))
    wall, cpu = naive.wall_s / once.wall_s, naive.cpu_s / once.cpu_s
    print(f"{name}: {len(texts)} answers, {len(set(texts)) / len(texts):.1%} of them different, {len(pairs)} pairs")
    print(f"  pair by pair: {each.wall_s * 1000:.1f} ms per pair on {len(subset)} of them, all {naive.wall_s:.1f} s")
    print(f"  through the service: {once.wall_s:.2f} s, {len(texts) / once.wall_s:.0f} answers/s")
    print(f"  {wall:.1f} times as fast, {'within' if wall >= target else 'MISSES'} the target of {target}")
    print(f"  {cpu:.1f} times less of the CPU ({naive.cpu_s:.1f} s and {once.cpu_s:.1f} s)")


def compare_formats(groups: Sequence[Sequence[str]], device: str) -> None:
    """Say how far the accelerator's number format moves cosines and decisions."""
    half, full = load(device, "float16"), load("cpu", "float32")
    there = spent(lambda: compared(half, groups, device))
    print(f"{device}, float16: {sum(map(len, groups)) / there.wall_s:.0f} answers/s")
    a, b = compared(half, groups, device), compared(full, groups, "cpu")
    flipped = flipped_decisions(a, b, EPSILON)
    print(f"  cosines differ from those of the CPU in float32 by at most {float(np.abs(a - b).max()):.1e}")
    print(f"  {flipped} of {len(a)} decisions at {EPSILON} differ")


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the encoding of a run's answers against pairwise encoding.")
    parser.add_argument("answers", type=Path, help="CoQA's JSON, or .jsonl with one list of answers per line")
    parser.add_argument("--pairs", type=int, default=200, help="pairs that the pairwise way is timed on")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--rng-seed", type=int, default=1)
    args = parser.parse_args()
    args.device = choose_device(args.device)
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; device {args.device}")
    groups = answers_of(args.answers)
    encoder = load(args.device)
    compare("as they are", encoder, groups, args, 10)
    compare("none twice", encoder, without_repeats(groups), args, 5)
    print(f"load at the end {os.getloadavg()[0]:.1f}")
    if args.device != "cpu":
        compare_formats(groups, args.device)


if __name__ == "__main__":
    main()
