from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics import silhouette_score  # type: ignore[import-untyped]

from hairpin.analysis.clusters import Clustering, cluster_failures
from hairpin.domain.arm import Arm

G, B = Arm.GUIDED, Arm.BASELINE
BOTH = (G, B)


def around(axes: Sequence[int], *, noise: float = 0.05, d: int = 12, rng_seed: int = 0) -> NDArray[np.float32]:
    """Unit vectors near axes of a space: as many groups as different axes."""
    rows = np.eye(d)[list(axes)] + noise * np.random.default_rng(rng_seed).normal(size=(len(axes), d))
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def clustered(vectors: NDArray[np.float32], arm_of_row: Sequence[Arm], **options: int) -> Clustering:
    return cluster_failures(vectors, arm_of_row, arms=BOTH, **{"rng_seed": 7, **options})


def coverages(clustering: Clustering) -> list[float | None]:
    return [arm.coverage.mean for arm in clustering.arms]


def test_finds_the_groups_there_are_and_which_arm_reaches_them() -> None:
    """Four groups: guided failures in all of them, baseline failures in three."""
    axes = [0, 1, 2, 3] * 6 + [0, 1, 2] * 4
    found = clustered(around(axes), [G] * 24 + [B] * 12)
    assert (found.k.mean, found.k.sd, found.k.n) == (4, 0, 10)
    assert coverages(found) == [1, 0.75]
    assert [arm.n_clustered for arm in found.arms] == [24, 12]
    assert found.reason == ""


def test_the_silhouette_is_that_of_the_true_groups() -> None:
    axes = [0, 1, 2] * 7
    vectors = around(axes)
    found = clustered(vectors, [G, B, G] * 7)
    assert found.silhouette.mean == pytest.approx(silhouette_score(vectors, axes, metric="cosine"), abs=1e-5)
    assert coverages(found) == pytest.approx([2 / 3, 1 / 3])


def test_a_run_is_what_its_spread_is_made_of() -> None:
    noisy = around([0, 1, 2] * 12, noise=0.5)
    found = clustered(noisy, [G, B] * 18, n_runs=4)
    assert len(found.runs) == found.k.n == 4
    assert found.k.mean == pytest.approx(np.mean([run.k for run in found.runs]))
    assert found.silhouette.sd == pytest.approx(np.std([run.silhouette for run in found.runs], ddof=1))
    assert found.arms[1].coverage.mean == pytest.approx(np.mean([run.coverage[1] for run in found.runs]))


def test_runs_start_differently() -> None:
    noisy = around([0] * 400, noise=1.0)
    assert len({run.silhouette for run in clustered(noisy, [G, B] * 200, n_runs=5).runs}) > 1


def test_the_same_random_seed_gives_the_same_result() -> None:
    noisy = around([0, 1] * 60, noise=0.6)
    first, again, other = (clustered(noisy, [G, B] * 60, n_runs=3, rng_seed=seed) for seed in (1, 1, 2))
    assert first == again != other


def test_an_arm_with_many_failures_is_sampled_and_the_rest_counted() -> None:
    found = clustered(around([0, 1, 2] * 20), [G] * 50 + [B] * 10, max_per_arm=20)
    assert [(arm.n_clustered, arm.n_left_out) for arm in found.arms] == [(20, 30), (10, 0)]
    assert found.k.mean == 3


def test_no_k_beyond_ten() -> None:
    assert clustered(around(list(range(12)) * 3), [G, B, G] * 12).k.mean == 10


@pytest.mark.parametrize(
    ("axes", "reason"),
    [
        ([], "no failing conversation"),
        ([0], "1 failing conversation: clustering needs at least 3"),
        ([0, 1], "2 failing conversations: clustering needs at least 3"),
        ([0, 0, 0, 0], "all 4 failing conversations have the same vector: there is nothing to tell apart"),
    ],
)
def test_says_why_nothing_was_clustered(axes: list[int], reason: str) -> None:
    found = clustered(around(axes, noise=0), [G, B, G, B][: len(axes)])
    assert found.reason == found.k.reason == found.silhouette.reason == reason
    assert found.runs == ()
    assert [(arm.coverage.mean, arm.coverage.reason) for arm in found.arms] == [(None, reason)] * 2


def test_no_more_clusters_than_distinct_vectors() -> None:
    found = clustered(around([0, 1, 0, 1, 1], noise=0), [G, G, B, B, B])
    assert (found.n_distinct, found.k.mean, found.silhouette.mean) == (2, 2, 1)
    assert coverages(found) == [1, 1]


def test_three_conversations_make_two_clusters() -> None:
    found = clustered(around([0, 0, 1]), [G, G, B])
    assert (found.k.mean, coverages(found)) == (2, [0.5, 0.5])


def test_an_arm_without_failures_reaches_nothing_and_the_other_one_all_by_construction() -> None:
    found = clustered(around([0, 1, 0, 1]), [G] * 4)
    assert coverages(found) == [1, 0]
    assert found.reason == "only the guided arm has failing conversations: it covers all clusters by construction"


def test_one_arm_only_was_run() -> None:
    found = cluster_failures(around([0, 1, 0, 1]), [B] * 4, arms=[B], rng_seed=1)
    assert coverages(found) == [1]
    assert "only the baseline arm" in found.reason


def test_no_arm_was_run() -> None:
    found = cluster_failures(around([]), [], arms=[], rng_seed=1)
    assert (found.arms, found.reason) == ((), "no failing conversation")


def test_refuses_rows_without_an_arm() -> None:
    with pytest.raises(ValueError, match="for 2 conversations"):
        clustered(around([0, 1, 2]), [G, B])


def test_refuses_an_arm_that_was_not_run() -> None:
    with pytest.raises(ValueError, match="the baseline arm, which is not among those run: guided"):
        cluster_failures(around([0, 1, 2]), [G, B, G], arms=[G], rng_seed=1)


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from(BOTH)), max_size=14), st.sampled_from([0.0, 1e-7, 0.1]))
@settings(max_examples=40)
def test_whatever_failed_there_is_a_result(failures: list[tuple[int, Arm]], noise: float) -> None:
    """Equal and almost equal vectors too: a clustering with shares that add up, or a reason."""
    found = clustered(around([axis for axis, _ in failures], noise=noise, d=4), [arm for _, arm in failures], n_runs=2)
    assert bool(found.runs) or found.reason
    for run in found.runs:
        assert 2 <= run.k <= min(10, found.n_distinct, len(failures) - 1)
        assert -1 <= run.silhouette <= 1
        assert sum(run.coverage) >= 1 - 1e-9
