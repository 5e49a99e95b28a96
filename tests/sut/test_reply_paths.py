"""Replies in answers, by the paths that a configuration names."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from hairpin.domain.sut import SutReply
from hairpin.domain.sut_spec import Match, ReplyPaths
from hairpin.errors import SutError
from hairpin.sut.redaction import Redactor
from hairpin.sut.reply_paths import (
    is_said,
    matches,
    parse_json,
    reply_of_answer,
    reply_of_text,
    storable,
    words_of_piece,
)

OPEN = Redactor(())


def reply(answer: JsonValue, redactor: Redactor = OPEN, **paths: str) -> SutReply:
    return reply_of_answer(answer, ReplyPaths(**paths), where="it", redactor=redactor)


def error(answer: JsonValue, redactor: Redactor = OPEN, **paths: str) -> str:
    with pytest.raises(SutError) as caught:
        reply(answer, redactor, **paths)
    return str(caught.value)


@pytest.mark.parametrize(
    ("value", "text"), [("hi", "hi"), ("", ""), (None, ""), (7, "7"), (1.5, "1.5"), (True, "true")]
)
def test_a_text_is_what_a_person_would_read(value: JsonValue, text: str) -> None:
    assert reply({"a": [{"b": value}]}, text="a[0].b") == SutReply(text=text)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"b": 1}, "it answered without 'a', where the reply's text is said to be: {\"b\": 1}"),
        ({"a": [1]}, "it has a list instead of a text at 'a': [1]"),
        ({"a": {}}, "it has an object instead of a text at 'a': {}"),
    ],
)
def test_a_text_that_is_missing_or_none_is_the_assistants_error(answer: JsonValue, said: str) -> None:
    assert error(answer, text="a") == said


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ([{"text": "a"}, {"image": "i"}, {"text": None}, {"text": 7}], "a\n7"),
        ([{"text": "a"}], "a"),
        ([], ""),
    ],
)
def test_texts_in_a_list_are_joined_by_line_breaks_and_an_empty_list_says_nothing(answer: JsonValue, text: str) -> None:
    assert reply(answer, text="[*].text") == SutReply(text=text)
    assert words_of_piece({"all": answer}, "all[*].text", where="it", redactor=OPEN) == text


def test_what_is_no_list_or_holds_no_texts_cannot_be_joined() -> None:
    assert "it answered without '[*].text'" in error({"text": "a"}, text="[*].text")
    assert "it has an object instead of a text at '[*].text': {}" in error([{"text": {}}], text="[*].text")


def test_an_index_written_like_a_key_is_told_with_the_way_out() -> None:
    said = error({"outputs": [{"content": "Hi"}]}, text="outputs.0.content")
    assert "said to be (write outputs[0].content): {" in said


@pytest.mark.parametrize("nothing", [None, False, 0, "", [], {}])
def test_what_is_empty_is_neither_an_error_nor_an_end(nothing: JsonValue) -> None:
    assert reply({"a": "hi", "e": nothing, "end": nothing}, text="a", error="e", ended="end") == SutReply(text="hi")
    assert not is_said({"e": nothing}, "e")


@pytest.mark.parametrize(("said", "text"), [("no", "no"), ({"code": 7}, '{"code": 7}'), (True, "true"), (7, "7")])
def test_an_answer_may_say_that_it_is_an_error(said: JsonValue, text: str) -> None:
    assert error({"a": "hi", "e": said}, text="a", error="e") == f"it answered with an error: {text}"


def test_a_state_is_an_object_or_nothing() -> None:
    assert reply({"a": "hi", "s": {"x": None}}, text="a", state="s").state == {"x": None}
    assert reply({"a": "hi", "s": None}, text="a", state="s").state is None
    assert reply({"a": "hi"}, text="a", state="s").state is None
    assert "it has no object at 's', where its state is said to be: [1]" in error(
        {"a": "", "s": [1]}, text="a", state="s"
    )


def test_without_paths_a_text_is_the_reply_whatever_it_is() -> None:
    for text in ('{"a": 1}', "plain", "", "7"):
        assert reply_of_text(text, ReplyPaths(), where="it", redactor=OPEN) == SutReply(text=text)
    whole = reply_of_text('{"s": {"x":  1}}', ReplyPaths(state="s"), where="it", redactor=OPEN)
    assert whole == SutReply(text='{"s": {"x":  1}}', state={"x": 1})


@pytest.mark.parametrize("text", ["plain", "", "[", "{a: 1}"])
def test_with_paths_a_text_must_be_json(text: str) -> None:
    with pytest.raises(SutError, match="it answered with no JSON"):
        reply_of_text(text, ReplyPaths(text="a"), where="it", redactor=OPEN)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": NaN}', "NaN is no number of JSON"),
        ('{"a": "x", "s": {"n": 1e999}}', "1e999 is too large a number"),
        ('{"a": -1e999}', "-1e999 is too large a number"),
        ('{"a": ' + "9" * 5_000 + "}", "a number of 5000 characters is too long"),
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
    ],
)
def test_json_that_cannot_be_kept_is_told_by_what_is_wrong_with_it(text: str, why: str) -> None:
    with pytest.raises(SutError) as caught:
        reply_of_text(text, ReplyPaths(text="a", state="s"), where="it", redactor=OPEN)
    assert str(caught.value).startswith(f"it answered with unreadable JSON ({why}): {text[:9]}")


def test_secrets_are_out_of_replies_and_messages_before_they_are_cut() -> None:
    key = "s3cr3t-key-77"
    redactor = Redactor([key], spoken=[key])
    said = reply({"a": f"key {key}", "s": {key: [key]}}, redactor, text="a", state="s")
    assert said == SutReply(text="key ***", state={"***": ["***"]})
    message = error({"e": "x" * (300 - len("answered with an error: ") - 5) + key}, redactor, error="e")
    assert "s3cr" not in message


def test_a_piece_may_hold_no_words() -> None:
    assert words_of_piece({"a": "hi"}, "a", where="it", redactor=OPEN) == "hi"
    assert words_of_piece({"b": 1}, "a", where="it", redactor=OPEN) == ""


@pytest.mark.parametrize(
    ("answer", "match", "says"),
    [
        ({"a": "done"}, Match(path="a", equals=("done", "failed")), True),
        ({"a": "busy"}, Match(path="a", equals=("done",)), False),
        ({}, Match(path="a", equals=(None,)), False),
        ({"a": None}, Match(path="a", equals=(None,)), True),
        ({"a": 1}, Match(path="a", equals=(True,)), False),
        ({"a": [{"b": 1.0}]}, Match(path="a", equals=([{"b": 1}],)), True),
        ({"a": [True]}, Match(path="a", equals=([1],)), False),
        ({"a": 0}, Match(path="a"), True),
        ({"a": None}, Match(path="a"), False),
        ({"a": False}, Match(path="a"), False),
        ({}, Match(path="a"), False),
    ],
)
def test_an_answer_says_what_is_waited_for(answer: JsonValue, match: Match, says: bool) -> None:
    assert matches(answer, match) is says


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(json_values)
def test_json_comes_back_as_it_went(value: JsonValue) -> None:
    assert parse_json(json.dumps(value)) == storable(value)


@given(json_values, st.sampled_from(["", "a", "a.b[0]"]))
def test_whatever_an_answer_is_there_is_a_reply_or_an_error_of_the_assistant(value: JsonValue, path: str) -> None:
    with suppress(SutError):
        reply = reply_of_answer(
            {"a": value}, ReplyPaths(text=path, error="a.e", state="a.s"), where="it", redactor=OPEN
        )
        assert isinstance(reply.text, str)


def test_what_no_encoding_can_carry_is_replaced() -> None:
    assert parse_json('{"\\ud800": ["\\udfff"]}') == {"\ufffd": ["\ufffd"]}
