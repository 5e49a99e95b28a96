from __future__ import annotations

import pytest
from pydantic import ValidationError

from hairpin.domain.outcome import Role
from hairpin.domain.scenario import Scenario, ScriptTurn
from tests.domain.builders import a_scenario, a_strategy


def changed(**fields: object) -> Scenario:
    return Scenario.model_validate({**a_scenario().model_dump(), **fields})


def test_a_conversation_has_eight_turns_a_minute_each_unless_said_otherwise() -> None:
    scenario = a_scenario()
    assert (scenario.max_turns, scenario.turn_timeout_s, scenario.repeats, scenario.language) == (8, 60.0, 1, "en")


@pytest.mark.parametrize(
    "fields",
    [
        {"seed_phrases": ()},
        {"script": (ScriptTurn(user="Hello"),)},
        {"test_seeds": {"file": "a.json"}, "metamorphic": {}},
    ],
    ids=["nobody speaks", "both speak", "test seeds too"],
)
def test_one_kind_of_user_speaks(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="either seed phrases, a script, test seeds or recorded"):
        changed(**fields)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("max_turns", 0),
        ("max_turns", -1),
        ("turn_timeout_s", 0),
        ("repeats", 0),
        ("personas", ()),
        ("contexts", ()),
    ],
)
def test_refuses_what_no_run_can_use(field: str, value: object) -> None:
    with pytest.raises(ValidationError, match=field):
        changed(**{field: value})


def test_finds_a_persona_by_its_id() -> None:
    scenario = a_scenario(personas=("polite", "impatient"))
    assert scenario.persona("impatient").id == "impatient"
    with pytest.raises(KeyError, match="grumpy"):
        scenario.persona("grumpy")


def test_survives_storage_byte_for_byte() -> None:
    text = a_scenario("Führ mich nach 東京 👩‍🔧").model_dump_json()
    assert Scenario.model_validate_json(text).model_dump_json() == text


def needed(**changes: object) -> set[str]:
    return {role.value for role in changed(**changes).needed_roles}


def test_a_simulated_conversation_needs_a_user_a_strategist_and_the_judges_that_are_on() -> None:
    everybody = {"extractor", "simulator", "strategist", "turn_judge", "conversation_judge", "simulator_reviewer"}
    assert needed(strategies=[a_strategy("s")]) == everybody
    assert needed(strategies=()) == everybody - {"strategist"}
    without = {"strategist", "simulator_reviewer"}
    unreviewed = {"simulator_review": False}
    assert needed(strategies=(), oracles=unreviewed) == everybody - without
    assert needed(strategies=(), oracles={**unreviewed, "dimensions": False}) == {
        "extractor",
        "simulator",
        "turn_judge",
    }
    assert needed(strategies=(), oracles={**unreviewed, "turn_judge": False}) == {"simulator", "conversation_judge"}


def test_written_turns_need_judges_alone() -> None:
    written: dict[str, object] = {
        "seed_phrases": (),
        "script": (ScriptTurn(user="hello"),),
        "strategies": [a_strategy("s")],
    }
    assert needed(**written) == {"turn_judge", "conversation_judge"}
    assert needed(**written, oracles={"turn_judge": False, "dimensions": False}) == set()


def test_a_model_of_a_role_that_nobody_asks_plays_nothing() -> None:
    models = {"simulator": {"provider": "local"}, "turn_judge": {"provider": "local"}}
    scenario = changed(models=models, oracles={"turn_judge": False})
    assert list(scenario.modelled_roles) == [Role.SIMULATOR]


def test_test_seeds_without_a_word_on_how_to_replay_them_are_refused() -> None:
    with pytest.raises(ValidationError, match="test seeds are there to be replayed: say how, under metamorphic"):
        changed(seed_phrases=(), test_seeds={"file": "a.json"})


@pytest.mark.parametrize(
    ("fields", "who"),
    [
        ({}, {"decontextualiser", "reference_answerer"}),
        ({"context": "llm_judge"}, {"context_judge"}),
        ({"baselines": ("metal", "qaasker")}, {"decontextualiser", "reference_answerer"}),
    ],
)
def test_test_seeds_need_only_who_serves_replays(fields: dict[str, object], who: set[str]) -> None:
    assert needed(seed_phrases=(), test_seeds={"file": "a.json"}, metamorphic=fields) == who


def test_a_model_writes_questions_only_where_it_is_given_and_there_are_questions_to_write() -> None:
    written = {"seed_phrases": (), "test_seeds": {"file": "a.json"}}
    model = {"question_writer": {"provider": "openai", "model": "m"}}
    asked = {"metamorphic": {"baselines": ("qaasker",)}, "models": model}
    assert "question_writer" in needed(**written, **asked)
    assert "question_writer" not in needed(**written, metamorphic={}, models=model)


def test_conversations_that_are_replayed_need_judges_and_who_serves_replays() -> None:
    assert needed(metamorphic={}) == needed() | {"decontextualiser", "reference_answerer"}
