"""Slots of prompts: found, filled, and never taken for words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.outcome import Role
from hairpin.domain.prompts import PROMPT_NAMES, PromptSlots, RolePrompt, fill


def test_every_role_has_a_prompt_of_its_own() -> None:
    assert set(PROMPT_NAMES) == set(Role)
    assert len(set(PROMPT_NAMES.values())) == len(Role)


def test_slots_are_found_with_and_without_spaces() -> None:
    filled = fill("{{goal}} and {{ open_targets }}, {not} {{ Not }} {{ 1 }}", {"goal": "A", "open_targets": "B"})
    assert filled == "A and B, {not} {{ Not }} {{ 1 }}"


@given(st.text())
def test_what_fills_a_slot_is_never_taken_for_one(value: str) -> None:
    assert fill("<{{ a }}|{{ b }}>", {"a": "{{ b }}", "b": value}) == f"<{{{{ b }}}}|{value}>"


def test_a_slot_without_a_value_is_said_by_name() -> None:
    with pytest.raises(KeyError, match="goal"):
        fill("{{ goal }}", {})


def test_prompts_and_slots_are_values() -> None:
    prompt = RolePrompt(id="strategist", system="s", request="r")
    assert (prompt.version, PromptSlots().required) == (1, frozenset())
