"""Routes: they satisfy every constraint, are the best there are, or what blocks them is named."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.testbed.constraints import Constraint, violated
from hairpin.testbed.planner import drive, plan_route
from hairpin.testbed.road_graph import road_graph
from hairpin.testbed.routes import NoRoute, Route
from hairpin.testbed.world import Category, City, PlaceKind, load_city

CITY: City = load_city()
PLACES = sorted(place.id for place in CITY.places.values() if place.kind is not PlaceKind.JUNCTION)
SPOTS = sorted([*PLACES, *CITY.pois])
AVOIDANCES = (Constraint.AVOID_TOLLS, Constraint.AVOID_MOTORWAYS)

spots = st.sampled_from(SPOTS)
constraint_sets = st.sets(st.sampled_from(list(Constraint)))


def _of(category: Category) -> tuple[str, ...]:
    return tuple(poi.id for poi in CITY.pois.values() if poi.category is category)


def _minutes(route: Route | NoRoute) -> float:
    assert isinstance(route, Route)
    return route.minutes


@given(spots, spots, st.lists(st.sampled_from(sorted(CITY.pois)), max_size=3, unique=True), constraint_sets)
def test_a_route_satisfies_every_constraint_and_visits_every_stop(
    start: str, end: str, stops: list[str], constraints: set[Constraint]
) -> None:
    route = plan_route(CITY, start, end, tuple((stop,) for stop in stops), constraints)
    if isinstance(route, Route):
        assert violated(constraints, route.roads) == ()
        assert sorted(route.stops) == sorted(stops)


@given(spots, spots, constraint_sets)
def test_the_roads_of_a_route_lead_from_its_start_to_its_destination(
    start: str, end: str, constraints: set[Constraint]
) -> None:
    route = plan_route(CITY, start, end, (), constraints)
    roads = route.roads if isinstance(route, Route) else route.otherwise.roads
    here = start
    for road in roads:
        assert here in road.ends
        here = road.ends[1] if road.ends[0] == here else road.ends[0]
    assert here == end


@given(spots, spots, st.sets(st.sampled_from(AVOIDANCES)))
def test_without_a_scenic_wish_no_allowed_route_is_faster(start: str, end: str, constraints: set[Constraint]) -> None:
    """Bellman's condition on the roads the constraints allow: every edge is at best as good as the shortest way."""
    graph = road_graph(CITY, constraints)
    for road in CITY.roads:
        if not violated(constraints, (road,)):
            a, b = road.ends
            assert graph.distance(start, b) <= graph.distance(start, a) + road.minutes + 1e-9
    route = plan_route(CITY, start, end, (), constraints)
    if isinstance(route, Route):
        assert route.minutes == pytest.approx(graph.distance(start, end))


@given(spots, spots, st.lists(st.sampled_from(sorted(CITY.pois)), min_size=2, max_size=3, unique=True))
def test_no_other_order_of_the_stops_is_faster(start: str, end: str, stops: list[str]) -> None:
    route = plan_route(CITY, start, end, tuple((stop,) for stop in stops), ())
    for order in permutations(stops):
        legs = [drive(CITY, a, b).minutes for a, b in pairwise((start, *order, end))]
        assert _minutes(route) <= sum(legs) + 1e-9


def test_a_kind_of_stop_becomes_the_one_with_the_shortest_trip() -> None:
    pharmacies = _of(Category.PHARMACY)
    best = plan_route(CITY, "garching", "marienplatz", (pharmacies,), ())
    assert all(
        _minutes(best) <= _minutes(plan_route(CITY, "garching", "marienplatz", ((pharmacy,),), ())) + 1e-9
        for pharmacy in pharmacies
    )


def test_most_pairs_of_places_have_ways_without_tolls_without_motorways_without_both_and_through_parks() -> None:
    pairs = list(combinations(PLACES, 2))
    for constraints in [AVOIDANCES[:1], AVOIDANCES[1:], AVOIDANCES, tuple(Constraint)]:
        possible = [p for p in pairs if isinstance(plan_route(CITY, *p, (), constraints), Route)]
        assert len(possible) >= 0.9 * len(pairs)


def test_constraints_matter_between_most_pairs_of_places() -> None:
    """Else a forgotten constraint would rarely show."""
    pairs = list(combinations(PLACES, 2))
    violating = [p for p in pairs if violated(AVOIDANCES, drive(CITY, *p).roads)]
    assert len(violating) >= 0.7 * len(pairs)


@pytest.mark.parametrize(
    ("destination", "blocker"),
    [("flughafen", Constraint.AVOID_MOTORWAYS), ("alpenblick", Constraint.AVOID_TOLLS)],
)
def test_an_impossible_route_names_the_one_constraint_that_blocks_it(destination: str, blocker: Constraint) -> None:
    answer = plan_route(CITY, "garching", destination, (), tuple(Constraint))
    assert isinstance(answer, NoRoute)
    assert answer.blockers == (blocker,)
    others = [c for c in Constraint if c is not blocker]
    assert violated(others, answer.otherwise.roads) == ()


def test_a_scenic_route_is_led_through_a_park_even_where_that_is_a_detour() -> None:
    route = plan_route(CITY, "unterfohring", "kreuz_nord", (), (Constraint.SCENIC,))
    assert isinstance(route, Route)
    assert route.parks


def test_places_that_the_map_does_not_connect_are_an_error_and_not_a_refusal() -> None:
    island = CITY.places["au"].model_copy(update={"id": "island"})
    torn = City(start=CITY.start, places={**CITY.places, "island": island}, roads=CITY.roads, pois=CITY.pois)
    with pytest.raises(ValueError, match="does not connect"):
        plan_route(torn, "au", "island", (), (Constraint.SCENIC,))
