"""Pointing at an entry of a list that was told, and replies that take it for another."""

from __future__ import annotations

import pytest

from tests.agents.banking import last, response

TOLD = ("Find a credit card", "I found Gold Card (20 euros), Wood Card (5 euros) and Tin Card (1 euros).")


@pytest.mark.parametrize(
    ("pointing", "meant"),
    [
        ("The first one, please", "Gold Card"),
        ("I want the second one", "Wood Card"),
        ("The last one", "Tin Card"),
        ("Does it cost more abroad?", "Gold Card"),
    ],
)
def test_a_reply_about_another_entry_than_the_one_pointed_at_has_forgotten_the_list(pointing: str, meant: str) -> None:
    for entry in ("Gold Card", "Wood Card", "Tin Card"):
        found = response(TOLD, (pointing, f"Sure: {entry} it is."))
        assert found == (set() if entry == meant else {"context_forgotten"})


def test_the_evidence_names_the_entry_meant_and_quotes_the_reply() -> None:
    (finding,) = last(TOLD, ("The second one", "Sure: Tin Card it is.")).findings
    assert finding.evidence == "“The second one” is Wood Card, yet “Sure: Tin Card it is.”"


def test_the_entry_spoken_of_last_is_the_one_that_a_pronoun_means() -> None:
    chosen = ("The second one", "Sure: Wood Card it is.")
    assert response(TOLD, chosen, ("Does it cost more abroad?", "Wood Card is free abroad.")) == set()
    assert response(TOLD, chosen, ("Does it cost more abroad?", "Gold Card is free abroad.")) == {"context_forgotten"}


@pytest.mark.parametrize(
    ("utterance", "reply"),
    [
        ("The fourth one", "Sure: Gold Card it is."),
        ("Is it better than Tin Card?", "Tin Card is cheaper."),
        ("The second one", "Do you mean Tin Card?"),
        ("The second one", "There is no such card, only Gold Card."),
        ("Does it cost more?", "I found Tin Card (1 euros) and Iron Card (2 euros)."),
        ("The second one", "Done."),
    ],
)
def test_without_a_clear_mistake_there_is_no_finding(utterance: str, reply: str) -> None:
    assert response(TOLD, (utterance, reply)) == set()


def test_a_newer_list_takes_the_place_of_the_older() -> None:
    newer = ("Find a credit card", "I found Iron Card (2 euros) and Lead Card (3 euros).")
    assert response(TOLD, newer, ("The first one", "Sure: Iron Card it is.")) == set()
    assert response(TOLD, newer, ("The first one", "Sure: Lead Card it is.")) == {"context_forgotten"}


def test_of_two_lists_in_one_reply_the_last_one_counts() -> None:
    both = ("Find a credit card", f"{TOLD[1]} I also found Iron Card (2 euros) and Lead Card (3 euros).")
    assert response(both, ("The second one", "Sure: Lead Card it is.")) == set()
    lines = ("Find a credit card", "Here you are:\n- Gold Card (2 euros).\n- Lead Card (3 euros).")
    assert response(lines, ("The first one", "Sure: Lead Card it is.")) == {"context_forgotten"}


def test_without_a_list_nothing_can_be_pointed_at() -> None:
    assert response(("The second one", "Sure: Gold Card it is.")) == set()


def test_an_obstacle_found_after_the_mistake_does_not_excuse_it() -> None:
    newer = ("Find a credit card", "I found Iron Card (2 euros) and Lead Card (3 euros).")
    late = "Sure: Iron Card it is. Its branch is closed today."
    assert response(newer, ("The second one", late)) == {"context_forgotten"}
    early = "The branch is closed today. Iron Card is still there."
    assert response(newer, ("The second one", early)) == set()
