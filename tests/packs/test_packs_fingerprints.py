"""What changes a scenario's part of the fingerprint, and what does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hairpin.domain.model_spec import (
    AzureModel,
    CompatibleModel,
    LocalModel,
    ModelLimits,
    ModelPrice,
    ModelSpec,
)
from hairpin.domain.outcome import Role
from hairpin.domain.sut_spec import (
    HttpPolling,
    HttpRequest,
    HttpSession,
    HttpSut,
    LangGraphSut,
    Match,
    OpenAiCompatibleSut,
    ProcessSut,
    PythonSut,
    SutSpec,
    WebSocketSut,
)
from hairpin.errors import InvalidInputError
from hairpin.packs.scenarios import scenario_fingerprint_parts
from tests.packs.pack_files import PERSONA, RUBRIC, SCENARIO, STRATEGIES, load, write

CHECKED = SCENARIO + "checks: [./checks.py:polite]\n"


def parts(
    tmp_path: Path, text: str = CHECKED, code: str = "def polite(reply): return True\n", **files: str
) -> dict[str, str]:
    write(tmp_path / "user", {"checks.py": code, **files})
    return scenario_fingerprint_parts(load(tmp_path, text))


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {name for name in before if before[name] != after[name]}


def test_the_parts_are_named_digests(tmp_path: Path) -> None:
    found = parts(tmp_path)
    assistant, tester = {"sut", "sut_files"}, {"models", "user_files"}
    assert set(found) == {"packs", "rubric", "strategies", "personas", "settings", *assistant, *tester}
    assert all(len(digest) == 64 for digest in found.values())


def test_another_folder_and_another_title_change_nothing(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    assert parts(one) == parts(other, CHECKED + "title: renamed\ntags: [a]\n")


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("max_turns: 5", "settings"),
        ("rng_seed: 2", "settings"),
        ("repeats: 2", "settings"),
        ("language: de", "settings"),
        ("oracles: [dimensions]", "settings"),
        ("contexts: [{location: A}]", "settings"),
        ("threshold: 0.5", "rubric"),
        ("weights: {targets: 2}", "rubric"),
        ("strategies: in_car/extended", "strategies"),
    ],
)
def test_a_setting_changes_its_part(tmp_path: Path, line: str, part: str) -> None:
    assert changed(parts(tmp_path), parts(tmp_path, f"{CHECKED}{line}\n")) == {part}


def test_a_changed_file_of_the_users_changes_its_part(tmp_path: Path) -> None:
    before = parts(tmp_path)
    assert changed(before, parts(tmp_path, code="def polite(reply): return False\n")) == {"user_files"}


@pytest.mark.parametrize(
    ("name", "text", "part"),
    [
        ("agents/personas/neutral.yaml", PERSONA.format(id="neutral").replace("Someone", "Anyone"), "personas"),
        ("rubrics/in_car/rubric.yaml", RUBRIC.replace("Small", "Other"), "rubric"),
        ("strategies/in_car.yaml", STRATEGIES.replace("Constraint Stacking", "Stacking"), "strategies"),
    ],
)
def test_a_shadowing_pack_changes_its_part_and_the_packs(tmp_path: Path, name: str, text: str, part: str) -> None:
    before = parts(tmp_path)
    assert changed(before, parts(tmp_path, **{name: text})) == {part, "packs"}


def test_a_comment_in_a_pack_changes_the_packs_alone(tmp_path: Path) -> None:
    before = parts(tmp_path)
    assert changed(before, parts(tmp_path, **{"rubrics/in_car/rubric.yaml": RUBRIC + "# edited\n"})) == {"packs"}


CAMPAIGN = CHECKED + "campaign: {time: 1h, arms: [guided, baseline], suts: {one: testbed}, %s}\n"


@pytest.mark.parametrize(
    "budget",
    [
        "time: 2h",
        "conversations: 9",
        "max_distinct_failures: 3",
        "runs: 6",
        "split: total",
        "retries: 0",
    ],
)
def test_how_long_and_how_often_a_campaign_runs_is_no_part_of_it(tmp_path: Path, budget: str) -> None:
    key = budget.partition(":")[0]
    text = CAMPAIGN.replace("time: 1h, ", "") if key == "time" else CAMPAIGN
    assert parts(tmp_path, text % budget) == parts(tmp_path, CAMPAIGN % "runs: 1")


@pytest.mark.parametrize(
    ("setting", "part"),
    [
        ("pairing: paired", "settings"),
        ("max_turns: [8, 10]", "settings"),
        ("baseline: {max_turns: 5}", "settings"),
        ("pools: [./p.txt]", "settings"),
        ("baseline: {persona: polite}", "personas"),
    ],
)
def test_whom_assistants_meet_in_a_campaign_is_part_of_it(tmp_path: Path, setting: str, part: str) -> None:
    before = parts(tmp_path, CAMPAIGN % "runs: 1", **{"p.txt": "Go on"})
    assert part in changed(before, parts(tmp_path, CAMPAIGN % setting))


def test_the_assistants_of_a_campaign_are_the_assistants(tmp_path: Path) -> None:
    write(tmp_path / "user", {"ica.py": "class Ica: ...\n"})
    before = parts(tmp_path, CAMPAIGN % "runs: 1")
    two = parts(tmp_path, (CAMPAIGN % "runs: 1").replace("{one: testbed}", "{one: testbed, two: ./ica.py:Ica}"))
    assert changed(before, two) == {"sut", "sut_files"}
    other = parts(tmp_path, (CAMPAIGN % "runs: 1").replace("sut: testbed", "sut: story"))
    assert changed(before, other) == set(), "the scenario's own takes no part"
    write(tmp_path / "user", {"ica.py": "class Ica: 'changed'\n"})
    again = parts(tmp_path, (CAMPAIGN % "runs: 1").replace("{one: testbed}", "{one: testbed, two: ./ica.py:Ica}"))
    assert changed(two, again) == {"sut_files"}


def test_a_scenario_that_becomes_a_campaign_keeps_all_but_whom_assistants_meet(tmp_path: Path) -> None:
    assert changed(parts(tmp_path), parts(tmp_path, CHECKED + "campaign: {time: 1h}\n")) == {"personas", "settings"}


def test_where_an_assistant_is_reached_is_no_part_of_what_it_is(tmp_path: Path) -> None:
    scenario = load(tmp_path)

    def sut_part(sut: OpenAiCompatibleSut | PythonSut) -> str:
        return scenario_fingerprint_parts(scenario.model_copy(update={"sut": sut}))["sut"]

    one = OpenAiCompatibleSut(base_url="http://u:p@one/v1", model="m", api_key_env="A")
    assert sut_part(one) == sut_part(OpenAiCompatibleSut(base_url="http://two/v1", model="m"))
    assert sut_part(one) != sut_part(OpenAiCompatibleSut(base_url="http://u:p@one/v1", model="n"))
    assert sut_part(one) != sut_part(one.model_copy(update={"system_prompt": "Be kind."}))


def sut_part(tmp_path: Path, sut: SutSpec) -> str:
    return scenario_fingerprint_parts(load(tmp_path).model_copy(update={"sut": sut}))["sut"]


HTTP = HttpSut(
    request=HttpRequest(url="http://h:1/chat?k={env.K}", headers={"X": "{env.X}"}, body={"folder": "f", "m": "{t}"}),
    session=HttpSession(open=HttpRequest(url="http://h:1/open"), id="id"),
    poll=HttpPolling(request=HttpRequest(url="http://h:1/poll", method="GET"), until=Match(path="done")),
)
MOVED = HttpSut(
    request=HttpRequest(url="https://i/chat", headers={"X": "{env.Y}"}, body={"folder": "f", "m": "{t}"}),
    session=HttpSession(open=HttpRequest(url="https://{env.HOST}/open"), id="id"),
    poll=HttpPolling(request=HttpRequest(url="https://i/poll", method="GET"), until=Match(path="done")),
)


def test_another_host_and_other_names_of_variables_are_another_place_not_another_assistant(tmp_path: Path) -> None:
    assert sut_part(tmp_path, HTTP) == sut_part(tmp_path, MOVED)
    driven = HTTP.model_copy(update={"max_sessions": 3, "retries": 2})
    assert sut_part(tmp_path, HTTP) == sut_part(tmp_path, driven), "nor is how hard it may be driven"
    socket = WebSocketSut(url="ws://h:1/a", headers={"X": "{env.A}"})
    assert sut_part(tmp_path, socket) == sut_part(tmp_path, WebSocketSut(url="wss://i/a", headers={"X": "{env.B}"}))
    program = ProcessSut(command=("bot",), folder="/a", environment={"K": "{env.A}"})
    there = ProcessSut(command=("bot",), folder="/b", environment={"K": "{env.B}"})
    assert sut_part(tmp_path, program) == sut_part(tmp_path, there)
    graph = LangGraphSut(reference="a:b", folder="/a")
    assert sut_part(tmp_path, graph) == sut_part(tmp_path, LangGraphSut(reference="a:b", folder="/b"))


@pytest.mark.parametrize(
    "request_",
    [
        HTTP.request.model_copy(update={"url": "http://h:1/other"}),
        HTTP.request.model_copy(update={"headers": {"X": "fixed"}}),
        HTTP.request.model_copy(update={"body": {"folder": "g", "m": "{t}"}}),
        HTTP.request.model_copy(update={"method": "PUT"}),
    ],
)
def test_another_request_is_another_way_to_ask(tmp_path: Path, request_: HttpRequest) -> None:
    assert sut_part(tmp_path, HTTP) != sut_part(tmp_path, HTTP.model_copy(update={"request": request_}))


def test_the_files_of_a_program_and_of_a_graph_are_files_of_the_assistant(tmp_path: Path) -> None:
    folder = write(tmp_path / "user", {"bot.py": "print()\n", "app.py": "graph = 1\n"})

    def files_part(sut: SutSpec) -> str:
        return scenario_fingerprint_parts(load(tmp_path).model_copy(update={"sut": sut}))["sut_files"]

    program = ProcessSut(command=("python", "bot.py"), folder=str(folder))
    graph = LangGraphSut(reference="./app.py:graph", folder=str(folder))
    before = files_part(program), files_part(graph)
    assert before[0] != files_part(ProcessSut(command=("python", "-c", "pass"), folder=str(folder)))
    write(folder, {"bot.py": "print(1)\n", "app.py": "graph = 2\n"})
    after = files_part(program), files_part(graph)
    assert before[0] != after[0]
    assert before[1] != after[1]


def test_another_model_or_another_way_to_ask_it_changes_the_models_alone(tmp_path: Path) -> None:
    base = {"provider": "openai", "model": "m"}
    before = parts(tmp_path, CHECKED + f"models: {{simulator: {json.dumps(base)}}}\n")
    for field in (
        {"model": "n"},
        {"parameters": {"temperature": 0}},
        {"max_output_tokens": 5},
        {"repairs": 0},
        {"structured_output": "text"},
    ):
        after = parts(tmp_path, CHECKED + f"models: {{simulator: {json.dumps(base | field)}}}\n")
        assert changed(before, after) == {"models"}
    assert changed(before, parts(tmp_path, CHECKED + f"models: {{turn_judge: {json.dumps(base)}}}\n")) == {"models"}
    assert changed(before, parts(tmp_path)) == {"models"}


def test_where_a_model_is_reached_and_what_it_costs_changes_nothing(tmp_path: Path) -> None:
    scenario = load(tmp_path)

    def models_part(model: ModelSpec) -> str:
        return scenario_fingerprint_parts(scenario.model_copy(update={"models": {Role.SIMULATOR: model}}))["models"]

    priced = CompatibleModel(
        base_url="http://u:p@one/v1", model="m", api_key_env="A", price=ModelPrice(input=1, output=1)
    )
    there = CompatibleModel(base_url="http://two/v1", model="m", limits=ModelLimits(concurrency=1))
    assert models_part(priced) == models_part(there)
    azure = AzureModel(endpoint="https://one", deployment="mine", api_version="1", model="m")
    assert models_part(azure) == models_part(azure.model_copy(update={"deployment": "yours", "endpoint": "https://b"}))
    assert models_part(azure) != models_part(azure.model_copy(update={"api_version": "2"}))
    unknown = azure.model_copy(update={"model": ""})
    assert models_part(unknown) != models_part(unknown.model_copy(update={"deployment": "yours"}))
    assert models_part(LocalModel(gguf="/a/q.gguf")) == models_part(LocalModel(gguf="/b/q.gguf"))
    assert models_part(LocalModel(gguf="/a/q.gguf")) != models_part(LocalModel(gguf="/a/r.gguf"))


def test_a_file_that_has_gone_is_named(tmp_path: Path) -> None:
    write(tmp_path / "user", {"checks.py": "def polite(reply): return True\n"})
    scenario = load(tmp_path, CHECKED)
    (tmp_path / "user" / "checks.py").unlink()
    with pytest.raises(InvalidInputError, match=r"checks\.py' does not exist"):
        scenario_fingerprint_parts(scenario)


def test_how_an_arm_learns_counts_only_where_one_does(tmp_path: Path) -> None:
    def learning(arms: str, epsilon: float) -> dict[str, str]:
        campaign = f"campaign: {{time: 1h, arms: [{arms}], learning: {{epsilon: {epsilon}}}}}\n"
        return parts(tmp_path, CHECKED + campaign)

    assert learning("guided", 0.1) == learning("guided", 0.3)
    assert changed(learning("guided, learned", 0.1), learning("guided, learned", 0.3)) == {"settings"}
