"""Families with their checks, made by hand: what a run of replays would have left."""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.analysis.metamorphic.scored import ScoredFamily
from hairpin.domain.conversation import Exchange
from hairpin.domain.families import Family
from hairpin.domain.outcome import Stop, StopReason
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord, Outcome
from hairpin.domain.relations import ContextCheck, Derivation, MetamorphicRelation, Output, RelationCheck
from hairpin.domain.replay import Method, NotApplicable, Replay, ReplayedQuestion
from hairpin.domain.scoring import unjudged
from hairpin.domain.test_seeds import SeedQuestion, TestSeed
from hairpin.domain.users import Context

GOLD = ("old mill", "41", "Omar")


def a_seed(name: str = "d1", *, gold: bool = True) -> TestSeed:
    texts = ("Where does Mina live?", "How old is she?", "Who is her brother?")
    answers = [(answer,) if gold else () for answer in GOLD]
    questions = tuple(SeedQuestion(text=t, answers=a) for t, a in zip(texts, answers, strict=True))
    return TestSeed(id=name, questions=questions)


def a_record(
    conversation: str,
    answers: Sequence[str],
    *,
    sut: str = "A",
    replay: Replay | None = None,
    index: int = 0,
    stop: StopReason = StopReason.SCRIPT_EXHAUSTED,
) -> ConversationRecord:
    asked = replay.texts if replay is not None else ()
    ended = Stop(reason=stop)
    return ConversationRecord(
        planned=PlannedConversation(
            index=index,
            id=conversation,
            sut=sut,
            seed_phrase=None,
            persona="neutral",
            context=Context(),
            repeat=0,
            max_turns=max(1, len(asked)),
            rng_seed=1,
            replay=replay,
        ),
        attempts=1,
        exchanges=tuple(
            Exchange(t=t, user=asked[t] if t < len(asked) else f"question {t}", assistant=answer)
            for t, answer in enumerate(answers)
        ),
        outcome=Outcome(stop=ended, judgement=unjudged(ended)),
    )


def a_replay(
    method: Method, indexes: Sequence[int], *, kind: str = "", seed: TestSeed | None = None, source: str | None = "c1"
) -> Replay:
    texts = (seed or a_seed()).texts
    asked = tuple(ReplayedQuestion(text=texts[index], index=index) for index in indexes)
    return Replay(method=method, test_seed=(seed or a_seed()).id, source=source, kind=kind, questions=asked)


def a_family(
    *follow_ups: ConversationRecord,
    sut: str = "A",
    source: str = "c1",
    seed: TestSeed | None = None,
    not_applicable: Sequence[NotApplicable] = (),
    context_checks: Sequence[ContextCheck] = (),
) -> Family:
    used = seed or a_seed()
    rbt = a_replay(Method.RBT, range(len(used.questions)), seed=used, source=None)
    return Family(
        derivation=Derivation(
            source=source,
            test_seed=used,
            follow_ups=tuple(record.planned.id for record in follow_ups),
            not_applicable=tuple(not_applicable),
        ),
        source=a_record(source, GOLD, sut=sut, replay=rbt),
        follow_ups=follow_ups,
        context_checks=tuple(context_checks),
    )


def a_check(
    relation: MetamorphicRelation,
    *outputs: tuple[str, int],
    index: int = 0,
    violated: bool | None = True,
    level: int | None = None,
    reason: str = "",
    source: str = "c1",
) -> RelationCheck:
    return RelationCheck(
        relation=relation,
        source=source,
        index=index,
        outputs=tuple(Output(conversation=conversation, position=position) for conversation, position in outputs),
        violated=violated,
        level=level,
        reason=reason,
    )


def scored(family: Family, *checks: RelationCheck) -> ScoredFamily:
    return ScoredFamily(family, checks)
