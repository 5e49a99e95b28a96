from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from hairpin.domain.sut_template import fill, fill_text, placeholders, unknown_placeholders

VALUES: dict[str, JsonValue] = {
    "utterance": 'Say "hi" {now}',
    "t": 2,
    "context": {"date": "2026-11-29", "vehicle": {"speed": 50}, "time": None},
    "messages": [{"role": "user", "content": "Hello"}],
}


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("{utterance}", 'Say "hi" {now}'),
        ("{t}", 2),
        ("turn {t}", "turn 2"),
        ("{messages}", [{"role": "user", "content": "Hello"}]),
        ("all: {messages}", 'all: [{"role": "user", "content": "Hello"}]'),
        ("{context.vehicle.speed}", 50),
        ("{messages[0].content}", "Hello"),
        ("{context.time}", None),
        ("at {context.time}.", "at ."),
        ("{context.place}", None),
        ("{{t}}", "{t}"),
        ("{{{t}}}", "{2}"),
        ({"a": ["{t}", True, None, 1.5], "k{t}": {}}, {"a": [2, True, None, 1.5], "k2": {}}),
    ],
)
def test_placeholders_become_values_and_keep_their_type_where_they_stand_alone(
    template: JsonValue, filled: JsonValue
) -> None:
    assert fill(template, VALUES) == filled


def test_what_is_put_in_is_not_read_as_a_template_again() -> None:
    assert fill("{utterance}", {"utterance": "{t} {{ }"}) == "{t} {{ }"


def test_values_are_quoted_for_the_place_they_go_to() -> None:
    url = fill_text("http://h/{session_id}/say", {"session_id": "a/b ü"}, quote=lambda text: quote(text, safe=""))
    assert url == "http://h/a%2Fb%20%C3%BC/say"


@pytest.mark.parametrize("template", ["{", "}", '{"a": 1}', "{utterance", "{Utterance}", "{}", "{a b}", "{t..x}"])
def test_a_brace_that_belongs_to_no_placeholder_is_refused(template: str) -> None:
    with pytest.raises(ValueError, match=r"brace|placeholder|path"):
        placeholders({"inner": [template]})


def test_every_placeholder_is_found_wherever_it_stands() -> None:
    template: JsonValue = {"{t}": ["x {utterance}", {"deep": "{context.date}"}], "plain": "{{no}}", "n": 1}
    assert placeholders(template) == {"t", "utterance", "context.date"}
    assert unknown_placeholders(template, {"t", "utterance"}) == ("context.date",)
    assert unknown_placeholders(template, {"t", "utterance", "context"}) == ()


@given(st.text())
def test_any_text_can_be_sent_as_it_is_by_doubling_its_braces(text: str) -> None:
    assert fill(text.replace("{", "{{").replace("}", "}}"), {}) == text


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=5))
def test_a_lone_placeholder_gives_the_very_value(value: JsonValue) -> None:
    assert fill("{utterance}", {"utterance": value}) == value
