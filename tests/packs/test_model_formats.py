"""``models:`` in scenario files: what may be written, and what is said of the rest."""

from __future__ import annotations

import pytest

from hairpin.errors import InvalidInputError
from hairpin.packs.file_formats import ScenarioFile
from hairpin.packs.model_formats import ModelsForm
from hairpin.packs.yaml_source import load_model

HEAD = "id: demo\nsut: testbed\nseed_phrases: [a]\nmodels:\n"


def models(text: str) -> ModelsForm:
    return load_model(f"{HEAD}  {text}\n".encode(), "s.yaml", ScenarioFile).models


def refused(text: str) -> list[str]:
    with pytest.raises(InvalidInputError) as caught:
        models(text)
    return str(caught.value).splitlines()


@pytest.mark.parametrize("text", ["local", "offline", "openai/gpt-4.1-mini", "openai/ft:gpt-4.1-mini:me::x/y"])
def test_a_model_can_be_named_in_a_word(text: str) -> None:
    assert models(f"simulator: {text}").simulator == text


def test_plain_numbers_stay_texts_where_texts_are_wanted() -> None:
    form = models("simulator: {provider: azure, endpoint: https://h, deployment: 007, api_version: 2024-10-21}")
    assert form.model_dump(exclude_unset=True)["simulator"]["deployment"] == "007"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("turn_juge: local", "unknown key 'turn_juge' in models; did you mean 'turn_judge'?"),
        ("conversation_judges: local", "unknown key 'conversation_judges' in models; did you mean 'conversation_jud"),
        ("simulator:", "models.simulator is empty; name a model, write offline, or leave the key out"),
        ("turn_judge: {panel: []}", "models.turn_judge.panel"),
        (
            "turn_judge: {panel: [local], repeat: 2}",
            "unknown key 'repeat' in models.turn_judge; did you mean 'repeats'?",
        ),
        ("turn_judge: {panel: [gpt]}", "models.turn_judge.panel[0] must be local, offline or openai/MODEL, not 'gpt'"),
        (
            "turn_judge: {panel: [{provider: openai, model: m, repeats: 2}]}",
            "models.turn_judge.panel[0].repeats stands at one member; set repeats beside panel",
        ),
        (
            "turn_judge: {panel: [offline, local, offline]}",
            "models.turn_judge.panel[2] is the offline judge again, who only says the same; remove it",
        ),
        (
            "turn_judge: {panel: [offline], repeats: 2}",
            "models.turn_judge.repeats asks the offline judge again, who only says the same; name a model, or leave",
        ),
        ("turn_judge: {provider: openai, model: m, repeats: 0}", "models.turn_judge.repeats"),
        (
            "simulator: {provider: openai, model: m, repeats: 2}",
            "models.simulator.repeats has no votes to count here; remove it: turn_judge and conversation_judge alone",
        ),
        ("default: {provider: openai, model: m, repeats: 2}", "models.default.repeats has no votes to count here"),
        ("simulator: {panel: [local]}", "models.simulator lacks the key 'provider'"),
        ("simulator: [local]", "models.simulator must be a mapping, not a list"),
        ("simulator: gpt-4.1", "models.simulator must be local, offline or openai/MODEL, not 'gpt-4.1'; OpenAI's"),
        ("simulator: openai/", "models.simulator 'openai/' lacks an address; write openai/MODEL"),
        ("simulator: openai", "models.simulator 'openai' is not enough to find a model; write openai/MODEL or"),
        ("simulator: azure/x", "models.simulator 'azure/x' lacks an address; write {provider: azure, endpoint: …"),
        ("simulator: local/x.gguf", "models.simulator 'local/x.gguf' is not enough to find a model; write {provider"),
        ("simulator: {model: m}", "models.simulator lacks the key 'provider'; say provider: …"),
        ("simulator: {provider: opnai}", "models.simulator has an unknown provider 'opnai'; did you mean 'openai'?"),
        ("simulator: {provider: openai}", "the key 'model' is missing in models.simulator; add 'model: …'"),
        ("simulator: {provider: openai, modle: m}", "the key 'model' is missing in models.simulator; add 'model: …'"),
        ("simulator: {provider: local, gguff: m}", "unknown key 'gguff' in models.simulator; did you mean 'gguf'?"),
        (
            "simulator: {provider: openai-compatible, model: m, base_url: localhost}",
            "models.simulator.base_url must be an http or https URL, not",
        ),
        (
            "simulator: {provider: openai-compatible, model: m, base_url: 'http://u:pw@h/v1/chat/completions/?a=b'}",
            "models.simulator.base_url must end before /chat/completions; leave /chat/completions out: Hairpin adds it",
        ),
    ],
)
def test_a_wrong_choice_is_named_with_line_and_way_out(text: str, said: str) -> None:
    found = refused(text)[0]
    assert found.startswith("s.yaml:5: ")
    assert said.partition(", not")[0] in found


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("repairs: 6", "repairs must be at most 5, not 6"),
        ("max_output_tokens: 0", "max_output_tokens must be at least 1, not 0"),
        (
            "max_output_tokens: 9, retry_output_tokens: 9",
            "retry_output_tokens must be more than max_output_tokens, which is 9; raise it, or leave it out",
        ),
        ("structured_output: jsonobject", "structured_output must be 'json_schema_strict' or 'json_schema' or 'jso"),
        ("limits: {concurency: 1}", "limits; did you mean 'concurrency'?"),
        ("limits: {concurrency: 0}", "limits.concurrency must be at least 1, not 0"),
        ("limits: {timeout_s: 0}", "limits.timeout_s must be greater than 0, not 0"),
        ("limits: {attempts: '3'}", "limits.attempts must be a whole number, not '3'"),
        ("price: {input: 1}", "the key 'output' is missing in models.simulator.price"),
        ("price: {input: -1, output: 1}", "price.input must be at least 0, not -1"),
    ],
)
def test_a_wrong_setting_is_named(field: str, said: str) -> None:
    assert said in refused(f"simulator: {{provider: openai, model: m, {field}}}")[0]


