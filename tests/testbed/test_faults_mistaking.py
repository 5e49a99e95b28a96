"""F8 and F9: another kind of thing, another value than asked for; the state shows it as the reply does."""

from __future__ import annotations

import pytest
from pydantic import JsonValue

from hairpin.testbed.faults.mistaking import _INSTEAD_OF
from hairpin.testbed.vehicle import DIALS, Dial
from hairpin.testbed.wording import WORDINGS
from hairpin.testbed.world import Category, load_city
from tests.testbed.talking import Talk, hold

CITY = load_city()


def dial(talk: Talk, t: int, name: str) -> JsonValue:
    vehicle = talk.states[t]["vehicle"]
    assert isinstance(vehicle, dict)
    return vehicle[name]


def test_every_kind_of_place_is_mistaken_for_another_one_of_which_there_are_some() -> None:
    assert set(_INSTEAD_OF) == set(Category)
    for kind, other in _INSTEAD_OF.items():
        assert kind is not other
        assert any(poi.category is other for poi in CITY.pois.values())


@pytest.mark.parametrize("wording", WORDINGS)
def test_results_stops_and_destinations_are_of_another_kind(wording: str) -> None:
    utterances = ("Find a pharmacy near me", "Take me to the nearest supermarket", "Add a stop at a bakery")
    talk = hold(*utterances, faults=["F8"], wording=wording)
    kinds = {poi.name: poi.category for poi in CITY.pois.values()}
    assert not any(name in talk.replies[0] for name, kind in kinds.items() if kind is Category.PHARMACY)
    assert any(name in talk.replies[0] for name, kind in kinds.items() if kind is Category.CAFE)
    assert kinds[str(talk.states[1]["destination"])] is Category.CINEMA
    stops = talk.states[2]["stops"]
    assert isinstance(stops, list)
    assert [kinds[str(stop)] for stop in stops] == [Category.CAR_WASH]


def test_a_wish_for_the_climate_plays_music_and_leaves_the_climate_alone() -> None:
    talk = hold("Set the temperature to 25 degrees", faults=["F8"])
    assert dial(talk, 0, "temperature") == DIALS[Dial.TEMPERATURE].start
    assert dial(talk, 0, "media") is not None


def test_a_question_is_answered_with_another_measure() -> None:
    talk = hold("What is the battery level?", "How fast are we going?", faults=["F8"])
    assert talk.replies == ("You are driving at 50 km/h.", "The battery is at 62 percent.")


def test_only_the_first_request_is_served_in_the_wrong_category() -> None:
    talk = hold("Find a pharmacy near me and play some music", faults=["F8"])
    assert talk.struck == [(0, "F8")]
    assert dial(talk, 0, "media") is not None


def test_the_answer_to_a_question_is_not_mistaken() -> None:
    talk = hold("Take me to Arabellapark", "The park", faults=["F8"])
    assert talk.strikes == ()


@pytest.mark.parametrize("wording", WORDINGS)
@pytest.mark.parametrize(
    ("name", "asked"), [("temperature", "22"), ("temperature", "28"), ("fan", "4"), ("seat_heating", "1")]
)
def test_a_dial_is_confirmed_with_another_value_which_it_really_has(name: str, asked: str, wording: str) -> None:
    utterance = f"Set the {name.replace('_', ' ')} to {asked}"
    for before in ((), ("Hello",)):
        talk = hold(*before, utterance, faults=["F9"], wording=wording)
        (strike,) = talk.strikes
        value = dial(talk, strike.t, name)
        assert isinstance(value, float)
        assert value != float(asked)
        assert f"{value:g} instead of {asked}" in strike.detail
        assert asked not in talk.replies[strike.t]
        limits = DIALS[Dial(name)]
        assert limits.low <= value <= limits.high


@pytest.mark.parametrize("utterance", ["Remind me to buy milk at 18:00", "Remind me to call Ada in 20 minutes"])
def test_a_reminder_is_set_half_an_hour_late(utterance: str) -> None:
    faulty, clean = hold(utterance, faults=["F9"]), hold(utterance)
    assert faulty.struck == [(0, "F9")]
    assert faulty.replies != clean.replies
    assert hold("Remind me to buy milk when we arrive", faults=["F9"]).strikes == ()


@pytest.mark.parametrize("utterance", ["Set the temperature to 20 degrees", "Set the temperature to 99 degrees"])
def test_what_is_set_already_or_cannot_be_set_is_told_truly(utterance: str) -> None:
    assert hold(utterance, faults=["F9"]).strikes == ()
