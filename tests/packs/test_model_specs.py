"""``models:`` of a scenario as the models of its roles."""

from __future__ import annotations

from pathlib import Path

from hairpin.domain.model_spec import (
    AzureModel,
    CompatibleModel,
    LocalModel,
    ModelLimits,
    ModelPrice,
    OpenAiModel,
    StructuredMode,
)
from hairpin.domain.outcome import REPLAY_ROLES, Role
from hairpin.domain.panels import PanelSpec, Seat
from hairpin.packs.dump import dump_scenario
from tests.packs.pack_files import SCENARIO, load, problem, write

EVERY_PROVIDER = """\
models:
  extractor: openai/gpt-4.1-mini
  simulator:
    provider: openai-compatible
    base_url: http://127.0.0.1:9/v1
    model: m
    api_key_env: MY_KEY
    parameters: {top_p: 0.5, stop: null}
    max_output_tokens: 100
    retry_output_tokens: 200
    repairs: 0
    structured_output: json_object
    limits: {concurrency: 2, requests_per_minute: 60, tokens_per_minute: 1000, attempts: 3, timeout_s: 5, max_wait_s: 0}
    price: {input: 1, output: 2.5, cached_input: 0.1}
  strategist: {provider: azure, endpoint: "https://h", deployment: d, api_version: 2024-10-21}
  turn_judge: {provider: openai, model: o, limits: {attempts: 2}}
  conversation_judge: {provider: local, limits: {attempts: 2}}
"""


def test_every_provider_and_every_setting_reaches_its_role(tmp_path: Path) -> None:
    assert load(tmp_path, SCENARIO + EVERY_PROVIDER).models == {
        Role.EXTRACTOR: OpenAiModel(model="gpt-4.1-mini"),
        Role.SIMULATOR: CompatibleModel(
            base_url="http://127.0.0.1:9/v1",
            model="m",
            api_key_env="MY_KEY",
            parameters={"top_p": 0.5, "stop": None},
            max_output_tokens=100,
            retry_output_tokens=200,
            repairs=0,
            structured_output=StructuredMode.JSON_OBJECT,
            limits=ModelLimits(
                concurrency=2, requests_per_minute=60, tokens_per_minute=1000, attempts=3, timeout_s=5, max_wait_s=0
            ),
            price=ModelPrice(input=1, output=2.5, cached_input=0.1),
        ),
        Role.STRATEGIST: AzureModel(endpoint="https://h", deployment="d", api_version="2024-10-21"),
        Role.TURN_JUDGE: OpenAiModel(model="o", limits=ModelLimits(attempts=2)),
        Role.CONVERSATION_JUDGE: LocalModel(limits=ModelLimits(concurrency=1, timeout_s=600, attempts=2)),
    }


def test_without_models_every_role_is_offline(tmp_path: Path) -> None:
    assert load(tmp_path).models == {}


def test_the_default_plays_what_is_not_named_and_offline_keeps_a_role_from_it(tmp_path: Path) -> None:
    models = load(tmp_path, SCENARIO + "models: {default: local, simulator: offline, strategist: openai/m}\n").models
    assert models == {
        Role.EXTRACTOR: LocalModel(),
        Role.STRATEGIST: OpenAiModel(model="m"),
        Role.TURN_JUDGE: LocalModel(),
        Role.CONVERSATION_JUDGE: LocalModel(),
        **dict.fromkeys(REPLAY_ROLES, LocalModel()),
    }


def test_a_model_file_is_relative_to_the_scenario_and_must_exist(tmp_path: Path) -> None:
    text = SCENARIO + "models:\n  default:\n    provider: local\n    gguf: ./m.gguf\n  simulator: offline\n"
    assert problem(tmp_path, text) == (
        "s.yaml:7: the model file './m.gguf' does not exist; name a GGUF file, relative to the scenario, or leave gguf"
        " out and set HAIRPIN_GGUF"
    )
    write(tmp_path / "user", {"m.gguf": b"GGUF"})
    model = load(tmp_path, text).models[Role.TURN_JUDGE]
    assert isinstance(model, LocalModel)
    assert Path(model.gguf or "") == tmp_path / "user" / "m.gguf"


def test_a_setting_of_one_model_can_be_overridden(tmp_path: Path) -> None:
    text = SCENARIO + "models: {simulator: {provider: openai, model: m}}\n"
    models = load(tmp_path, text, **{"models.simulator.model": "n", "models.turn_judge": "local"}).models
    assert models == {Role.SIMULATOR: OpenAiModel(model="n"), Role.TURN_JUDGE: LocalModel()}


def test_a_wrong_override_is_said_of_the_override(tmp_path: Path) -> None:
    said = problem(tmp_path, SCENARIO, **{"models.simulator": "gpt"})
    assert said.startswith("--set models.simulator: models.simulator must be local, offline or openai/MODEL, not 'gpt'")


PANEL = """\
models:
  default: {provider: openai, model: d, limits: {attempts: 2}}
  turn_judge:
    panel: [openai/a, {model: b}, offline, local]
    repeats: 2
  conversation_judge: {repeats: 3}
"""


def test_a_panel_has_its_members_and_one_judge_may_be_asked_several_times(tmp_path: Path) -> None:
    scenario = load(tmp_path, SCENARIO + PANEL)
    own = OpenAiModel(model="d", limits=ModelLimits(attempts=2))
    assert scenario.panels == {
        Role.TURN_JUDGE: PanelSpec(
            members=(OpenAiModel(model="a"), own.model_copy(update={"model": "b"}), None, LocalModel()), repeats=2
        ),
        Role.CONVERSATION_JUDGE: PanelSpec(members=(own,), repeats=3),
    }
    assert scenario.models.keys() == {Role.EXTRACTOR, Role.SIMULATOR, Role.STRATEGIST, *REPLAY_ROLES}
    assert [key for key in scenario.modelled_roles if isinstance(key, Seat)] == [
        *(Seat(Role.TURN_JUDGE, seat) for seat in (0, 1, 3)),
        Seat(Role.CONVERSATION_JUDGE, 0),
    ]


def test_one_repeat_is_no_panel(tmp_path: Path) -> None:
    text = "models: {turn_judge: {provider: openai, model: m, repeats: 1}}\n"
    scenario = load(tmp_path, SCENARIO + text)
    assert (scenario.models, scenario.panels) == ({Role.TURN_JUDGE: OpenAiModel(model="m")}, {})


def test_a_panel_survives_the_run_directory(tmp_path: Path) -> None:
    scenario = load(tmp_path, SCENARIO + PANEL)
    (tmp_path / "again").mkdir()
    assert load(tmp_path / "again", dump_scenario(scenario)).panels == scenario.panels


def test_a_model_file_of_a_member_that_is_not_there_is_told_with_its_place(tmp_path: Path) -> None:
    text = "models:\n  turn_judge:\n    panel:\n      - offline\n      - {provider: local, gguf: none.gguf}\n"
    said = problem(tmp_path, SCENARIO + text)
    assert "none.gguf" in said
    assert said.startswith("s.yaml:8:")
