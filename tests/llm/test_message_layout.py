"""Prompts in the order that an endpoint takes, with longer ones beginning like shorter ones."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from hairpin.llm.message_layout import Message, lay_out
from hairpin.ports import ChatMessage

MESSAGES = st.lists(
    st.builds(ChatMessage, role=st.sampled_from(["system", "user", "assistant"]), text=st.text(max_size=6)),
    min_size=1,
    max_size=8,
)


def chat(*turns: tuple[str, str]) -> list[ChatMessage]:
    return [ChatMessage.model_validate({"role": role, "text": text}) for role, text in turns]


def plain(messages: list[Message]) -> list[tuple[object, object]]:
    return [(message["role"], message["content"]) for message in messages]


def text_of(messages: list[Message]) -> str:
    """Return the messages as a server's template joins them, without the mark that ends the last one."""
    return "".join(f"<|{role}|>{json.dumps(text)[1:-1]}" for role, text in plain(messages))


def test_messages_of_the_user_that_follow_each_other_are_one() -> None:
    laid = lay_out(chat(("system", "S"), ("user", "a"), ("user", "b"), ("assistant", "c"), ("user", "d")))
    assert plain(laid) == [("system", "S"), ("user", "a\n\nb"), ("assistant", "c"), ("user", "d")]


def test_other_neighbours_are_left_apart_where_nobody_minds() -> None:
    turns = [("system", "S"), ("system", "T"), ("assistant", "a"), ("assistant", "b")]
    assert plain(lay_out(chat(*turns))) == turns


def test_without_a_system_role_its_text_begins_the_first_message_of_the_user() -> None:
    laid = lay_out(chat(("system", "S"), ("user", "a"), ("assistant", "b")), system_role=False)
    assert plain(laid) == [("user", "S\n\na"), ("assistant", "b")]


def test_where_roles_must_alternate_neighbours_are_one_and_the_user_begins() -> None:
    laid = lay_out(chat(("system", "S"), ("assistant", "a"), ("assistant", "b"), ("user", "c")), alternate=True)
    assert plain(laid) == [("system", "S"), ("user", "(start)"), ("assistant", "a\n\nb"), ("user", "c")]


def test_where_roles_must_alternate_only_the_first_system_messages_stay() -> None:
    laid = lay_out(chat(("system", "S"), ("system", "T"), ("user", "a"), ("system", "U")), alternate=True)
    assert plain(laid) == [("system", "S\n\nT"), ("user", "a\n\nU")]


@given(MESSAGES, st.booleans())
def test_roles_alternate_from_the_user_on_whatever_the_prompt(messages: list[ChatMessage], system_role: bool) -> None:
    roles = [role for role, _ in plain(lay_out(messages, system_role=system_role, alternate=True))]
    spoken = roles[1:] if roles[0] == "system" else roles
    assert "system" not in (spoken if system_role else roles)
    assert spoken == ["assistant" if index % 2 else "user" for index in range(len(spoken))]


@given(MESSAGES, MESSAGES, st.booleans(), st.booleans())
def test_a_longer_prompt_begins_with_the_shorter_one(
    messages: list[ChatMessage], appended: list[ChatMessage], system_role: bool, alternate: bool
) -> None:
    shorter = lay_out(messages, system_role=system_role, alternate=alternate)
    longer = lay_out([*messages, *appended], system_role=system_role, alternate=alternate)
    assert text_of(longer).startswith(text_of(shorter))


@given(MESSAGES, st.booleans(), st.booleans())
def test_no_text_is_lost_and_none_changes_places(
    messages: list[ChatMessage], system_role: bool, alternate: bool
) -> None:
    joined = "\n\n".join(
        str(text) for _, text in plain(lay_out(messages, system_role=system_role, alternate=alternate))
    )
    position = 0
    for message in messages:
        found = joined.find(message.text, position)
        assert found >= 0, f"{message.text!r} does not follow in {joined!r}"
        position = found + len(message.text)
