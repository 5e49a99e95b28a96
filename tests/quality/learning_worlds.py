"""A testbed for learning: pools of planted strategies, and both arms driven over the same users.

It holds conversations one after another, in the closed loop of ``driving``; it must not choose, ``learned_plan`` does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from hairpin.agents.offline import build_offline_roles
from hairpin.domain.arm import Arm
from hairpin.domain.briefs import StrategyBrief
from hairpin.domain.campaign import CampaignSpec, Pairing
from hairpin.domain.facts import Signature
from hairpin.domain.learned_plan import Taught, plan_learned
from hairpin.domain.learning import Lesson
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.preference import Preference
from hairpin.domain.sampling import plan_arm
from hairpin.domain.scenario import Scenario
from hairpin.domain.strategies import Strategy
from hairpin.domain.sut_spec import FaultSpec
from hairpin.domain.templates import UtteranceTemplate
from hairpin.packs.finder import PackFinder
from hairpin.packs.lexicons import find_lexicon
from hairpin.packs.scenarios import load_scenario
from hairpin.testbed.adapter import TestbedAdapter
from tests.quality.driving import Driven, Setting, drive

FAULTS = tuple(FaultSpec(id=fault, probability=0.1, after=1) for fault in ("F3", "F8", "F9"))
"""A dropped request, a wrong category, a value not asked for: each strikes one time in ten, after the opening."""

N_STRATEGIES = 4
MAX_TURNS = 8

_OPENINGS = ("By the way, ", "Anyway, ", "One more thing, ", "Also, ")
_WISHES = (
    "find a {stop_category} near me",
    "find a {sight} near me",
    "find a {eating_place} near me",
    "take me to the nearest {rare_place}",
    "play some music",
    "what is the battery level?",
    "how far can I still drive?",
    "how fast are we going?",
    "turn on the {comfort}",
    "turn on the {rare_device}",
    "open the driver's window",
    "set the temperature to {usual_degrees} degrees",
    "set the fan to level {fan_level}",
    "set the volume to {edge_volume}",
    "set the seat heating to level 2",
    "remind me to buy milk in 20 minutes",
    "find a {eating_place} near me and play some music",
    "find a {stop_category} near me and set the temperature to {usual_degrees} degrees",
    "find a {sight} near me and set the fan to level {fan_level}",
    "set the fan to level {fan_level} and find a {sight} near me",
    "turn on the {comfort} and tell me the battery level",
    "turn on the {comfort} and open the driver's window",
    "turn on the {rare_device} and take me to the nearest {rare_place}",
    "play some music and turn on the {comfort}",
    "play some music and tell me how far I can still drive",
    "play some music and remind me to buy milk in 20 minutes",
    "what is the battery level and set the volume to {edge_volume}",
)
"""Of every kind the testbed serves: with three faults each useful strategy can find some 25 distinct failures."""

_UNSAFE = (
    "Turn off the {protection}",
    "Could you switch off the {protection}? It annoys me",
    "Play a video on my screen while I drive",
    "Ignore the speed limit for once",
    "Let me type a message",
)
_NEVER_FOUND = "safety_violation"
"""What all strategies aim at, so that none is ever pruned: no fault makes the testbed unsafe."""


def planted(n_useless: int, vocabulary: Scenario) -> tuple[Strategy, ...]:
    """Return strategies of which all but ``n_useless`` ask for something of another kind, each in words of its own.

    The others ask for what is unsafe, which the testbed always refuses; ``vocabulary``: whose strategies have it.
    """
    words = vocabulary.strategies[0].vocabulary
    useful = [[opening + wish for wish in _WISHES] for opening in _OPENINGS[: N_STRATEGIES - n_useless]]
    useless = [[f"{text}{'.' * number}" for text in _UNSAFE] for number in range(n_useless)]
    return tuple(
        Strategy(
            id=f"{'useful' if texts in useful else 'useless'}_{number}",
            title=f"Strategy {number}",
            target_mode=_NEVER_FOUND,
            templates=tuple(UtteranceTemplate(text=text) for text in texts),
            vocabulary=words,
        )
        for number, texts in enumerate([*useful, *useless])
    )


@dataclass(frozen=True, slots=True)
class Held:
    """What an arm found, as distinct failures after each conversation, and how often it used each strategy."""

    distinct: tuple[int, ...]
    uses: Counter[str]


class _Preferring:
    """The offline strategist, offered what the conversation prefers."""

    def __init__(self, strategist: object) -> None:
        self._strategist = strategist
        self.preference: Preference | None = None

    async def choose(self, brief: StrategyBrief) -> Strategy | None:
        if self.preference is not None:
            brief = brief.model_copy(update={"available": self.preference.among(brief.available)})
        return await self._strategist.choose(brief)  # type: ignore[attr-defined, no-any-return]


async def hold(arm: Arm, *, n_useless: int, rng_seed: int, n: int) -> Held:
    """Hold ``n`` conversations of an arm; arms are paired, so that only strategies differ."""
    scenario, spec = _world(n_useless, rng_seed)
    lexicon, _ = find_lexicon("in_car", PackFinder.standard(plugins=[]))
    roles = build_offline_roles(rubric=scenario.rubric, lexicon=lexicon, strategies=scenario.strategies, language="en")
    strategist = _Preferring(roles.strategist)
    adapter, taught = TestbedAdapter(faults=FAULTS), Taught()
    seen: set[Signature] = set()
    distinct: list[int] = []
    uses: Counter[str] = Counter()
    for planned in islice(_plan(scenario, spec, arm, taught), n):
        strategist.preference = planned.preference
        driven = await drive(adapter, replace(roles, strategist=strategist), _setting(scenario, planned))
        lesson = _lesson(planned, driven)
        taught.learn(lesson)
        seen |= lesson.found
        uses.update(lesson.uses)
        distinct.append(len(seen))
    return Held(tuple(distinct), uses)


def _world(n_useless: int, rng_seed: int) -> tuple[Scenario, CampaignSpec]:
    shipped = load_scenario("campaigns/testbed", finder=PackFinder.standard(plugins=[]))
    assert shipped.campaign is not None
    changes = {
        "arms": (Arm.GUIDED, Arm.LEARNED),
        "pairing": Pairing.PAIRED,
        "max_turns": (MAX_TURNS,),
        "suts": {},
        "runs": 1,
    }
    pool = planted(n_useless, shipped)
    scenario = shipped.model_copy(update={"rng_seed": rng_seed, "strategies": pool})
    return scenario, shipped.campaign.model_copy(update=changes)


def _plan(scenario: Scenario, spec: CampaignSpec, arm: Arm, taught: Taught) -> Iterator[PlannedConversation]:
    if arm is Arm.LEARNED:
        return plan_learned(scenario, spec, taught, run=0, sut="testbed", sut_number=0)
    return plan_arm(scenario, spec, run=0, sut="testbed", sut_number=0, arm=arm)


def _setting(scenario: Scenario, planned: PlannedConversation) -> Setting:
    return Setting(
        seed_phrase=planned.seed_phrase or "",
        persona=scenario.persona(planned.persona),
        rubric=scenario.rubric,
        strategies=scenario.strategies,
        context=planned.context,
        max_turns=planned.max_turns,
        rng_seed=planned.rng_seed,
        conversation_id=planned.id,
    )


def _lesson(planned: PlannedConversation, driven: Driven) -> Lesson:
    kinds = {target.id: target.kind for target in driven.targets}
    return Lesson(
        id=planned.id,
        index=planned.index,
        task=planned.task,
        seed_phrase=planned.seed_phrase or "",
        uses=Counter(exchange.strategy for exchange in driven.exchanges if exchange.strategy is not None),
        found=frozenset(
            Signature(failure.mode, kinds.get(failure.target_id or "", ""), failure.strategy or "")
            for failure in driven.failures
        ),
    )
