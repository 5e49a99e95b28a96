"""The format of scenario files: what may be written, and what is said of the rest."""

from __future__ import annotations

import pytest

from hairpin.errors import InvalidInputError
from hairpin.packs.file_formats import ContainsForm, FunctionForm, RegexForm, ScenarioFile
from hairpin.packs.sut_formats import OpenAiCompatibleForm
from hairpin.packs.yaml_source import load_model

BASE = "id: demo\nsut: testbed\n"


def scenario(text: str) -> ScenarioFile:
    return load_model(text.encode(), "s.yaml", ScenarioFile)


def refused(text: str) -> list[str]:
    with pytest.raises(InvalidInputError) as caught:
        scenario(text)
    return str(caught.value).splitlines()


def test_the_shortest_scenario_gets_the_documented_defaults() -> None:
    file = scenario("id: demo\nsut: testbed\nseed_phrases: [Take me home]\n")
    assert (file.personas, file.max_turns, file.rubric, file.language) == (("neutral",), 8, "in_car", "en")
    assert (file.turn_timeout_s, file.repeats, file.rng_seed, len(file.contexts)) == (60.0, 1, 1, 1)
    assert file.oracles == ("turn_judge", "dimensions")


def test_the_whole_example_of_the_design_is_accepted() -> None:
    file = scenario("""\
version: 1
id: commute
title: The commute
tags: [demo]
sut: {provider: openai-compatible, base_url: "http://127.0.0.1:1/v1", model: m, parameters: {temperature: 0.2}}
seed_phrases: ["Guide me home"]
personas: [polite, impatient]
contexts: [{location: Munich, date: "2026-11-29", time: "17:40", vehicle: {battery: 40}}]
max_turns: 8
strategies: in_car/paper
rubric: in_car
threshold: 0.75
weights: {dimensions: 1, targets: 1}
models: {}
checks: [{contains: ok}, {regex: "^a"}, ./checks.py:polite, {function: "./checks.py:polite"}]
oracles: [dimensions]
language: en
turn_timeout_s: 60
repeats: 1
rng_seed: 1
""")
    assert isinstance(file.sut, OpenAiCompatibleForm)
    assert file.checks == (
        ContainsForm(contains="ok"),
        RegexForm(regex="^a"),
        "./checks.py:polite",
        FunctionForm(function="./checks.py:polite"),
    )


def test_words_of_older_yaml_stay_words() -> None:
    """A scenario full of words that YAML 1.1 turns into booleans."""
    file = scenario("""\
id: on
language: no
sut: testbed
turns:
  - user: yes
    checks: [{ contains: no }]
tags: [y, off]
""")
    assert (file.id, file.language, file.tags) == ("on", "no", ("y", "off"))
    assert file.turns is not None
    assert file.turns[0].user == "yes"
    assert file.turns[0].checks == (ContainsForm(contains="no"),)


