"""The format of ``test_seeds:`` and ``metamorphic:``: the defaults of the domain, and what is wrong with its line."""

from __future__ import annotations

import json

import pytest

from hairpin.domain.relations import MetamorphicSpec
from hairpin.domain.test_seeds import TestSeedsSource
from hairpin.errors import InvalidInputError
from hairpin.packs.campaign_formats import EncoderForm
from hairpin.packs.file_formats import ScenarioFile
from hairpin.packs.metamorphic_formats import MetamorphicForm, TestSeedsForm
from hairpin.packs.schema import scenario_schema
from hairpin.packs.yaml_source import load_model

BASE = "id: demo\nsut: testbed\n"
SEEDED = BASE + "test_seeds: ./s.jsonl\n"


def refused(text: str) -> str:
    with pytest.raises(InvalidInputError) as caught:
        load_model(text.encode(), "s.yaml", ScenarioFile)
    return str(caught.value)


def form(text: str) -> MetamorphicForm:
    found = load_model(f"{SEEDED}metamorphic: {text}\n".encode(), "s.yaml", ScenarioFile).metamorphic
    assert found is not None
    return found


def test_an_empty_one_says_what_the_paper_does() -> None:
    found = form("{}")
    assert MetamorphicSpec.model_validate(found.model_dump(mode="json", exclude={"encoder"})) == MetamorphicSpec()
    assert found.encoder == EncoderForm()


def test_the_forms_have_every_field_of_their_values() -> None:
    assert set(MetamorphicForm.model_fields) == set(MetamorphicSpec.model_fields)
    assert set(TestSeedsForm.model_fields) == set(TestSeedsSource.model_fields)


def test_everything_can_be_said() -> None:
    found = form(
        "{perturbations: [RI, RS], ratio: 0.5, executions: 3, relations: [MR3], epsilon: 0.7, epsilon_ec: -1, "
        "context: llm_judge, comparison: lexical+embedding, gold: best, baselines: [metal, qaasker], metal: careful, "
        "null_replays: 2, alpha: 0.01, encoder: {model: ./gte, batch_size: 8}}"
    )
    assert (found.perturbations, found.relations, found.baselines) == (("RI", "RS"), ("MR3",), ("metal", "qaasker"))
    assert found.encoder == EncoderForm(model="./gte", batch_size=8)
    assert MetamorphicSpec.model_validate(found.model_dump(mode="json", exclude={"encoder"})).executions == 3


