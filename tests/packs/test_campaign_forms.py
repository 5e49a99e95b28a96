"""Campaigns resolved: pools, assistants and the baseline's persona found, every problem with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.domain.arm import Arm
from hairpin.domain.campaign import CampaignSpec, Pairing, SeedPhrase, SeedPool, Split
from hairpin.domain.encoder import EncoderSpec
from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import PythonSut, TestbedSut
from hairpin.errors import InvalidInputError
from hairpin.packs.campaign_forms import with_campaign
from hairpin.packs.scenarios import dump_scenario, load_scenario
from tests.packs.pack_files import PERSONA, SCENARIO, built_in, load, problem, write

POOL_2 = """\
id: mine
tasks:
  search: [Find a  park, Find a bank]
  search_and_go: [Take me to a park]
"""

FULL = """\
id: demo
sut: testbed
personas: [polite]
max_turns: 9
campaign:
  time: 1h30m
  conversations: 100
  max_distinct_failures: 7
  arms: [baseline, guided]
  split: total
  pairing: paired
  runs: 3
  max_turns: [8, 10]
  pools: [in_car/1, ./mine.yaml, more.txt]
  suts:
    a: testbed
    b: {provider: testbed, faults: [F1]}
    c: ./ica.py:Ica
  baseline: {persona: polite, max_turns: 6}
  retries: 0
  encoder: {model: ./minilm, device: cpu, max_seq_length: 64}
