"""Same scenario, same plan, byte for byte; and adding a conversation shifts no other."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.arm import Arm
from hairpin.domain.checks import ContainsCheck
from hairpin.domain.conversation import Exchange
from hairpin.domain.plan import PlannedConversation, plan_conversations, plan_recordings
from hairpin.domain.recording import Recording
from hairpin.domain.scenario import Scenario, ScriptTurn
from hairpin.domain.users import Context
from tests.domain.builders import a_scenario

phrases = st.lists(st.text(min_size=1, max_size=8, alphabet=st.characters(exclude_categories=["Cs"])), unique=True)
persona_ids = st.lists(st.sampled_from(["neutral", "polite", "impatient"]), min_size=1, unique=True)
places = st.lists(st.sampled_from(["Munich", "Köln", "東京"]), min_size=1, unique=True)
scenarios = st.builds(
    lambda texts, personas, locations, repeats, rng_seed: a_scenario(
        *texts,
        personas=tuple(personas),
        contexts=tuple(Context(location=location) for location in locations),
        repeats=repeats,
        rng_seed=rng_seed,
    ),
    phrases.filter(bool),
    persona_ids,
    places,
    st.integers(1, 3),
    st.integers(0, 2**31),
)


def plan(scenario: Scenario, *suts: str) -> list[PlannedConversation]:
    return list(plan_conversations(scenario, suts or ("sut",)))


def seeds(planned: Sequence[PlannedConversation]) -> dict[tuple[object, ...], int]:
    return {(c.sut, c.seed_phrase, c.persona, c.context.location, c.repeat): c.rng_seed for c in planned}


def test_plans_assistants_times_phrases_times_personas_times_contexts_times_repeats_in_that_order() -> None:
    scenario = a_scenario(
        "a", "b", personas=("polite", "impatient"), contexts=(Context(location="X"), Context()), repeats=2
    )
    order = [(c.sut, c.seed_phrase, c.persona, c.context.location, c.repeat) for c in plan(scenario, "s", "t")]
    assert order == [
        (sut, phrase, persona, location, repeat)
        for sut in "st"
        for phrase in "ab"
        for persona in ("polite", "impatient")
        for location in ("X", None)
        for repeat in (0, 1)
    ]


@given(scenarios)
def test_the_same_scenario_gives_the_same_plan_byte_for_byte(scenario: Scenario) -> None:
    again = Scenario.model_validate_json(scenario.model_dump_json())
    assert [c.model_dump_json() for c in plan(scenario)] == [c.model_dump_json() for c in plan(again)]


@given(scenarios)
def test_every_conversation_has_its_own_id_index_and_random_seed(scenario: Scenario) -> None:
    planned = plan(scenario)
    assert [c.index for c in planned] == list(range(len(planned)))
    assert len({c.id for c in planned}) == len({c.rng_seed for c in planned}) == len(planned)


@given(scenarios, st.text(min_size=9, max_size=9, alphabet="xyz"), st.integers(0, 10))
def test_adding_a_phrase_anywhere_shifts_no_other_seed(scenario: Scenario, phrase: str, place: int) -> None:
    texts = [*scenario.seed_phrases[:place], phrase, *scenario.seed_phrases[place:]]
    more = seeds(plan(scenario.model_copy(update={"seed_phrases": tuple(texts)})))
    assert seeds(plan(scenario)).items() <= more.items()


@given(scenarios)
def test_adding_a_repeat_or_a_context_or_an_assistant_shifts_no_other_seed(scenario: Scenario) -> None:
    before = seeds(plan(scenario, "sut")).items()
    repeated = scenario.model_copy(update={"repeats": scenario.repeats + 1})
    elsewhere = scenario.model_copy(update={"contexts": (Context(location="elsewhere"), *scenario.contexts)})
    assert before <= seeds(plan(repeated, "sut")).items()
    assert before <= seeds(plan(elsewhere, "sut")).items()
    assert before <= seeds(plan(scenario, "first", "sut")).items()


@given(scenarios)
def test_two_assistants_meet_the_same_users(scenario: Scenario) -> None:
    planned = plan(scenario, "one", "two")
    half = len(planned) // 2
    assert [c.rng_seed for c in planned[:half]] == [c.rng_seed for c in planned[half:]]


def test_another_root_gives_other_seeds() -> None:
    assert plan(a_scenario(rng_seed=1))[0].rng_seed != plan(a_scenario(rng_seed=2))[0].rng_seed


def test_the_order_in_which_a_context_is_written_does_not_matter() -> None:
    one = Context(vehicle={"battery": 40, "windows": "closed"})
    other = Context(vehicle={"windows": "closed", "battery": 40})
    assert plan(a_scenario(contexts=(one,)))[0].rng_seed == plan(a_scenario(contexts=(other,)))[0].rng_seed


def test_the_seeds_stay_what_they_are_from_version_to_version() -> None:
    """These numbers are stored in users' runs; a change here makes every old run unrepeatable."""
    planned = plan(a_scenario("Take me home", contexts=(Context(location="Munich", time="17:40"),), repeats=2))
    assert [c.rng_seed for c in planned] == [5337465971139659006, 835709943678044153]


