from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.replay import PAPER_PERTURBATIONS, Perturbation
from hairpin.metamorphic.perturbations import Order, n_changed, perturb
from hairpin.metamorphic.refusal import Refused

RS, RR, RD, RSR, RSD, RRD, RSRD, RI = Perturbation
lengths = st.integers(3, 40)
ratios = st.floats(0.01, 0.99)
rng_seeds = st.integers(0, 2**63 - 1)


def perturbed(n: int, perturbation: Perturbation, *, ratio: float = 0.3, rng_seed: int = 1) -> Order:
    order = perturb(range(n), perturbation, ratio=ratio, rng_seed=rng_seed, path=("d1", "0"))
    assert not isinstance(order, Refused)
    return order


def why_not(n: int, perturbation: Perturbation) -> str:
    refused = perturb(range(n), perturbation, ratio=0.3, rng_seed=1)
    assert isinstance(refused, Refused)
    return refused.reason


def is_subsequence(part: Sequence[int | None], whole: Sequence[int | None]) -> bool:
    rest = iter(whole)
    return all(any(item == other for other in rest) for item in part)


@given(st.integers(2, 40), rng_seeds)
def test_round_shuffle_is_a_bijection_and_never_the_identity(n: int, rng_seed: int) -> None:
    """Eq. 22."""
    order = perturbed(n, RS, rng_seed=rng_seed)
    assert Counter(order) == Counter(range(n))
    assert order != tuple(range(n))


@given(lengths, ratios, rng_seeds)
def test_round_reduction_keeps_order_and_at_least_two_questions(n: int, ratio: float, rng_seed: int) -> None:
    """Eq. 23."""
    order = perturbed(n, RR, ratio=ratio, rng_seed=rng_seed)
    assert is_subsequence(order, range(n))
    assert len(order) == n - min(n_changed(ratio, n), n - 2) >= 2


@given(st.integers(1, 40), ratios, rng_seeds)
def test_round_duplication_asks_a_subset_once_more_and_keeps_the_order_of_the_originals(
    n: int, ratio: float, rng_seed: int
) -> None:
    """Eq. 24."""
    order = perturbed(n, RD, ratio=ratio, rng_seed=rng_seed)
    counts = Counter(order)
    assert is_subsequence(range(n), order)
    assert set(counts) == set(range(n))
    assert set(counts.values()) <= {1, 2}
    assert len(order) == n + n_changed(ratio, n)


@given(lengths, ratios, rng_seeds, st.sampled_from([RSR, RSD, RRD, RSRD]))
def test_each_step_of_a_composition_counts_the_sequence_that_it_works_on(
    n: int, ratio: float, rng_seed: int, perturbation: Perturbation
) -> None:
    """Eq. 25 to 28."""
    counts = Counter(perturbed(n, perturbation, ratio=ratio, rng_seed=rng_seed))
    kept = n - min(n_changed(ratio, n), n - 2) if perturbation is not RSD else n
    added = n_changed(ratio, kept) if perturbation is not RSR else 0
    assert len(counts) == kept
    assert counts.total() == kept + added
    assert max(counts.values()) <= 2


@given(lengths, ratios, rng_seeds)
def test_reduction_and_duplication_alone_keep_the_order_of_what_is_left(n: int, ratio: float, rng_seed: int) -> None:
    order = perturbed(n, RRD, ratio=ratio, rng_seed=rng_seed)
    assert is_subsequence(sorted(set(order), key=lambda index: index or 0), order)


@given(st.integers(1, 40), rng_seeds)
def test_an_unrelated_round_comes_before_a_question(n: int, rng_seed: int) -> None:
    order = perturbed(n, RI, rng_seed=rng_seed)
    assert [index for index in order if index is not None] == list(range(n))
    assert order.count(None) == 1
    assert order[-1] is not None


@given(lengths, rng_seeds, st.sampled_from(list(Perturbation)), st.permutations(range(50)))
def test_indexes_are_those_that_were_given(n: int, rng_seed: int, perturbation: Perturbation, names: list[int]) -> None:
    """What a question is called changes nothing: neither its text nor its index is looked at."""
    plain = perturbed(n, perturbation, rng_seed=rng_seed)
    named = perturb(names[:n], perturbation, ratio=0.3, rng_seed=rng_seed, path=("d1", "0"))
    assert named == tuple(None if index is None else names[index] for index in plain)


@given(rng_seeds, st.sampled_from(list(Perturbation)))
def test_the_same_seed_gives_the_same_sequence(rng_seed: int, perturbation: Perturbation) -> None:
    assert perturbed(9, perturbation, rng_seed=rng_seed) == perturbed(9, perturbation, rng_seed=rng_seed)


def test_executions_and_test_seeds_differ() -> None:
    paths = [("d1", "0"), ("d1", "1"), ("d2", "0")]
    assert len({perturb(range(16), RS, ratio=0.3, rng_seed=1, path=path) for path in paths}) == 3


@pytest.mark.parametrize(
    ("ratio", "n", "expected"),
    [(0.3, 16, 5), (0.3, 5, 2), (0.3, 1, 1), (0.01, 9, 1), (0.5, 3, 2), (0.29, 50, 15), (0.35, 10, 4), (0.99, 2, 2)],
)
def test_the_number_of_changed_rounds_is_rounded_half_up_and_at_least_one(ratio: float, n: int, expected: int) -> None:
    """0.29·50 is 14.5, which binary fractions miss."""
    assert n_changed(ratio, n) == expected


@pytest.mark.parametrize("perturbation", [RR, RSR, RRD, RSRD])
def test_two_questions_cannot_be_reduced(perturbation: Perturbation) -> None:
    assert "fewer than 2" in why_not(2, perturbation)


def test_of_three_questions_one_can_go_whatever_the_ratio() -> None:
    assert len(perturbed(3, RR, ratio=0.9)) == 2


@pytest.mark.parametrize("perturbation", [RS, RSR, RSD, RSRD])
def test_one_question_has_no_other_order(perturbation: Perturbation) -> None:
    assert "1 question: there is no other order" in why_not(1, perturbation)


def test_one_question_can_be_asked_twice_or_after_a_foreign_round() -> None:
    assert perturbed(1, RD) == (0, 0)
    assert perturbed(1, RI) == (None, 0)


@pytest.mark.parametrize("perturbation", list(Perturbation))
def test_no_question_gives_nothing(perturbation: Perturbation) -> None:
    assert why_not(0, perturbation)


@pytest.mark.parametrize("perturbation", list(Perturbation))
def test_follow_ups_stay_the_same_for_ever(perturbation: Perturbation) -> None:
    """A change here makes the follow-ups of stored runs differ from those derived anew."""
    assert perturbed(8, perturbation, rng_seed=2026) == GOLDEN[perturbation]


def test_the_paper_has_seven_perturbations() -> None:
    assert len(PAPER_PERTURBATIONS) == 7
    assert RI not in PAPER_PERTURBATIONS


GOLDEN: dict[Perturbation, Order] = {
    RS: (1, 3, 7, 0, 5, 6, 2, 4),
    RR: (1, 3, 4, 5, 6, 7),
    RD: (0, 1, 2, 4, 3, 4, 5, 6, 7, 1),
    RSR: (5, 3, 4, 1, 6, 7),
    RSD: (5, 6, 4, 3, 0, 1, 2, 7, 0, 3),
    RRD: (0, 1, 3, 4, 5, 7, 3, 5),
    RSRD: (0, 7, 4, 3, 3, 4, 6, 1),
    RI: (0, 1, 2, 3, None, 4, 5, 6, 7),
}
