"""Time and memory of the diversity analysis (RQ2): duplicates among 10,000 conversations, and clustering.

    python benchmarks/diversity.py

Wanted: 10,000 × 384 compared within 200 MB; k = 2 to 10, ten runs, on 2,000 conversations within 60 s on one core; the
whole analysis leaves the report of 10,000 conversations within its 60 s and 1 GB.

Last result, one of two shared cores, Python 3.11, numpy 2.4 (memory beside the vectors themselves):
    duplicates among 10,000                                              0.5 s,  38 MB, 10000 unique
    ten runs of k = 2 to 10 on 2,000                                     3.0 s,  23 MB, k = 6.0, silhouette 0.120
    ten runs of k = 2 to 10 on 4,000 (2,000 of each arm)                 7.3 s,  86 MB, k = 7.0, silhouette 0.125
    the whole analysis, 10,000 failing, 3 assistants, two arms          26.3 s, 120 MB, 10000 unique
"""

from __future__ import annotations

import os

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))  # before numpy is loaded

import argparse
import time
import tracemalloc
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hairpin.analysis.clusters import cluster_failures
from hairpin.analysis.diversity import FailingConversation, analyse_diversity
from hairpin.analysis.vectors import unique_rows
from hairpin.domain.arm import Arm

N_NUMBERS = 384
SUTS = ("a", "b", "c")


def conversations(n: int, rng_seed: int) -> NDArray[np.float32]:
    """Vectors as loosely grouped as the paper found them (silhouettes 0.08 to 0.25), with unequal groups."""
    rng = np.random.default_rng(rng_seed)
    groups = rng.normal(size=(8, N_NUMBERS))
    group = np.minimum(rng.geometric(0.3, n), 8) - 1
    rows = 1 + groups[group] + 2.2 * rng.normal(size=(n, N_NUMBERS))
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def measure(what: str, work: Callable[[], object]) -> None:
    tracemalloc.start()
    started = time.perf_counter()
    result = work()
    took_s, peak_mb = time.perf_counter() - started, tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    print(f"    {what:<66} {took_s:5.1f} s, {peak_mb:3.0f} MB, {result}")


def clustered(vectors: NDArray[np.float32]) -> str:
    arms = [Arm.GUIDED if row % 2 else Arm.BASELINE for row in range(len(vectors))]
    found = cluster_failures(vectors, arms, arms=tuple(Arm), rng_seed=1)
    return f"k = {found.k.mean}, silhouette {found.silhouette.mean or 0:.3f}"


def analysed(vectors: NDArray[np.float32]) -> str:
    failing = [
        FailingConversation(SUTS[row % 3], Arm.GUIDED if row % 2 else Arm.BASELINE, vector)
        for row, vector in enumerate(vectors)
    ]
    found = analyse_diversity(failing, suts=SUTS, arms=tuple(Arm), rng_seed=1)
    return f"{sum(cell.n_unique for cell in found.overall.arms)} unique"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conversations", type=int, default=10_000)
    n = parser.parse_args().conversations
    vectors = conversations(n, 1)
    measure(f"duplicates among {n:,}", lambda: f"{int(unique_rows(vectors).sum())} unique")
    measure("ten runs of k = 2 to 10 on 2,000", lambda: clustered(vectors[:2000]))
    measure("ten runs of k = 2 to 10 on 4,000 (2,000 of each arm)", lambda: clustered(vectors[:4000]))
    measure(f"the whole analysis, {n:,} failing, {len(SUTS)} assistants, two arms", lambda: analysed(vectors))


if __name__ == "__main__":
    main()
