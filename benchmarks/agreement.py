"""Time of all statistics of agreement: 37 conversations, 12 people and 4 dimensions, with 2,000 resamples.

    python benchmarks/agreement.py [--judges 6]

Wanted: under 20 s for the 1,776 ratings of the in-car paper's study (RQ0). Ratings are drawn: each person and judge
sees a conversation's true score with some noise.

Last result, two cores, Python 3.11, numpy 2.4:
    1,776 ratings of people, 6 judges, 2,000 resamples:
    2.9 s of the processor
    people: mean κ 0.792 [0.755, 0.834] over 264 pairs
"""

from __future__ import annotations

import argparse
import time
from random import Random

from hairpin.analysis.agreement.model import RowKind, StudyRatings, StudySettings
from hairpin.analysis.agreement.rating_study import study_agreement
from hairpin.analysis.agreement.verdicts import RaterSheet, VerdictRule
from hairpin.domain.rubric import Weights

DIMENSIONS = ("adherence", "context", "coherence", "safety")


def drawn(name: str, truth: dict[str, dict[str, int]], noise: float, rng: Random, *, judge: bool = False) -> RaterSheet:
    scores = {
        conversation: {
            dimension: min(2, max(0, score + rng.choice((-1, 1)))) if rng.random() < noise else score
            for dimension, score in scored.items()
        }
        for conversation, scored in truth.items()
    }
    completed = {conversation: rng.choice((0.0, 0.5, 1.0)) for conversation in truth}
    return RaterSheet(name=name, scores=scores, completed=completed, is_judge=judge)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conversations", type=int, default=37)
    parser.add_argument("--people", type=int, default=12)
    parser.add_argument("--judges", type=int, default=6)
    parser.add_argument("--resamples", type=int, default=2000)
    options = parser.parse_args()
    rng = Random(1)
    truth = {
        f"c{number:04d}": {dimension: rng.choice((0, 1, 2, 2)) for dimension in DIMENSIONS}
        for number in range(options.conversations)
    }
    ratings = StudyRatings(
        conversations=tuple(truth),
        dimensions=DIMENSIONS,
        people=tuple(drawn(f"person {number}", truth, 0.25, rng) for number in range(options.people)),
        judges=tuple(drawn(f"judge {number}", truth, 0.2, rng, judge=True) for number in range(options.judges)),
    )
    rule = VerdictRule(weights=Weights(dimensions=dict.fromkeys(DIMENSIONS, 1.0)), threshold=0.75, source="benchmark")
    begun, cpu = time.perf_counter(), time.process_time()
    found = study_agreement(ratings, StudySettings(rule=rule, n_resamples=options.resamples))
    wall_s, cpu_s = time.perf_counter() - begun, time.process_time() - cpu
    kappa = found.row(RowKind.PEOPLE).overall.kappa
    print(f"    {found.n_ratings:,} ratings of people, {len(found.judges)} judges, {options.resamples:,} resamples:")
    print(f"    {wall_s:.1f} s ({cpu_s:.1f} s of the processor)")
    print(f"    people: mean κ {kappa.value:.3f} [{kappa.low:.3f}, {kappa.high:.3f}] over {kappa.n} pairs")


if __name__ == "__main__":
    main()
