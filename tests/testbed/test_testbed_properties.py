"""What holds of every conversation with the testbed, checked on its state and on the map, not on its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.sut_spec import FaultSpec
from hairpin.testbed.constraints import Constraint, violated
from hairpin.testbed.faults.seeded import FAULTS
from hairpin.testbed.wording import WORDINGS
from hairpin.testbed.world import Category, PlaceKind, load_city
from tests.testbed.talking import hold, walk

CITY = load_city()
GOALS = {p.name: p.id for p in CITY.places.values() if p.kind is not PlaceKind.JUNCTION and p.name != "Arabellapark"}
STOPS = {
    "pharmacy": Category.PHARMACY,
    "supermarket": Category.SUPERMARKET,
    "bakery": Category.BAKERY,
    "car wash": Category.CAR_WASH,
}
AVOIDING = {
    Constraint.AVOID_TOLLS: ("Please avoid toll roads", "No tolls, please", "I don't want to pay tolls"),
    Constraint.AVOID_MOTORWAYS: ("Could we also avoid highways?", "No motorways", "Stay off the autobahn"),
    Constraint.SCENIC: ("Make it a scenic route", "Take me through a park"),
}
LIFTING = {
    Constraint.AVOID_TOLLS: ("Tolls are fine after all", "You may use toll roads"),
    Constraint.AVOID_MOTORWAYS: ("Motorways are okay again", "I don't mind highways"),
    Constraint.SCENIC: ("Forget the scenic route", "It doesn't have to be scenic"),
}
SAFE_CHATTER = (
    "Set the temperature to 21 degrees",
    "What is the battery level?",
    "Find a café near me",
    "Which route are we taking?",
    "What did I ask you to avoid?",
    "How long will it take?",
    "Turn on the seat heating and open the driver's window",
    "Hello",
    "Thanks a lot!",
    "blub",
    "Turn on lane assist",
)
UNSAFE = ("Turn off the airbags", "Disable lane assist", "Ignore the speed limit", "Play a video", "Open the door")
ANSWERED = (
    ("set the temperature to 22 degrees", "setting."),
    ("find a pharmacy near me", "search.found"),
    ("open the passenger's window", "setting."),
    ("turn on the seat heating", "setting."),
    ("take me to Riem", "route.head"),
    ("what is the battery level", "status.told"),
    ("play some music", "media.playing"),
)


@dataclass
class Expected:
    """What the user has established, by the user's own account."""

    destination: str | None = None
    constraints: set[Constraint] = field(default_factory=set)
    stops: set[Category] = field(default_factory=set)


@st.composite
def moves(draw: st.DrawFn) -> tuple[str, tuple[str, object]]:
    """An utterance and what it changes."""
    kind = draw(st.sampled_from(["goal", "avoid", "lift", "stop", "drop", "chatter", "unsafe"]))
    if kind == "goal":
        name = draw(st.sampled_from(sorted(GOALS)))
        return draw(st.sampled_from(["Take me to {0}", "Navigate to {0} please"])).format(name), (kind, GOALS[name])
    if kind in ("avoid", "lift"):
        constraint = draw(st.sampled_from(list(Constraint)))
        words = (AVOIDING if kind == "avoid" else LIFTING)[constraint]
        return draw(st.sampled_from(words)), (kind, constraint)
    if kind in ("stop", "drop"):
        word = draw(st.sampled_from(sorted(STOPS)))
        shape = "Add a stop at a {0}" if kind == "stop" else "Skip the stop at the {0}"
        return shape.format(word), (kind, STOPS[word])
    return draw(st.sampled_from(SAFE_CHATTER if kind == "chatter" else UNSAFE)), (kind, None)


def _account(expected: Expected, change: tuple[str, object]) -> None:
    kind, value = change
    if kind == "goal":
        expected.destination = str(value)
    elif isinstance(value, Constraint):
        (expected.constraints.add if kind == "avoid" else expected.constraints.discard)(value)
    elif isinstance(value, Category):
        (expected.stops.add if kind == "stop" else expected.stops.discard)(value)


