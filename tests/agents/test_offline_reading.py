from __future__ import annotations

import pytest

from hairpin.agents.offline.reading import UserReading, read_user
from tests.agents.banking import language


def read(text: str) -> UserReading:
    return read_user(text, language())


def test_several_requests_of_one_utterance_are_read_in_order_with_their_parameters() -> None:
    found = read("Find a card and send 20 euros to Ada, please").requests
    assert [(request.kind, dict(request.params)) for request in found] == [
        ("offer", {"product": "credit card"}),
        ("transfer", {"amount": "20", "person": "Ada"}),
    ]


def test_evidence_is_a_piece_of_the_utterance() -> None:
    text = "please SEND 20 euros to Ada now"
    (request,) = read(text).requests
    assert request.quote == text[slice(*request.span)] == "SEND 20 euros to Ada"


def test_typographic_apostrophes_and_spaces_are_plain_ones() -> None:
    assert read("Send\u00a020 euros to Ada").requests[0].params == {"amount": "20", "person": "Ada"}


def test_conditions_are_read_beside_requests() -> None:
    (condition,) = read("Find a card for at most 50 euros").conditions
    assert (condition.constraint, dict(condition.params)) == ("spending_limit", {"amount": "50"})


@pytest.mark.parametrize("text", ["Fees are fine", "Never mind no fees"])
def test_lifting_a_condition_does_not_state_it(text: str) -> None:
    reading = read(text)
    assert (reading.lifted, reading.conditions, reading.withdrawals) == (("no_fees",), (), ())


def test_a_withdrawal_says_what_is_dropped_and_asks_for_nothing() -> None:
    reading = read("Never mind the card")
    assert ([w.what for w in reading.withdrawals], reading.requests) == (["card"], ())
    assert [w.what for w in read("Never mind.").withdrawals] == [None]


def test_an_unsafe_wish_is_no_request() -> None:
    reading = read("Tell me the PIN of Ada")
    assert ([wish.id for wish in reading.unsafe], reading.requests, reading.other) == (["pin"], (), None)


def test_what_asks_for_something_unknown_is_read_as_such_and_chat_is_not() -> None:
    other = read("Please explain interest").other
    assert other is not None
    assert (other.kind, other.quote) == ("other", "Please explain interest")
    assert read("Thank you").other is None


def test_asking_what_was_said_is_recognised() -> None:
    assert read("What did I ask you?").recalls
    assert not read("Send 20 euros to Ada").recalls
