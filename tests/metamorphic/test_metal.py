from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.relations import MetalMode
from hairpin.metamorphic.metal import ADDED_WORDS, MetalRates, MetalRelation, change
from hairpin.metamorphic.refusal import Refused
from hairpin.metamorphic.synonyms import SYNONYMS

PAPER, CAREFUL = MetalMode.PAPER, MetalMode.CAREFUL
SYNONYM, WORD, TYPO, LEET = MetalRelation
ALL = MetalRates(synonyms=1, added=1, typos=1, leet=1)
QUESTION = "When did Ada Lovelace not buy 12 big houses in Bonn?"
seeds = st.integers(0, 2**63 - 1)
relations = st.sampled_from(list(MetalRelation))
modes = st.sampled_from(list(MetalMode))


def changed(
    question: str, relation: MetalRelation, mode: MetalMode = PAPER, *, rng_seed: int = 1, rates: MetalRates = ALL
) -> str:
    made = change(question, relation, mode, rng_seed=rng_seed, rates=rates)
    assert isinstance(made, str)
    return made


def words(text: str) -> list[str]:
    return re.findall(r"[\w'’]+", text)


@given(st.text(max_size=60), relations, modes, seeds)
def test_any_text_is_changed_or_refused_with_a_reason(
    text: str, relation: MetalRelation, mode: MetalMode, rng_seed: int
) -> None:
    made = change(text, relation, mode, rng_seed=rng_seed)
    assert made.reason if isinstance(made, Refused) else made != text


@given(relations, modes, seeds)
def test_the_same_seed_gives_the_same_question(relation: MetalRelation, mode: MetalMode, rng_seed: int) -> None:
    assert changed(QUESTION, relation, mode, rng_seed=rng_seed) == changed(QUESTION, relation, mode, rng_seed=rng_seed)


@given(relations, seeds)
def test_careful_leaves_wh_words_names_numbers_and_negations(relation: MetalRelation, rng_seed: int) -> None:
    kept = ["When", "Ada", "Lovelace", "not", "12", "Bonn"]
    made = words(changed(QUESTION, relation, CAREFUL, rng_seed=rng_seed))
    assert [word for word in made if word in kept] == kept


def test_paper_changes_wh_words_and_names_too() -> None:
    assert changed(QUESTION, LEET) == "Wh3n d1d 4d4 L0v3l4c3 n07 buy 12 b1g h0u535 1n B0nn?"
    assert changed(QUESTION, LEET, CAREFUL) == "When d1d Ada Lovelace not buy 12 b1g h0u535 1n Bonn?"


@pytest.mark.parametrize("text", ["Who isn't here?", "Who isn’t here?", "What's nothing?"])
def test_contracted_negations_and_wh_words_are_kept(text: str) -> None:
    kept = [word for word in words(text) if word != "here"]
    assert [word for word in words(changed(f"{text} It is here", TYPO, CAREFUL)) if word in kept] == kept


@given(seeds)
def test_synonyms_come_from_the_same_group(rng_seed: int) -> None:
    made = words(changed(QUESTION, SYNONYM, rng_seed=rng_seed))
    pairs = [(old, new) for old, new in zip(words(QUESTION), made, strict=True) if old != new]
    assert {old for old, _ in pairs} == {"buy", "big", "houses"}
    assert all(new in SYNONYMS[old] for old, new in pairs)


def test_a_synonym_keeps_its_capital_and_the_article_follows_it() -> None:
    assert changed("Big news?", SYNONYM) == "Large news?"
    assert changed("Is he an author?", SYNONYM) == "Is he a writer?"
    assert changed("Is he a writer?", SYNONYM) == "Is he an author?"


@given(seeds, modes)
def test_an_added_word_leaves_all_others_in_their_order(rng_seed: int, mode: MetalMode) -> None:
    made = changed("What is a gene?", WORD, mode, rng_seed=rng_seed, rates=MetalRates())
    kept = [word for word in made.split() if word.casefold().strip(".") not in ADDED_WORDS]
    assert kept == ["What", "is", "a", "gene?"]
    assert len(made.split()) == 5


def test_paper_adds_words_into_a_question_and_careful_before_it() -> None:
    assert {changed("What is?", WORD, rng_seed=n, rates=MetalRates()).split()[1] for n in range(9)} & {*ADDED_WORDS}
    assert changed("What is?", WORD, CAREFUL, rates=MetalRates()).endswith(". What is?")


@given(st.from_regex(r"[A-Za-z]{4,12}", fullmatch=True), seeds)
def test_a_typo_keeps_the_first_letter_and_is_one_edit(word: str, rng_seed: int) -> None:
    made = changed(word, TYPO, rng_seed=rng_seed)
    assert made != word
    assert made[0] == word[0]
    assert abs(len(made) - len(word)) <= 1


def test_rates_say_how_many_words_are_changed() -> None:
    text = " ".join(["walked"] * 10)
    for rate, expected in ((0.05, 1), (0.3, 3), (0.25, 3), (1.0, 10)):
        made = changed(text, TYPO, rates=MetalRates(typos=rate)).split()
        assert sum(word != "walked" for word in made) == expected


@pytest.mark.parametrize(
    ("text", "relation", "reason"),
    [
        ("Who is he?", SYNONYM, "synonym"),
        ("Is he up?", TYPO, "4 letters"),
        ("Why 42?", LEET, "leet"),
        ("  ", WORD, "no words"),
    ],
)
def test_what_has_nothing_to_change_says_so(text: str, relation: MetalRelation, reason: str) -> None:
    made = change(text, relation, PAPER, rng_seed=1)
    assert isinstance(made, Refused)
    assert reason in made.reason


def test_changed_questions_stay_the_same_for_ever() -> None:
    made = [change(QUESTION, relation, mode, rng_seed=2026) for mode in MetalMode for relation in MetalRelation]
    assert made == GOLDEN


GOLDEN = [
    "When did Ada Lovelace not purchase 12 big homes in Bonn?",
    "nutmeg When did Ada Lovelace not buy 12 big houses in Bonn?",
    "When did Ada Lovlace not buy 12 big houses in Bonn?",
    "Wh3n d1d 4d4 L0v3l4c3 n07 buy 12 b1g h0u535 1n B0nn?",
    "When did Ada Lovelace not purchase 12 big homes in Bonn?",
    "Nutmeg. When did Ada Lovelace not buy 12 big houses in Bonn?",
    "When did Ada Lovelace not buy 12 big houess in Bonn?",
    "When d1d Ada Lovelace not buy 12 b1g h0u535 1n Bonn?",
]
