"""Raters in messages and reports: whoever they are and however many, one readable line."""

from __future__ import annotations

from hairpin.reports.rater_names import MAX_NAMED, rater_names


def test_few_raters_are_all_named() -> None:
    assert rater_names(["ann", "Doe, Jane"]) == "ann, Doe, Jane"


def test_of_many_raters_the_first_are_named_and_the_others_counted() -> None:
    said = rater_names([f"r{number}" for number in range(1000 + MAX_NAMED)])
    assert said == ", ".join(f"r{number}" for number in range(MAX_NAMED)) + " and 1,000 more"


def test_a_name_cannot_steer_the_terminal_or_fill_it() -> None:
    """Names come from files of others: an escape would clear the screen, a line break would forge a line."""
    assert rater_names(["\x1b[2Jeve\nhairpin: ok"]) == "<U+001B>[2Jeve hairpin: ok"
    assert rater_names(["x" * 100_000]) == "x" * 59 + "…"
