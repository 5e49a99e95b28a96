"""The story assistant as an assistant under test, in-process.

What faults did is on the adapter object alone; no reply shows it.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version

from hairpin.domain.sut import Capabilities, SessionStart, SutIdentity, SutReply
from hairpin.domain.sut_spec import FaultSpec
from hairpin.errors import AdapterFaultError
from hairpin.ports import SutAdapter, SutSession
from hairpin.testbed.faults.base import FaultStrike
from hairpin.testbed.faults.notation import fault_label
from hairpin.testbed.story.answering import Reply, draw_wording, reply_to
from hairpin.testbed.story.faults import SessionFaults, Turn, check_story_faults
from hairpin.testbed.story.generating import generate_story
from hairpin.testbed.story.reading import read_story
from hairpin.testbed.story.resolving import Focus, moved, resolve
from hairpin.testbed.story.world import Story

_DEFAULT_STORY = 1


class StoryAdapter(SutAdapter):
    """Answers questions about a story from what it tells; pronouns are understood from the earlier questions.

    Args:
        faults: the seeded faults that are on; none: correct by construction.
        story: the number of the story that a session without a reference text is about.
        on_strike: is told of every strike, in place of ``fault_log``; for servers, which have no end.

    Raises:
        UnknownReferenceError: a fault that does not exist.
        InvalidInputError: a fault given twice or with conditions.
    """

    capabilities = Capabilities(accepts_history=True, takes_reference_text=True)

    def __init__(
        self,
        faults: tuple[FaultSpec, ...] = (),
        story: int = _DEFAULT_STORY,
        *,
        on_strike: Callable[[FaultStrike], None] | None = None,
    ) -> None:
        check_story_faults(faults)
        self._specs = tuple(faults)
        self._story = story
        self._strikes: list[FaultStrike] = []
        self._on_strike = on_strike or self._strikes.append

    @property
    def fault_log(self) -> tuple[FaultStrike, ...]:
        """When each fault struck, in the order in which it happened."""
        return tuple(self._strikes)

    def describe(self) -> SutIdentity:
        """Return the version of the package, with the faults that are on and the story if it is not the first."""
        parts = [fault_label(spec) for spec in sorted(self._specs, key=lambda s: (len(s.id), s.id))]
        parts += [f"story={self._story}"] if self._story != _DEFAULT_STORY else []
        return SutIdentity(name="story", version="+".join((version("hairpin"), *parts)))

    async def open(self, start: SessionStart) -> SutSession:
        """Open a session about ``start.context.reference_text``; what was asked in ``start.history`` is remembered.

        Raises:
            InvalidInputError: the reference text is no story of the closed grammar.
        """
        text = start.context.reference_text
        story = read_story(text) if text and text.strip() else generate_story(self._story)
        faults = SessionFaults.of(self._specs, conversation_id=start.conversation_id, rng_seed=start.rng_seed)
        session = StorySession(story, draw_wording(start.rng_seed), faults, self._on_strike)
        for exchange in start.history:
            session.replay(exchange.user)
        return session


class StorySession(SutSession):
    """One conversation. Sessions share nothing."""

    def __init__(
        self, story: Story, wording: int, faults: SessionFaults, on_strike: Callable[[FaultStrike], None]
    ) -> None:
        self._story = story
        self._wording = wording
        self._faults = faults
        self._on_strike = on_strike
        self._focus = Focus()
        self._t = 0
        self._open = True

    async def send(self, utterance: str) -> SutReply:
        """Return the answer; its side channel has the core of it. Raises AdapterFaultError after ``close``."""
        if not self._open:
            raise AdapterFaultError("the story session was used after it was closed; open a new one")
        reply, strike = self._turn(utterance)
        if strike is not None:
            self._on_strike(strike)
        return SutReply(text=reply.text, state={"answer": reply.answer})

    def replay(self, utterance: str) -> None:
        """Take a turn that was taken before: the focus follows, nothing is recorded."""
        self._turn(utterance)

    async def close(self) -> None:
        """End the session. Raises AdapterFaultError when it is closed already."""
        if not self._open:
            raise AdapterFaultError("the story session was closed twice")
        self._open = False

    def _turn(self, utterance: str) -> tuple[Reply, FaultStrike | None]:
        right = resolve(self._story, self._focus, utterance)
        turn = Turn(
            t=self._t,
            wording=self._wording,
            story=self._story,
            focus=self._focus,
            question=utterance,
            meaning=right,
        )
        meaning, strike = self._faults.meaning(turn)
        self._focus = moved(self._story, self._focus, utterance)
        self._t += 1
        return reply_to(self._story, meaning, self._wording), strike
