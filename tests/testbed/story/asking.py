"""Asking the story assistant, and strategies of stories and questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import anyio
from hypothesis import strategies as st

from hairpin.domain.conversation import Exchange
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.sut_spec import FaultSpec
from hairpin.domain.users import Context
from hairpin.testbed.faults.base import FaultStrike
from hairpin.testbed.story.adapter import StoryAdapter
from hairpin.testbed.story.generating import generate_story
from hairpin.testbed.story.series import SeriesQuestion, question_series
from hairpin.testbed.story.world import Story

TEXT = """\
Mina is a woman. She is 34 years old. She lives in the old mill. She keeps a red kite in the old mill. Her brother is
Jonas. On Monday she baked a cake. On Tuesday Mina lost a ring.

Jonas is a man. He lives in the tower. He works at the bakery. Jonas keeps a blue map in the old mill.

Nora is a woman. She lives in the castle. Nora's best friend is Mina. She keeps an old drum in the tower.
"""


@dataclass(frozen=True)
class Talk:
    """What was answered (text and core), and when faults struck."""

    texts: tuple[str, ...]
    answers: tuple[object, ...]
    strikes: tuple[FaultStrike, ...]

    @property
    def struck_at(self) -> list[tuple[str, int]]:
        """Return the fault and the exchange of every strike."""
        return [(strike.fault, strike.t) for strike in self.strikes]


def ask(
    questions: Sequence[str],
    *,
    text: str | None = None,
    story: int = 1,
    faults: Sequence[FaultSpec] = (),
    rng_seed: int = 0,
    history: Sequence[str] = (),
) -> Talk:
    """Ask one question after the other in one session."""
    adapter = StoryAdapter(tuple(faults), story)
    start = SessionStart(
        conversation_id="c1",
        context=Context(reference_text=text),
        rng_seed=rng_seed,
        history=tuple(Exchange(t=t, user=question, assistant="…") for t, question in enumerate(history)),
    )

    async def talk() -> list[SutReply]:
        session = await adapter.open(start)
        replies = [await session.send(question) for question in questions]
        await session.close()
        return [reply for reply in replies if isinstance(reply, SutReply)]

    replies = anyio.run(talk)
    answers = tuple((reply.state or {})["answer"] for reply in replies)
    return Talk(tuple(reply.text for reply in replies), answers, adapter.fault_log)


numbers = st.integers(0, 10_000)


@st.composite
def stories(draw: st.DrawFn) -> Story:
    """Draw a generated story."""
    return generate_story(draw(numbers))


@st.composite
def asked_stories(draw: st.DrawFn) -> tuple[int, tuple[SeriesQuestion, ...]]:
    """Draw the number of a story with a series of questions about it."""
    number = draw(numbers)
    n_questions = draw(st.integers(1, 12))
    return number, question_series(generate_story(number), rng_seed=draw(numbers), n_questions=n_questions)


@st.composite
def shuffled(draw: st.DrawFn) -> tuple[int, tuple[str, ...]]:
    """Draw the number of a story with questions of a series in any order, some of them more than once."""
    number, series = draw(asked_stories())
    questions = [question.text for question in series]
    again = draw(st.lists(st.sampled_from(questions), max_size=6))
    return number, tuple(draw(st.permutations([*questions, *again])))
