from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from hairpin.metamorphic.foreign_rounds import FOREIGN_QUESTIONS, foreign_question


@given(st.integers())
def test_a_foreign_round_shares_no_longer_word_with_the_dialogue(seed: int) -> None:
    texts = ("Tell me about planets and spiders.", "Which planet has a spider on it?", "Eight MINUTES later")
    drawn = foreign_question(Random(seed), texts)
    assert drawn in FOREIGN_QUESTIONS
    assert {"planet", "spider", "eight", "minutes"}.isdisjoint(drawn.casefold().strip("?").split())


@given(st.integers())
def test_where_all_share_a_word_any_will_do(seed: int) -> None:
    assert foreign_question(Random(seed), FOREIGN_QUESTIONS) in FOREIGN_QUESTIONS
