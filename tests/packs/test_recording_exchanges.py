"""Who spoke when: messages become exchanges, the end is understood, and nothing is lost without a note."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.conversation import UtteranceSource
from hairpin.packs.recording_exchanges import END_OF_CONVERSATION, END_OF_TEXT, Conversation, EndTokens, as_messages
from hairpin.packs.recording_messages import WrongShapeError, read_messages
from tests.packs.recording_files import said


def conversation(messages: list[Any], *more: str) -> Conversation:
    made = Conversation(EndTokens(more))
    made.add_all(read_messages(messages, where="'turns'"))
    return made


def words(made: Conversation) -> list[tuple[str, str]]:
    return [(exchange.user, exchange.assistant) for exchange in made.exchanges]


def test_two_messages_are_an_exchange() -> None:
    made = conversation(said("Hello", "Hi.", "Bye", "See you."))
    assert words(made) == [("Hello", "Hi."), ("Bye", "See you.")]
    assert [exchange.t for exchange in made.exchanges] == [0, 1]
    assert {exchange.source for exchange in made.exchanges} == {UtteranceSource.REPLAYED}
    assert list(made.notes()) == []


def test_messages_of_one_side_in_a_row_are_one_with_a_note() -> None:
    a, b = {"role": "user", "content": "One"}, {"role": "assistant", "content": "Two"}
    made = conversation([a, a, b, a, b, b])
    assert words(made) == [("One\nOne", "Two"), ("One", "Two\nTwo")]
    assert list(made.notes()) == [
        "several messages of the user in a row are one here: turn 0",
        "several messages of the assistant in a row are one here: turn 1",
    ]


def test_what_the_assistant_says_first_answers_nobody_and_is_noted() -> None:
    made = conversation([{"role": "assistant", "content": "Welcome!"}, *said("Hello", "Hi.")])
    assert words(made) == [("Hello", "Hi.")]
    assert list(made.notes()) == ["the assistant spoke first, which is no reply: “Welcome!”"]


def test_a_last_turn_without_reply_is_left_out_and_noted() -> None:
    made = conversation(said("Hello", "Hi.", "Still there?"))
    assert words(made) == [("Hello", "Hi.")]
    assert list(made.notes()) == ["the user's last turn got no reply and is left out: “Still there?”"]


def test_system_and_tool_messages_are_left_out_and_counted() -> None:
    system, tool = {"role": "system", "content": "Be kind."}, {"role": "tool", "content": "{}"}
    call: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": [{}]}
    made = conversation([system, *said("Hello"), call, tool, call, tool, {"role": "assistant", "content": "Hi."}])
    assert words(made) == [("Hello", "Hi.")]
    assert list(made.notes()) == [
        "left out: 1 × system message",
        "left out: 2 × tool call",
        "left out: 2 × tool message",
    ]


def test_of_joined_replies_the_last_state_counts_and_latencies_add_up() -> None:
    replies = [
        {"role": "assistant", "content": "One moment.", "latency_ms": 10, "state": {"fan": 0}},
        {"role": "assistant", "content": "Done.", "latency_ms": 5, "state": {"fan": 3}},
        {"role": "assistant", "content": "Anything else?"},
    ]
    (exchange,) = conversation([*said("Fan, please"), *replies]).exchanges
    assert (exchange.state, exchange.latency_ms) == ({"fan": 3}, 15)


@pytest.mark.parametrize("token", [*END_OF_CONVERSATION, *END_OF_TEXT, "[[done]]"])
def test_an_end_token_is_no_utterance_but_the_end(token: str) -> None:
    made = conversation(said("Hello", "Hi.", f" {token}\n", "Not said"), "[[done]]")
    assert words(made) == [("Hello", "Hi.")]
    assert list(made.notes()) == [f"ended by {token}", "left out: 1 message after the end"]


def test_an_end_token_behind_words_is_cut_off_and_their_reply_is_the_last() -> None:
    made = conversation(said("Hello", "Hi.", "Thanks! ###STOP###", "You're welcome.", "More", "No"))
    assert words(made) == [("Hello", "Hi."), ("Thanks!", "You're welcome.")]
    assert list(made.notes()) == ["ended by ###STOP###", "left out: 2 messages after the end"]


def test_words_before_an_end_token_that_nobody_answers_are_left_out_like_any_last_turn() -> None:
    made = conversation(said("Hello", "Hi.", "Thanks! ###STOP###"))
    assert words(made) == [("Hello", "Hi.")]
    assert list(made.notes())[-1] == "the user's last turn got no reply and is left out: “Thanks!”"


def test_an_assistant_that_says_the_end_token_ended_the_conversation() -> None:
    made = conversation(said("Connect me", "I transfer you. ###TRANSFER###", "Hello?", "Yes?"))
    assert words(made) == [("Connect me", "I transfer you.")]
    assert made.exchanges[-1].ended
    assert list(made.notes()) == ["ended by ###TRANSFER###", "left out: 2 messages after the end"]


def test_what_models_write_at_the_end_of_a_message_ends_the_message_alone() -> None:
    made = conversation(said("Hello<|im_end|>", "Hi.<|im_end|><|endoftext|>", "Bye", "Bye.</s>"))
    assert words(made) == [("Hello", "Hi."), ("Bye", "Bye.")]
    assert list(made.notes()) == []


def test_a_token_in_the_middle_of_a_sentence_is_said() -> None:
    made = conversation(said("What does ###STOP### mean?", "It ends a test."))
    assert words(made) == [("What does ###STOP### mean?", "It ends a test.")]


def test_a_reply_that_says_it_was_the_last_is_the_last() -> None:
    messages = said("Hello", "Bye.", "Wait", "No")
    made = conversation([messages[0], {**messages[1], "ended": True}, *messages[2:]])
    assert [exchange.ended for exchange in made.exchanges] == [True]
    assert list(made.notes()) == ["left out: 2 messages after the end"]


@pytest.mark.parametrize(
    ("messages", "what"),
    [
        ([], "no exchange: nobody says anything"),
        (said("###STOP###"), "no exchange: nobody says anything"),
        (said("Hello"), "no exchange: the assistant never answers"),
        ([{"role": "assistant", "content": "Welcome!"}], "no exchange: the user says nothing"),
    ],
)
def test_a_conversation_without_exchange_is_none(messages: list[Any], what: str) -> None:
    with pytest.raises(WrongShapeError, match=what):
        conversation(messages)


MESSAGES = st.lists(
    st.fixed_dictionaries(
        {
            "role": st.sampled_from(["user", "assistant", "system", "tool"]),
            "content": st.text(max_size=8) | st.sampled_from(["###STOP###", "ok ###STOP###", "ok</s>", "", "</s>"]),
        }
    ),
    max_size=12,
)


@given(MESSAGES)
def test_exchanges_written_as_messages_are_read_as_the_same_exchanges(messages: list[Any]) -> None:
    try:
        made = conversation(messages)
    except WrongShapeError:
        return
    again = conversation([dict(message) for message in as_messages(made.exchanges)])
    assert again.exchanges == made.exchanges
    assert list(again.notes()) == []
