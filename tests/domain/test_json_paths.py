from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from hairpin.domain.json_paths import EACH, MISSING, parse_path, parse_text_path, value_at, with_indices

ANSWER: JsonValue = {"choices": [{"message": {"content": "Hello"}}, {"message": {"content": None}}], "0": "zero"}


def at(path: str) -> object:
    return value_at(ANSWER, parse_path(path))


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("choices[0].message.content", "Hello"),
        ("choices[-1].message.content", None),
        ("0", "zero"),
        ("", ANSWER),
    ],
)
def test_a_path_leads_to_a_value(path: str, found: object) -> None:
    assert at(path) == found


@pytest.mark.parametrize("path", ["choice", "choices.message", "choices[2]", "choices[-3]", "0[0]", "[0]"])
def test_what_is_not_there_is_missing_which_is_not_null(path: str) -> None:
    assert at(path) is MISSING


@pytest.mark.parametrize(("path", "place"), [("a..b", 2), ("a.", 2), (".a", 1), ("a[x]", 2), ("a[0", 2), ("a]", 2)])
def test_what_is_no_path_is_refused_and_its_place_named(path: str, place: int) -> None:
    with pytest.raises(ValueError, match=rf"at character {place}\b"):
        parse_path(path)


names = st.text(st.characters(exclude_characters=".[]", exclude_categories=["Cs"]), min_size=1, max_size=5)


@given(names, st.lists(names | st.integers(-3, 3), max_size=6))
def test_every_way_into_a_tree_can_be_written_as_a_path(first: str, rest: list[str | int]) -> None:
    written = first + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in rest)
    assert parse_path(written) == (first, *rest)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("[*].text", ["a", None, "b"]),
        ("[*].parts[*].say", ["x", "y"]),
        ("[*].parts[0].say", ["x"]),
        ("[*].nowhere", []),
        ("[3].parts[*].say", ["x", "y"]),
        ("[0].text[*]", MISSING),
        ("text[*]", MISSING),
    ],
)
def test_each_item_is_looked_into_and_those_without_what_is_sought_are_passed_over(path: str, found: object) -> None:
    parts: JsonValue = [{"say": "x"}, {"show": 1}, {"say": "y"}]
    answer: JsonValue = [{"text": "a"}, {"image": "i"}, {"text": None}, {"parts": parts}, {"text": "b"}]
    assert value_at(answer, parse_text_path(path)) == found


def test_each_item_of_an_empty_list_is_nothing_which_is_not_missing() -> None:
    assert parse_text_path("[*].text") == (EACH, "text")
    assert value_at([], (EACH, "text")) == []


@pytest.mark.parametrize("path", ["[*]", "a[*].b", "a[*][*]"])
def test_a_path_of_one_value_has_no_each(path: str) -> None:
    with pytest.raises(ValueError, match=r"has \[\*\], which stands only in the path of a reply's text"):
        parse_path(path)


@pytest.mark.parametrize(
    ("path", "right"),
    [
        ("data.outputs.0.content", "data.outputs[0].content"),
        ("data.outputs.*.content", "data.outputs[*].content"),
        ("data.outputs.-1.content", "data.outputs[-1].content"),
        ("data.outputs.0.contents", None),
        ("data.outputs.5.content", None),
        ("data.outputs[0].content", None),
        ("data.output.0", None),
        ("data.0", None),
    ],
)
def test_an_index_written_like_a_key_is_recognised_where_it_leads_somewhere(path: str, right: str | None) -> None:
    answer: JsonValue = {"data": {"outputs": [{"content": "Hi"}], "0": "zero"}}
    assert with_indices(answer, parse_text_path(path)) == right