def test_the_reported_scenario_is_refused_line_by_line_and_never_misread() -> None:
    said = refused("""\
id: on
language: no
sut: testbed
turns:
  - user: yes
    expect: { contains: no }
tags: [y, off, null, ~]
strict: "false"
""")
    assert said == [
        "s.yaml:6: unknown key 'expect' in turns[0]; known: 'checks', 'user'",
        's.yaml:7: tags[2] must be a text, not empty (null); give a value, or quote it ("null") if this text is meant,'
        " or leave the key out",
        's.yaml:7: tags[3] must be a text, not empty (~); give a value, or quote it ("~") if this text is meant,'
        " or leave the key out",
        said[3],
    ]
    assert said[3].startswith("s.yaml:8: unknown key 'strict'; ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "",
            "s.yaml:1: the file has none of seed_phrases, turns, pool and test_seeds; add one of them: it says",
        ),
        (
            "seed_phrases: [a]\nturns: [{user: b}]",
            "s.yaml:4: turns stands beside seed_phrases; keep one of seed_phrases, turns, pool, test_seeds",
        ),
        ("pool: in_car/1\nseed_phrases: [a]", "s.yaml:3: pool stands beside seed_phrases; keep one of"),
        ("seed_phrases: []", "s.yaml:3: seed_phrases is empty; give at least one, or leave the key out"),
        ("seed_phrases: ['']", "s.yaml:3: seed_phrases[0] is blank; write something, or remove it"),
        ("seed_phrases:\n  - a\n  - ' '", "s.yaml:5: seed_phrases[1] is blank; write something, or remove it"),
        (
            "seed_phrases:\n  - take me\n  - b\n  - take  me",
            "s.yaml:6: seed_phrases[2] is listed twice; it is the same as number 1 of the list; keep one of them",
        ),
        ("turns: []", "s.yaml:3: turns is empty; give at least one"),
        ("turns: [{user: ''}]", "s.yaml:3: turns[0].user is blank; write something"),
        ("turns: [hello]", "s.yaml:3: turns[0] must be a mapping, not 'hello'; write 'key: value' lines"),
        ("pool: ../secret", "s.yaml:3: pool must be the name of a pack, not '../secret'; names look like"),
    ],
)
def test_exactly_one_source_of_what_the_user_wants(text: str, said: str) -> None:
    assert refused(BASE + text)[0].startswith(said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("max_turns: 0", "max_turns must be at least 1, not 0; write a number at least 1"),
        ("max_turns: -1", "max_turns must be at least 1, not -1; write a number at least 1"),
        ("max_turns: '8'", "max_turns must be a whole number, not '8'; write a whole number without quotes"),
        ("max_turns:", "max_turns must be a whole number, not empty; give a value"),
        ("threshold: 1.01", "threshold must be at most 1, not 1.01; write a number at most 1"),
        ("threshold: -0.1", "threshold must be at least 0, not -0.1; write a number at least 0"),
        ("threshold: .nan", "threshold must be a finite number, not .nan; write an ordinary number"),
        ("weights: {targets: -1}", "weights.targets must be at least 0, not -1; write a number at least 0"),
        ("weights: {dimensions: -1}", "weights.dimensions must be at least 0, not -1; write a number at least 0"),
        (
            "weights: {dimensions: {a: -1}}",
            "weights.dimensions.a must be at least 0, not -1; write a number at least 0",
        ),
        (
            "weights: {dimensions: .inf}",
            "weights.dimensions must be a finite number, not .inf; write an ordinary number",
        ),
        ("weights: {target: 1}", "unknown key 'target' in weights; did you mean 'targets'?"),
        ("repeats: 0", "repeats must be at least 1, not 0; write a number at least 1"),
        ("turn_timeout_s: 0", "turn_timeout_s must be greater than 0, not 0; write a number greater than 0"),
        ("language: e n", "language must be a name, not 'e n'; use letters, digits, '_', '-' and '.', no spaces"),
        ("version: 2", "version must be 1, not 2; this Hairpin reads version 1 of the format"),
        ("persona: [polite]", "unknown key 'persona'; did you mean 'personas'?"),
        ("personas: []", "personas is empty; give at least one, or leave the key out"),
        ("personas: [a, a]", "personas[1] is listed twice; it is the same as number 1 of the list; keep one of them"),
        ("contexts: [{}, {}]", "contexts[1] is listed twice; it is the same as number 1 of the list; keep one of them"),
        ("contexts: [{time: 17:61}]", "contexts[0].time must be a time of day, not '17:61'; write hours and minutes"),
        ("contexts: [{date: 2026-02-30}]", "contexts[0].date must be a date, not '2026-02-30'; write year-month-day"),
        ("contexts: [{place: x}]", "unknown key 'place' in contexts[0]; known: 'date', 'location'"),
        ("oracles: [turn_juge]", "oracles[0] must be 'turn_judge' or 'dimensions', not 'turn_juge'; did you mean"),
        ("checks: [{regex: '('}]", "checks[0].regex '(' is no regular expression: missing ), unterminated"),
        ("checks: [{contains: ''}]", "checks[0].contains is blank; write something, or remove it"),
        ("checks: [{contains: a, ignore_case: 'false'}]", "checks[0].ignore_case must be true or false, not 'false'"),
        ("checks: [{contain: a}]", "the key 'contains' is missing in checks[0]; add 'contains: …'"),
        ("checks: [{regex: a, contains: b}]", "unknown key 'contains' in checks[0]; known: 'regex'"),
    ],
)
def test_a_wrong_setting_is_named_with_line_value_and_way_out(text: str, said: str) -> None:
    assert refused(f"{BASE}seed_phrases: [a]\n{text}\n")[0].startswith(f"s.yaml:4: {said}")


@pytest.mark.parametrize(
    ("sut", "said"),
    [
        ("[]", "sut must be a mapping, not a list"),
        ("{}", "sut lacks the key 'provider'; say provider: …"),
        (
            "{provider: opnai-compatible}",
            "sut has an unknown provider 'opnai-compatible'; did you mean",
        ),
        ("{provider: testbed, faults: [F1, {id: F1}]}", "sut.faults[1] is listed twice"),
        ("{provider: testbed, fault: [F1]}", "unknown key 'fault' in sut; did you mean 'faults'?"),
        (
            "{provider: testbed, faults: [{id: F3, probability: 2}]}",
            "sut.faults[0].probability must be at most 1, not 2",
        ),
        (
            "{provider: testbed, faults: [{id: F3, aftr: 2}]}",
            "unknown key 'aftr' in sut.faults[0]; did you mean",
        ),
        ("{provider: openai-compatible, model: m}", "the key 'base_url' is missing in sut; add 'base_url: …'"),
        ("{provider: openai-compatible, model: m, base_url: 'http://[x'}", "sut.base_url must be an http or https URL"),
        ("{provider: local, parameters: {a: {b: [.nan]}}}", "sut.parameters.a must be finite; JSON has no infinity"),
        ("{provider: openai-compatible, model: m, base_url: localhost}", "sut.base_url must be an http or https URL"),
        ("{provider: local, context_tokens: 5}", "sut.context_tokens must be at least 512, not 5"),
        (
            "{provider: local, system_prompt: a, system_prompt_file: b}",
            "sut.system_prompt_file stands beside",
        ),
        ("{provider: local, parameters: {seed: .inf}}", "sut.parameters.seed must be finite; JSON has no infinity"),
    ],
)
def test_a_wrong_assistant_is_named_with_the_way_out(sut: str, said: str) -> None:
    assert refused(f"id: demo\nsut: {sut}\nseed_phrases: [a]\n")[0].startswith(f"s.yaml:2: {said}")


def test_credentials_belong_into_the_environment_and_are_not_repeated() -> None:
    head = "id: demo\nseed_phrases: [a]\nsut:\n  provider: openai-compatible\n  base_url: http://h\n  model: m\n"
    for line, said in {
        "api_key_env: sk-test-000111": "s.yaml:7: sut.api_key_env must be the name of an environment variable; ",
        "api_key: sk-test-000111": "s.yaml:7: unknown key 'api_key' in sut; did you mean 'api_key_env'?",
        "parameters: {api_key: sk-test-000111}": "s.yaml:7: sut.parameters.api_key must not hold a credential; ",
    }.items():
        found = refused(f"{head}  {line}\n")[0]
        assert found.startswith(said)
        assert "sk-test" not in found
    assert scenario(head + "  parameters: {max_tokens: 20}\n").id == "demo"
