"""What reports say of simulated users."""

from __future__ import annotations

from hairpin.domain.review_counts import SimulatorSummary
from hairpin.reports.simulated_users import kind_words, simulator_words


def test_the_share_is_told_with_its_interval_and_the_kinds() -> None:
    found = SimulatorSummary(reviewed=40, spoiled=1, share=0.025, low=0.0044, high=0.1288, by_kind={"leak": 1})
    assert simulator_words(found) == (
        "1 of 40 simulated users spoiled their conversation (2.5 %, 95 % interval 0.4 to 12.9 %): 1 spoke of its brief"
    )


def test_where_nobody_was_reviewed_nothing_is_told() -> None:
    assert simulator_words(SimulatorSummary()) == ""


def test_a_kind_of_a_later_version_is_told_by_its_name() -> None:
    assert kind_words("too_clever") == "too clever"