def test_a_script_is_one_conversation_per_persona_context_and_repeat() -> None:
    script = (ScriptTurn(user="Hello", checks=(ContainsCheck(text="hi"),)), ScriptTurn(user="Bye"))
    scenario = a_scenario(repeats=2).model_copy(update={"seed_phrases": (), "script": script})
    planned = plan(scenario)
    assert [c.seed_phrase for c in planned] == [None, None]
    assert planned[0].arm is Arm.GUIDED


def test_every_conversation_gets_the_turns_of_the_scenario() -> None:
    scenario = a_scenario().model_copy(update={"max_turns": 3})
    assert [c.max_turns for c in plan(scenario)] == [3]


@pytest.mark.parametrize("count", [0, 1])
def test_no_assistant_no_conversation(count: int) -> None:
    assert len(list(plan_conversations(a_scenario(), ["sut"] * count))) == count


def a_recording(name: str, n_exchanges: int, context: Context | None = None) -> Recording:
    exchanges = tuple(Exchange(t=t, user=f"u{t}", assistant=f"a{t}") for t in range(n_exchanges))
    return Recording(id=name, exchanges=exchanges, context=context)


def test_recordings_are_planned_as_often_as_the_scenario_repeats_and_as_long_as_they_are() -> None:
    berlin = Context(location="Berlin")
    scenario = a_scenario(contexts=(Context(location="Munich"),), repeats=2)
    planned = list(plan_recordings(scenario, ("one", "two"), [a_recording("x", 3), a_recording("y", 1, berlin)]))
    assert [(p.id, p.sut, p.recording, p.repeat, p.max_turns, p.context.location) for p in planned] == [
        ("c0001", "one", "x", 0, 3, "Munich"),
        ("c0002", "one", "x", 1, 3, "Munich"),
        ("c0003", "one", "y", 0, 1, "Berlin"),
        ("c0004", "one", "y", 1, 1, "Berlin"),
        ("c0005", "two", "x", 0, 3, "Munich"),
        ("c0006", "two", "x", 1, 3, "Munich"),
        ("c0007", "two", "y", 0, 1, "Berlin"),
        ("c0008", "two", "y", 1, 1, "Berlin"),
    ]
    assert len({p.rng_seed for p in planned}) == 4, "two assistants meet the same users"


def test_a_conversation_says_the_task_of_its_phrase_where_one_is_known() -> None:
    scenario = a_scenario("Find a park", "Take me home").model_copy(update={"tasks": {"Find a park": "search"}})
    assert [planned.task for planned in plan_conversations(scenario, ["sut"])] == ["search", ""]
