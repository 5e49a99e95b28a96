"""Time of all relation checks of a run of 3,500 follow-ups, from cached vectors, and its ratio to one pair at a time.

    python benchmarks/relation_checks.py

Wanted: 500 dialogues of 16 questions, each with 7 perturbations, checked within 10 s. Answers are synthetic, with as
many distinct ones as it takes for half of all replies to be new; vectors are random. The ratio is to tests' brute force
on the first dialogues, in the same process.

Last result, two cores, Python 3.11, numpy 2.4:
    36,945 distinct texts of 500 dialogues named: 0.1 s (0.1 s of the processor)
    embedding          78,000 checks of 210,158 pairs: 3.2 s (3.2 s of the processor)
                       one pair at a time, 20 dialogues: 0.7 s (0.7 s of the processor), 12 times as long
    lexical+embedding  78,000 checks of 210,158 pairs: 4.3 s (4.3 s of the processor)
                       one pair at a time, 20 dialogues: 0.7 s (0.7 s of the processor), 6 times as long
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Generic, TypeVar

import numpy as np

from hairpin.domain.conversation import Exchange
from hairpin.domain.families import Family
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import (
    AnswerComparison,
    ContextCheck,
    ContextFinding,
    ContextReason,
    Derivation,
    MetamorphicSpec,
)
from hairpin.domain.replay import PAPER_PERTURBATIONS, Method, Replay, ReplayedQuestion
from hairpin.domain.test_seeds import SeedQuestion, TestSeed
from hairpin.domain.users import Context
from hairpin.metamorphic.perturbations import perturb
from hairpin.metamorphic.refusal import Refused
from hairpin.metamorphic.scoring import check_relations, texts_needed
from hairpin.metamorphic.text_vectors import TextVectors

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.metamorphic.brute_force import BruteForce, found

N_QUESTIONS = 16
T = TypeVar("T")


def make_family(number: int, rng: Random) -> Family:
    questions = tuple(SeedQuestion(text=f"question {j}?", answers=(answer(rng),)) for j in range(N_QUESTIONS))
    seed = TestSeed(id=f"d{number}", questions=questions)
    source = record(f"s{number}", tuple(range(N_QUESTIONS)), seed, None, "", rng)
    follow_ups = []
    checks = []
    for perturbation in PAPER_PERTURBATIONS:
        order = perturb(range(N_QUESTIONS), perturbation, ratio=0.3, rng_seed=number)
        assert not isinstance(order, Refused)
        asked = tuple(j for j in order if j is not None)
        held = record(f"s{number}-{perturbation}", asked, seed, source.planned.id, perturbation, rng)
        follow_ups.append(held)
        for position, j in enumerate(asked):
            finding = ContextFinding(equivalent=rng.random() < 0.7, reason=ContextReason.SIMILARITY)
            checks.append(ContextCheck(conversation=held.planned.id, position=position, index=j, finding=finding))
    ids = tuple(each.planned.id for each in follow_ups)
    return Family(
        derivation=Derivation(source=source.planned.id, test_seed=seed, follow_ups=ids),
        source=source,
        follow_ups=tuple(follow_ups),
        context_checks=tuple(checks),
    )


def record(
    name: str, order: Sequence[int], seed: TestSeed, source: str | None, kind: str, rng: Random
) -> ConversationRecord:
    asked = tuple(ReplayedQuestion(text=seed.questions[j].text, index=j) for j in order)
    method = Method.RBT if source is None else Method.MORTAR
    planned = PlannedConversation(
        index=0,
        id=name,
        sut="a",
        seed_phrase=None,
        persona="neutral",
        context=Context(),
        repeat=0,
        max_turns=len(asked),
        rng_seed=1,
        replay=Replay(method=method, test_seed=seed.id, source=source, kind=kind, questions=asked),
    )
    exchanges = tuple(Exchange(t=t, user=each.text, assistant=answer(rng)) for t, each in enumerate(asked))
    return ConversationRecord(planned=planned, exchanges=exchanges)


def answer(rng: Random) -> str:
    n_common = 2000
    return f"answer {rng.randrange(n_common)}" if rng.random() < 0.5 else f"another answer, {rng.getrandbits(40)}"


class Timed(Generic[T]):
    """What ``work`` returns, and how long it took."""

    def __init__(self, work: Callable[[], T]) -> None:
        wall, cpu = time.perf_counter(), time.process_time()
        self.result = work()
        self.wall_s, self.cpu_s = time.perf_counter() - wall, time.process_time() - cpu

    def __str__(self) -> str:
        return f"{self.wall_s:.1f} s ({self.cpu_s:.1f} s of the processor)"


def compare(families: Sequence[Family], vectors: TextVectors, spec: MetamorphicSpec, n_brute_force: int) -> None:
    whole = Timed(lambda: check_relations(families, vectors, spec))
    checks = [check for checks in whole.result for check in checks]
    n_pairs = sum(check.n_pairs for check in checks if check.similarity is not None)
    print(f"    {spec.comparison:<18} {len(checks):,} checks of {n_pairs:,} pairs: {whole}")
    some = families[:n_brute_force]
    fast = Timed(lambda: check_relations(some, vectors, spec))
    slow = Timed(lambda: [BruteForce(each, vectors, spec).checks() for each in some])
    assert [[found(check) for check in checks] for checks in fast.result] == slow.result, "brute force disagrees"
    ratio = slow.cpu_s / fast.cpu_s
    print(f"    {'':<18} one pair at a time, {len(some)} dialogues: {slow}, {ratio:.0f} times as long")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dialogues", type=int, default=500)
    parser.add_argument("--brute-force", type=int, default=20, help="dialogues that are also checked pair by pair")
    parser.add_argument("--numbers", type=int, default=1024, help="in a vector, as of gte-large-en-v1.5")
    options = parser.parse_args()
    rng = Random(1)
    families = [make_family(number, rng) for number in range(options.dialogues)]
    named = Timed(lambda: texts_needed(families))
    print(f"    {len(named.result):,} distinct texts of {len(families):,} dialogues named: {named}")
    rows = np.random.default_rng(1).normal(size=(len(named.result), options.numbers))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vectors = TextVectors.of(named.result, rows.astype(np.float32))
    for comparison in AnswerComparison:
        compare(families, vectors, MetamorphicSpec(comparison=comparison), options.brute_force)


if __name__ == "__main__":
    main()
