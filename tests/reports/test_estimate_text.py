"""An estimate in the terminal: the expected number first, its range behind it, and every assumption."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from hairpin.domain.model_spec import CompatibleModel, LocalModel, ModelPrice, ModelSpec, OpenAiModel
from hairpin.domain.outcome import Role
from hairpin.llm.estimate import estimate_run
from hairpin.llm.prices import PriceTable
from hairpin.reports.estimate_text import estimate_text
from tests.domain.builders import a_scenario

TABLE = PriceTable(prices={"openai": {"gpt-4.1": ModelPrice(input=2, output=8)}}, as_of="2026-05-31")
PAID = OpenAiModel(model="gpt-4.1")
HOUSE = CompatibleModel(base_url="http://127.0.0.1:1/v1", model="house\x1b[2J")


def told(models: Mapping[Role, ModelSpec], *, width: int = 88) -> str:
    scenario = a_scenario().model_copy(update={"models": models})
    return estimate_text(
        estimate_run(scenario, n_conversations=12, prompt_chars=dict.fromkeys(Role, 4000), prices=TABLE), width=width
    )


def test_an_offline_run_says_that_it_asks_no_model() -> None:
    text = told({})
    assert text.startswith("12 conversations of 5 to 8 turns\n")
    assert "every role is offline" in text
    assert "USD" not in text


def test_what_the_figures_are_of_stands_before_them() -> None:
    found = estimate_run(a_scenario(), n_conversations=1, prompt_chars={}, prices=TABLE)
    text = estimate_text(found.model_copy(update={"notes": ("only time ends it", "of one")}))
    assert text.splitlines()[1:3] == ["only time ends it", "of one"]


def test_money_is_told_with_its_range_per_role_and_in_all() -> None:
    text = told({Role.TURN_JUDGE: PAID})
    assert "Turn judge: openai gpt-4.1\n" in text
    assert "requests    92 (60 to 192)" in text
    assert text.count(" USD (") == 2
    assert "prices as of 2026-05-31" in text


def test_an_unknown_price_is_told_and_the_known_part_beside_it() -> None:
    text = " ".join(told({Role.TURN_JUDGE: PAID, Role.SIMULATOR: HOUSE}).split())
    assert "cost unknown: its price is not known" in text
    assert ") without openai-compatible house<U+001B>[2J" in text
    assert "cost unknown: no price for openai-compatible house" in " ".join(told({Role.SIMULATOR: HOUSE}).split())


def test_a_local_model_costs_nothing() -> None:
    assert "cost        nothing" in told({Role.TURN_JUDGE: LocalModel()})


@pytest.mark.parametrize("width", [44, 60, 88])
def test_lines_fit_the_terminal(width: int) -> None:
    assert max(map(len, told(dict.fromkeys(Role, PAID), width=width).splitlines())) <= width
