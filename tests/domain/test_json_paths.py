from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from hairpin.domain.json_paths import MISSING, parse_path, value_at

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
