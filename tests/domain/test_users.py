from __future__ import annotations

import pytest

from hairpin.domain.users import Context
from tests.domain.builders import a_persona


@pytest.mark.parametrize(
    ("context", "label"),
    [
        (Context(location="Munich", date="2026-11-29", time="17:40"), "Munich, 2026-11-29, 17:40"),
        (Context(time="17:40"), "17:40"),
        (Context(vehicle={"battery": 40}), "no context"),
        (Context(), "no context"),
    ],
)
def test_a_context_is_called_by_place_and_time(context: Context, label: str) -> None:
    assert context.label() == label


def test_numbers_flags_and_words_of_the_vehicle_survive_storage() -> None:
    context = Context(vehicle={"battery": 40.5, "parked": True, "windows": "closed"})
    again = Context.model_validate_json(context.model_dump_json())
    assert again == context
    assert again.vehicle["parked"] is True


def test_a_persona_may_have_no_phrases() -> None:
    assert a_persona().style == {}