@pytest.mark.parametrize(
    ("parameter", "way_out"),
    [
        ("messages: []", "prompts of the roles are in agents/"),
        ("model: x", "set model beside parameters"),
        ("stream: true", "answers are read whole"),
        ("n: 2", "'repeats: N'"),
        ("response_format: {type: text}", "set structured_output"),
        ("max_tokens: 5", "set max_output_tokens"),
        ("max_completion_tokens: 5", "set max_output_tokens"),
        ("tools: []", "call no tools"),
        ("timeout: 5", "limits: {timeout_s"),
        ("max_retries: 5", "limits: {attempts"),
    ],
)
def test_what_the_gateway_decides_is_no_parameter(parameter: str, way_out: str) -> None:
    found = refused(f"simulator: {{provider: openai, model: m, parameters: {{top_p: 1, {parameter}}}}}")[0]
    name = parameter.partition(":")[0]
    assert found.startswith(f"s.yaml:5: models.simulator.parameters.{name} is not free to be set; ")
    assert way_out in found


def test_other_request_parameters_are_free() -> None:
    text = (
        "simulator: {provider: openai, model: m, parameters: {reasoning_effort: low, stop: null, logit_bias: {a: 1}}}"
    )
    assert models(text).model_dump()["simulator"]["parameters"] == {
        "reasoning_effort": "low",
        "stop": None,
        "logit_bias": {"a": 1},
    }


@pytest.mark.parametrize(
    "field",
    [
        "api_key: sk-test-000111",
        "api_key_env: sk-test-000111",
        "parameters: {api_key: sk-test-000111}",
        "parameters: {extra_headers: {Authorization: Bearer sk-test-000111}}",
        "parameters: {plugins: [{id: web, token: sk-test-000111}]}",
    ],
)
def test_credentials_are_refused_and_not_repeated(field: str) -> None:
    found = "\n".join(refused(f"simulator: {{provider: openai, model: m, {field}}}"))
    assert "api_key_env" in found
    assert "sk-test" not in found


def test_a_local_model_needs_room_for_the_prompt() -> None:
    assert refused("default: {provider: local, context_tokens: 2048}")[0].startswith(
        "s.yaml:5: models.default.context_tokens leaves no room for a prompt beside 2048 tokens of output; raise"
    )
    assert models("default: {provider: local, context_tokens: 2048, max_output_tokens: 512}").default is not None
