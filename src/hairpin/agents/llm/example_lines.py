"""Lines a user following a strategy might say: its templates with the strategy's own words in the slots.

They show a model the manner of a strategy; whether one fits the conversation is not known here.
"""

from __future__ import annotations

from typing import Final

from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.strategies import Strategy
from hairpin.domain.templates import UtteranceTemplate

N_LINES: Final = 2


def example_lines(strategy: Strategy, *, rng_seed: int) -> tuple[str, ...]:
    """Return up to two lines, chosen by ``rng_seed``; none when no template can be filled with the strategy's words."""
    fillable = [t for t in strategy.templates if all(strategy.vocabulary.get(slot) for slot in t.slots)]
    order = sorted(fillable, key=lambda template: derive_rng_seed(rng_seed, strategy.id, template.text))
    return tuple(_filled(template, strategy, rng_seed) for template in order[:N_LINES])


def _filled(template: UtteranceTemplate, strategy: Strategy, rng_seed: int) -> str:
    values: dict[str, str] = {}
    for slot in template.slots:
        words = strategy.vocabulary[slot]
        values[slot] = words[derive_rng_seed(rng_seed, template.text, slot) % len(words)]
    return template.fill(values)
