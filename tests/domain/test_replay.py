"""What a replayed conversation asks: questions of a test seed by their index, and foreign rounds that nobody checks."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from hairpin.domain.replay import (
    PAPER_PERTURBATIONS,
    HistoryTurn,
    Method,
    NotApplicable,
    Perturbation,
    Replay,
    ReplayedQuestion,
)


def test_a_foreign_round_is_checked_by_no_relation() -> None:
    with pytest.raises(ValidationError, match="a foreign round is checked by no relation"):
        ReplayedQuestion(text="What is the weather like?")
    foreign = ReplayedQuestion(text="What is the weather like?", checked=False)
    assert (foreign.index, foreign.checked) == (None, False)


def test_a_question_may_only_lead_up_to_another() -> None:
    question = ReplayedQuestion(text="Who?", index=0, checked=False)
    assert question.index == 0
    assert not question.checked


def test_what_is_asked_is_the_texts_in_order_also_where_one_comes_twice() -> None:
    asked = [ReplayedQuestion(text=text, index=index) for text, index in (("b", 1), ("a", 0), ("b", 1))]
    replay = Replay(method=Method.MORTAR, test_seed="s1", source="c0001", kind="RD", questions=tuple(asked))
    assert replay.texts == ("b", "a", "b")


def test_a_replay_asks_something() -> None:
    with pytest.raises(ValidationError, match="questions"):
        Replay(method=Method.RBT, test_seed="s1", questions=())


def test_a_replay_comes_back_from_json_as_it_was() -> None:
    replay = Replay(
        method=Method.METAL,
        test_seed="s1",
        source="c0001",
        kind="synonym",
        execution=2,
        history=(HistoryTurn(user="Who?", assistant="Anna."),),
        questions=(ReplayedQuestion(text="Where?", index=1), ReplayedQuestion(text="Pardon?", checked=False)),
        expected="In Ulm.",
    )
    assert Replay.model_validate_json(replay.model_dump_json()) == replay


def test_the_paper_has_seven_perturbations_and_the_insertion_is_ours() -> None:
    assert [each.value for each in PAPER_PERTURBATIONS] == ["RS", "RR", "RD", "RSR", "RSD", "RRD", "RSRD"]
    assert set(Perturbation) - set(PAPER_PERTURBATIONS) == {Perturbation.RI}


def test_what_cannot_be_derived_says_of_what_and_why() -> None:
    none = NotApplicable(method=Method.MORTAR, kind="RR", reason="two questions are left of two")
    assert none.index is None
    with pytest.raises(ValidationError):
        NotApplicable(method=Method.METAL, kind="typo", index=-1, reason="")
