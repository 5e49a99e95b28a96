"""Whose a message is and what it says, however it was logged."""

from __future__ import annotations

import re

import pytest

from hairpin.packs.recording_messages import Message, Side, WrongShapeError, read_messages


def one(value: object) -> Message:
    (message,) = read_messages([value], where="'turns'")
    return message


@pytest.mark.parametrize(
    ("role", "side"),
    [
        ("user", Side.USER),
        ("Human", Side.USER),
        ("assistant", Side.ASSISTANT),
        ("bot", Side.ASSISTANT),
        ("AI", Side.ASSISTANT),
        (" agent ", Side.ASSISTANT),
        ("gpt", Side.ASSISTANT),
        ("system", Side.SYSTEM),
        ("developer", Side.SYSTEM),
        ("tool", Side.TOOL),
        ("function", Side.TOOL),
    ],
)
def test_roles_go_by_many_names(role: str, side: Side) -> None:
    assert one({"role": role, "content": "Hi"}).side is side


def test_role_and_content_may_be_called_from_and_value() -> None:
    assert one({"from": "human", "value": "Hi"}).text == "Hi"


@pytest.mark.parametrize("content", [None, "", "  "])
def test_a_call_of_a_tool_is_no_words(content: str | None) -> None:
    message = one({"role": "assistant", "content": content, "tool_calls": [{"id": "1"}, {"id": "2"}]})
    assert message.text is None
    assert message.left_out == ("tool call", "tool call")


def test_words_beside_a_call_of_a_tool_are_words() -> None:
    message = one({"role": "assistant", "content": "One moment.", "function_call": {"name": "f"}})
    assert (message.text, message.left_out) == ("One moment.", ("tool call",))


def test_parts_of_text_are_joined_and_others_named() -> None:
    parts = [
        {"type": "text", "text": "Look:"},
        {"type": "image_url", "image_url": {}},
        "here",
        {"type": "input_text", "text": "x"},
    ]
    message = one({"role": "user", "content": parts})
    assert message.text == "Look:\nhere\nx"
    assert message.left_out == ("part of type 'image_url'",)


def test_a_message_of_nothing_but_images_is_no_words() -> None:
    assert one({"role": "user", "content": [{"type": "image_url"}]}).text is None


def test_the_text_of_a_refusal_is_the_reply() -> None:
    message = one({"role": "assistant", "content": None, "refusal": "I can't help with that."})
    assert (message.text, message.refused) == ("I can't help with that.", True)


def test_an_answer_of_null_is_an_empty_reply() -> None:
    assert one({"role": "assistant", "content": None}).text == ""


def test_state_latency_and_the_end_come_with_the_reply() -> None:
    value = {"role": "assistant", "content": "Done.", "state": {"fan": 3}, "latency_ms": 12, "ended": True}
    message = one(value)
    assert (message.state, message.latency_ms, message.ended) == ({"fan": 3}, 12.0, True)


def test_lone_surrogates_are_replaced_and_noted() -> None:
    message = one({"role": "user", "content": "a\ud800b"})
    assert (message.text, message.replaced) == ("a�b", True)


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("Hi", "message 1 of 1 is a text, not an object with role and content"),
        ({"content": "Hi"}, "message 1 of 1 has no role, only 'content'"),
        ({}, "message 1 of 1 has no role, only nothing"),
        ({"role": "narrator", "content": "Hi"}, "message 1 of 1 has the unknown role 'narrator'; known: user, human,"),
        ({"role": ["user"], "content": "Hi"}, "message 1 of 1 has the unknown role ['user']"),
        ({"role": "user"}, "message 1 of 1 has no content, only 'role'"),
        ({"role": "user", "content": None}, "message 1 of 1: its content is null, not a text"),
        ({"role": "user", "content": 7}, "message 1 of 1: its content is a number, not a text"),
        ({"role": "user", "content": [7]}, "message 1 of 1: a part of its content is a number without a type"),
        ({"role": "bot", "content": "", "state": [1]}, "message 1 of 1: its state is a list, not an object"),
        ({"role": "bot", "content": "", "latency_ms": -1}, "message 1 of 1: its latency_ms is -1, not a number of"),
        ({"role": "bot", "content": "", "latency_ms": True}, "message 1 of 1: its latency_ms is True, not a number of"),
    ],
)
def test_what_is_no_message_is_told_by_its_number(value: object, what: str) -> None:
    with pytest.raises(WrongShapeError, match=re.escape(what)):
        one(value)


def test_messages_are_a_list() -> None:
    with pytest.raises(WrongShapeError, match="'turns' is an object, not a list of messages"):
        list(read_messages({}, where="'turns'"))
