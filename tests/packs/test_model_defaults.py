"""A role that names no provider is ``default`` with changes."""

from __future__ import annotations

from pathlib import Path

from hairpin.domain.model_spec import CompatibleModel, LocalModel, ModelLimits, ModelPrice, OpenAiModel
from hairpin.domain.outcome import Role
from hairpin.packs.scenarios import load_scenario
from tests.packs.pack_files import SCENARIO, built_in, load, problem, write

DEFAULT = """\
models:
  default:
    provider: openai-compatible
    base_url: http://127.0.0.1:9/v1
    model: m
    parameters: {temperature: 0, seed: 1}
    limits: {concurrency: 2}
    price: {input: 1, output: 2}
"""


def test_its_own_keys_go_before_those_of_default(tmp_path: Path) -> None:
    role = "  turn_judge: {parameters: {seed: 2}, limits: {attempts: 3}, repairs: 0}\n"
    models = load(tmp_path, SCENARIO + DEFAULT + role).models
    assert models[Role.TURN_JUDGE] == CompatibleModel(
        base_url="http://127.0.0.1:9/v1",
        model="m",
        parameters={"temperature": 0, "seed": 2},
        limits=ModelLimits(concurrency=2, attempts=3),
        price=ModelPrice(input=1, output=2),
        repairs=0,
    )
    assert models[Role.SIMULATOR] != models[Role.TURN_JUDGE]


def test_another_model_has_not_the_price_of_default(tmp_path: Path) -> None:
    models = load(tmp_path, SCENARIO + DEFAULT + "  turn_judge: {model: other}\n").models
    judge = models[Role.TURN_JUDGE]
    assert isinstance(judge, CompatibleModel)
    assert (judge.model, judge.price) == ("other", None)
    assert judge.base_url == "http://127.0.0.1:9/v1"


def test_a_default_in_a_word_is_inherited_too_also_on_the_command_line(tmp_path: Path) -> None:
    finder = built_in(tmp_path)
    file = write(tmp_path, {"s.yaml": SCENARIO + "models: {default: openai/a, simulator: offline}\n"}) / "s.yaml"
    set_ = {"models.conversation_judge.model": "b", "models.turn_judge.repairs": "0"}
    models = load_scenario(file, finder=finder, overrides=set_).models
    assert models[Role.CONVERSATION_JUDGE] == OpenAiModel(model="b")
    assert models[Role.TURN_JUDGE] == OpenAiModel(model="a", repairs=0)
    assert Role.SIMULATOR not in models
    local = write(tmp_path, {"l.yaml": SCENARIO + "models: {default: local, turn_judge: {repairs: 2}}\n"}) / "l.yaml"
    assert load_scenario(local, finder=finder).models[Role.TURN_JUDGE] == LocalModel(repairs=2)


def test_without_a_default_a_provider_must_be_named(tmp_path: Path) -> None:
    for head in ("models:\n", "models:\n  default: offline\n"):
        assert "lacks the key 'provider'" in problem(tmp_path, SCENARIO + head + "  turn_judge: {model: m}\n")


def test_a_role_with_a_provider_of_its_own_inherits_nothing(tmp_path: Path) -> None:
    models = load(tmp_path, SCENARIO + DEFAULT + "  turn_judge: {provider: openai, model: o}\n").models
    assert models[Role.TURN_JUDGE] == OpenAiModel(model="o")
