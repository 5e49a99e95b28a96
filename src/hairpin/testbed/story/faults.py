"""The seeded faults of this assistant: F10 and F11.

They choose another meaning for a question; nothing else can be wrong.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.sut_spec import FaultSpec
from hairpin.errors import InvalidInputError, UnknownReferenceError
from hairpin.testbed.faults.base import FaultStrike
from hairpin.testbed.story.answering import reply_to
from hairpin.testbed.story.questions import normal
from hairpin.testbed.story.resolving import Focus, Query, Resolution, resolve
from hairpin.testbed.story.world import Relation, Story


@dataclass(frozen=True, slots=True)
class Turn:
    """A question in its place: the exchange, the session's wording, the focus before it, and what it means."""

    t: int
    wording: int
    story: Story
    focus: Focus
    question: str
    meaning: Resolution


@dataclass(frozen=True, slots=True)
class Wrong:
    """Another meaning, and how it came about."""

    meaning: Resolution
    detail: str


class StoryFault(ABC):
    """A fault of one session."""

    id: ClassVar[str]
    title: ClassVar[str]
    earns: ClassVar[str | None] = None

    def __init__(self, spec: FaultSpec) -> None:
        self.spec = spec

    @abstractmethod
    def wrong(self, turn: Turn) -> Wrong | None:
        """Return what the fault takes the question for, if that is anything else; called once per turn."""


class WrongPronoun(StoryFault):
    """F10: takes a pronoun for somebody or something else. Earns ``context_forgotten``."""

    id = "F10"
    title = "binds a pronoun to the wrong entity"
    earns = "context_forgotten"

    def wrong(self, turn: Turn) -> Wrong | None:
        """Bind the first pronoun whose confusion shows; to something of which an answer is told if there is any."""
        found = [
            Wrong(meaning, f"{pronoun!r} is taken for {entity!r}")
            for pronoun, entity in _others(turn.story, turn.focus)
            if _shows(turn, meaning := resolve(turn.story, _bound(turn.focus, pronoun, entity), turn.question))
        ]
        told = [wrong for wrong in found if reply_to(turn.story, wrong.meaning, 0).answer is not None]
        return next(iter(told or found), None)


class StaleAnswer(StoryFault):
    """F11: answers a question it has heard before, word for word, as it did then. MR1 and MR3 find it."""

    id = "F11"
    title = "answers a repeated question from a stale cache"

    def __init__(self, spec: FaultSpec) -> None:
        super().__init__(spec)
        self._meant: dict[str, Resolution] = {}

    def wrong(self, turn: Turn) -> Wrong | None:
        """Return what the question meant when it was first asked, if it means something else by now."""
        first = self._meant.setdefault(normal(turn.question), turn.meaning)
        return (
            Wrong(first, "the first answer, though the question means something else") if _shows(turn, first) else None
        )


STORY_FAULTS: Final[tuple[type[StoryFault], ...]] = (StaleAnswer, WrongPronoun)
"""In the order in which they are tried; at most one strikes in a turn."""

_BY_ID: Final[Mapping[str, type[StoryFault]]] = {fault.id: fault for fault in STORY_FAULTS}


def check_story_faults(specs: Sequence[FaultSpec]) -> None:
    """Check that every fault exists, none is given twice, and none has a condition: a story has no vehicle.

    Raises:
        UnknownReferenceError: an id that no fault has.
        InvalidInputError: a fault given twice or with a condition.
    """
    ids = [spec.id for spec in specs]
    for spec in specs:
        if spec.id not in _BY_ID:
            raise UnknownReferenceError("fault", spec.id, where="story", known=_BY_ID)
        if ids.count(spec.id) > 1:
            raise InvalidInputError(f"fault {spec.id!r} is given twice", where="story", hint="give each fault once")
        if spec.when:
            what = f"fault {spec.id!r} has conditions, of which this assistant knows none"
            raise InvalidInputError(what, where="story", hint="remove 'when'")


@dataclass(slots=True)
class SessionFaults:
    """The faults of one session, with what they remember."""

    conversation_id: str
    rng_seed: int
    faults: tuple[StoryFault, ...] = field(default=())

    @classmethod
    def of(cls, specs: Sequence[FaultSpec], *, conversation_id: str, rng_seed: int) -> SessionFaults:
        """Return the faults that ``specs`` switch on."""
        by_id = {spec.id: spec for spec in specs}
        faults = tuple(fault(by_id[fault.id]) for fault in STORY_FAULTS if fault.id in by_id)
        return cls(conversation_id=conversation_id, rng_seed=rng_seed, faults=faults)

    def meaning(self, turn: Turn) -> tuple[Resolution, FaultStrike | None]:
        """Return what the question is taken for, and the strike if that is wrong."""
        found = [(fault, fault.wrong(turn)) for fault in self.faults]  # each sees every turn, to remember it
        for fault, wrong in found:
            if wrong is not None and turn.t >= fault.spec.after and self._drawn(fault, turn.t):
                return wrong.meaning, FaultStrike(
                    conversation_id=self.conversation_id,
                    t=turn.t,
                    fault=fault.id,
                    detail=wrong.detail,
                    mode=fault.earns,
                )
        return turn.meaning, None

    def _drawn(self, fault: StoryFault, t: int) -> bool:
        draw = derive_rng_seed(self.rng_seed, "fault", fault.id, str(t))
        return draw / 2**63 < fault.spec.probability


def _shows(turn: Turn, meaning: Resolution) -> bool:
    """Whether another meaning gives another answer to a question that means something."""
    if not isinstance(turn.meaning, Query) or not isinstance(meaning, Query):
        return False
    return reply_to(turn.story, meaning, turn.wording).text != reply_to(turn.story, turn.meaning, turn.wording).text


def _others(story: Story, focus: Focus) -> Iterator[tuple[str, str]]:
    """Yield each pronoun that means something with each entity that it does not mean, the likeliest first."""
    women_first = sorted(story.people, key=lambda person: person.gender != "woman")
    for pronoun, meant, people in (("she", focus.she, women_first), ("he", focus.he, women_first[::-1])):
        if meant is not None:
            yield from ((pronoun, person.name) for person in people if person.name != meant)
    if focus.it is not None:
        things = dict.fromkeys(fact.value for fact in story.facts if fact.relation is Relation.KEEPS)
        yield from (("it", thing) for thing in things if thing != focus.it)
    if focus.there is not None:
        yield from (("there", place) for place in _places(story) if place != focus.there)


def _places(story: Story) -> list[str]:
    homes = (f.value for f in story.facts if f.relation in (Relation.LIVES, Relation.WORKS))
    kept = (f.detail for f in story.facts if f.relation is Relation.KEEPS and f.detail is not None)
    return list(dict.fromkeys([*homes, *kept]))


def _bound(focus: Focus, pronoun: str, entity: str) -> Focus:
    return focus.model_copy(update={pronoun: entity})
