"""Trips by hours, time limit, order and charge: they satisfy what is wished, or it is said that they do not."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.users import Context
from hairpin.testbed.handling.planning import departure, times_of
from hairpin.testbed.orders import feasible, score_of
from hairpin.testbed.parsing.parser import parse
from hairpin.testbed.planner import plan_route
from hairpin.testbed.routes import Route
from hairpin.testbed.state import DialogueState
from hairpin.testbed.timetable import Departure, timetable
from hairpin.testbed.wishes import Budget, Wishes, follows
from hairpin.testbed.world import Category, PlaceKind, load_city
from tests.testbed.talking import hold, walk

CITY = load_city()
PLACES = sorted(p.id for p in CITY.places.values() if p.kind is not PlaceKind.JUNCTION)
EVENING = Context(location="Munich", date="2026-11-29", time="17:40")
SAID = (
    "Take me to Marienplatz",
    "Take me to Starnberg by 18:30",
    "Take me to Brotkorb",
    "I have 45 minutes",
    "I have to be there by 18:15",
    "Take your time",
    "Add a stop at a bakery",
    "Stop for 20 minutes at a pharmacy",
    "First a supermarket, then a bakery",
    "The order doesn't matter",
    "Add a charging stop if needed",
    "Arrive with at least 40 percent",
    "Skip the bakery",
    "No motorways, please",
    "Are we on time?",
    "When do we arrive?",
    "Will the battery be enough?",
)


def of(category: Category) -> tuple[str, ...]:
    return tuple(poi.id for poi in CITY.pois.values() if poi.category is category)


def admitted(state: DialogueState, keys: tuple[str, ...]) -> None:
    """Check that whatever the trip in ``state`` misses is said by sentences with ``keys``."""
    assert state.route is not None
    times, wishes = times_of(CITY, state, state.route, state.wishes), state.wishes
    assert ("budget.missed" in keys) is bool(times.late_min(wishes.budget))
    assert ("hours.closed" in keys) is bool(times.closed)
    assert ("charge.short" in keys) is times.dry
    if wishes.min_percent is not None and not times.dry:
        assert ("charge.missed" in keys) is bool(times.lacking_percent(wishes.min_percent))
    assert follows(state.route.stops, wishes.order)


@given(st.lists(st.sampled_from(SAID), min_size=1, max_size=6), st.sampled_from(["09:10", "17:40", "19:50"]),
       st.sampled_from([4, 9, 62]))  # fmt: skip
def test_a_trip_satisfies_every_wish_in_force_or_what_it_misses_is_said(
    said: list[str], time: str, battery: int
) -> None:
    context = Context(location="Munich", date="2026-11-29", time=time, vehicle={"battery": battery})
    walked = walk(*said, context=context)
    for state, keys in zip(walked.states, walked.keys, strict=True):
        if state.route is not None and {"route.head", "route.head_scenic"}.intersection(keys):
            admitted(state, keys)


@given(st.lists(st.sampled_from(SAID), min_size=1, max_size=5), st.integers(0, 2**62))
def test_the_same_words_get_the_same_answers(said: list[str], rng_seed: int) -> None:
    assert hold(*said, context=EVENING, rng_seed=rng_seed) == hold(*said, context=EVENING, rng_seed=rng_seed)


@given(
    st.sampled_from(PLACES),
    st.sampled_from(PLACES),
    st.lists(st.sampled_from(sorted(CITY.pois)), min_size=1, max_size=3, unique=True),
    st.integers(6 * 60, 20 * 60),
    st.integers(10, 90),
    st.sampled_from([5.0, 60.0]),
)
def test_a_route_misses_a_wish_only_if_every_order_of_its_stops_does(
    start: str, end: str, stops: list[str], time_min: int, limit_min: int, percent: float
) -> None:
    begin = Departure(time_min, percent)
    wishes = Wishes(budget=Budget(limit_min=time_min + limit_min))

    def planned(order: tuple[str, ...]) -> bool:
        pairs = tuple((a, b) for i, a in enumerate(order) for b in order[i + 1 :])
        forced = wishes.model_copy(update={"order": pairs})
        route = plan_route(CITY, start, end, tuple((s,) for s in order), (), departure=begin, wishes=forced)
        assert isinstance(route, Route)
        assert route.stops == order
        return feasible(score_of(timetable(CITY, route, begin, wishes), wishes, 0.0))

    best = plan_route(CITY, start, end, tuple((s,) for s in stops), (), departure=begin, wishes=wishes)
    assert isinstance(best, Route)
    is_feasible = feasible(score_of(timetable(CITY, best, begin, wishes), wishes, 0.0))
    assert is_feasible is any(planned(order) for order in permutations(stops))


def test_a_kind_of_stop_becomes_one_that_is_open_when_it_is_reached() -> None:
    begin = Departure(17 * 60 + 50, 62.0)
    choices = (of(Category.BAKERY), of(Category.PHARMACY))
    route = plan_route(CITY, "garching", "marienplatz", choices, (), departure=begin)
    assert isinstance(route, Route)
    assert timetable(CITY, route, begin, Wishes()).closed == ()
    for combination in product(*choices):
        other = plan_route(CITY, "garching", "marienplatz", tuple((s,) for s in combination), (), departure=begin)
        assert isinstance(other, Route)
        if not timetable(CITY, other, begin, Wishes()).closed:
            assert route.minutes <= other.minutes + 1e-9


def test_arriving_when_a_place_is_closed_is_said_and_another_one_offered() -> None:
    context = Context(location="Munich", date="2026-11-29", time="19:45")
    keys = walk("Take me to Stern-Apotheke in Pasing", context=context).keys[0]
    assert {"hours.closed", "hours.other"} <= set(keys) or "hours.closed" not in keys
    walked = walk("Take me to Marienplatz", "Also stop at Brotkorb", context=context)
    assert "hours.closed" in walked.keys[1]
    assert "hours.no_other" in walked.keys[1]


def test_hours_told_with_the_route_answer_whether_it_is_open_then() -> None:
    said = "Take me to the Pinakothek and tell me whether it is open when we get there"
    tight = Context(location="Munich", date="2026-11-29", time="17:40")
    (keys,) = walk(said, context=tight).keys
    assert "hours.told" in keys
    assert "fact.open_then" not in keys
    assert hold(said, context=tight, faults=["F3"]).strikes == (), "nobody can see that the question was dropped"
    early = Context(location="Munich", date="2026-11-29", time="12:00")
    assert "fact.open_then" in walk(said, context=early).keys[0]


def test_a_charging_stop_is_added_when_needed_and_the_battery_then_lasts() -> None:
    context = Context(location="Munich", vehicle={"battery": 8})
    walked = walk(
        "Take me to Starnberg", "Add a charging stop if needed", "Will the battery be enough?", context=context
    )
    assert {"charge.short", "charge.offer"} <= set(walked.keys[0])
    assert "stop.added" in walked.keys[1]
    assert walked.keys[2] == ("charge.enough",)
    assert departure(walked.last).percent == 8


@pytest.mark.parametrize(
    ("said", "limit_min"),
    [
        ("I have to be there by 18:15", 18 * 60 + 15),
        ("Be there by 6:30 pm", 18 * 60 + 30),
        ("I need to arrive by half past six", 18 * 60 + 30),
        ("I have 45 minutes", 18 * 60 + 25),
        ("We must be there in at most half an hour", 18 * 60 + 10),
        ("The trip must not take longer than an hour", 18 * 60 + 40),
    ],
)
def test_time_limits_are_understood(said: str, limit_min: int) -> None:
    budget = walk(said, context=EVENING).last.wishes.budget
    assert budget is not None
    assert budget.limit_min == limit_min


@pytest.mark.parametrize("said", ["Take your time", "Forget the time limit", "No rush", "I'm in no hurry"])
def test_a_time_limit_is_given_up(said: str) -> None:
    assert walk("I have 45 minutes", said).last.wishes.budget is None


@pytest.mark.parametrize("said", ["Turn it up by 2", "Set the temperature to 21 degrees", "I haven't got all day"])
def test_other_numbers_are_no_time_limit(said: str) -> None:
    assert all("Limit" not in type(request.act).__name__ for request in parse(said, CITY))


def test_a_late_trip_says_by_how_much_and_what_would_help() -> None:
    said = hold("Take me to Marienplatz by 18:15", "Stop for 30 minutes at a pharmacy", context=EVENING).replies[1]
    assert "You arrive at 18:23, 43 minutes from now." in said
    assert "That is 8 minutes too late for your time limit: arrival by 18:15." in said
    assert "Without the stop at the pharmacy Rathaus-Apotheke, you would arrive at 17:52." in said


@pytest.mark.parametrize(
    "said",
    [
        "First a car wash, then a bakery",
        "By the way, first a car wash, then a bakery",
        "I said first a car wash, then a bakery",
        "Um. Well, first a car wash, then a bakery, if that's possible",
    ],
)
def test_an_order_is_kept_whatever_is_said_before_it(said: str) -> None:
    kinds = [CITY.pois[stop].category for stop in walk("Drive me to Riem without motorways", said).last.stops]
    assert kinds == [Category.CAR_WASH, Category.BAKERY]


def test_stops_said_before_the_destination_are_told_with_the_trip() -> None:
    keys = walk("Add a stop at a supermarket, take me to Perlach").keys[-1]
    assert "stop.added" in keys
    assert "stop.noted" not in keys
