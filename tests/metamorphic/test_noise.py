"""Noise calibration: which violations stand out from what answers do where nothing was perturbed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]

from hairpin.domain.families import Family
from hairpin.domain.relations import MetamorphicRelation, MetamorphicSpec, RelationCheck, count_violations
from hairpin.domain.replay import Method
from hairpin.metamorphic.answer_words import AnswerType
from hairpin.metamorphic.mr import similar
from hairpin.metamorphic.noise import (
    MIN_NULL,
    CalibratedRelation,
    NoiseReport,
    benjamini_hochberg,
    calibrate,
    noise_report,
)
from hairpin.metamorphic.null_answers import NullSimilarity
from hairpin.metamorphic.scoring import check_relations, texts_needed
from tests.metamorphic.making_families import EQUIVALENT, WORDS, families, family, follow_up, plane, source

MR1, MR2, MR3, MR4 = (
    MetamorphicRelation.MR1,
    MetamorphicRelation.MR2,
    MetamorphicRelation.MR3,
    MetamorphicRelation.MR4,
)
SHORT, NUMBER = AnswerType.SHORT, AnswerType.NUMBER
EPSILON = 0.6
TYPES = {("s", 0): SHORT, ("s", 1): NUMBER}


def check(relation: MetamorphicRelation, similarity: float, *, index: int = 0, n_pairs: int = 1) -> RelationCheck:
    violated = similar(similarity, EPSILON) is not relation.alike
    return RelationCheck(
        relation=relation, source="s", index=index, similarity=similarity, n_pairs=n_pairs, violated=violated
    )


def null(
    relation: MetamorphicRelation, similarities: Sequence[float], kind: AnswerType = SHORT
) -> list[NullSimilarity]:
    return [NullSimilarity(relation=relation, answer_type=kind, similarity=value) for value in similarities]


def counts(report: NoiseReport, relation: MetamorphicRelation) -> CalibratedRelation:
    return next(each for part in report.classes for each in part.relations if each.relation is relation)


def p_of(relation: MetamorphicRelation, similarity: float, null_values: Sequence[float], *, n_pairs: int = 1) -> float:
    made = calibrate([check(relation, similarity, n_pairs=n_pairs)], null(relation, null_values), TYPES, alpha=0.05)
    return made.checks[0].p


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.sampled_from([0.01, 0.05, 0.2]))
def test_benjamini_hochberg_rejects_what_statsmodels_rejects(p_values: list[float], alpha: float) -> None:
    rejected = benjamini_hochberg(np.array(p_values), alpha)
    assert rejected.tolist() == multipletests(p_values, alpha, method="fdr_bh")[0].tolist()


def test_nothing_to_correct_rejects_nothing() -> None:
    assert benjamini_hochberg(np.array([]), 0.05).tolist() == []


def test_p_counts_the_null_as_extreme_and_is_never_zero() -> None:
    values = [i / 99 for i in range(99)]  # 0, 1/99, … 98/99
    assert p_of(MR1, -1, values) == pytest.approx(1 / 100)
    assert p_of(MR1, 9 / 99, values) == pytest.approx(11 / 100)
    assert p_of(MR1, 1, values) == 1
    assert p_of(MR2, 1, values) == pytest.approx(1 / 100)
    assert p_of(MR2, 89 / 99, values) == pytest.approx(11 / 100)
    assert p_of(MR2, -1, values) == 1


def test_the_extreme_of_a_group_has_as_many_chances_as_pairs() -> None:
    values = [0.9] * 99
    assert p_of(MR3, 0.1, values, n_pairs=6) == pytest.approx(6 / 100)
    assert p_of(MR4, 0.95, values, n_pairs=6) == pytest.approx(6 / 100)
    assert p_of(MR3, 0.1, values, n_pairs=500) == 1
    assert p_of(MR1, 0.1, values, n_pairs=6) == pytest.approx(1 / 100), "gold answers: the null is of the best, too"


def test_a_violation_that_the_noise_explains_is_the_papers_alone() -> None:
    """Of short answers, one in ten replays is as far from gold as 0.3; nothing unperturbed is as far as −0.5."""
    noisy = null(MR1, [0.9] * 900 + [0.3] * 100)
    checks = [check(MR1, 0.3), *[check(MR1, -0.5)] * 5, check(MR1, 0.9)]
    report = calibrate(checks, noisy, TYPES, alpha=0.05)
    found = counts(report, MR1)
    assert (found.n_checks, found.n_violations, found.n_calibrated) == (7, 6, 5)
    assert [each.violated for each in report.checks] == [False, *[True] * 5, False]


def test_what_stands_out_but_does_not_cross_the_threshold_is_no_violation() -> None:
    report = calibrate([check(MR1, 0.8)], null(MR1, [0.99] * 99), TYPES, alpha=0.05)
    assert (report.checks[0].rejected, report.checks[0].violated) == (True, False)


@pytest.mark.parametrize(("n_own", "pooled"), [(0, True), (MIN_NULL - 1, True), (MIN_NULL, False)])
def test_of_a_type_with_too_few_the_null_of_all_types_is_used_and_said(n_own: int, pooled: bool) -> None:
    few = null(MR1, [0.9] * n_own, NUMBER) + null(MR1, [0.2] * 50, SHORT)
    report = calibrate([check(MR1, 0.3, index=1), check(MR1, 0.3, index=0)], few, TYPES, alpha=0.05)
    n_used = n_own + 50 if pooled else n_own
    assert [each.p for each in report.checks] == [pytest.approx((51 if pooled else 1) / (1 + n_used)), 1.0]
    assert [(each.answer_type, each.n_own, each.n_used, each.pooled) for each in counts(report, MR1).nulls] == [
        (NUMBER, n_own, n_used, pooled),
        (SHORT, 50, 50, False),
    ]


@pytest.mark.parametrize(
    ("n_null", "n_checks", "smallest", "needed"),
    [
        (19, 1, 0.05, 1),
        (18, 1, 1 / 19, None),
        (99, 10, 0.01, 2),
        (199, 10, 0.005, 1),
        (19, 10, 0.05, 10),
        (0, 3, 1, None),
    ],
)
def test_the_smallest_p_and_whether_it_can_ever_be_rejected_are_said(
    n_null: int, n_checks: int, smallest: float, needed: int | None
) -> None:
    report = calibrate([check(MR1, -1)] * n_checks, null(MR1, [0.9] * n_null), TYPES, alpha=0.05)
    part = report.classes[0]
    assert part.smallest_p == pytest.approx(smallest)
    assert (part.n_needed, part.can_reject) == (needed, needed is not None)
    assert counts(report, MR1).n_calibrated == (n_checks if part.can_reject else 0)


def test_relations_without_a_null_are_counted_and_left_alone() -> None:
    """The answers of RBT are unperturbed themselves; QAAsker's expected answers belong to its own questions."""
    rbt, qaasker = MetamorphicRelation.RBT, MetamorphicRelation.QAASKER
    open_check = RelationCheck(relation=MR1, source="s", index=0, reason="not_reached")
    report = calibrate([check(rbt, 0.1), check(qaasker, 0.1), check(rbt, 0.9), open_check], [], TYPES, alpha=0.05)
    assert report.not_calibrated == {rbt: 2, qaasker: 1}
    assert report.checks == ()
    assert [(part.n_checks, part.smallest_p, part.n_needed) for part in report.classes] == [(0, None, None)] * 3


