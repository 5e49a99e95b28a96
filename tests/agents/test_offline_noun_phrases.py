"""Noun phrases and stems by closed classes of words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.agents.offline.noun_phrases import content_stems, noun_phrases, stem, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is throat cancer?", ["throat cancer"]),
        ("What causes throat cancer?", ["throat cancer"]),
        ("Who keeps the wooden boat?", ["the wooden boat"]),
        ("What is the US Electoral College?", ["the US Electoral College"]),
        ("Where is the Museum of Art?", ["the Museum of Art"]),
        ("What are lung cancer's symptoms?", ["lung cancer", "symptoms"]),
        ("Are sharks endangered?", ["sharks"]),
        ("How much does it cost to fix it?", []),
        ("She sold it in May.", ["May"]),
        ("", []),
    ],
)
def test_noun_phrases_are_found_without_a_parser(text: str, expected: list[str]) -> None:
    assert [phrase.text for phrase in noun_phrases(text)] == expected


def test_a_noun_phrase_knows_its_place() -> None:
    (types, trees, utah) = noun_phrases("What are the types of orange trees in Utah?")
    assert (types.text, types.owned, types.head) == ("the types", True, "types")
    assert (trees.preposition, trees.plural, trees.name) == ("of", True, False)
    assert (utah.preposition, utah.name, utah.core) == ("in", True, "utah")


@pytest.mark.parametrize(
    ("one", "other"),
    [("keeps", "kept"), ("marry", "married"), ("planning", "planned"), ("reminders", "remind"), ("Mina's", "Mina")],
)
def test_forms_of_a_word_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_words_without_subject_matter_have_no_stem() -> None:
    assert content_stems("Where does she keep the red kite?") == ("keep", "red", "kit")


@given(st.text(max_size=80))
def test_tokens_and_phrases_lie_in_the_text(text: str) -> None:
    for token in tokens(text):
        assert text[token.start : token.end] == token.text
    for phrase in noun_phrases(text):
        assert phrase.text
        assert text[phrase.start : phrase.end].startswith(phrase.text)
