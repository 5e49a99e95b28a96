"""How places, lists, numbers and parts of the vehicle are called in replies.

It must not decide what is said.
"""

from __future__ import annotations

import math

from hairpin.testbed.acts import Named, Reference, Wanted
from hairpin.testbed.clock_time import format_time
from hairpin.testbed.constraints import Constraint
from hairpin.testbed.parsing.lexicon import FEATURE_NAMES, NOUNS
from hairpin.testbed.routes import Route
from hairpin.testbed.vehicle import DIALS, HEATINGS, OPENINGS, PLURAL, SWITCHABLE, Dial, Switch
from hairpin.testbed.wording import Listing, Phrase
from hairpin.testbed.world import City, Road

_MAX_ROADS = 4
"""Only the longest roads of a route are told, in driving order, as a driver would."""


def spot_label(city: City, spot: str) -> str:
    """Return a place's name, with what it is where the name does not say so: "the pharmacy Rathaus-Apotheke"."""
    poi = city.pois.get(spot)
    if poi is None:
        return city.places[spot].name
    noun = NOUNS[poi.category][0]
    return poi.name if noun.split()[-1] in poi.name.casefold() else f"the {noun} {poi.name}"


def option_label(city: City, spot: str, others: tuple[str, ...]) -> str:
    """Return a label that tells ``spot`` from the ``others`` of the same name."""
    kinds = {_kind(city, other) for other in others}
    if len(kinds) == len(others):
        return f"the {_kind(city, spot)} {city.name(spot)}"
    return f"{city.name(spot)} in {city.district(spot).name}"


def result_label(city: City, spot: str, km: float) -> str:
    """Return how a search result is listed."""
    return f"{city.name(spot)} ({city.district(spot).name}, {km:.1f} km)"


def wanted_label(wanted: Wanted, *, many: bool) -> str:
    """Return a kind of place with its conditions: "Italian restaurants with outdoor seating"."""
    assert wanted.category is not None
    noun = NOUNS[wanted.category][1 if many else 0]
    cuisine = f"{cuisine_name(wanted.cuisine)} " if wanted.cuisine else ""
    features = [FEATURE_NAMES[feature] for feature in wanted.features]
    having = f" with {' and '.join(features)}" if features else ""
    return f"{cuisine}{noun}{having}{_opening(wanted)}"


def _opening(wanted: Wanted) -> str:
    if wanted.open_at is not None:
        return f" open at {format_time(wanted.open_at.minutes)}"
    if wanted.open_there:
        return " open on arrival"
    return " open now" if wanted.open_now else ""


def stop_what(reference: Reference) -> str:
    """Return how the user called a place that is not on the trip."""
    if isinstance(reference, Named):
        return reference.name
    if isinstance(reference, Wanted) and reference.category is not None:
        return f"a {wanted_label(reference, many=False)}"
    return "that place"


def cuisine_name(cuisine: str) -> str:
    """Return a cuisine as an adjective: nations with a capital letter."""
    return cuisine if cuisine == "vegan" else cuisine.capitalize()


def road_names(route: Route) -> Listing:
    """Return the main roads of a route in driving order; access streets only if there is nothing else."""
    lengths: dict[str, float] = {}
    for road in _main_roads(route):
        lengths[road.name] = lengths.get(road.name, 0.0) + road.length_km
    longest = sorted(lengths, key=lambda name: (-lengths[name], name))[:_MAX_ROADS]
    return Listing(items=tuple(name for name in lengths if name in longest))


def terms(constraints: tuple[Constraint, ...]) -> Listing:
    """Return constraints as a list of terms."""
    return Listing(items=tuple(Phrase(key=f"term.{constraint.value}") for constraint in constraints))


def whole_minutes(minutes: float) -> str:
    """Return driving time in full minutes, at least one."""
    return str(max(1, math.floor(minutes + 0.5)))


def kilometres(km: float) -> str:
    """Return a distance with one decimal."""
    return f"{km:.1f}"


def plain_number(value: float) -> str:
    """Return ``21`` for 21.0 and ``21.5`` for 21.5."""
    return f"{value:g}"


def dial_state(dial: Dial, value: float) -> Phrase:
    """Return how a dial stands."""
    unit = DIALS[dial].unit
    if dial in SWITCHABLE and value == 0:
        return Phrase(key="state.off")
    key = "state.on_level" if dial in HEATINGS or dial is Dial.WIPERS else f"state.{unit}"
    if dial is Dial.SUNSHADE:
        key = {0: "state.closed", 100: "state.open"}.get(int(value), "state.open_percent")
    return Phrase(key=key, slots={"value": plain_number(value)})


def switch_state(switch: Switch, *, on: bool) -> Phrase:
    """Return how a switch stands."""
    if switch in OPENINGS:
        return Phrase(key="state.open" if on else "state.closed")
    if switch is Switch.RECIRCULATION:
        return Phrase(key="state.recirculating" if on else "state.fresh_air")
    if switch is Switch.DOORS_LOCKED:
        return Phrase(key="state.locked" if on else "state.unlocked")
    return Phrase(key="state.on" if on else "state.off")


def subject(name: Dial | Switch | str) -> dict[str, str | Phrase | Listing]:
    """Return the slots that name a part of the vehicle, with the verbs that agree with it."""
    plural = name in PLURAL
    verbs = ("are", "have", "protect", "they") if plural else ("is", "has", "protects", "it")
    return {"subject": Phrase(key=f"subject.{name}"), **dict(zip(("is", "has", "protects", "it"), verbs, strict=True))}


def _kind(city: City, spot: str) -> str:
    poi = city.pois.get(spot)
    return NOUNS[poi.category][0] if poi else city.places[spot].kind.value


def _main_roads(route: Route) -> tuple[Road, ...]:
    main = tuple(road for road in route.roads if not road.id.startswith("access_"))
    return main or route.roads
