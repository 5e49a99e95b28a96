"""The protocols between the rings: roles, the assistant under test, checks, the exchange log and the run store.

No implementation and no I/O; every value that crosses is frozen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, TypeVar

from pydantic import BaseModel, Field

from hairpin.domain.ballots import Ballot
from hairpin.domain.base import Value
from hairpin.domain.briefs import (
    AnswerBrief,
    ContextBrief,
    DimensionBrief,
    ExtractionBrief,
    QuestionBrief,
    ReviewBrief,
    RewriteBrief,
    SpeakBrief,
    StrategyBrief,
    TurnBrief,
)
from hairpin.domain.checks import CheckResult
from hairpin.domain.conversation import Exchange, Utterance
from hairpin.domain.failures import Failure
from hairpin.domain.judgement import TurnJudgement
from hairpin.domain.llm_calls import CallOrigin, LlmRequest
from hairpin.domain.outcome import Role, StopReason
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.progress import Activity, RunProgress
from hairpin.domain.records import ConversationRecord, Outcome, RunInfo, RunStatus
from hairpin.domain.relations import ContextCheck, ContextFinding, Derivation, Fold
from hairpin.domain.reviews import SimulatorReview
from hairpin.domain.scoring import DimensionScore
from hairpin.domain.strategies import Strategy
from hairpin.domain.sut import Capabilities, SessionStart, SutIdentity, SutReply
from hairpin.domain.targets import Target, TargetEvent
from hairpin.errors import HairpinError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FloatMatrix: TypeAlias = "NDArray[np.float32]"
"""Rows of numbers."""

FloatArray: TypeAlias = "NDArray[np.float32]"
IndexArray: TypeAlias = "NDArray[np.int64]"


class RoleError(HairpinError):
    """A role could not do its work: ends the conversation with ``reason``, blamed as ``Stop.blame`` says."""

    def __init__(self, reason: StopReason, role: Role, detail: str) -> None:
        self.reason = reason
        self.role = role
        self.detail = detail
        super().__init__(f"{role}: {reason}: {detail}")


class WrittenQuestion(Value):
    """A question with the answer that it must get."""

    question: str = Field(min_length=1)
    expected: str = Field(min_length=1)


class TargetExtractor(Protocol):
    """Finds the targets 𝒢 in a seed phrase."""

    async def extract(self, brief: ExtractionBrief) -> tuple[Target, ...]:
        """Return the targets, none of them uttered yet. Raises RoleError."""
        ...


class UserSimulator(Protocol):
    """Speaks as the user."""

    async def speak(self, brief: SpeakBrief) -> Utterance:
        """Return u_t, not blank. Raises RoleError."""
        ...


class Strategist(Protocol):
    """Chooses the next strategy."""

    async def choose(self, brief: StrategyBrief) -> Strategy | None:
        """Return one of ``brief.available``, or ``None`` when none of them fits here. Raises RoleError."""
        ...


class TurnJudge(Protocol):
    """Labels one exchange."""

    async def judge(self, brief: TurnBrief) -> TurnJudgement:
        """Return statuses, labels and new targets. Raises RoleError."""
        ...


class ConversationJudge(Protocol):
    """Scores one dimension of a whole conversation."""

    async def score(self, brief: DimensionBrief) -> DimensionScore:
        """Return d_j with its reasoning. Raises RoleError."""
        ...


class SimulatorReviewer(Protocol):
    """Looks at the simulated user of a whole conversation."""

    async def review(self, brief: ReviewBrief) -> SimulatorReview:
        """Return what is wrong with the user; nothing where it may have been a real one. Raises RoleError."""
        ...


class Decontextualiser(Protocol):
    """Makes a question stand alone."""

    async def rewrite(self, brief: RewriteBrief) -> str:
        """Return the question as it can be understood without those before it; as it is if it already can. Never blank.

        Raises RoleError.
        """
        ...


class ReferenceAnswerer(Protocol):
    """Answers one question from a story, in a few words."""

    async def answer(self, brief: AnswerBrief) -> str:
        """Return the answer, ``unknown`` when the story does not tell it. Raises RoleError."""
        ...


class ContextChecker(Protocol):
    """EC(·): whether a question asks for the same fact in two contexts."""

    async def check(self, brief: ContextBrief) -> ContextFinding:
        """Return what was found. A role that breaks makes it not applicable.

        Raises:
            EndsRunError: a model takes no call any more.
            EncoderError: texts cannot be encoded.
        """
        ...


class QuestionWriter(Protocol):
    """Writes QAAsker's questions."""

    async def write(self, brief: QuestionBrief) -> WrittenQuestion | None:
        """Return the changed question with its answer, ``None`` where there is none. Raises RoleError."""
        ...


