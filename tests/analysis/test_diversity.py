from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hairpin.analysis.diversity import DiversityAnalysis, FailingConversation, UniqueFailures, analyse_diversity
from hairpin.domain.arm import Arm

G, B = Arm.GUIDED, Arm.BASELINE


def failing(sut: str, arm: Arm, *axes: int | None) -> list[FailingConversation]:
    """Failing conversations along axes: on the same one they are duplicates; ``None`` has nothing said in it."""
    space = np.eye(12, dtype=np.float32)
    return [FailingConversation(sut, arm, None if axis is None else space[axis]) for axis in axes]


def analysed(*groups: list[FailingConversation], suts: tuple[str, ...] = ("a", "b")) -> DiversityAnalysis:
    return analyse_diversity([one for group in groups for one in group], suts=suts, arms=(G, B), rng_seed=3)


def counts(cells: tuple[UniqueFailures, ...]) -> list[tuple[int, int, int]]:
    return [(cell.n_failing, cell.n_without_vector, cell.n_unique) for cell in cells]


def test_duplicates_are_taken_out_within_each_arm_of_each_sut_only() -> None:
    found = analysed(
        failing("a", G, 0, 1, 2, 0), failing("b", G, 0, 1), failing("a", B, 0, 0, 1), failing("b", B, 1, 1, 1)
    )
    assert [row.sut for row in found.suts] == ["a", "b"]
    assert [counts(row.arms) for row in found.suts] == [[(4, 0, 3), (3, 0, 2)], [(2, 0, 2), (3, 0, 1)]]
    assert [cell.redundancy for cell in found.suts[0].arms] == [0.25, pytest.approx(1 / 3)]
    assert [row.ratio for row in found.suts] == [1.5, 2]


def test_the_row_of_all_suts_adds_their_unique_failures() -> None:
    found = analysed(failing("a", G, 0, 1), failing("b", G, 0, 0), failing("a", B, 0), failing("b", B, 3, 4))
    assert found.overall.sut is None
    assert counts(found.overall.arms) == [(4, 0, 3), (3, 0, 3)]
    assert [cell.redundancy for cell in found.overall.arms] == [0.25, 0]
    assert found.overall.ratio == 1


def test_conversations_in_which_nothing_was_said_are_counted_and_left_out() -> None:
    found = analysed(failing("a", G, None, 0, None, 1), failing("a", B, 2, 2, None))
    assert counts(found.suts[0].arms) == [(4, 2, 2), (3, 1, 1)]
    assert [cell.redundancy for cell in found.suts[0].arms] == [0, 0.5]
    assert [arm.n_clustered for arm in found.suts[0].clustering.arms] == [2, 2]


def test_clusters_are_of_both_arms_per_sut_and_of_all_suts() -> None:
    found = analysed(
        failing("a", G, 0, 1, 0, 1), failing("a", B, 0, 0), failing("b", G, 2, 3, 2), failing("b", B, 3, 4, 4)
    )
    assert [row.clustering.k.mean for row in found.suts] == [2, 3]
    assert found.overall.clustering.k.mean == 5
    assert [arm.coverage.mean for arm in found.suts[0].clustering.arms] == [1, 0.5]
    assert [arm.coverage.mean for arm in found.overall.clustering.arms] == pytest.approx([0.8, 0.6])


def test_the_mean_coverage_is_over_the_suts_that_could_be_clustered() -> None:
    """As in the last row of Table IV."""
    found = analysed(
        failing("a", G, 0, 1, 0, 1), failing("a", B, 0), failing("b", G, 2, 3, 2), failing("b", B, 3, 2),
        failing("c", G, 5), suts=("a", "b", "c"),
    )  # fmt: skip
    assert [mean.arm for mean in found.mean_coverage] == [G, B]
    assert [(mean.coverage.mean, mean.coverage.n) for mean in found.mean_coverage] == [(1, 2), (0.75, 2)]


def test_one_sut_is_its_own_overall() -> None:
    found = analysed(failing("a", G, 0, 1, 2), failing("a", B, 0, 1), suts=("a",))
    assert found.overall.clustering == found.suts[0].clustering
    assert found.overall.arms == found.suts[0].arms


def test_no_failures_at_all_is_said() -> None:
    found = analysed()
    for row in (*found.suts, found.overall):
        assert counts(row.arms) == [(0, 0, 0), (0, 0, 0)]
        assert [(cell.redundancy, cell.reason) for cell in row.arms] == [(None, "no failing conversation")] * 2
        assert (row.ratio, row.reason) == (None, "the baseline arm has no unique failing conversation to divide by")
        assert row.clustering.reason == "no failing conversation"
    assert [mean.coverage.mean for mean in found.mean_coverage] == [None, None]


def test_nothing_said_in_any_of_them_is_said() -> None:
    found = analysed(failing("a", G, None, None))
    cell = found.suts[0].arms[0]
    assert (cell.redundancy, cell.reason) == (None, "nothing was said in any failing conversation")


def test_one_conversation_is_unique() -> None:
    found = analysed(failing("a", B, 4))
    assert (counts(found.suts[0].arms)[1], found.suts[0].ratio) == ((1, 0, 1), 0)


def test_without_a_baseline_there_is_no_ratio() -> None:
    found = analyse_diversity(failing("a", G, 0, 1, 2), suts=["a"], arms=[G], rng_seed=1)
    assert (found.overall.ratio, found.overall.reason) == (None, "the baseline arm was not run")
    assert [cell.arm for cell in found.overall.arms] == [G]


def test_what_each_sut_gives_does_not_depend_on_the_others() -> None:
    alone = analysed(failing("a", G, 0, 1, 2, 2), failing("a", B, 0, 1), suts=("a",))
    beside = analysed(failing("b", G, 5, 6), failing("a", G, 0, 1, 2, 2), failing("a", B, 0, 1), suts=("b", "a"))
    assert alone.suts[0] == beside.suts[1]


@pytest.mark.parametrize(
    ("conversation", "message"),
    [
        (failing("z", G, 0), "'z', which is not among the SUTs: a, b"),
        (failing("a", B, 0), "the baseline arm, which is not among those run: guided"),
        ([*failing("a", G, 0), FailingConversation("a", G, np.ones(3, np.float32))], "of 3 and of 12 numbers"),
    ],
)
def test_refuses_what_does_not_belong_together(conversation: list[FailingConversation], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        analyse_diversity(conversation, suts=["a", "b"], arms=[G], rng_seed=1)


CELLS = st.tuples(st.sampled_from(["a", "b"]), st.sampled_from([G, B]), st.none() | st.integers(0, 4))


@given(st.lists(CELLS, max_size=16))
@settings(max_examples=25)
def test_counts_add_up_and_the_result_survives_json(cells: list[tuple[str, Arm, int | None]]) -> None:
    found = analysed(*(failing(*cell) for cell in cells))
    assert sum(cell.n_failing for cell in found.overall.arms) == len(cells)
    assert sum(cell.n_without_vector for cell in found.overall.arms) == sum(axis is None for *_, axis in cells)
    unique = {cell for cell in cells if cell[2] is not None}
    assert sum(cell.n_unique for cell in found.overall.arms) == len(unique)
    assert DiversityAnalysis.model_validate(json.loads(found.model_dump_json())) == found
