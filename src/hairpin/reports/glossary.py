"""What the ids in a run are called: modes, strategies, dimensions, personas.

Rows hold ids only; the titles come from the resolved scenario, and an id without one is shown as words.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.failures import CHECK_FAILED
from hairpin.domain.scenario import Scenario
from hairpin.reports.wording import humanise


class Entry(Value):
    """A title with what it means; ``aims_at`` is ξ of a strategy, ``weight`` the w_j of a dimension."""

    title: str
    text: str = ""
    aims_at: str | None = None
    weight: float | None = None


class Glossary(Value):
    """Titles by id. ``targets_weight`` is w_T, ``None`` when unknown."""

    modes: Mapping[str, Entry] = Field(default_factory=dict)
    strategies: Mapping[str, Entry] = Field(default_factory=dict)
    dimensions: Mapping[str, Entry] = Field(default_factory=dict)
    personas: Mapping[str, Entry] = Field(default_factory=dict)
    targets_weight: float | None = None

    def mode(self, mode_id: str) -> Entry:
        """Return the entry of a failure mode."""
        if mode_id == CHECK_FAILED:
            return Entry(title="Check failed", text="A check of the scenario did not pass.")
        return self.modes.get(mode_id) or Entry(title=humanise(mode_id))

    def strategy(self, strategy_id: str) -> Entry:
        """Return the entry of a strategy."""
        return self.strategies.get(strategy_id) or Entry(title=humanise(strategy_id))

    def dimension(self, dimension_id: str) -> Entry:
        """Return the entry of a quality dimension."""
        return self.dimensions.get(dimension_id) or Entry(title=humanise(dimension_id))

    def persona(self, persona_id: str) -> Entry:
        """Return the entry of a persona."""
        return self.personas.get(persona_id) or Entry(title=humanise(persona_id))

    def beside(self, other: Glossary) -> Glossary:
        """Return modes and dimensions of both, for what is of two runs; where they differ, as the other calls them."""
        return Glossary(
            modes={**self.modes, **other.modes},
            dimensions={**self.dimensions, **other.dimensions},
        )


def glossary_of(scenario: Scenario) -> Glossary:
    """Collect the titles that a resolved scenario gives."""
    rubric = scenario.rubric
    return Glossary(
        modes={mode.id: Entry(title=mode.title, text=mode.definition) for mode in rubric.modes},
        strategies={s.id: Entry(title=s.title, text=s.guidance, aims_at=s.target_mode) for s in scenario.strategies},
        dimensions={
            d.id: Entry(title=d.title, text=d.question, weight=rubric.weights.dimensions.get(d.id))
            for d in rubric.dimensions
        },
        personas={p.id: Entry(title=p.title, text=p.description) for p in scenario.personas},
        targets_weight=rubric.weights.targets,
    )
