"""The scenario of a run directory: whole, without credentials, and readable again."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from hairpin.domain.model_spec import AzureModel, CompatibleModel
from hairpin.domain.outcome import Role
from hairpin.domain.sut_spec import LocalSut, OpenAiCompatibleSut
from hairpin.packs.dump import to_yaml
from hairpin.packs.file_model import FileModel
from hairpin.packs.scenarios import dump_scenario, load_scenario
from hairpin.packs.yaml_source import load_model
from tests.packs.pack_files import SCENARIO, built_in, load, write

FULL = """\
id: on
title: "Zoë, 客户, 👩‍🔧: \\u2028 <b> no"
tags: [y, off]
sut: {provider: testbed, faults: [{id: F3, after: 2, probability: 0.5}]}
turns:
  - {user: yes, checks: [{contains: no}, {regex: '\\d+'}]}
personas: [polite, neutral]
contexts: [{location: "A: b", date: 2026-11-29, time: 17:40, vehicle: {battery: 40, on: true, gear: no, x: 1.5}}]
threshold: 1e-05
weights: {dimensions: {safety: 3}, targets: 0}
strategies: in_car/extended
checks: [./checks.py:polite]
language: no
"""


def reload(tmp_path: Path, text: str, **overrides: str) -> object:
    file = write(tmp_path / "run", {"scenario.yaml": text}) / "scenario.yaml"
    return load_scenario(file, finder=built_in(tmp_path), overrides=overrides)


def test_a_dumped_scenario_loads_as_the_same_value(tmp_path: Path) -> None:
    write(tmp_path / "user", {"checks.py": "def polite(reply): return True\n"})
    scenario = load(tmp_path, FULL)
    text = dump_scenario(scenario)
    assert reload(tmp_path, text) == scenario
    assert dump_scenario(scenario) == text


def test_overrides_reach_into_a_dumped_scenario(tmp_path: Path) -> None:
    text = dump_scenario(load(tmp_path))
    assert reload(tmp_path, text, repeats="3") == load(tmp_path).model_copy(update={"repeats": 3})


def test_no_credentials_are_written(tmp_path: Path) -> None:
    sut = OpenAiCompatibleSut(
        base_url="http://bot:s3cretPW@127.0.0.1:9/chat?api_key=KEY-abc123&version=2#s3cretPW",
        model="m",
        api_key_env="OPENAI_API_KEY",
        parameters={"max_tokens": 5, "api_key": "KEY-abc123", "stop": None},
    )
    text = dump_scenario(load(tmp_path).model_copy(update={"sut": sut}))
    assert not [secret for secret in ("s3cretPW", "KEY-abc123", "bot:") if secret in text]
    assert '"http://127.0.0.1:9/chat?version=2"' in text
    assert '"OPENAI_API_KEY"' in text
    assert "max_tokens: 5\n      stop: null\n" in text
    local = LocalSut(parameters={"seed": 1, "authorization": "KEY-abc123"})
    assert "KEY-abc123" not in dump_scenario(load(tmp_path).model_copy(update={"sut": local}))


def test_no_credentials_of_a_campaigns_assistants_are_written(tmp_path: Path) -> None:
    scenario = load(tmp_path, SCENARIO + "campaign: {time: 1h}\n")
    assert scenario.campaign is not None
    sut = OpenAiCompatibleSut(base_url="http://bot:s3cretPW@127.0.0.1:9/v1", model="m", parameters={"token": "KEY-1"})
    campaign = scenario.campaign.model_copy(update={"suts": {"a: b": sut}})
    text = dump_scenario(scenario.model_copy(update={"campaign": campaign}))
    assert not [secret for secret in ("s3cretPW", "KEY-1") if secret in text]
    assert '"a: b":' in text
    assert reload(tmp_path, text, **{"campaign.runs": "3"})


def test_models_are_written_without_credentials_and_read_back(tmp_path: Path) -> None:
    text = (
        SCENARIO + "models: {default: local, simulator: {provider: openai, model: m, price: {input: 1, output: 2}}}\n"
    )
    scenario = load(tmp_path, text)
    assert reload(tmp_path, dump_scenario(scenario)) == scenario
    url = "http://bot:s3cretPW@127.0.0.1:9/v1?api_key=KEY-abc123&version=2"
    hidden = {"extra_headers": {"X-Auth": "KEY-abc123", "Accept": "text"}, "token": "KEY-abc123"}
    models = {
        Role.SIMULATOR: CompatibleModel(base_url=url, model="m", parameters=hidden),
        Role.TURN_JUDGE: AzureModel(endpoint=url, deployment="d", api_version="1"),
    }
    text = dump_scenario(scenario.model_copy(update={"models": models}))
    assert not [secret for secret in ("s3cretPW", "KEY-abc123", "bot:") if secret in text]
    assert text.count('"http://127.0.0.1:9/v1?version=2"') == 2
    assert 'Accept: "text"' in text
    assert reload(tmp_path, text)


class Anything(FileModel):
    value: JsonValue


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(json_values)
def test_any_json_value_survives_being_written_as_yaml(value: JsonValue) -> None:
    assert load_model(to_yaml({"value": value}).encode(), "f.yaml", Anything).value == value


def test_a_shipped_scenario_dumps_readably(tmp_path: Path) -> None:
    assert dump_scenario(load(tmp_path, SCENARIO)).splitlines()[:8] == [
        "# A scenario as Hairpin ran it: packs read, names looked up.",
        "version: 1",
        "resolved:",
        '  id: "demo"',
        '  title: ""',
        "  tags: []",
        "  sut:",
        '    provider: "testbed"',
    ]