@dataclass(frozen=True, slots=True)
class Roles:
    """Who plays what in a conversation. Conversation judges are keyed by dimension id.

    ``simulator_reviewer``: ``None``: nobody looks at the simulated user.
    """

    extractor: TargetExtractor
    simulator: UserSimulator
    strategist: Strategist
    turn_judge: TurnJudge
    conversation_judges: Mapping[str, ConversationJudge]
    simulator_reviewer: SimulatorReviewer | None = None


class ChatMessage(Value):
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    text: str


class ChatPrompt(Value):
    """What a model is asked.

    ``stable`` comes first and only ever grows: that of turn t+1 begins with that of turn t, message by message, so that
    a provider's prefix cache serves it. ``request`` changes with every call and comes last, as the user's.
    """

    stable: tuple[ChatMessage, ...] = Field(min_length=1)
    request: str

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        """All messages in order."""
        return (*self.stable, ChatMessage(role="user", text=self.request))


AnswerT = TypeVar("AnswerT", bound=BaseModel)


class InvalidAnswerError(ValueError):
    """A well-formed answer says what cannot be; the text tells the model what to mend."""


class ChatModel(Protocol):
    """A model that plays one role."""

    @property
    def name(self) -> str:
        """Provider and model, as reports call it."""
        ...

    async def ask(
        self,
        prompt: ChatPrompt,
        answer: type[AnswerT],
        *,
        origin: CallOrigin,
        check: Callable[[AnswerT], None] | None = None,
    ) -> AnswerT:
        """Ask for one answer, as an object of ``answer``.

        ``answer`` declares its fields in the order in which they are to be thought of: reasoning before labels. An
        answer to which ``check`` raises InvalidAnswerError is repaired like one that does not parse, a bounded number
        of times.

        Raises:
            RoleError: no usable answer; says why.
            EndsRunError: no call to that endpoint can succeed.
        """
        ...


class LlmRequestLog(Protocol):
    """Where requests to models are recorded."""

    async def record_request(self, request: LlmRequest) -> None:
        """Store one request; returns when it is committed. Called shielded: also for requests that were cancelled."""
        ...


class SutSession(Protocol):
    """One conversation with the assistant."""

    async def send(self, utterance: str) -> SutReply | str:
        """Return the reply to ``utterance``. Any exception is the assistant's error and becomes data."""
        ...

    async def close(self) -> None:
        """Free what the session holds; always called, once."""
        return


class SutAdapter(Protocol):
    """Reaches an assistant. Subclass it and write ``open``; the rest has defaults."""

    capabilities: Capabilities = Capabilities()

    def describe(self) -> SutIdentity:
        """Return who the assistant is; goes into the fingerprint."""
        return SutIdentity(name=type(self).__name__)

    async def open(self, start: SessionStart) -> SutSession:
        """Open a session. Raises SutConnectionError when the assistant cannot be reached."""
        ...

    async def aclose(self) -> None:
        """Free what the adapter holds, after the last session."""
        return


class Check(Protocol):
    """A deterministic oracle on one reply."""

    @property
    def name(self) -> str:
        """How reports call it."""
        ...

    async def run(self, exchange: Exchange, history: tuple[Exchange, ...]) -> CheckResult:
        """Say whether the reply passes. An exception is the user's code failing, not the assistant."""
        ...


class ConversationLog(Protocol):
    """Where one attempt's rows go. Each call returns when the row is committed."""

    async def record_exchange(self, exchange: Exchange) -> None:
        """Store an exchange, before the next utterance is made."""
        ...

    async def record_turn(self, failures: Sequence[Failure], events: Sequence[TargetEvent]) -> None:
        """Store what was found in a turn."""
        ...

    async def record_score(self, score: DimensionScore) -> None:
        """Store a dimension score."""
        ...

    async def record_ballot(self, t: int, ballot: Ballot) -> None:
        """Store what each member of a panel of turn judges said of exchange ``t``."""
        ...

    async def record_review(self, review: SimulatorReview) -> None:
        """Store what was found in the simulated user."""
        ...


