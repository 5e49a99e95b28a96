"""The wording sets say the same things in other words, and the documentation shows those in sample."""

from __future__ import annotations

from importlib.resources import files

import pytest

from hairpin.errors import UnknownReferenceError
from hairpin.testbed.acts import Courtesy, UnsafeKind
from hairpin.testbed.constraints import Constraint
from hairpin.testbed.vehicle import Dial, Switch
from hairpin.testbed.wording import (
    HELD_OUT_WORDING,
    IN_SAMPLE_WORDINGS,
    WORDINGS,
    Listing,
    Phrase,
    Wording,
    draw_wording,
    load_wording,
    slots,
)

LANGUAGE = files("hairpin.testbed").joinpath("LANGUAGE.md").read_text(encoding="utf-8")
FREE_SLOTS = {"is", "has", "it", "protects", "subject"}
"""Slots of a part of the vehicle: a sentence takes those that it needs."""


@pytest.mark.parametrize("name", WORDINGS)
def test_every_set_has_the_same_sentences_with_the_same_facts_in_them(name: str) -> None:
    plain, other = load_wording("plain").sentences, load_wording(name).sentences
    assert set(other) == set(plain)
    different = [key for key in plain if (slots(plain[key]) ^ slots(other[key])) - FREE_SLOTS]
    assert different == []


@pytest.mark.parametrize("name", WORDINGS)
def test_there_are_words_for_everything_that_can_be_named(name: str) -> None:
    sentences = load_wording(name).sentences
    keys = [f"term.{c.value}" for c in Constraint]
    keys += [f"subject.{part.value}" for part in (*Dial, *Switch)]
    keys += [f"unsafe.{part}.{kind.value}" for kind in UnsafeKind for part in ("reason", "alternative", "done")]
    keys += [f"chat.{courtesy.value}" for courtesy in Courtesy]
    keys += [f"constraint.{what}.{c.value}" for c in Constraint for what in ("lifted", "not_set")]
    assert [key for key in keys if key not in sentences] == []


def test_the_language_page_shows_every_sentence_in_sample() -> None:
    rows = [line for line in LANGUAGE.splitlines() if line.startswith("| `")]
    shown = {row.split("|")[1].strip(" `"): [cell.strip() for cell in row.strip("| ").split(" | ")[1:]] for row in rows}
    assert list(shown) == list(load_wording("plain").sentences)
    for column, name in enumerate(IN_SAMPLE_WORDINGS):
        assert {key: cells[column] for key, cells in shown.items()} == load_wording(name).sentences


def test_the_language_page_shows_no_sentence_that_is_held_out() -> None:
    common = {text for name in IN_SAMPLE_WORDINGS for text in load_wording(name).sentences.values()}
    held_out = {text for text in load_wording(HELD_OUT_WORDING).sentences.values() if len(text.split()) > 3} - common
    assert [text for text in held_out if text in LANGUAGE] == []


def test_the_held_out_set_shares_no_sentence_with_those_in_sample() -> None:
    held_out = load_wording(HELD_OUT_WORDING).sentences
    for name in IN_SAMPLE_WORDINGS:
        sentences = load_wording(name).sentences
        shared = [key for key in held_out if held_out[key] == sentences[key]]
        assert shared == ["term.and"]


def test_each_set_in_sample_is_drawn_and_the_held_out_one_never() -> None:
    assert {draw_wording(rng_seed).name for rng_seed in range(60)} == set(IN_SAMPLE_WORDINGS)


def test_an_unknown_set_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(UnknownReferenceError, match="did you mean 'plain'"):
        load_wording("plane")


def test_every_sentence_begins_with_a_capital_letter() -> None:
    wording = Wording("w", {"a": "{what} is on! {what} stays on.", "what": "the fan"})
    assert wording.say((Phrase(key="a", slots={"what": Phrase(key="what")}),)) == "The fan is on! The fan stays on."


@pytest.mark.parametrize(
    ("items", "text"), [((), ""), (("a",), "a"), (("a", "b"), "a or b"), (("a", "b", "c"), "a, b or c")]
)
def test_a_listing_is_an_enumeration(items: tuple[str, ...], text: str) -> None:
    assert Wording("w", {}).render(Listing(items=items, word="or")) == text
