"""Panels: who sits on them and how often each is asked."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from hairpin.domain.model_spec import LocalModel, OpenAiModel
from hairpin.domain.outcome import Role
from hairpin.domain.panels import PanelSpec, Seat, role_of

MINI, NANO = OpenAiModel(model="mini"), OpenAiModel(model="nano")


def test_every_model_votes_as_often_as_it_is_repeated_and_the_offline_judge_once() -> None:
    panel = PanelSpec(members=(MINI, None), repeats=2)
    assert panel.voters == ((0, "openai mini, 1"), (0, "openai mini, 2"), (1, "offline"))
    assert panel.label == "panel of 3: openai mini 2 times, offline"


def test_two_alike_are_told_apart() -> None:
    panel = PanelSpec(members=(MINI, NANO, MINI))
    assert tuple(panel.names) == ("openai mini", "openai nano", "openai mini #2")
    assert panel.label == "panel of 3: openai mini, openai nano, openai mini #2"


def test_the_models_of_a_panel_have_seats() -> None:
    panel = PanelSpec(members=(None, LocalModel(), MINI))
    seats = panel.models(Role.TURN_JUDGE)
    assert seats == {Seat(Role.TURN_JUDGE, 1): LocalModel(), Seat(Role.TURN_JUDGE, 2): MINI}
    assert {role_of(seat) for seat in seats} == {Role.TURN_JUDGE}
    assert role_of(Role.SIMULATOR) is Role.SIMULATOR


@pytest.mark.parametrize("fields", [{"members": ()}, {"members": (None,) * 10}, {"members": (None,), "repeats": 0}])
def test_nobody_too_many_and_never_are_no_panel(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        PanelSpec.model_validate(fields)
