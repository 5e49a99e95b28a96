"""Ballots: what each judge of a panel said."""

from __future__ import annotations

from hairpin.domain.ballots import Ballot, Vote


def test_one_word_for_all_is_unanimous_and_two_are_not() -> None:
    same = Ballot(t=1, votes=(Vote(judge="a", said="nothing"), Vote(judge="b", said="nothing")))
    other = Ballot(t=1, votes=(Vote(judge="a", said="nothing"), Vote(judge="b", said="g1 open")))
    assert (same.unanimous, other.unanimous) == (True, False)
    assert same.told == "2 of 2: nothing"
    assert other.told == "1 of 2: nothing (a); 1 of 2: g1 open (b)"


def test_who_broke_agrees_with_nobody() -> None:
    votes = (Vote(judge="a", said="judge_fault", broken=True), Vote(judge="b", said="judge_fault", broken=True))
    assert not Ballot(dimension="plan", votes=votes).unanimous
    assert Ballot(dimension="plan", votes=votes[:1]).told == "1 of 1: broke (judge_fault)"