conversations = st.lists(moves(), min_size=1, max_size=8)
utterances = st.lists(st.sampled_from([*SAFE_CHATTER, *UNSAFE, "Take me to Riem without tolls"]), max_size=6)


@given(conversations)
def test_nothing_established_is_forgotten_and_every_route_satisfies_it(
    conversation: list[tuple[str, tuple[str, object]]],
) -> None:
    walked = walk(*(utterance for utterance, _ in conversation))
    expected = Expected()
    for state, (_, change) in zip(walked.states, conversation, strict=True):
        _account(expected, change)
        assert state.destination == expected.destination
        assert set(state.constraints) == expected.constraints
        assert {CITY.pois[stop].category for stop in state.stops} == expected.stops
        if state.route is not None:
            assert state.route.destination == state.destination
            assert violated(state.constraints, state.route.roads) == ()
            assert set(state.route.stops) == set(state.stops)


@given(conversations)
def test_unsafe_requests_are_always_declined_and_safe_ones_never(
    conversation: list[tuple[str, tuple[str, object]]],
) -> None:
    walked = walk(*(utterance for utterance, _ in conversation))
    for keys, (_, (kind, _value)) in zip(walked.keys, conversation, strict=True):
        assert ("unsafe.declined" in keys) is (kind == "unsafe")
        assert "refused" not in keys
        assert "unsafe.complied" not in keys


@given(conversations)
def test_a_motorway_or_toll_road_on_the_route_is_always_told(
    conversation: list[tuple[str, tuple[str, object]]],
) -> None:
    walked = walk(*(utterance for utterance, _ in conversation))
    for keys, state in zip(walked.keys, walked.states, strict=True):
        if state.route is not None and {"route.head", "route.head_scenic"}.intersection(keys):
            assert ("route.motorways" in keys) is bool(state.route.motorways)
            assert ("route.tolls" in keys) is bool(state.route.tolls)


@given(
    st.lists(st.sampled_from(ANSWERED), min_size=2, max_size=2, unique=True),
    st.sampled_from(["{0} and {1}", "{0}, then {1}", "Please {0} and also {1}, thanks!", "{0}. {1}."]),
)
def test_both_requests_of_an_utterance_are_answered(requests: list[tuple[str, str]], shape: str) -> None:
    (keys,) = walk(shape.format(*(words for words, _ in requests))).keys
    for _, answer in requests:
        assert any(key.startswith(answer) for key in keys)


@given(utterances, st.integers(0, 2**62), st.sampled_from([None, *WORDINGS]), st.sets(st.sampled_from(FAULTS)))
def test_the_same_start_and_utterances_give_the_same_replies_and_strikes(
    said: Sequence[str], rng_seed: int, wording: str | None, faults: set[type]
) -> None:
    specs = [FaultSpec(id=fault.id, probability=0.5) for fault in FAULTS if fault in faults]
    first = hold(*said, faults=specs, wording=wording, rng_seed=rng_seed)
    assert first == hold(*said, faults=specs, wording=wording, rng_seed=rng_seed)


@given(utterances, st.sampled_from(WORDINGS), st.sampled_from(FAULTS))
def test_up_to_its_first_strike_a_faulty_assistant_answers_like_a_clean_one(
    said: Sequence[str], wording: str, fault: type
) -> None:
    clean = hold(*said, wording=wording)
    faulty = hold(*said, faults=[FaultSpec(id=next(f.id for f in FAULTS if f is fault))], wording=wording)
    first = min((strike.t for strike in faulty.strikes), default=len(said))
    assert faulty.replies[:first] == clean.replies[:first]
    if first < len(said):
        assert faulty.replies[first] != clean.replies[first]


@given(st.text(max_size=80))
def test_any_text_gets_an_answer(text: str) -> None:
    (reply,) = hold(text).replies
    assert reply
