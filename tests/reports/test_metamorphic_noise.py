"""Violations beyond noise: both counts side by side, and what they are worth."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from hairpin.domain.relations import MetamorphicRelation, RelationCheck
from hairpin.metamorphic.answer_words import AnswerType
from hairpin.metamorphic.noise import calibrate
from hairpin.metamorphic.null_answers import NullSimilarity
from hairpin.reports.metamorphic_noise import noise_section
from hairpin.reports.tables import Section
from tests.reports.sample_campaign import shown_rows, table_of

MR1 = MetamorphicRelation.MR1


def section(similarities: Sequence[float], *, n_null: int, null_replays: int = 2) -> Section:
    """Return the section of checks of MR1 at ε = 0.6, beside null similarities of 0.5 and above."""
    checks = [
        RelationCheck(relation=MR1, source="c1", index=0, similarity=each, violated=each < 0.6) for each in similarities
    ]
    null = [
        NullSimilarity(relation=MR1, answer_type=AnswerType.SHORT, similarity=0.5 + n / (2 * n_null))
        for n in range(n_null)
    ]
    report = calibrate(checks, null, {("c1", 0): AnswerType.SHORT}, alpha=0.05)
    return noise_section([("A", report)], null_replays=null_replays)


def test_both_counts_are_told_with_what_it_takes_to_be_rejected() -> None:
    """0.1 is below every null similarity; 0.55 is not, and no violation beyond noise."""
    found = section([0.1, 0.55, 0.9], n_null=99)
    assert shown_rows(table_of(found, "calibrated")) == [["A", "MR1", "3", "2", "1", "0.0100", "1"]]
    assert shown_rows(table_of(found, "nulls")) == [["A", "MR1", "short", "99", "99", "its own"]]
    assert "at level 0.05" in found.text[0]
    assert "What is answered wrong in unchanged replays too does not stand out" in found.text[0]
    assert len(found.text) == 1


def test_a_null_too_small_for_its_kind_is_that_of_all_kinds_and_one_too_small_for_any_rejection_says_so() -> None:
    found = section([0.1, 0.2], n_null=3)
    assert shown_rows(table_of(found, "nulls")) == [["A", "MR1", "short", "3", "3", "all"]]
    (_, told) = found.text
    assert told.startswith("A, MR1, MR3: the smallest p that can be reached is 0.25, which is too large")
    table = table_of(found, "calibrated")
    assert shown_rows(table)[0][4:] == ["0", "0.2500", "–"]
    assert list(table.reasons) == ["no number of checks is enough"]


@pytest.mark.parametrize(("null_replays", "told"), [(0, True), (1, False)])
def test_without_unchanged_replays_it_says_what_is_not_known_and_how_to_know_it(null_replays: int, told: bool) -> None:
    text = section([0.1], n_null=99, null_replays=null_replays).text
    assert any("{null_replays: 2}" in each for each in text) is told


def test_without_checks_both_tables_are_empty_and_say_so() -> None:
    found = section([], n_null=0)
    assert [table.rows for table in found.tables] == [(), ()]
    assert "No check was executed." in [table.empty for table in found.tables]
