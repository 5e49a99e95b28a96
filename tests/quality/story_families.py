"""Dialogues with the story assistant, perturbed, with contexts checked by the truth of its closed world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import anyio

from hairpin.domain.conversation import Exchange
from hairpin.domain.families import Family
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import ContextCheck, ContextFinding, ContextReason, Derivation
from hairpin.domain.replay import PAPER_PERTURBATIONS, Method, Replay, ReplayedQuestion
from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.sut_spec import FaultSpec
from hairpin.domain.test_seeds import SeedQuestion, TestSeed
from hairpin.domain.users import Context
from hairpin.metamorphic.perturbations import perturb
from hairpin.metamorphic.refusal import Refused
from hairpin.testbed.faults.base import FaultStrike
from hairpin.testbed.story.adapter import StoryAdapter
from hairpin.testbed.story.answering import reply_to
from hairpin.testbed.story.generating import generate_story
from hairpin.testbed.story.resolving import Focus, Resolution, moved, resolve
from hairpin.testbed.story.series import question_series
from hairpin.testbed.story.telling import tell
from hairpin.testbed.story.world import Story

N_QUESTIONS = 8
NOTHING_TOLD = "(nothing is told)"
"""What it comes to when the story does not tell, or when the question is not clear."""


@dataclass(frozen=True)
class Dialogue:
    """A story, what is asked about it, and the conversations that are to be held."""

    number: int
    story: Story
    seed: TestSeed
    source: PlannedConversation
    follow_ups: tuple[PlannedConversation, ...]

    @property
    def planned(self) -> tuple[PlannedConversation, ...]:
        return (self.source, *self.follow_ups)


@dataclass(frozen=True)
class Held:
    """What became of some dialogues, and when faults struck."""

    records: MappingProxyType[str, ConversationRecord]
    strikes: tuple[FaultStrike, ...]


@cache
def dialogue(number: int, *, gold: bool = True) -> Dialogue:
    """Return dialogue ``number``, with one follow-up per perturbation of the paper."""
    story = generate_story(number)
    series = question_series(story, rng_seed=number, n_questions=N_QUESTIONS)
    questions = tuple(SeedQuestion(text=each.text, answers=(each.gold,) if gold else ()) for each in series)
    seed = TestSeed(id=f"d{number}", context=Context(reference_text=tell(story)), questions=questions)
    source = _planned(seed, f"d{number}", Method.RBT, "", tuple(range(N_QUESTIONS)), None)
    made = []
    for perturbation in PAPER_PERTURBATIONS:
        order = perturb(range(N_QUESTIONS), perturbation, ratio=0.3, rng_seed=number)
        assert not isinstance(order, Refused)
        name = f"d{number}-{perturbation}"
        made.append(_planned(seed, name, Method.MORTAR, perturbation, order, source.id))
    return Dialogue(number, story, seed, source, tuple(made))


def _planned(
    seed: TestSeed, name: str, method: Method, kind: str, order: Sequence[int | None], source: str | None
) -> PlannedConversation:
    asked = tuple(ReplayedQuestion(text=seed.questions[j].text, index=j) for j in order if j is not None)
    return PlannedConversation(
        index=0,
        id=name,
        sut="story",
        seed_phrase=None,
        persona="neutral",
        context=seed.context,
        repeat=0,
        max_turns=len(asked),
        rng_seed=derive_rng_seed(1, name),
        replay=Replay(method=method, test_seed=seed.id, source=source, kind=kind, questions=asked),
    )


def hold(asked: Sequence[Dialogue], *faults: FaultSpec) -> Held:
    """Hold all conversations of some dialogues with the story assistant."""
    adapter = StoryAdapter(faults)

    async def talk() -> dict[str, ConversationRecord]:
        return {planned.id: await _conversation(adapter, planned) for each in asked for planned in each.planned}

    return Held(MappingProxyType(anyio.run(talk)), adapter.fault_log)


async def _conversation(adapter: StoryAdapter, planned: PlannedConversation) -> ConversationRecord:
    assert planned.replay is not None
    start = SessionStart(conversation_id=planned.id, context=planned.context, rng_seed=planned.rng_seed)
    session = await adapter.open(start)
    exchanges = []
    for t, text in enumerate(planned.replay.texts):
        reply = await session.send(text)
        assert isinstance(reply, SutReply)
        exchanges.append(Exchange(t=t, user=text, assistant=reply.text, state=reply.state))
    await session.close()
    return ConversationRecord(planned=planned, exchanges=tuple(exchanges))


def families(asked: Sequence[Dialogue], held: Held) -> tuple[Family, ...]:
    """Join what was held with the truth about contexts."""
    return tuple(
        Family(
            derivation=Derivation(
                source=each.source.id, test_seed=each.seed, follow_ups=tuple(p.id for p in each.follow_ups)
            ),
            source=held.records[each.source.id],
            follow_ups=tuple(held.records[planned.id] for planned in each.follow_ups),
            context_checks=true_contexts(each.number),
        )
        for each in asked
    )


def canonical(exchange: Exchange) -> str:
    """Return what an answer says."""
    answer = (exchange.state or {})["answer"]
    return NOTHING_TOLD if answer is None else str(answer)


@dataclass(frozen=True)
class Version:
    """A question asked again: where, which, whether it means the same there, the right answers there and before."""

    conversation: str
    position: int
    index: int
    same: bool
    answer: str
    first_answer: str


@cache
def versions(number: int) -> tuple[Version, ...]:
    """Return the truth about each round of each follow-up of dialogue ``number``."""
    each = dialogue(number)
    firsts = meanings(each.story, each.seed.texts)
    found = []
    for planned in each.follow_ups:
        assert planned.replay is not None
        now = meanings(each.story, planned.replay.texts)
        for position, question in enumerate(planned.replay.questions):
            j = question.index
            assert j is not None
            same = now[position] == firsts[j]
            answers = (true_answer(each.story, meaning) for meaning in (now[position], firsts[j]))
            found.append(Version(planned.id, position, j, same, *answers))
    return tuple(found)


def meanings(story: Story, questions: Sequence[str]) -> list[Resolution]:
    """Return what each of ``questions`` means after those before it; the same of the same fact is equivalent."""
    focus, found = Focus(), list[Resolution]()
    for question in questions:
        found.append(resolve(story, focus, question))
        focus = moved(story, focus, question)
    return found


def true_contexts(number: int) -> tuple[ContextCheck, ...]:
    """Check every context by what the questions mean; another fact with an equal answer is marked."""
    return tuple(
        ContextCheck(conversation=v.conversation, position=v.position, index=v.index, finding=_finding(v))
        for v in versions(number)
    )


def _finding(version: Version) -> ContextFinding:
    if not version.same and version.answer == version.first_answer:
        return ContextFinding(equivalent=None, reason=ContextReason.EQUAL_ANSWERS)
    return ContextFinding(equivalent=version.same, reason=ContextReason.VERDICT)


def true_answer(story: Story, meaning: Resolution) -> str:
    """Return the right answer to a question that means ``meaning``."""
    answer = reply_to(story, meaning, 0).answer
    return NOTHING_TOLD if answer is None else answer
