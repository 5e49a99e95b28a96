"""A small driver of the closed loop (in-car paper, algorithm 1) for measuring agents without store, runner or graph.

It must decide nothing that the domain decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from hairpin.domain.briefs import DimensionBrief, ExtractionBrief, SpeakBrief, StrategyBrief, TurnBrief
from hairpin.domain.conversation import Exchange, dialogue, is_repetition
from hairpin.domain.failures import Failure
from hairpin.domain.judgement import failures_of
from hairpin.domain.outcome import Stop, decide_stop
from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.rubric import Rubric
from hairpin.domain.scoring import DimensionScore, Judgement, judge
from hairpin.domain.strategies import Strategy, StrategyPool
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.targets import Target, all_resolved, apply_updates
from hairpin.domain.users import Context, Persona
from hairpin.ports import Roles, SutAdapter, TurnJudge


@dataclass(frozen=True, slots=True)
class Setting:
    """What a conversation is driven with."""

    seed_phrase: str
    persona: Persona
    rubric: Rubric
    strategies: tuple[Strategy, ...] = ()
    context: Context = field(default_factory=Context)
    max_turns: int = 8
    rng_seed: int = 1
    conversation_id: str = "c0001"


@dataclass(frozen=True, slots=True)
class Driven:
    """What came of it."""

    exchanges: tuple[Exchange, ...]
    targets: tuple[Target, ...]
    failures: tuple[Failure, ...]
    scores: tuple[DimensionScore, ...]
    judgement: Judgement

    def transcript(self) -> str:
        """Return the conversation with the failures under their exchange."""
        lines: list[str] = []
        for exchange in self.exchanges:
            lines += [f"{exchange.t} [{exchange.strategy or '-'}] U: {exchange.user}", f"     A: {exchange.assistant}"]
            lines += [f"     !! {f.mode} {f.target_id or ''} {f.evidence}" for f in self.failures if f.t == exchange.t]
        lines += [f"  {t.id} {t.status.name} {t.kind}: {t.text} {list(t.constraints)}" for t in self.targets]
        lines.append(f"  C = {self.judgement.success_score}, {[(s.dimension, s.score) for s in self.scores]}")
        return "\n".join(lines)


async def drive(adapter: SutAdapter, roles: Roles, setting: Setting) -> Driven:
    """Hold one conversation and judge it."""
    start = SessionStart(conversation_id=setting.conversation_id, context=setting.context, rng_seed=setting.rng_seed)
    session = await adapter.open(start)
    loop = _Loop(roles, setting)
    try:
        await loop.extract()
        while True:
            utterance = await loop.speak()
            reply = await session.send(utterance)
            if await loop.hear(reply if isinstance(reply, SutReply) else SutReply(text=reply)):
                break
    finally:
        await session.close()
    return await loop.finish()


async def judge_script(
    adapter: SutAdapter, judge: TurnJudge, rubric: Rubric, utterances: Sequence[str], context: Context
) -> tuple[Failure, ...]:
    """Hold a scripted conversation of which only the turn judge is asked; return the failures it finds."""
    session = await adapter.open(SessionStart(conversation_id="script", context=context, rng_seed=1))
    exchanges: tuple[Exchange, ...] = ()
    targets: tuple[Target, ...] = ()
    failures: tuple[Failure, ...] = ()
    for t, utterance in enumerate(utterances):
        reply = await session.send(utterance)
        text = reply.text if isinstance(reply, SutReply) else reply
        exchanges += (Exchange(t=t, user=utterance, assistant=text),)
        *before, turn = dialogue(exchanges)
        brief = TurnBrief(
            history=tuple(before), turn=turn, context=context, targets=targets, modes=rubric.modes, rng_seed=1
        )
        judgement = await judge.judge(brief)
        failures += failures_of(judgement, rubric, t=t, strategy=None)
        targets = apply_updates(targets, judgement.updates, judgement.new_targets, t=t).targets
    await session.close()
    return failures


class _Loop:
    def __init__(self, roles: Roles, setting: Setting) -> None:
        self.roles = roles
        self.setting = setting
        self.pool = StrategyPool(active=setting.strategies)
        self.exchanges: tuple[Exchange, ...] = ()
        self.targets: tuple[Target, ...] = ()
        self.failures: tuple[Failure, ...] = ()
        self.stop: Stop | None = None

    def seed(self, *path: str) -> int:
        return derive_rng_seed(self.setting.rng_seed, *path)

    async def extract(self) -> None:
        brief = ExtractionBrief(seed_phrase=self.setting.seed_phrase, context=self.setting.context)
        self.targets = await self.roles.extractor.extract(brief)

    async def speak(self) -> str:
        t = len(self.exchanges)
        strategy = await self._choose(t) if t > 0 else None
        utterance = await self.roles.simulator.speak(
            SpeakBrief(
                t=t,
                max_turns=self.setting.max_turns,
                seed_phrase=self.setting.seed_phrase,
                context=self.setting.context,
                persona=self.setting.persona,
                history=self.exchanges,
                targets=self.targets,
                strategy=strategy,
                rng_seed=self.seed("simulator", str(t)),
            )
        )
        self.pool = self.pool.used(utterance.strategy)
        self.said = utterance
        return utterance.text

    async def _choose(self, t: int) -> Strategy | None:
        available = self.pool.available() or self.pool.active
        if not available:
            return None
        brief = StrategyBrief(
            t=t,
            history=self.exchanges,
            targets=self.targets,
            available=available,
            failures=self.failures,
            rng_seed=self.seed("strategist", str(t)),
        )
        return await self.roles.strategist.choose(brief)

    async def hear(self, reply: SutReply) -> bool:
        """Judge the exchange; return whether the conversation ends."""
        t = len(self.exchanges)
        exchange = Exchange(t=t, user=self.said.text, assistant=reply.text, strategy=self.said.strategy)
        *before, turn = dialogue((*self.exchanges, exchange))
        brief = TurnBrief(
            history=tuple(before),
            turn=turn,
            context=self.setting.context,
            targets=self.targets,
            modes=self.setting.rubric.modes,
            rng_seed=self.seed("judge", str(t)),
        )
        judgement = await self.roles.turn_judge.judge(brief)
        found = failures_of(judgement, self.setting.rubric, t=t, strategy=exchange.strategy)
        self.targets = apply_updates(self.targets, judgement.updates, judgement.new_targets, t=t).targets
        self.pool = self.pool.pruned({failure.mode for failure in found})
        self.failures += found
        self.exchanges += (exchange,)
        reason = decide_stop(
            t=t,
            max_turns=self.setting.max_turns,
            all_resolved=all_resolved(self.targets),
            sut_ended=reply.ended,
            repeating=is_repetition(self.exchanges),
            scripted=False,
            more_script=False,
        )
        self.stop = None if reason is None else Stop(reason=reason)
        return reason is not None

    async def finish(self) -> Driven:
        assert self.stop is not None
        turns = dialogue(self.exchanges)
        rubric = self.setting.rubric
        scores = tuple(
            [
                await self.roles.conversation_judges[dimension.id].score(
                    DimensionBrief(dimension=dimension, turns=turns)
                )
                for dimension in rubric.dimensions
            ]
        )
        judgement = judge(
            stop=self.stop,
            scores=scores,
            targets=self.targets,
            weights=rubric.weights,
            threshold=rubric.threshold,
            scored=True,
            check_failed=False,
        )
        return Driven(self.exchanges, self.targets, self.failures, scores, judgement)
