"""Families made by hand or by Hypothesis: test seeds, replays, replies and context checks, without any assistant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from hypothesis import strategies as st

from hairpin.domain.conversation import Exchange
from hairpin.domain.families import Family
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import ContextCheck, ContextFinding, ContextMethod, ContextReason, Derivation
from hairpin.domain.replay import Method, Replay, ReplayedQuestion
from hairpin.domain.test_seeds import SeedQuestion, TestSeed
from hairpin.domain.users import Context
from hairpin.metamorphic.text_vectors import TextVectors

SEED_ID = "d1"
EQUIVALENT = ContextFinding(equivalent=True, reason=ContextReason.SIMILARITY)
ALTERED = ContextFinding(equivalent=False, reason=ContextReason.SIMILARITY)


def record(
    conversation: str, replies: Sequence[str], replay: Replay | None, *, index: int = 0, states: Sequence[str] = ()
) -> ConversationRecord:
    """Return a conversation with these replies; ``states``: what its side channel says is the answer."""
    said = [*states, *replies[len(states) :]]
    return ConversationRecord(
        planned=PlannedConversation(
            index=index,
            id=conversation,
            sut="a",
            seed_phrase=None,
            persona="neutral",
            context=Context(),
            repeat=0,
            max_turns=max(1, len(replies)),
            rng_seed=1,
            replay=replay,
        ),
        exchanges=tuple(
            Exchange(t=t, user=f"u{t}", assistant=text, state={"answer": said[t]}) for t, text in enumerate(replies)
        ),
    )


def source(
    replies: Sequence[str], n_questions: int, *, conversation: str = "s", free: bool = False
) -> ConversationRecord:
    """Return the conversation of the test seed itself."""
    asked = tuple(ReplayedQuestion(text=f"q{j}?", index=j) for j in range(n_questions))
    replay = None if free else Replay(method=Method.RBT, test_seed=SEED_ID, questions=asked)
    return record(conversation, replies, replay)


def follow_up(
    conversation: str,
    order: Sequence[int | None],
    replies: Sequence[str],
    *,
    method: Method = Method.MORTAR,
    kind: str = "RS",
    expected: str | None = None,
    unchecked: Sequence[int] = (),
) -> ConversationRecord:
    """Return a replay that asks the questions ``order``, from 0; ``None`` is a foreign round."""
    asked = tuple(
        ReplayedQuestion(
            text="foreign?" if j is None else f"q{j}?", index=j, checked=j is not None and i not in unchecked
        )
        for i, j in enumerate(order)
    )
    replay = Replay(method=method, test_seed=SEED_ID, source="s", kind=kind, questions=asked, expected=expected)
    return record(conversation, replies, replay, index=1)


def family(
    gold: Sequence[Sequence[str]],
    source_record: ConversationRecord,
    follow_ups: Sequence[ConversationRecord] = (),
    findings: Mapping[tuple[str, int], ContextFinding] | None = None,
    earlier: Sequence[ContextCheck] = (),
) -> Family:
    """Return a family; ``gold``: by question, its gold answers; ``findings``: by conversation and position."""
    questions = tuple(SeedQuestion(text=f"q{j}?", answers=tuple(answers)) for j, answers in enumerate(gold))
    checks = [
        ContextCheck(conversation=conversation, position=position, index=0, finding=finding)
        for (conversation, position), finding in (findings or {}).items()
    ]
    ids = tuple(each.planned.id for each in follow_ups)
    return Family(
        derivation=Derivation(
            source=source_record.planned.id, test_seed=TestSeed(id=SEED_ID, questions=questions), follow_ups=ids
        ),
        source=source_record,
        follow_ups=tuple(follow_ups),
        context_checks=(*earlier, *checks),
    )


def unit(*numbers: float) -> list[float]:
    """Return the direction of ``numbers`` as a unit vector."""
    length = sum(number * number for number in numbers) ** 0.5
    return [number / length for number in numbers]


def plane(texts: Mapping[str, Sequence[float]]) -> TextVectors:
    """Return texts with vectors made by hand."""
    return TextVectors.of(list(texts), np.array([unit(*numbers) for numbers in texts.values()], np.float32))


WORDS: Mapping[str, Sequence[float]] = {
    "Yes": (1, 0, 0),
    "yes, he did": (0.6, 0.8, 0),
    "No.": (0.9, 0.1, 0.1),
    "3": (0, 1, 0),
    "three": (0, 0.8, 0.6),
    "4 cats": (0, 1, 0.2),
    "the mill": (0, 0, 1),
    "She lives in the mill": (0.3, 0.3, 1),
    "unknown": (-1, 0.2, 0),
}
BLANKS = ("", " ", "\n")
_texts = st.sampled_from([*WORDS, *BLANKS])
_findings = st.sampled_from(
    [
        EQUIVALENT,
        ALTERED,
        ContextFinding(equivalent=None, reason=ContextReason.NEEDS_REPLY),
        ContextFinding(equivalent=None, reason=ContextReason.ROLE_FAILED),
        ContextFinding(equivalent=None, reason=ContextReason.EQUAL_ANSWERS),
        ContextFinding(equivalent=False, reason=ContextReason.EQUAL_ANSWERS),
    ]
)


@st.composite
def _follow_ups(draw: st.DrawFn, n_questions: int, name: str) -> ConversationRecord:
    order = draw(st.lists(st.one_of(st.none(), st.integers(0, n_questions - 1)), min_size=1, max_size=6))
    method = draw(st.sampled_from([*[Method.MORTAR] * 4, Method.METAL, Method.QAASKER, Method.NULL]))
    return follow_up(
        name,
        order,
        draw(st.lists(_texts, max_size=len(order))),
        method=method,
        kind=draw(st.sampled_from(["RS", "RD"])),
        expected=draw(st.one_of(st.none(), _texts)) if method is Method.QAASKER else None,
        unchecked=draw(st.lists(st.integers(0, 5), max_size=1)),
    )


@st.composite
def families(draw: st.DrawFn) -> Family:
    """Draw a family: blank, missing and repeated answers, questions asked twice, contexts checked twice or never."""
    n_questions = draw(st.integers(1, 3))
    gold = draw(st.lists(st.lists(_texts, max_size=3), min_size=n_questions, max_size=n_questions))
    free = draw(st.booleans())
    replays = [draw(_follow_ups(n_questions, f"f{number}")) for number in range(draw(st.integers(0, 4)))]
    places = [(each.planned.id, i) for each in replays for i in range(6)]
    earlier = tuple(
        ContextCheck(
            conversation=name,
            position=i,
            index=0,
            method=draw(st.sampled_from(ContextMethod)),
            repeat=draw(st.integers(0, 1)),
            finding=draw(_findings),
        )
        for name, i in places
        if draw(st.booleans())
    )
    findings = {place: draw(_findings) for place in places if draw(st.integers(0, 3))}
    replies = draw(st.lists(_texts, max_size=n_questions))
    return family(gold, source(replies, n_questions, free=free), replays, findings, earlier)
