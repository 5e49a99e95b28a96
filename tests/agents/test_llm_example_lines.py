from __future__ import annotations

from hairpin.agents.llm.example_lines import example_lines
from hairpin.domain.strategies import Strategy
from hairpin.domain.templates import UtteranceTemplate


def strategy(*texts: str) -> Strategy:
    return Strategy(
        id="s",
        title="S",
        target_mode="m",
        templates=tuple(UtteranceTemplate(text=text) for text in texts),
        vocabulary={"fruit": ("apple", "pear", "plum"), "nothing": ()},
    )


def test_lines_are_templates_with_the_strategys_own_words() -> None:
    lines = {example_lines(strategy("Buy an {fruit}"), rng_seed=seed) for seed in range(20)}
    assert lines == {("Buy an apple",), ("Buy an pear",), ("Buy an plum",)}


def test_a_template_that_needs_other_words_is_left_out() -> None:
    assert example_lines(strategy("Go to {place}", "Say {nothing}", "Again {known:fruit}"), rng_seed=1) == ()


def test_there_are_two_at_most_and_the_same_seed_gives_the_same() -> None:
    many = strategy(*(f"Line {n}" for n in range(9)))
    assert len(example_lines(many, rng_seed=1)) == 2
    assert example_lines(many, rng_seed=1) == example_lines(many, rng_seed=1)
    assert len({example_lines(many, rng_seed=seed) for seed in range(20)}) > 5
