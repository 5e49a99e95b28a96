"""What the benchmark is made of: every fault and configuration once, and nothing held out where it is not asked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hairpin.analysis.fault_benchmark_model import CLEAN, Part
from hairpin.app.fault_units import LABELLED, BenchmarkPlan, JudgeChoice, Unit, load_units, parameters
from hairpin.domain.sut_spec import TestbedSut
from hairpin.errors import InvalidInputError, UnknownReferenceError
from hairpin.testbed.faults.registry import HELD_OUT_PARAMETERS
from hairpin.testbed.wording import HELD_OUT_WORDING

pytestmark = pytest.mark.timeout(300)

SOURCE = Path(__file__).parents[2] / "src" / "hairpin"


def suts_of(unit: Unit) -> list[TestbedSut]:
    spec = unit.inputs.scenario.campaign
    assert spec is not None
    return [sut for sut in spec.suts.values() if isinstance(sut, TestbedSut)]


def phrases_of(unit: Unit) -> list[str]:
    spec = unit.inputs.scenario.campaign
    assert spec is not None
    (pool,) = spec.pools
    return [phrase.text for phrase in pool.phrases]


@pytest.fixture(scope="module")
def units() -> tuple[Unit, ...]:
    return load_units(BenchmarkPlan(n_conversations=4))


def test_each_configuration_has_a_clean_run_and_ones_with_every_labelled_fault(units: tuple[Unit, ...]) -> None:
    labelled = [unit for unit in units if not unit.replays]
    assert len({unit.name for unit in units}) == len(units)
    cells = list(dict.fromkeys(unit.cell for unit in labelled))
    assert len(cells) == 2 * 2
    for cell in cells:
        clean, *faulty = (unit for unit in labelled if unit.cell == cell)
        assert set(clean.faults.values()) == {CLEAN}
        assert sorted(fault for unit in faulty for fault in set(unit.faults.values())) == sorted(LABELLED)


def test_the_assistant_without_faults_meets_the_first_phrases_of_every_fault_and_no_others(
    units: tuple[Unit, ...],
) -> None:
    """False alarms are counted where faults are looked for."""
    clean, *faulty = (unit for unit in units if unit.cell == units[0].cell)
    met = {text for unit in faulty for text in phrases_of(unit)}
    assert set(phrases_of(clean)) == met
    assert len(phrases_of(clean)) == len(met)


def test_first_phrases_for_one_fault_alone_are_met_where_it_is_asked_for() -> None:
    plan = BenchmarkPlan(faults=("F9",), pools=("in_car/paper",), parts=(Part.IN_SAMPLE,), n_conversations=1)
    clean, faulty = load_units(plan)
    assert set(phrases_of(clean)) == set(phrases_of(faulty))
    assert "Set the volume to 7" in phrases_of(faulty)


def test_held_out_wording_and_parameters_are_in_the_held_out_part_alone(units: tuple[Unit, ...]) -> None:
    for unit in units:
        held_out = unit.cell.part is Part.HELD_OUT
        for sut in suts_of(unit):
            assert (sut.wording == HELD_OUT_WORDING) == held_out
            for spec in sut.faults:
                assert (spec in HELD_OUT_PARAMETERS) == held_out


@pytest.mark.parametrize("fault", LABELLED)
@pytest.mark.parametrize("part", Part)
def test_every_fault_has_parameters_in_each_part(fault: str, part: Part) -> None:
    assert {spec.id for spec in parameters(fault, part)} == {fault}


def test_nothing_that_judges_or_speaks_knows_of_what_is_held_out() -> None:
    """The wording's name, its file and the parameters are named by the testbed and the benchmark alone."""
    secret = re.compile(rf"HELD_OUT|held_out_|\b{HELD_OUT_WORDING}\.json|wordings/{HELD_OUT_WORDING}")
    allowed = {"testbed/wording.py", "testbed/faults/registry.py", "app/fault_units.py", "app/fault_indirect.py"}
    naming = {str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*.py") if secret.search(path.read_text("utf-8"))}
    assert naming - {"analysis/fault_benchmark_model.py", "reports/fault_benchmark.py"} <= allowed
    packs = [path for folder in ("rubrics", "strategies", "agents") for path in (SOURCE.parents[1] / folder).rglob("*")]
    texts = [path.read_text("utf-8") for path in packs if path.suffix in {".yaml", ".md"}]
    assert texts
    assert not any(secret.search(text) for text in texts)


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (BenchmarkPlan(faults=("F1", "F1")), "give each once"),
        (BenchmarkPlan(pools=()), "give each once"),
        (BenchmarkPlan(judges=(JudgeChoice("j", {"sut": "echo"}),)), "the benchmark sets that itself"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(plan: BenchmarkPlan, said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        load_units(plan)


@pytest.mark.parametrize("name", ["", " ", "x" * 61, "two\nlines", "bell\x07"])
def test_a_name_that_no_folder_and_no_table_can_have_is_refused(name: str) -> None:
    with pytest.raises(InvalidInputError, match=r"--judge: .* names no judge"):
        BenchmarkPlan(judges=(JudgeChoice(name),)).check()


@pytest.mark.parametrize("second", ["gpt/mini", "GPT mini"])
def test_judges_whose_runs_would_share_a_folder_are_refused(second: str) -> None:
    """The second would be given the figures of the first."""
    judges = (JudgeChoice("gpt mini"), JudgeChoice(second))
    plan = BenchmarkPlan(
        faults=("F6",), pools=("in_car/paper",), parts=(Part.IN_SAMPLE,), n_conversations=1, judges=judges
    )
    with pytest.raises(InvalidInputError, match="share a folder"):
        load_units(plan)


def test_a_fault_that_there_is_not_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownReferenceError, match="F13"):
        load_units(BenchmarkPlan(faults=("F13",)))
