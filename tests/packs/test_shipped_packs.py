"""What ships with Hairpin can be read, and fits together."""

from __future__ import annotations

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
        assert packs.pool(name, where="test")
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
