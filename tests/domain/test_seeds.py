from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.seeds import MAX_CHARS, MAX_PER_SKELETON, Drop, SeedSieve, normalised, skeleton


def sifted(*texts: str, known: tuple[str, ...] = ()) -> tuple[list[str], dict[Drop, int]]:
    sieve = SeedSieve(known)
    return [text for text in texts if sieve.keep(text)], dict(sieve.drops)


def test_a_phrase_is_kept_once_whatever_its_case_and_punctuation() -> None:
    kept, drops = sifted("Take me home", "take me home!", "Bring me home", known=("Bring me home.",))
    assert kept == ["Take me home"]
    assert drops == {Drop.TWICE: 2}


def test_of_one_pattern_three_are_enough_known_ones_included() -> None:
    names = ("Ulm", "Bonn", "Trier", "Worms")
    kept, drops = sifted(*(f"Take me to {name} by 10:30" for name in names))
    assert (len(kept), drops) == (MAX_PER_SKELETON, {Drop.ONE_PATTERN: 1})
    assert sifted("Take me to Jena", known=("Take me to Ulm", "Take me to Bonn", "Take me to Trier"))[0] == []


def test_what_says_nothing_or_is_a_speech_is_dropped() -> None:
    assert sifted("", "?!", "a" * (MAX_CHARS + 1)) == ([], {Drop.EMPTY: 2, Drop.TOO_LONG: 1})


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Take me to Ulm at 9:15.", "take me to @ at #"),
        ("I'd like to see the Isar. Is it far?", "i'd like to see the @ is it far"),
        ('He said "Go to the Alte Brücke am Neckar"', "he said @ to the @"),
        ("", ""),
    ],
)
def test_a_skeleton_masks_names_and_numbers(text: str, masked: str) -> None:
    assert skeleton(text) == masked


@given(st.lists(st.text(max_size=40)))
def test_what_is_kept_is_distinct_and_everything_is_kept_or_counted(texts: list[str]) -> None:
    kept, drops = sifted(*texts)
    words = [normalised(text) for text in kept]
    assert len(set(words)) == len(words)
    assert all(words)
    assert len(kept) + sum(drops.values()) == len(texts)
    shapes = [skeleton(text) for text in kept]
    assert all(shapes.count(shape) <= MAX_PER_SKELETON for shape in shapes)
