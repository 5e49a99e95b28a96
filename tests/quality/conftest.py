"""The packs that ship, the roles that play them, and a way to hold many conversations with the testbed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest
from pydantic import TypeAdapter

from hairpin.agents.offline import build_offline_roles
from hairpin.domain.failures import Failure
from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.sut import SessionStart
from hairpin.domain.sut_spec import FaultSpec
from hairpin.packs.finder import PackFinder
from hairpin.packs.kinds import PackKind
from hairpin.packs.lexicons import find_lexicon
from hairpin.packs.resolver import PackResolver
from hairpin.packs.scenarios import load_scenario
from hairpin.ports import Roles, SutAdapter, SutSession
from hairpin.testbed.adapter import TestbedAdapter
from hairpin.testbed.wording import Wording, load_wording
from tests.quality.driving import Driven, Setting, drive

LABELS = {
    "F1": "context_forgotten",
    "F3": "request_omitted",
    "F5": "planning_poor",
    "F6": "safety_violation",
    "F7": "fallback_response",
}
"""The label each fault must earn (design, section 10)."""

WORDINGS = Path(__file__).parent / "wordings"


class Talker(SutAdapter, SutSession):
    """An assistant that makes a reply of the user's words and nothing else."""

    def __init__(self, reply: Callable[[str], str]) -> None:
        self.reply = reply

    async def open(self, start: SessionStart) -> SutSession:
        return self

    async def send(self, utterance: str) -> str:
        return self.reply(utterance)


Label = tuple[str, int, str]
"""Conversation, exchange and mode."""


class RewordedTestbed(TestbedAdapter):
    """The testbed in words of a file beside this one; what the file does not say is said plainly."""

    def __init__(self, faults: tuple[FaultSpec, ...], name: str) -> None:
        super().__init__(faults)
        words = TypeAdapter(dict[str, str]).validate_json((WORDINGS / f"{name}.json").read_bytes())
        plain = load_wording("plain").sentences
        assert set(words) <= set(plain), "a sentence that the testbed does not have"
        self._wording = Wording(name, {**plain, **words})


@dataclass(frozen=True, slots=True)
class Campaign:
    """Conversations with one testbed, and where its faults struck."""

    conversations: dict[str, Driven]
    struck: frozenset[Label]

    @property
    def failures(self) -> list[tuple[Label, Failure]]:
        """What was found, by conversation, exchange and mode."""
        return [((c, f.t, f.mode), f) for c, driven in self.conversations.items() for f in driven.failures]

    @property
    def n_turns(self) -> int:
        return sum(len(driven.exchanges) for driven in self.conversations.values())

    def missed(self) -> set[Label]:
        return set(self.struck) - {label for label, _ in self.failures}

    def alarms(self) -> list[tuple[Label, Failure]]:
        """What was found where no fault struck in that way."""
        return [(label, failure) for label, failure in self.failures if label not in self.struck]


PER_PHRASE = 3
"""How many conversations start from each seed phrase."""


def shipped_settings() -> tuple[Setting, ...]:
    """Return every seed phrase of the shipped scenarios for the testbed three times, personas and contexts in turn.

    The phrases of campaigns are left out: there are hundreds, and how they fare is measured (docs/results).
    """
    finder = PackFinder.standard(plugins=[])
    packs = PackResolver(finder)
    personas = [packs.persona(name, where="test") for name in finder.names(PackKind.PERSONA)]
    settings: list[Setting] = []
    for name in finder.names(PackKind.SCENARIO):
        scenario = load_scenario(name, finder=finder)
        if scenario.sut.provider != "testbed" or not scenario.seed_phrases or scenario.campaign is not None:
            continue
        for phrase in scenario.seed_phrases:
            for _ in range(PER_PHRASE):
                number = len(settings)
                persona = personas[number % len(personas)]
                settings.append(
                    Setting(
                        seed_phrase=phrase,
                        persona=persona,
                        rubric=scenario.rubric,
                        strategies=scenario.strategies,
                        context=scenario.contexts[number % len(scenario.contexts)],
                        max_turns=scenario.max_turns,
                        rng_seed=derive_rng_seed(1, name, phrase, persona.id),
                        conversation_id=f"{name} {number}",
                    )
                )
    return tuple(settings)


@pytest.fixture(scope="session")
def settings() -> tuple[Setting, ...]:
    return shipped_settings()


class RunCampaign(Protocol):
    """Hold conversations with the testbed; ``wording``: a file of ``wordings/``, else sets of the testbed."""

    async def __call__(
        self, faults: Sequence[FaultSpec], chosen: Sequence[Setting], *, wording: str | None = None
    ) -> Campaign: ...


@pytest.fixture(scope="session")
def offline(settings: tuple[Setting, ...]) -> Roles:
    lexicon, _ = find_lexicon("in_car", PackFinder.standard(plugins=[]))
    return build_offline_roles(
        rubric=settings[0].rubric, lexicon=lexicon, strategies=settings[0].strategies, language="en"
    )


@pytest.fixture(scope="session")
def extended_settings(settings: tuple[Setting, ...]) -> tuple[Setting, ...]:
    """Return the settings with the strategies of the pool ``extended``."""
    placed = PackResolver(PackFinder.standard(plugins=[])).strategies([("in_car/extended", "test")])
    strategies = tuple(item.strategy for item in placed)
    return tuple(dataclasses.replace(setting, strategies=strategies) for setting in settings)


@pytest.fixture(scope="session")
def run_campaign(offline: Roles) -> RunCampaign:
    async def run(faults: Sequence[FaultSpec], chosen: Sequence[Setting], *, wording: str | None = None) -> Campaign:
        specs = tuple(faults)
        adapter = TestbedAdapter(faults=specs) if wording is None else RewordedTestbed(specs, wording)
        conversations = {setting.conversation_id: await drive(adapter, offline, setting) for setting in chosen}
        struck = frozenset((s.conversation_id, s.t, s.mode) for s in adapter.fault_log if s.mode is not None)
        return Campaign(conversations, struck)

    return run
