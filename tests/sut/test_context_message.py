"""What a chat model is told before the user speaks."""

from __future__ import annotations

import pytest

from hairpin.domain.users import Context
from hairpin.sut.context_message import context_text, system_message


@pytest.mark.parametrize(
    ("context", "text"),
    [
        (Context(), ""),
        (Context(location="Lyon"), "Current context\nLocation: Lyon"),
        (Context(date="2026-11-29", time="17:40"), "Current context\nDate: 2026-11-29\nTime: 17:40"),
        (
            Context(vehicle={"fan_level": 0.0, "parked": False}),
            "Current context\nVehicle fan level: 0\nVehicle parked: no",
        ),
        (Context(reference_text="Facts.\n\nMore."), "Reference text:\nFacts.\n\nMore."),
    ],
)
def test_only_what_is_known_is_told(context: Context, text: str) -> None:
    assert context_text(context) == text


@pytest.mark.parametrize(
    ("prompt", "context", "message"),
    [
        (None, Context(), None),
        (" \n", Context(), None),
        ("Be brief.\n", Context(), "Be brief."),
        ("Be brief.", Context(location="Lyon"), "Be brief.\n\nCurrent context\nLocation: Lyon"),
    ],
)
def test_the_prompt_comes_first_and_nothing_is_no_message(prompt: str | None, context: Context, message: str) -> None:
    assert system_message(prompt, context) == message