class RunStore(Protocol):
    """The store of one run."""

    async def create_run(self, run: RunInfo) -> None:
        """Store the run, once."""
        ...

    async def add_plan(self, planned: Sequence[PlannedConversation]) -> None:
        """Store planned conversations."""
        ...

    async def record_request(self, request: LlmRequest) -> None:
        """Store one request to a model; it may belong to no attempt."""
        ...

    def llm_requests(self) -> Iterator[LlmRequest]:
        """Yield every stored request in the order in which they ended, without holding them all."""
        ...

    async def lease(self, planned: PlannedConversation, *, attempt_id: str, worker: str, lease_s: float) -> None:
        """Plan a conversation unless it is planned already, lease it to ``worker`` and open an attempt; all or nothing.

        Raises:
            StoreError: it has an accepted outcome, another worker holds it, or another conversation has its index.
        """
        ...

    async def renew_leases(self, attempt_ids: Sequence[str], *, lease_s: float) -> None:
        """Let the leases of open attempts end ``lease_s`` seconds from now."""
        ...

    async def record_activity(self, activity: Sequence[Activity]) -> None:
        """Store how much active time has been used so far; of one cell and arm the last one stored counts."""
        ...

    def log(self, attempt_id: str) -> ConversationLog:
        """Return the log of an open attempt."""
        ...

    async def finish_attempt(self, attempt_id: str, outcome: Outcome) -> bool:
        """Store the outcome and give the lease back; return whether it is the accepted one (the first)."""
        ...

    async def abort_attempt(self, attempt_id: str, detail: str) -> None:
        """Give the lease back without an outcome: the attempt was interrupted."""
        ...

    async def finish_run(self, status: RunStatus, *, detail: str, elapsed_s: float) -> None:
        """Store how the run ended."""
        ...

    def run_info(self) -> RunInfo:
        """Return the stored run."""
        ...

    def progress(self) -> RunProgress:
        """Return what a resumed run must know of what is there, read in one go without any conversation's words."""
        ...

    async def record_derivation(self, derivation: Derivation, follow_ups: Sequence[PlannedConversation]) -> None:
        """Plan the follow-ups of a source conversation and store how they were derived, once, all or nothing."""
        ...

    def derivation(self, source: str) -> tuple[Derivation, tuple[PlannedConversation, ...]] | None:
        """Return what was derived from a source conversation, with its follow-ups in plan order; ``None``: nothing yet.

        Read from the rows.
        """
        ...

    async def record_context_checks(self, checks: Sequence[ContextCheck]) -> None:
        """Store context checks."""
        ...

    def context_checks(self, source: str) -> tuple[ContextCheck, ...]:
        """Return the stored context checks of the follow-ups of a source conversation, in the order stored."""
        ...

    async def record_fold(self, fold: Fold) -> None:
        """Store the relation checks of a source and its follow-ups; of one source the last fold counts."""
        ...

    def conversation(self, conversation_id: str) -> ConversationRecord:
        """Return one planned conversation. Raises UnknownReferenceError."""
        ...

    def family(self, source: str) -> tuple[ConversationRecord, ...]:
        """Return a source conversation and then its follow-ups, in plan order, as far as they are planned."""
        ...

    async def abort_open_attempts(self, detail: str) -> int:
        """Give up every attempt that has neither outcome nor abort, whoever held it; return how many there were.

        Only for who drives the run alone: they are attempts of a process that is gone.
        """
        ...

    def conversations(self) -> Iterator[ConversationRecord]:
        """Yield every planned conversation but trials and canaries, in plan order, without holding them all."""
        ...

    def trials(self, source: PlannedConversation) -> tuple[ConversationRecord, ...]:
        """Return the trials of a conversation that were planned so far, by kind and number."""
        ...

    def ended(self) -> Iterator[tuple[PlannedConversation, Outcome]]:
        """Yield how those conversations ended that were planned for themselves, in plan order."""
        ...


@dataclass(frozen=True, slots=True)
class EncoderIdentity:
    """Which vectors an encoder makes: its model, the model's revision and the number format."""

    model: str
    revision: str
    dtype: str

    def __str__(self) -> str:
        """Return it in one line, as reports and caches call it."""
        return f"{self.model}@{self.revision} ({self.dtype})"


class Encoder(Protocol):
    """Turns texts into vectors. Not on an event loop: it computes."""

    @property
    def identity(self) -> EncoderIdentity:
        """Which vectors it makes."""
        ...

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        """Return (n, d) unit vectors, float32, one per text, in order; equal texts get equal vectors.

        Raises:
            ValueError: a text is blank: no answer is no vector.
            EncoderError: the model cannot be loaded or run.
        """
        ...


class AsyncEncoder(Protocol):
    """Turns texts into vectors without holding up the event loop; texts of several callers may be encoded together."""

    @property
    def identity(self) -> EncoderIdentity:
        """Which vectors it makes."""
        ...

    async def encode(self, texts: Sequence[str]) -> FloatMatrix:
        """Return (n, d) unit vectors, float32, one per text, in order. Raises as ``Encoder.encode``."""
        ...


class PairCosines(Protocol):
    """Cosines of many pairs of vectors at once."""

    def __call__(self, vectors: FloatMatrix, left: IndexArray, right: IndexArray) -> FloatArray:
        """Return the (n,) cosines of the unit rows ``left[k]`` and ``right[k]`` of ``vectors``, clamped to [−1, 1].

        Equal indexes give exactly 1.
        """
        ...


class Clock(Protocol):
    """Time, passed in."""

    def monotonic(self) -> float:
        """Return seconds on a clock that never goes back."""
        ...

    def now(self) -> datetime:
        """Return the time of day, UTC."""
        ...
