from __future__ import annotations

import kmedoids  # type: ignore[import-untyped]
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hairpin.analysis.medoids import CANDIDATES_AT_A_TIME, Distances, Partition, build, pam


def distances_between(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.abs(points[:, None, :] - points[None, :, :]).sum(axis=2))


def whole_distances(n: int, rng_seed: int, *, below: int = 1000, d: int = 3) -> NDArray[np.float64]:
    """Whole numbers are summed without rounding, so that ties are ties in every implementation."""
    return distances_between(np.random.default_rng(rng_seed).integers(0, below, size=(n, d)).astype(np.float64))


def random_distances(n: int, rng_seed: int, d: int = 3) -> NDArray[np.float64]:
    return distances_between(np.random.default_rng(rng_seed).normal(size=(n, d)))


def clustered(distances: Distances, k: int, *, n_candidates: int | None = None, rng_seed: int = 0) -> Partition:
    rng = np.random.default_rng(rng_seed)
    return pam(distances, build(distances, k, n_candidates=n_candidates or len(distances), rng=rng))


@given(st.integers(3, 60), st.integers(2, 10), st.integers(0, 2**32), st.sampled_from([4, 30, 1000]))
def test_costs_exactly_what_pam_of_the_kmedoids_library_costs(n: int, k: int, rng_seed: int, below: int) -> None:
    """Up to one block of candidates both are PAM from BUILD, so they end in the same local optimum."""
    distances = whole_distances(n, rng_seed, below=below)
    k = min(k, n - 1)
    assert clustered(distances, k).cost == kmedoids.pam(distances, k, init="build").loss


@given(st.integers(3, 25), st.integers(2, 6), st.integers(0, 2**32), st.booleans())
def test_the_library_finds_no_swap_that_would_lower_the_cost(n: int, k: int, rng_seed: int, all_tried: bool) -> None:
    """Also from a start that is not BUILD's, with ties and equal points."""
    distances = whole_distances(n, rng_seed, below=4, d=2)
    ours = clustered(distances, min(k, n - 1), n_candidates=n if all_tried else 2, rng_seed=rng_seed)
    assert kmedoids.pam(distances, ours.medoids.astype(np.uint64)).loss == ours.cost


@pytest.mark.parametrize("k", [2, 5, 10])
def test_with_more_points_than_one_block_the_result_is_as_good_as_the_librarys(k: int) -> None:
    distances = random_distances(3 * CANDIDATES_AT_A_TIME + 40, k, d=5)
    ours = clustered(distances, k, n_candidates=30)
    assert kmedoids.pam(distances, ours.medoids.astype(np.uint64)).loss == pytest.approx(ours.cost, rel=1e-9)
    assert ours.cost <= kmedoids.pam(distances, k, init="build").loss * 1.03


@given(st.integers(3, 40), st.integers(2, 8), st.integers(0, 2**32))
def test_float32_costs_what_float64_costs(n: int, k: int, rng_seed: int) -> None:
    distances = whole_distances(n, rng_seed)
    k = min(k, n - 1)
    assert clustered(distances.astype(np.float32), k).cost == clustered(distances, k).cost


@given(st.integers(2, 40), st.integers(2, 8), st.integers(0, 2**32), st.integers(1, 40))
@settings(max_examples=60)
def test_labels_lead_to_a_nearest_medoid_and_no_cluster_is_empty(
    n: int, k: int, rng_seed: int, n_candidates: int
) -> None:
    distances = whole_distances(n, rng_seed, below=3, d=2)
    k = min(k, n)
    found = clustered(distances, k, n_candidates=n_candidates, rng_seed=rng_seed)
    own = distances[np.arange(n), found.medoids[found.labels]]
    assert own.tolist() == distances[:, found.medoids].min(axis=1).tolist()
    assert found.cost == pytest.approx(own.sum())
    assert sorted(set(found.labels.tolist())) == list(range(k))


def test_build_picks_the_middle_first_and_then_what_lowers_the_cost_most() -> None:
    points = np.array([[0.0], [1.0], [2.0], [10.0], [11.0]])
    medoids = build(distances_between(points), 2, n_candidates=5, rng=np.random.default_rng(0))
    assert medoids.tolist() == [2, 3]


def test_swap_mends_a_poor_start() -> None:
    points = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    found = pam(distances_between(points), np.array([0, 1]))
    assert sorted(found.medoids.tolist()) == [1, 4]
    assert found.cost == 4
    assert len(set(found.labels[:3].tolist())) == len(set(found.labels[3:].tolist())) == 1


def test_the_same_random_seed_gives_the_same_start_and_another_seed_another() -> None:
    distances = random_distances(300, 1)
    starts = [build(distances, 5, n_candidates=10, rng=np.random.default_rng(seed)).tolist() for seed in (1, 1, 2)]
    assert starts[0] == starts[1] != starts[2]


def test_equal_points_everywhere_cost_nothing() -> None:
    found = clustered(np.zeros((4, 4)), 2)
    assert found.cost == 0
    assert sorted(set(found.labels.tolist())) == [0, 1]


@pytest.mark.parametrize("k", [0, 4])
def test_refuses_more_medoids_than_points_and_none(k: int) -> None:
    with pytest.raises(ValueError, match=f"k = {k}: of 3 points, 1 to 3"):
        build(random_distances(3, 1), k, n_candidates=3, rng=np.random.default_rng(0))


def test_refuses_to_swap_a_single_medoid() -> None:
    with pytest.raises(ValueError, match="k = 1"):
        pam(random_distances(3, 1), np.array([0]))
