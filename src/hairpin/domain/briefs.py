"""What roles are told: of a conversation, a turn or a question, no more than each may know.

It must not say what they answer.
"""

from __future__ import annotations

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.conversation import DialogueTurn, Exchange
from hairpin.domain.failures import Failure, FailureMode
from hairpin.domain.llm_calls import CallOrigin
from hairpin.domain.rubric import Dimension
from hairpin.domain.strategies import Strategy
from hairpin.domain.targets import Target
from hairpin.domain.users import Context, Persona


class Brief(Value):
    """What every role is told: the language to work in, a random seed, and for whom a model call would be made."""

    language: str = "en"
    rng_seed: int = 0
    origin: CallOrigin = CallOrigin()


class ExtractionBrief(Brief):
    """What the target extractor sees."""

    seed_phrase: str
    context: Context


class SpeakBrief(Brief):
    """What the user simulator sees before it says u_t. For t = 0 it uses the seed phrase and the context alone."""

    t: int = Field(ge=0)
    max_turns: int
    seed_phrase: str
    context: Context
    persona: Persona
    history: tuple[Exchange, ...] = ()
    targets: tuple[Target, ...] = ()
    strategy: Strategy | None = None


class StrategyBrief(Brief):
    """What the strategist sees: ``available`` is never empty; ``failures`` are those found so far."""

    t: int = Field(ge=0)
    history: tuple[Exchange, ...]
    targets: tuple[Target, ...]
    available: tuple[Strategy, ...]
    failures: tuple[Failure, ...] = ()


class TurnBrief(Brief):
    """What the turn judge sees: the words so far, this exchange, the targets and the modes; never the user's brief."""

    history: tuple[DialogueTurn, ...]
    turn: DialogueTurn
    context: Context
    targets: tuple[Target, ...]
    modes: tuple[FailureMode, ...]


class DimensionBrief(Brief):
    """What a dimension judge sees: the conversation and its rubric, nothing else."""

    dimension: Dimension
    turns: tuple[DialogueTurn, ...]


class ReviewBrief(Brief):
    """What the simulator reviewer sees: the conversation, and what its user was told and was there for.

    ``strategies`` and ``modes`` are all that the user could have been told of; ``targets`` have their final statuses,
    ``failures`` are those of the assistant.
    """

    seed_phrase: str
    context: Context
    persona: Persona
    exchanges: tuple[Exchange, ...] = Field(min_length=1)
    targets: tuple[Target, ...] = ()
    strategies: tuple[Strategy, ...] = ()
    modes: tuple[FailureMode, ...] = ()
    failures: tuple[Failure, ...] = ()


class RewriteBrief(Brief):
    """What the decontextualiser sees: the story if there is one, the earlier questions, and the one to rewrite."""

    reference_text: str | None
    earlier: tuple[str, ...]
    question: str


class AnswerBrief(Brief):
    """What the reference answerer sees: the story, and one question that stands alone."""

    reference_text: str
    question: str


class ContextBrief(Brief):
    """One question in two contexts: that of the test seed, and that of a follow-up. Contexts are earlier questions."""

    reference_text: str | None
    question: str
    source: tuple[str, ...]
    follow_up: tuple[str, ...]
    needs_reply: bool = False
    repeat: int = Field(default=0, ge=0)


class QuestionBrief(Brief):
    """What the question writer sees: a question, its answer, the questions before, and what to turn it into.

    ``kind``: the id of a relation of QAAsker.
    """

    reference_text: str | None
    earlier: tuple[str, ...]
    question: str
    answer: str
    kind: str
