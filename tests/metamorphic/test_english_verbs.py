from __future__ import annotations

import pytest

from hairpin.metamorphic.english_verbs import BASE_BY_PAST, BASE_BY_THIRD_PERSON, BASES, past_of, third_person_of


@pytest.mark.parametrize(
    ("base", "past", "third"),
    [
        ("write", "wrote", "writes"),
        ("go", "went", "goes"),
        ("have", "had", "has"),
        ("carry", "carried", "carries"),
        ("play", "played", "plays"),
        ("like", "liked", "likes"),
        ("stop", "stopped", "stops"),
        ("watch", "watched", "watches"),
        ("visit", "visited", "visits"),
    ],
)
def test_forms_of_verbs(base: str, past: str, third: str) -> None:
    assert (past_of(base), third_person_of(base)) == (past, third)
    assert (BASE_BY_PAST[past], BASE_BY_THIRD_PERSON[third]) == (base, base)


def test_no_two_verbs_share_a_form() -> None:
    assert len(BASE_BY_PAST) == len(BASE_BY_THIRD_PERSON) == len(BASES) > 500
