from __future__ import annotations

from hairpin.metamorphic.synonyms import SYNONYMS


def test_there_are_several_hundred_words_each_with_others() -> None:
    assert len(SYNONYMS) > 1000
    assert all(others and word not in others for word, others in SYNONYMS.items())


def test_all_are_plain_lower_case_words() -> None:
    words = {*SYNONYMS, *(other for others in SYNONYMS.values() for other in others)}
    assert [word for word in words if not (word.isalpha() and word.islower())] == []


def test_a_word_can_be_replaced_by_any_of_its_group_and_back() -> None:
    assert SYNONYMS["big"] == ("large",)
    assert SYNONYMS["begin"] == ("start", "commence")
    assert SYNONYMS["commence"] == ("begin", "start")


def test_words_that_mean_too_much_are_put_in_but_never_replaced() -> None:
    assert "firm" in SYNONYMS["company"]
    assert {"firm", "state", "like", "about", "since", "what", "not"}.isdisjoint(SYNONYMS)
