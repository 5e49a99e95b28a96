"""What is written comes back, whatever its strings hold."""

from __future__ import annotations

import itertools
import sqlite3
from contextlib import closing

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hairpin.domain.base import Value
from hairpin.domain.conversation import Exchange
from hairpin.store.codec import column_text, from_json, to_json
from tests.store.store_values import (
    a_run,
    an_exchange,
    event_values,
    exchange_values,
    failure_values,
    outcome_values,
    planned_values,
    score_values,
)

any_characters = st.text(st.characters(categories=("Cs", "Cc", "Cn", "Lu", "So")), max_size=20)


def joins_surrogates(text: str) -> bool:
    pairs = itertools.pairwise(text)
    return any("\ud800" <= high <= "\udbff" and "\udc00" <= low <= "\udfff" for high, low in pairs)


@given(st.one_of(exchange_values, failure_values, event_values, score_values, planned_values, outcome_values))
def test_every_value_comes_back_as_it_was(value: Value) -> None:
    assert from_json(type(value), to_json(value)) == value


def test_a_run_comes_back_as_it_was() -> None:
    assert from_json(type(a_run()), to_json(a_run())) == a_run()


@given(any_characters.filter(lambda text: not joins_surrogates(text)))
@example("\ud800")
@example("half an emoji: \ud83d!")
@example("\\ud800 is written with a backslash")
def test_lone_surrogates_come_back_as_they_were(text: str) -> None:
    value = Exchange(t=0, user=text, assistant="👩‍🔧", metadata={"raw": [text]})
    written = to_json(value)
    written.encode("utf-8")
    assert "\0" not in written
    assert from_json(Exchange, written) == value


def test_two_surrogates_that_belong_together_come_back_as_their_character() -> None:
    """A wrongly decoded emoji heals; there is no way to write the two halves in JSON."""
    halves = Exchange(t=0, user="\ud83d\ude00", assistant="")
    assert from_json(Exchange, to_json(halves)).user == "😀"


def test_state_nested_deeper_than_the_fast_parser_reads_comes_back() -> None:
    nested: list[object] = []
    for _ in range(210):
        nested = [nested]
    value = an_exchange().model_copy(update={"state": {"deep": nested}})
    assert from_json(Exchange, to_json(value)) == value


@pytest.mark.parametrize("text", ["", "{", "[]", '{"t": -1, "user": "", "assistant": ""}'])
def test_what_is_no_such_value_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"JSON|Exchange|Expecting"):
        from_json(Exchange, text)


@given(any_characters)
def test_column_text_fits_every_database(text: str) -> None:
    kept = column_text(text)
    assert "\0" not in kept
    with closing(sqlite3.connect(":memory:")) as database:
        assert database.execute("SELECT ?", (kept,)).fetchone() == (kept,)


@pytest.mark.parametrize("text", ["", "c0001", "Zoë, 客户, 👩‍🔧"])
def test_column_text_keeps_ordinary_text(text: str) -> None:
    assert column_text(text) == text
