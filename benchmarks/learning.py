"""Learning across conversations against uniform choice: distinct failures per 100 conversations, on the testbed.

    PYTHONPATH=. python benchmarks/learning.py [--first 101] [--seeds 20] [--conversations 100] [--condition useless]

A pool of four strategies meets the testbed with faults that strike after the opening (F3, F8 and F9, each one time in
ten). *useless*: two of the four ask for something of another kind, each in words of its own; the others for what is
unsafe, which the testbed always refuses. *equal*: all four ask for something of another kind. The arms are paired, so
that they meet the same users and only strategies are learnt; conversations follow one another in the closed loop, with
offline agents (``tests/quality/learning_worlds.py``).

Wanted: with two useless strategies learning finds more in at least 16 of 20 random seeds; where all are equal it costs
at most 10 %.

Last result: see docs/results/learning.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import anyio

from hairpin.domain.arm import Arm
from tests.quality.learning_worlds import hold

N_USELESS = {"useless": 2, "equal": 0}


async def compare(condition: str, rng_seeds: Sequence[int], n: int) -> None:
    found: dict[Arm, list[int]] = {Arm.GUIDED: [], Arm.LEARNED: []}
    for rng_seed in rng_seeds:
        for arm, counts in found.items():
            held = await hold(arm, n_useless=N_USELESS[condition], rng_seed=rng_seed, n=n)
            counts.append(held.distinct[-1])
        print(f"| {condition} | {rng_seed} | {found[Arm.GUIDED][-1]} | {found[Arm.LEARNED][-1]} |", flush=True)
    pairs = list(zip(found[Arm.LEARNED], found[Arm.GUIDED], strict=True))
    means = f"{mean(found[Arm.GUIDED]):.2f} | {mean(found[Arm.LEARNED]):.2f}"
    print(f"| **{condition}** | **mean** | {means} |")
    more, as_many = sum(one > other for one, other in pairs), sum(one == other for one, other in pairs)
    print(
        f"\n{condition}: learning found more in {more} of {len(pairs)}, as many in {as_many}; "
        f"{sum(found[Arm.LEARNED]) / max(1, sum(found[Arm.GUIDED])):.3f} times as many\n"
    )


def mean(values: Sequence[int]) -> float:
    return sum(values) / len(values)


async def main(conditions: Sequence[str], rng_seeds: Sequence[int], n: int) -> None:
    print("| condition | rng_seed | guided | learned |")
    print("|:--|--:|--:|--:|")
    for condition in conditions:
        await compare(condition, rng_seeds, n)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=101)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--conversations", type=int, default=100)
    parser.add_argument("--condition", choices=list(N_USELESS), action="append")
    arguments = parser.parse_args()
    rng_seeds = range(arguments.first, arguments.first + arguments.seeds)
    anyio.run(main, arguments.condition or list(N_USELESS), rng_seeds, arguments.conversations)
