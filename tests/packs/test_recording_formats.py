"""Where the conversation is in a JSON value, and what is said of it as a whole."""

from __future__ import annotations

import re
from typing import Literal

import pytest

from hairpin.domain.users import Context
from hairpin.packs.recording_formats import find_conversation
from hairpin.packs.recording_messages import WrongShapeError
from tests.packs.recording_files import said

MESSAGES = said("Hello", "Hi.")
ASKED = said("Hello")
CHOICES = [{"index": 0, "message": {"role": "assistant", "content": "Hi."}}]


@pytest.mark.parametrize("key", ["turns", "messages", "conversation", "conversations"])
def test_the_list_of_messages_goes_by_several_names(key: str) -> None:
    found = find_conversation({key: MESSAGES}, "turns")
    assert (found.messages, found.where, found.from_request) == (MESSAGES, repr(key), False)


def test_a_list_alone_is_a_conversation() -> None:
    assert find_conversation(MESSAGES, "auto").messages == MESSAGES


@pytest.mark.parametrize(
    "log",
    [
        {"request": {"messages": ASKED}, "response": {"choices": CHOICES}},
        {"request": {"body": {"messages": ASKED}}, "response": {"status_code": 200, "body": {"choices": CHOICES}}},
        {"custom_id": "1", "body": {"messages": ASKED}, "response": {"body": {"choices": CHOICES}}},
        {"messages": ASKED, "response": {"choices": CHOICES}},
        {"messages": ASKED, "choices": CHOICES},
    ],
)
def test_a_request_with_its_response_is_a_conversation(log: dict[str, object]) -> None:
    found = find_conversation(log, "auto")
    assert found.messages == MESSAGES
    assert (found.format, found.from_request) == ("openai", True)


def test_a_request_without_response_keeps_what_it_holds() -> None:
    assert find_conversation({"body": {"messages": MESSAGES}}, "auto").messages == MESSAGES


@pytest.mark.parametrize(
    ("value", "format_"),
    [({"turns": MESSAGES}, "turns"), ({"conversations": MESSAGES}, "turns"), ({"messages": MESSAGES}, "openai")],
)
def test_the_format_is_told_by_what_a_line_holds(value: dict[str, object], format_: str) -> None:
    assert find_conversation(value, "auto").format == format_


@pytest.mark.parametrize(
    ("said_of_it", "name"),
    [
        ({"id": "call 7"}, "call 7"),
        ({"id": 7}, "7"),
        ({"conversation_id": "c"}, "c"),
        ({"custom_id": "c"}, "c"),
        ({"id": " two\nlines "}, "two lines"),
        ({"id": {}}, None),
        ({"id": True}, None),
        ({"id": " "}, None),
        ({}, None),
    ],
)
def test_ids_are_texts_or_numbers(said_of_it: dict[str, object], name: str | None) -> None:
    assert find_conversation({"turns": MESSAGES, **said_of_it}, "auto").id == name


def test_the_context_is_taken_as_far_as_it_is_one() -> None:
    context = {"location": "Ulm", "time": "25:00", "vehicle": {"speed": 3}, "weather": "rain"}
    found = find_conversation({"turns": MESSAGES, "context": context}, "auto")
    assert found.context == Context(location="Ulm", vehicle={"speed": 3})
    assert found.notes == ("left out: 'time' of its context, '25:00'", "left out: 'weather' of its context, 'rain'")


@pytest.mark.parametrize(("context", "notes"), [("in a car", 1), ({}, 0), (None, 0), ({"x": 1}, 1)])
def test_a_context_of_another_kind_is_left_out(context: object, notes: int) -> None:
    found = find_conversation({"turns": MESSAGES, "context": context}, "auto")
    assert found.context is None
    assert len(found.notes) == notes


@pytest.mark.parametrize(
    ("value", "format_", "what"),
    [
        ("Hi", "auto", "a text, not an object that holds a conversation"),
        (None, "auto", "null, not an object that holds a conversation"),
        ({"speech": []}, "auto", "it has none of turns, messages, conversation, conversations, only 'speech'"),
        ({"turns": MESSAGES}, "openai", "it has no messages; what the user said is in the request's messages"),
        (MESSAGES, "openai", "a list, not an object that holds a conversation"),
        ({"response": {"choices": CHOICES}}, "auto", "it holds a response without its request"),
        ({"request": {"messages": 3}, "response": {}}, "auto", "the request's messages are a number, not a list"),
        ({"messages": ASKED, "response": {"choices": 3}}, "auto", "its response has choices, but the first one holds"),
        ({"messages": ASKED, "response": {"choices": [{}]}}, "auto", "its response has choices, but the first one"),
    ],
)
def test_what_is_no_conversation_is_told(value: object, format_: Literal["auto", "turns", "openai"], what: str) -> None:
    with pytest.raises(WrongShapeError, match=re.escape(what)):
        find_conversation(value, format_)
