"""What ships with Hairpin can be read, and fits together."""

from __future__ import annotations

from hairpin.domain.arm import Arm
from hairpin.domain.campaign import Pairing, Split
from hairpin.packs.finder import PackFinder
from hairpin.packs.kinds import PackKind
from hairpin.packs.listing import list_packs
from hairpin.packs.resolver import PackResolver
from hairpin.packs.scenarios import dump_scenario, load_scenario

FINDER = PackFinder.standard(plugins=[])


def test_every_shipped_pack_is_valid() -> None:
    packs = PackResolver(FINDER)
    assert not [entry for entry in list_packs(FINDER) if entry.problem]
    for name in FINDER.names(PackKind.PERSONA):
        assert packs.persona(name, where="test").id == name
    for name in FINDER.names(PackKind.POOL):
        assert packs.pool(name, where="test").name == name
    for name in FINDER.names(PackKind.RUBRIC):
        assert packs.rubric(name, where="test").id == name
    for name in FINDER.names(PackKind.STRATEGY):
        assert packs.strategies([(name, "test")])


def test_the_default_strategies_aim_at_modes_of_the_default_rubric() -> None:
    packs = PackResolver(FINDER)
    modes = {mode.id for mode in packs.rubric("in_car", where="test").modes}
    strategies = packs.strategies([("in_car/paper", "test")])
    assert len(strategies) == 5
    assert {placed.strategy.target_mode for placed in strategies} <= modes


def test_every_shipped_scenario_loads_and_dumps() -> None:
    for name in FINDER.names(PackKind.SCENARIO):
        assert dump_scenario(load_scenario(name, finder=FINDER))


def test_the_campaign_of_the_paper_has_its_settings() -> None:
    """In-car paper, section IV: six runs of four hours, two personas, 16 task combinations, M of 8 and 10."""
    scenario = load_scenario("campaigns/paper", finder=FINDER)
    spec = scenario.campaign
    assert spec is not None
    assert (spec.time_s, spec.runs, spec.max_turns, spec.arms) == (4 * 3600, 6, (8, 10), (Arm.GUIDED, Arm.BASELINE))
    assert (spec.split, spec.pairing, spec.conversations) == (Split.TIME, Pairing.INDEPENDENT, None)
    assert (spec.baseline.persona.id, spec.baseline.max_turns) == ("neutral", 8)
    assert [persona.id for persona in scenario.personas] == ["polite", "impatient"]
    assert len(scenario.contexts) == 4
    assert scenario.rubric.threshold == 0.75
    assert len(spec.pools) == 7
    assert all(len({phrase.task for phrase in pool.phrases}) == 16 for pool in spec.pools)
