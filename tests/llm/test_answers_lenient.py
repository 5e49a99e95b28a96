from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.llm.answers.lenient import UnreadableJsonError, canonical, read_object


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{"a": "one\ntwo\tthree\x01"}', "one\ntwo\tthree\x01"),
        (r'{"a": "Must match \d{4} and \w"}', r"Must match \d{4} and \w"),
        (r'{"a": "C:\temp"}', "C:\temp"),
        (r'{"a": "C:\users \x41"}', r"C:\users \x41"),
        (r'{"a": "it\'s"}', "it's"),
        (r'{"a": "\u00e9\/\"\\"}', 'é/"\\'),
        ("{'a': 'x'}", "x"),
        (r"{'a': 'it\'s \xe9'}", "it's é"),
        ("""{'a': "it's"}""", "it's"),
        ('{a: "x"}', "x"),
        ('{"a": True}', True),
        ('{"a": None}', None),
        ('{"a": [1, 2,],}', [1, 2]),
        ('{"a": 1 // one\n}', 1),
        ('{"a": "http://x"}', "http://x"),
        ('{"a": +1}', 1),
        ('{"a": .5}', 0.5),
        ('{"a": 5.}', 5.0),
        ('{"a": 1e999}', math.inf),
        ('{"a": -Infinity}', -math.inf),
        ('{"a": 1, "a": 1}', 1),
        ('{"a": {"b": 1}} and more', {"b": 1}),
    ],
)
def test_what_can_be_read_in_one_way_is_read(text: str, wanted: object) -> None:
    value, end = read_object(text, 0)
    assert value == {"a": wanted}
    assert text[end - 1] == "}"


def test_nan_is_read_as_what_it_is_for_validation_to_refuse() -> None:
    value, _ = read_object('{"a": NaN}', 0)
    assert isinstance(value["a"], float)
    assert math.isnan(value["a"])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": "he said "ok""}', "',' or '}' expected"),
        ("{'a': 'it's'}", "apostrophes"),
        ("{'a': 'one\ntwo'}", "ends with its line"),
        ('{"a": 1 "b": 2}', "',' or '}' expected"),
        ('{"a": 1,, "b": 2}', "a key expected"),
        ('{"a" 1}', "a colon"),
        ('{"a": }', "a value expected"),
        ('{"a": 4/5}', "',' or '}' expected"),
        ('{"a": 007}', "a value expected"),
        ('{"a": yes}', "a value expected"),
        ('{"a": “x”}', "a value expected"),
        ('{"a": [1', "the text ends there"),
        ('{"a": "x', "the text ends within a string"),
        ('{"a": 1, "a": 2}', "comes twice"),
        ('{"a": 1, "a": 1.0}', "comes twice"),
        ('{"a": ' + "[" * 65 + "]" * 65 + "}", "nested too deep"),
        ('{"a": ' + "9" * 5000 + "}", "thousands of digits"),
    ],
)
def test_what_could_be_read_in_two_ways_or_is_missing_is_refused(text: str, why: str) -> None:
    with pytest.raises(UnreadableJsonError, match=why):
        read_object(text, 0)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), VALUES, max_size=4))
def test_valid_json_is_read_as_what_it_is(value: dict[str, object]) -> None:
    assert canonical(read_object(canonical(value), 0)[0]) == canonical(value)


@given(st.dictionaries(st.text(), VALUES, max_size=4))
def test_python_literals_are_read_as_what_they_are(value: dict[str, object]) -> None:
    """They are known by the quotes of the first key, which here as in every answer holds no apostrophe."""
    value = {"first": None, **value}
    assert canonical(read_object(repr(value), 0)[0]) == canonical(value)