def test_an_assistant_that_wavers_unperturbed_has_fewer_calibrated_violations_than_a_steady_one() -> None:
    """Both say 'the mill' to one perturbed question of thirty; one does so in a third of unperturbed replays too."""
    for wavering, n_calibrated in ((False, 1), (True, 0)):
        made = [_asked_again(number, wavering=wavering) for number in range(30)]
        spec, vectors = MetamorphicSpec(relations=(MR1,), alpha=0.5), plane(WORDS)
        checks = [each for checks in check_relations(made, vectors, spec) for each in checks]
        found = counts(noise_report(made, checks, vectors, spec), MR1)
        assert (found.n_violations, found.n_calibrated) == (1, n_calibrated)


def _asked_again(number: int, *, wavering: bool) -> Family:
    unperturbed = ["the mill" if wavering else "Yes", "Yes", "Yes"]
    replays = [follow_up(f"n{n}", [0], [text], method=Method.NULL) for n, text in enumerate(unperturbed)]
    perturbed = follow_up("f", [0], ["the mill" if number == 0 else "Yes"])
    said = source(["Yes"], 1, conversation=f"s{number}")
    return family([["Yes"]], said, [perturbed, *replays], {("f", 0): EQUIVALENT})


@given(st.lists(families(), max_size=3))
def test_any_families_are_calibrated_and_no_violation_is_added(drawn: list[Family]) -> None:
    vectors, spec = plane({text: WORDS[text] for text in texts_needed(drawn)}), MetamorphicSpec()
    checks = [each for checks in check_relations(drawn, vectors, spec) for each in checks]
    report = noise_report(drawn, checks, vectors, spec)
    executed = [each for each in checks if each.violated is not None]
    assert len(report.checks) + sum(report.not_calibrated.values()) == len(executed)
    for part in report.classes:
        assert part.can_reject or not any(each.n_calibrated for each in part.relations)
        for each in part.relations:
            own = [other for other in executed if other.relation is each.relation]
            assert each.n_calibrated <= each.n_violations == count_violations(own)
