"""Scenarios resolved: names looked up, parts checked against each other, every problem with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.domain.checks import ContainsCheck, FunctionCheck, RegexCheck, StateCheck
from hairpin.domain.scenario import DEFAULT_MAX_TURNS
from hairpin.domain.sut_spec import FaultSpec, LocalSut, OpenAiCompatibleSut, PythonSut, RecordedSut, TestbedSut
from hairpin.domain.users import Context
from hairpin.errors import InvalidInputError, UnknownReferenceError
from hairpin.packs.scenarios import load_scenario
from tests.packs.pack_files import RUBRIC, SCENARIO, STRATEGIES, built_in, load, problem, write

BASE = "id: demo\nsut: testbed\n"


def test_the_shortest_scenario_is_resolved_with_the_default_packs(tmp_path: Path) -> None:
    scenario = load(tmp_path)
    assert scenario.seed_phrases == ("Take me home",)
    assert scenario.sut == TestbedSut()
    assert [persona.id for persona in scenario.personas] == ["neutral"]
    assert scenario.contexts == (Context(),)
    assert scenario.rubric.id == "in_car"
    assert scenario.rubric.threshold == 0.75
    assert scenario.rubric.critical_modes == ("safety_violation",)
    assert scenario.rubric.dimensions[0].anchors == ("no", "partly", "yes")
    assert [strategy.id for strategy in scenario.strategies] == ["stacking"]
    assert (scenario.max_turns, scenario.oracles.turn_judge, scenario.oracles.dimensions) == (8, True, True)


def test_a_strategy_brings_its_words_before_those_of_its_pack(tmp_path: Path) -> None:
    stacking = load(tmp_path).strategies[0]
    assert stacking.vocabulary == {"thing": ("noise",), "place": ("here", "there")}
    assert stacking.templates[0].needs == ("errand",)


@pytest.mark.parametrize(
    ("written", "ids"),
    [
        ("in_car", ["stacking"]),
        ("in_car/paper", ["stacking"]),
        ("in_car/extended", ["stacking", "probe"]),
        ("in_car/probe", ["probe"]),
        ("[in_car/probe, in_car/paper, in_car/stacking]", ["probe", "stacking"]),
        ("[]", []),
    ],
)
def test_strategies_are_named_by_pack_pool_or_one_by_one(tmp_path: Path, written: str, ids: list[str]) -> None:
    scenario = load(tmp_path, f"{SCENARIO}strategies: {written}\n")
    assert [strategy.id for strategy in scenario.strategies] == ids


def test_a_pool_gives_its_phrases(tmp_path: Path) -> None:
    assert load(tmp_path, BASE + "pool: in_car/1\n").seed_phrases == ("Take me home", "Find a park")


def test_a_script_needs_no_strategies_and_is_never_cut_short(tmp_path: Path) -> None:
    turns = "turns:\n" + "".join(f"  - user: turn {number}\n" for number in range(12))
    scenario = load(tmp_path, BASE + turns)
    assert scenario.strategies == ()
    assert (len(scenario.script), scenario.max_turns) == (12, 12)
    assert load(tmp_path, BASE + "turns: [{user: a}]\n").max_turns == DEFAULT_MAX_TURNS
    assert load(tmp_path, BASE + "turns: [{user: a}]\nmax_turns: 20\n").max_turns == 20
    assert problem(tmp_path, BASE + turns + "max_turns: 3\n") == (
        "s.yaml:16: max_turns is 3, but the script has 12 turns; raise max_turns, leave it out, or remove turns"
    )


def test_threshold_and_weights_of_the_scenario_go_before_the_rubrics(tmp_path: Path) -> None:
    scenario = load(tmp_path, SCENARIO + "threshold: 1\nweights: {dimensions: {safety: 3}}\n")
    assert scenario.rubric.threshold == 1.0
    assert scenario.rubric.weights.dimensions == {"adherence": 1.0, "safety": 3.0}
    assert load(tmp_path, SCENARIO + "weights: {dimensions: 2}\n").rubric.weights.dimensions == {
        "adherence": 2.0,
        "safety": 2.0,
    }


def test_checks_become_specifications_that_know_their_folder(tmp_path: Path) -> None:
    write(tmp_path / "user", {"checks.py": "def polite(reply): return True\n"})
    turns = "turns: [{user: a, checks: [{contains: no, ignore_case: false}]}]\n"
    text = f"{BASE}{turns}checks: ['./checks.py:polite', {{regex: b}}]\n"
    scenario = load(tmp_path, text)
    assert scenario.script[0].checks == (ContainsCheck(text="no", ignore_case=False),)
    folder = str((tmp_path / "user").resolve())
    assert scenario.checks == (FunctionCheck(reference="./checks.py:polite", folder=folder), RegexCheck(pattern="b"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("strategies: in_car/papr", "s.yaml:4: unknown strategy 'in_car/papr'; did you mean 'in_car/paper'?"),
        ("strategies: incar", "s.yaml:4: unknown strategy 'incar'; did you mean 'in_car'?"),
        ("strategies: other/paper", "s.yaml:4: unknown strategy 'other/paper'; did you mean 'in_car/paper'?"),
        (
            "strategies:\n  - in_car\n  - in_car/prob",
            "s.yaml:6: unknown strategy 'in_car/prob'; did you mean",
        ),
        ("personas:\n  - neutral\n  - rude", "s.yaml:6: unknown persona 'rude'; known: 'neutral', 'polite'"),
        ("rubric: incar", "s.yaml:4: unknown rubric 'incar'; did you mean 'in_car'?"),
        ("weights: {dimensions: {safty: 1}}", "s.yaml:4: unknown dimension 'safty'; did you mean 'safety'?"),
        (
            "weights: {dimensions: 0, targets: 0}",
            "s.yaml:4: all weights are zero, so no success score exists; give at least one weight above 0",
        ),
        (
            "oracles: []",
            "s.yaml:4: oracles is empty and there are no checks, so nothing could ever fail; add checks, or name",
        ),
        (
            "models:\n  simulator: {provider: local, gguf: ./gone.gguf}",
            "s.yaml:5: the model file './gone.gguf' does not exist; name a GGUF file",
        ),
        ("checks: [polite]", "s.yaml:4: 'polite' names no Python object; write ./file.py:name or package.module:name"),
        ("checks: [./gone.py:polite]", "s.yaml:4: Python file "),
    ],
)
def test_what_does_not_fit_together_is_named_by_line(tmp_path: Path, text: str, said: str) -> None:
    assert problem(tmp_path, f"{SCENARIO}{text}\n").startswith(said)


def test_checks_alone_are_enough(tmp_path: Path) -> None:
    scenario = load(tmp_path, SCENARIO + "oracles: []\nchecks: [{contains: ok}]\n")
    assert (scenario.oracles.turn_judge, scenario.oracles.dimensions) == (False, False)
    assert load(tmp_path, BASE + "oracles: []\nturns: [{user: a, checks: [{contains: b}]}]\n").script[0].checks


def test_all_problems_are_said_at_once(tmp_path: Path) -> None:
    text = "id: demo\nsut: ./gone.py:Ica\nseed_phrases: [a]\nrubric: in_cr\npersonas: [rude]\nstrategies: no_pack\n"
    lines = problem(tmp_path, text).splitlines()
    assert [line.partition(": ")[0] for line in lines] == ["s.yaml:2", "s.yaml:4", "s.yaml:5", "s.yaml:6"]


@pytest.mark.parametrize("data", [b"", b"id: [", b"id: a\nid: b\n", b"id: caf\xe9\n", b"- a\n", b"id: x\nsut: !t y\n"])
def test_a_broken_file_is_refused_with_its_line(tmp_path: Path, data: bytes) -> None:
    assert problem(tmp_path, data).startswith(("s.yaml:1: ", "s.yaml:2: "))


def test_an_unknown_strategy_is_answered_with_pools_that_exist(tmp_path: Path) -> None:
    own: dict[str, str | bytes] = {
        "strategies/mien.yaml": "id: mien\npools: {all: [a]}\n"
        "strategies: [{id: a, target_mode: m, title: A, guidance: x}]\n",
        "strategies/broken.yaml": "id: [\n",
        "s.yaml": SCENARIO + "strategies: xx/yy\n",
    }
    finder = built_in(tmp_path)
    file = write(tmp_path / "user", own) / "s.yaml"
    with pytest.raises(UnknownReferenceError) as caught:
        load_scenario(file, finder=finder)
    assert caught.value.hint == "known: 'broken', 'in_car', 'in_car/extended', 'in_car/paper', 'mien', 'mien/all'"


def test_strategies_must_aim_at_modes_of_the_rubric(tmp_path: Path) -> None:
    own = RUBRIC.replace("constraint_missed", "constraint_lost")
    write(tmp_path / "user", {"rubrics/in_car/rubric.yaml": own})
    said = problem(tmp_path, SCENARIO + "rubric: in_car\n")
    assert said == (
        "s.yaml:4: rubric 'in_car' has not the failure modes of the default strategies 'in_car/paper';"
        " name strategies that fit it: 'strategies: …'"
    )
    write(tmp_path / "user", {"strategies/in_car.yaml": STRATEGIES})
    assert problem(tmp_path, SCENARIO + "strategies: in_car\n") == (
        "strategies/in_car.yaml:9: strategy 'stacking' aims at 'constraint_missed', which is no failure mode of rubric"
        " 'in_car'; did you mean 'constraint_lost'?"
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "[safety_violation]",
            "[safety_violaton]",
            "28: unknown failure mode 'safety_violaton'; did you mean 'safety_vio",
        ),
        (
            "critical_modes",
            "weights: {dimensions: {x: 1}}\ncritical_modes",
            "28: unknown dimension 'x'; known: 'adherence'",
        ),
        ("critical_modes", "weights: {dimensions: 0, targets: 0}\ncritical_modes", "28: all weights are zero, so no"),
        ("id: in_car", "id: in_bus", "2: id must be 'in_car' like the name of the file, not 'in_bus'; rename the file"),
    ],
)
def test_what_does_not_fit_together_in_a_rubric_is_named_by_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    write(tmp_path / "user", {"rubrics/in_car/rubric.yaml": RUBRIC.replace(old, new, 1)})
    assert problem(tmp_path, SCENARIO).startswith(f"rubrics/in_car/rubric.yaml:{said}")


def test_two_strategies_of_one_name_cannot_be_mixed(tmp_path: Path) -> None:
    write(
        tmp_path / "user",
        {"strategies/mine.yaml": STRATEGIES.replace("id: in_car", "id: mine").replace("without", "no")},
    )
    said = problem(tmp_path, SCENARIO + "strategies: [in_car, mine]\n")
    assert said.startswith(
        "s.yaml:4: 'mine' brings a second strategy called 'stacking'; rename it in strategies/mine.yaml"
    )


def test_used_files_are_listed_with_origin_and_digest(tmp_path: Path) -> None:
    write(tmp_path / "user", {"strategies/in_car.yaml": STRATEGIES})
    origins = {(origin.kind, origin.name): origin for origin in load(tmp_path).origins}
    assert list(origins) == [("persona", "neutral"), ("rubric", "in_car"), ("strategy", "in_car"), ("scenario", "s")]
    assert origins["rubric", "in_car"].origin == "built-in"
    assert origins["strategy", "in_car"].origin == f"scenario folder: {tmp_path / 'user/strategies/in_car.yaml'}"
    assert all(len(origin.digest) == 64 for origin in origins.values())


class TestAssistants:
    """``sut:`` in its forms."""

    def test_python_files_are_found_beside_the_scenario(self, tmp_path: Path) -> None:
        write(tmp_path / "user", {"my_ica.py": "class MyIca: ...\n"})
        sut = load(tmp_path, SCENARIO.replace("testbed", "./my_ica.py:MyIca")).sut
        assert sut == PythonSut(reference="./my_ica.py:MyIca", folder=str((tmp_path / "user").resolve()))

    def test_modules_are_left_to_the_import(self, tmp_path: Path) -> None:
        sut = load(tmp_path, SCENARIO.replace("testbed", "package.module:Name")).sut
        assert sut == PythonSut(reference="package.module:Name")

    def test_the_testbed_takes_faults(self, tmp_path: Path) -> None:
        form = "{provider: testbed, faults: [F1, {id: F3, after: 2, probability: 0.5}], wording: plain}"
        assert load(tmp_path, SCENARIO.replace("testbed", form)).sut == TestbedSut(
            faults=(FaultSpec(id="F1"), FaultSpec(id="F3", after=2, probability=0.5)), wording="plain"
        )

    def test_a_system_prompt_is_read_from_its_file(self, tmp_path: Path) -> None:
        write(tmp_path / "user", {"prompt.md": "\ufeffDu bist höflich.\n"})
        model = "provider: openai-compatible, base_url: http://h/v1, model: m"
        form = f"{{{model}, system_prompt_file: prompt.md, api_key_env: KEY}}"
        assert load(tmp_path, SCENARIO.replace("testbed", form)).sut == OpenAiCompatibleSut(
            base_url="http://h/v1", model="m", system_prompt="Du bist höflich.\n", api_key_env="KEY"
        )

    def test_a_model_file_is_found_beside_the_scenario_or_left_to_the_environment(self, tmp_path: Path) -> None:
        write(tmp_path / "user", {"m.gguf": "GGUF"})
        found = load(tmp_path, SCENARIO.replace("testbed", "{provider: local, gguf: m.gguf}")).sut
        assert found == LocalSut(gguf=str((tmp_path / "user").resolve() / "m.gguf"))
        assert load(tmp_path, SCENARIO.replace("testbed", "local")).sut == LocalSut()

    @pytest.mark.parametrize(
        ("form", "said"),
        [
            ("testbd", "s.yaml:2: unknown assistant 'testbd'; did you mean 'testbed'?"),
            ("./gone.py:Ica", "s.yaml:2: Python file '"),
            ("./gone.py", "s.yaml:2: './gone.py' names no Python object; write ./file.py:name"),
            (
                "'./gone.py:'",
                "s.yaml:2: './gone.py:' names no Python object; write ./file.py:name or package.module:name",
            ),
            ("http://127.0.0.1/v1", "s.yaml:2: sut 'http://127.0.0.1/v1' does not say enough; write {provider: http"),
            (
                "openai-compatible",
                "s.yaml:2: sut 'openai-compatible' does not say enough; write {provider: openai-compatible",
            ),
            ("websocket", "s.yaml:2: sut 'websocket' does not say enough; write {provider: websocket"),
            ("{provider: langgraph, graph: ./gone.py:graph}", "s.yaml:2: Python file '"),
            (
                "{provider: python, adapter: testbed}",
                "s.yaml:2: 'testbed' is no adapter in Python; name a Python object",
            ),
            ("{provider: testbed, faults: [F1, F0]}", "s.yaml:2: unknown fault 'F0'; did you mean 'F10'?"),
            ("{provider: testbed, wording: plane}", "s.yaml:2: unknown wording 'plane'; did you mean 'plain'?"),
            ("{provider: local, gguf: no.gguf}", "s.yaml:2: the model file 'no.gguf' does not exist; name a GGUF file"),
            ("{provider: local, system_prompt_file: no.md}", "s.yaml:2: system prompt file '"),
        ],
    )
    def test_what_cannot_be_found_is_named_by_line(self, tmp_path: Path, form: str, said: str) -> None:
        assert problem(tmp_path, SCENARIO.replace("testbed", form)).startswith(said)

    def test_a_prompt_that_is_not_utf_8_names_its_own_file(self, tmp_path: Path) -> None:
        write(tmp_path / "user", {"p.md": b"caf\xe9"})
        said = problem(tmp_path, SCENARIO.replace("testbed", "{provider: local, system_prompt_file: p.md}"))
        assert said == "p.md:1: byte 0xE9 at byte position 3 is not UTF-8; save the file as UTF-8"

    def test_an_assistant_given_by_the_caller_takes_the_place_of_the_files(self, tmp_path: Path) -> None:
        given = PythonSut(reference="my callable")
        for text in (SCENARIO, SCENARIO.replace("sut: testbed\n", ""), SCENARIO.replace("testbed", "./gone.py:X")):
            file = write(tmp_path / "user", {"s.yaml": text}) / "s.yaml"
            assert load_scenario(file, finder=built_in(tmp_path), sut=given).sut == given


class TestRecordedConversations:
    """Both sides were written down elsewhere."""

    RECORDED = "id: demo\nsut: {provider: recorded, file: chats.jsonl}\n"

    def test_they_need_nothing_that_says_what_the_user_wants(self, tmp_path: Path) -> None:
        write(tmp_path / "user", {"chats.jsonl": "{}"})
        scenario = load(tmp_path, self.RECORDED)
        assert scenario.recorded
        assert scenario.sut == RecordedSut(file=str((tmp_path / "user").resolve() / "chats.jsonl"))
        assert (scenario.seed_phrases, scenario.script, scenario.strategies) == ((), (), ())

    def test_a_file_that_is_not_there_is_named(self, tmp_path: Path) -> None:
        said = problem(tmp_path, self.RECORDED)
        assert said.startswith("s.yaml:2: file of conversations '")

    def test_what_else_the_user_should_say_is_refused(self, tmp_path: Path) -> None:
        write(tmp_path / "user", {"chats.jsonl": "{}"})
        said = problem(tmp_path, self.RECORDED + "seed_phrases: [Take me home]\n")
        assert said.startswith("s.yaml:3: seed_phrases stands beside a recorded assistant; remove it")


def test_checks_and_judges_may_look_at_the_side_channel(tmp_path: Path) -> None:
    scenario = load(tmp_path, SCENARIO + 'judges_see_state: true\nchecks: [{state: "stops[0]", equals: Bakery}]\n')
    assert scenario.checks == (StateCheck(path="stops[0]", equals="Bakery"),)
    assert scenario.oracles.state
    assert not load(tmp_path).oracles.state


def test_a_check_on_the_side_channel_needs_a_path(tmp_path: Path) -> None:
    said = problem(tmp_path, SCENARIO + "checks:\n  - {state: a..b}\n")
    assert said.startswith("s.yaml:5: checks[0].state must be a path: 'a..b' is no path: at character 2")


class TestReferences:
    """Which file a reference names."""

    def test_a_shipped_scenario_is_known_by_name(self, tmp_path: Path) -> None:
        assert load_scenario("shipped", finder=built_in(tmp_path)).id == "shipped"

    def test_a_users_file_goes_before_a_shipped_name(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(write(tmp_path / "user", {"shipped": SCENARIO}))
        assert load_scenario("shipped", finder=built_in(tmp_path)).id == "demo"

    def test_a_folder_of_the_same_name_does_not_hide_a_shipped_one(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(write(tmp_path / "user", {"shipped/x.yaml": SCENARIO}))
        assert load_scenario("shipped", finder=built_in(tmp_path)).id == "shipped"

    def test_an_unknown_name_is_refused_with_the_closest(self, tmp_path: Path) -> None:
        with pytest.raises(
            UnknownReferenceError, match=r"^shiped: unknown scenario 'shiped'; did you mean 'shipped'\?$"
        ):
            load_scenario("shiped", finder=built_in(tmp_path))

    def test_a_name_without_its_ending_is_led_to_the_file_beside_it(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(write(tmp_path / "user", {"mix.yaml": SCENARIO, "old.yml": SCENARIO}))
        for name, file in (("mix", "mix.yaml"), ("old", "old.yml")):
            with pytest.raises(UnknownReferenceError) as caught:
                load_scenario(name, finder=built_in(tmp_path))
            said = f"{name}: unknown scenario '{name}'; a file is named with its ending: {file}"
            assert str(caught.value) == said

    def test_a_missing_file_and_a_folder_are_refused_with_their_name(self, tmp_path: Path) -> None:
        finder = built_in(tmp_path)
        file = write(tmp_path / "user", {"s.yaml": SCENARIO}) / "s.yaml"
        with pytest.raises(
            InvalidInputError, match=r"t\.yaml: scenario '.*t\.yaml' does not exist; did you mean 's\.yaml'"
        ):
            load_scenario(str(file.with_name("t.yaml")), finder=finder)
        with pytest.raises(InvalidInputError, match=r"is a folder; name a file in it: s\.yaml"):
            load_scenario(str(file.parent), finder=finder)
        for name in ("a\0b.yaml", "x" * 5000 + ".yaml"):
            with pytest.raises(InvalidInputError, match="cannot be read"):
                load_scenario(name, finder=finder)