"""
FILES: dict[str, str | bytes] = {"mine.yaml": POOL_2, "more.txt": "\ufeffGo on\n", "ica.py": "class Ica: ...\n"}


def campaign(tmp_path: Path, text: str = FULL) -> CampaignSpec:
    write(tmp_path / "user", FILES)
    found = load(tmp_path, text).campaign
    assert found is not None
    return found


def reloaded(tmp_path: Path, scenario: Scenario) -> Scenario:
    file = write(tmp_path / "run", {"scenario.yaml": dump_scenario(scenario)}) / "scenario.yaml"
    return load_scenario(file, finder=built_in(tmp_path))


def test_every_key_arrives(tmp_path: Path) -> None:
    spec = campaign(tmp_path)
    assert (spec.time_s, spec.conversations, spec.max_distinct_failures) == (5400.0, 100, 7)
    assert (spec.arms, spec.split, spec.pairing) == ((Arm.BASELINE, Arm.GUIDED), Split.TOTAL, Pairing.PAIRED)
    assert (spec.runs, spec.max_turns, spec.retries) == (3, (8, 10), 0)
    assert (spec.baseline.persona.id, spec.baseline.max_turns) == ("polite", 6)
    folder = (tmp_path / "user" / "minilm").resolve()
    assert spec.encoder == EncoderSpec(model=str(folder), device="cpu", max_seq_length=64)
    assert list(spec.suts) == ["a", "b", "c"]
    assert spec.suts["a"] == TestbedSut()
    assert spec.suts["c"] == PythonSut(reference="./ica.py:Ica", folder=str((tmp_path / "user").resolve()))


def test_pools_come_from_packs_and_files_with_their_tasks(tmp_path: Path) -> None:
    first, second, third = campaign(tmp_path).pools
    assert (first.name, second.name, third.name) == ("in_car/1", "mine", "more")
    assert first.phrases == (SeedPhrase(text="Take me home"), SeedPhrase(text="Find a park", task="search"))
    assert [(phrase.text, phrase.task) for phrase in second.phrases] == [
        ("Find a park", "search"),
        ("Find a bank", "search"),
        ("Take me to a park", "search_and_go"),
    ]
    assert third.phrases == (SeedPhrase(text="Go on"),)


def test_without_seed_phrases_of_its_own_a_scenario_has_those_of_the_first_pool(tmp_path: Path) -> None:
    write(tmp_path / "user", FILES)
    scenario = load(tmp_path, FULL)
    assert scenario.seed_phrases == ("Take me home", "Find a park")
    assert scenario.tasks == {"Find a park": "search"}
    assert [strategy.id for strategy in scenario.strategies] == ["stacking"]


def test_without_pools_a_campaign_draws_from_the_scenarios_own_phrases(tmp_path: Path) -> None:
    spec = campaign(tmp_path, SCENARIO + "max_turns: 5\ncampaign: {time: 60}\n")
    assert spec.pools == (SeedPool(name="demo", phrases=(SeedPhrase(text="Take me home"),)),)
    assert (spec.max_turns, spec.baseline.persona.id, spec.suts) == ((5,), "neutral", {})
    named = campaign(tmp_path, "id: demo\nsut: testbed\npool: in_car/1\ncampaign: {}\n")
    assert [pool.name for pool in named.pools] == ["in_car/1"]


def test_what_was_read_is_listed_with_its_digest(tmp_path: Path) -> None:
    write(tmp_path / "user", FILES)
    origins = {(origin.kind, origin.name): origin for origin in load(tmp_path, FULL).origins}
    pools = [name for kind, name in origins if kind == "pool"]
    assert pools == ["in_car/1", "mine.yaml", "more.txt"]
    assert origins["pool", "more.txt"].origin == f"file: {(tmp_path / 'user').resolve() / 'more.txt'}"
    assert len({origins["pool", name].digest for name in pools}) == 3


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("in_car/1,", "in_car/7,", "s.yaml:14: unknown pool 'in_car/7'; did you mean 'in_car/1'?"),
        ("./mine.yaml", "./gone.yaml", "s.yaml:14: file of seed phrases '"),
        ("a: testbed", "a: testbd", "s.yaml:16: unknown assistant 'testbd'; did you mean 'testbed'?"),
        ("[F1]", "[F0]", "s.yaml:17: unknown fault 'F0'; did you mean 'F10'?"),
        ("./ica.py:Ica", "./gone.py:Ica", "s.yaml:18: Python file '"),
        ("persona: polite", "persona: polit", "s.yaml:19: unknown persona 'polit'; did you mean 'polite'?"),
    ],
)
def test_what_cannot_be_found_is_named_by_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    write(tmp_path / "user", FILES)
    assert problem(tmp_path, FULL.replace(old, new)).startswith(said)


def test_what_is_wrong_in_a_file_of_phrases_is_named_in_it_and_all_is_said_at_once(tmp_path: Path) -> None:
    write(tmp_path / "user", FILES | {"more.txt": "a\na\n", "mine.yaml": POOL_2.replace("Find a bank", "Find a park")})
    said = problem(tmp_path, FULL.replace("a: testbed", "a: testbd"))
    assert "more.txt:2: 'a' is the same as line 1; keep one of them" in said
    assert "mine.yaml:3: tasks.search[1] is listed twice" in said
    assert "s.yaml:16: unknown assistant 'testbd'" in said


def test_a_pool_that_is_missing_is_said_once(tmp_path: Path) -> None:
    said = problem(tmp_path, "id: demo\nsut: testbed\npool: gone\ncampaign: {time: 1h}\n")
    assert said.splitlines() == ["s.yaml:3: unknown pool 'gone'; known: 'in_car/1'"]


def test_a_stored_campaign_is_read_back_as_it_was(tmp_path: Path) -> None:
    write(tmp_path / "user", FILES)
    scenario = load(tmp_path, FULL)
    assert reloaded(tmp_path, scenario) == scenario


class TestWithoutABlock:
    """Any scenario whose user speaks freely can be a campaign."""

    def test_it_has_one_arm_one_run_and_its_own_phrases(self, tmp_path: Path) -> None:
        scenario = with_campaign(load(tmp_path, SCENARIO + "max_turns: 5\n"), finder=built_in(tmp_path))
        spec = scenario.campaign
        assert spec is not None
        assert (spec.arms, spec.runs, spec.max_turns, spec.time_s) == ((Arm.GUIDED,), 1, (5,), None)
        assert spec.pools == (SeedPool(name="demo", phrases=(SeedPhrase(text="Take me home"),)),)
        assert (spec.baseline.persona.id, spec.baseline.max_turns) == ("neutral", 8)
        assert reloaded(tmp_path, scenario) == scenario

    def test_phrases_of_a_pool_or_a_file_keep_their_tasks(self, tmp_path: Path) -> None:
        write(tmp_path / "user", {"p.csv": "text,task\nTake me home,\nFind a park,search\n"})
        for source in ("pool: in_car/1", "seed_phrases: {file: p.csv}"):
            scenario = with_campaign(load(tmp_path, f"id: demo\nsut: testbed\n{source}\n"), finder=built_in(tmp_path))
            assert scenario.campaign is not None
            assert [phrase.task for phrase in scenario.campaign.pools[0].phrases] == ["", "search"]

    def test_the_baselines_persona_is_listed_with_the_files_used(self, tmp_path: Path) -> None:
        before = load(tmp_path, SCENARIO + "personas: [polite]\n")
        after = with_campaign(before, finder=built_in(tmp_path))
        added = set(after.origins) - set(before.origins)
        assert [(origin.kind, origin.name) for origin in added] == [("persona", "neutral")]
        assert after.persona("neutral").id == "neutral"
        again = with_campaign(load(tmp_path), finder=built_in(tmp_path))
        assert again.origins == load(tmp_path).origins, "neutral was read already"

    def test_a_campaign_of_its_own_is_kept(self, tmp_path: Path) -> None:
        scenario = load(tmp_path, SCENARIO + "campaign: {runs: 4}\n")
        assert with_campaign(scenario, finder=built_in(tmp_path)) is scenario

    def test_what_is_written_down_cannot_be_one(self, tmp_path: Path) -> None:
        script = load(tmp_path, "id: demo\nsut: testbed\nturns: [{user: hello}]\n")
        write(tmp_path / "user", {"chats.jsonl": "{}"})
        recorded = load(tmp_path, "id: demo\nsut: {provider: recorded, file: chats.jsonl}\n")
        for scenario, kind in ((script, "a script"), (recorded, "recorded conversations")):
            with pytest.raises(InvalidInputError, match=f"scenario 'demo': {kind} cannot be a campaign; name a"):
                with_campaign(scenario, finder=built_in(tmp_path))

    def test_a_broken_persona_is_named(self, tmp_path: Path) -> None:
        scenario = load(tmp_path, SCENARIO + "personas: [polite]\n")
        write(tmp_path / "user", {"agents/personas/neutral.yaml": PERSONA.format(id="other")})
        with pytest.raises(InvalidInputError, match="id must be 'neutral' like the name of the file"):
            with_campaign(scenario, finder=built_in(tmp_path).beside(tmp_path / "user"))


def test_an_encoder_may_be_named_by_its_model_alone(tmp_path: Path) -> None:
    spec = campaign(tmp_path, SCENARIO + "campaign: {time: 1m, encoder: all-MiniLM-L6-v2}\n")
    assert spec.encoder == EncoderSpec(model="all-MiniLM-L6-v2")


def test_an_encoder_that_cannot_be_is_refused_with_its_line(tmp_path: Path) -> None:
    told = problem(tmp_path, SCENARIO + "campaign: {time: 1m, encoder: {device: toaster}}\n")
    assert "device" in told


SERVER = "{model: ./bge, base_url: 'http://u:p@127.0.0.1:8000/v1?key=s3cr3t', api_key_env: EMBEDDINGS_KEY}"


def test_an_encoder_may_be_a_server_and_is_stored_without_credentials(tmp_path: Path) -> None:
    write(tmp_path / "user", FILES)
    scenario = load(tmp_path, SCENARIO + f"campaign: {{time: 1m, encoder: {SERVER}}}\n")
    assert scenario.campaign is not None
    encoder = scenario.campaign.encoder
    assert (encoder.model, encoder.api_key_env) == ("./bge", "EMBEDDINGS_KEY"), "a name on the server is no folder"
    again = reloaded(tmp_path, scenario).campaign
    assert again is not None
    assert again.encoder == encoder.model_copy(update={"base_url": "http://127.0.0.1:8000/v1"})


@pytest.mark.parametrize(
    ("encoder", "said"),
    [
        ("{base_url: 'http://127.0.0.1/v1'}", "campaign.encoder needs a model beside its base_url"),
        ("{model: m, api_key_env: KEY}", "api_key_env is for encoders with a base_url"),
        ("{model: m, base_url: 'http://127.0.0.1/v1/embeddings'}", "base_url must end before /embeddings"),
        ("{model: m, base_url: 'http://127.0.0.1/v1', dtype: float16}", "dtype is for models that run here"),
        ("{model: m, base_url: 'http://127.0.0.1/v1', api_key_env: 'sk-1 2'}", "the name of an environment variable"),
        ("{model: m, base_url: 'ftp://127.0.0.1/v1'}", "must be an http or https URL"),
    ],
)
def test_an_encoder_of_a_server_that_cannot_be_is_refused(tmp_path: Path, encoder: str, said: str) -> None:
    assert said in problem(tmp_path, SCENARIO + f"campaign: {{time: 1m, encoder: {encoder}}}\n")