def test_test_seeds_are_named_by_file_alone_or_with_what_is_wanted() -> None:
    assert load_model(SEEDED.encode(), "s.yaml", ScenarioFile).test_seeds == "./s.jsonl"
    text = BASE + "test_seeds: {file: a.json, format: coqa, limit: 3, max_questions: 5, strict: true}\n"
    assert load_model(text.encode(), "s.yaml", ScenarioFile).test_seeds == TestSeedsForm(
        file="a.json", format="coqa", limit=3, max_questions=5, strict=True
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{perturbations: [RS, RR, RS]}", "metamorphic.perturbations[2] is listed twice; it is the same as number 1"),
        ("{perturbations: [XX]}", "metamorphic.perturbations[0] must be 'RS' or 'RR'"),
        ("{ratio: 1}", "metamorphic.ratio must be less than 1, not 1"),
        ("{ratio: 0}", "metamorphic.ratio must be greater than 0, not 0"),
        ("{executions: 0}", "metamorphic.executions must be at least 1, not 0"),
        ("{relations: [MR1, MR1]}", "metamorphic.relations[1] is listed twice"),
        ("{relations: [RBT]}", "metamorphic.relations[0] must be 'MR1' or 'MR2' or 'MR3' or 'MR4', not 'RBT'"),
        ("{epsilon: 1.5}", "metamorphic.epsilon must be at most 1, not 1.5"),
        ("{epsilon_ec: 80}", "metamorphic.epsilon_ec must be at most 1, not 80"),
        ("{context: EC}", "metamorphic.context must be 'ec' or 'llm_judge', not 'EC'"),
        ("{comparison: lexical}", "metamorphic.comparison must be 'embedding' or 'lexical+embedding', not 'lexical'"),
        ("{gold: first}", "metamorphic.gold must be 'paper' or 'best', not 'first'"),
        ("{baselines: [rbt]}", "metamorphic.baselines[0] must be 'metal' or 'qaasker', not 'rbt'"),
        ("{baselines: [metal, metal]}", "metamorphic.baselines[1] is listed twice"),
        ("{metal: none}", "metamorphic.metal must be 'paper' or 'careful', not 'none'"),
        ("{null_replays: 101}", "metamorphic.null_replays must be at most 100, not 101"),
        ("{alpha: 0}", "metamorphic.alpha must be greater than 0, not 0"),
        ("{encoder: {modell: x}}", "unknown key 'modell' in metamorphic.encoder; did you mean 'model'?"),
        ("{rato: 0.5}", "unknown key 'rato' in metamorphic; did you mean 'ratio'?"),
        ("[RS]", "metamorphic must be a mapping"),
    ],
)
def test_what_is_wrong_with_metamorphic_is_said_with_its_line(text: str, said: str) -> None:
    assert f"s.yaml:4: {said}" in refused(f"{SEEDED}metamorphic: {text}\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "the key 'file' is missing in test_seeds; add 'file: …'"),
        ("''", "test_seeds is blank"),
        ("[a]", "test_seeds must be a text"),
        ("{file: a, format: coca}", "test_seeds.format must be 'auto' or 'coqa'"),
        ("{file: a, limit: 0}", "test_seeds.limit must be at least 1, not 0"),
        ("{file: a, max_questions: 1}", "test_seeds.max_questions must be at least 2, not 1"),
        ("{file: a, strict: yes}", "test_seeds.strict must be true or false, not 'yes'"),
    ],
)
def test_what_is_wrong_with_test_seeds_is_said_with_its_line(text: str, said: str) -> None:
    assert f"s.yaml:3: {said}" in refused(f"{BASE}test_seeds: {text}\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "campaign: {time: 1h}",
            "campaign stands beside test_seeds; remove one of them: 'hairpin campaign' draws from",
        ),
        ("turns: [{user: a}]", "test_seeds stands beside turns; keep one of"),
        (
            "oracles: [turn_judge]",
            "oracles plays no part beside test_seeds; remove it: the test seeds say what is asked",
        ),
        ("personas: [polite]", "personas plays no part beside test_seeds"),
        ("contexts: [{location: Munich}]", "contexts plays no part beside test_seeds"),
        ("strategies: in_car/paper", "strategies plays no part beside test_seeds"),
        ("confirm: {rejudge: 2}", "confirm plays no part beside test_seeds"),
        ("canaries: {}", "canaries plays no part beside test_seeds"),
    ],
)
def test_what_does_not_go_together_with_test_seeds_is_refused(text: str, said: str) -> None:
    assert said in refused(f"{SEEDED}{text}\n")


def test_recordings_cannot_be_replayed() -> None:
    text = "id: demo\nsut: {provider: recorded, file: chats.jsonl}\nmetamorphic: {}\n"
    assert refused(text) == "s.yaml:3: metamorphic stands beside a recorded assistant; remove it: nothing can be asked"
    assert "test_seeds stands beside a recorded assistant" in refused(text.replace("metamorphic: {}", "test_seeds: a"))


@pytest.mark.parametrize("source", ["turns: [{user: a}]", "seed_phrases: [a]", "pool: in_car/1"])
def test_conversations_of_any_other_source_can_be_replayed(source: str) -> None:
    text = f"{BASE}{source}\nmetamorphic: {{}}\n"
    assert load_model(text.encode(), "s.yaml", ScenarioFile).metamorphic == MetamorphicForm()


def test_the_schema_knows_both() -> None:
    forms = json.loads(scenario_schema())["$defs"]
    assert set(forms["MetamorphicForm"]["properties"]) == set(MetamorphicSpec.model_fields)
    assert forms["TestSeedsForm"]["required"] == ["file"]
    assert forms["TestSeedsForm"]["additionalProperties"] is forms["MetamorphicForm"]["additionalProperties"] is False
