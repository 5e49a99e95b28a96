"""The report of a run as values: everything that any renderer shows, computed once.

It must not know a format; ``reports.build`` fills it, renderers only lay it out.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from pydantic import Field, JsonValue

from hairpin.analysis.judge_differences import JudgeDifferences
from hairpin.domain.arm import Arm
from hairpin.domain.base import Value
from hairpin.domain.conversation import UtteranceSource
from hairpin.domain.failures import ModeKind
from hairpin.domain.gate import GateOutcome
from hairpin.domain.ledger import LedgerRow
from hairpin.domain.outcome import Blame, Role, StopReason
from hairpin.domain.recording import Imported
from hairpin.domain.records import RunStatus
from hairpin.domain.relations import MetamorphicRelation
from hairpin.domain.replay import Replay
from hairpin.domain.state_changes import StateChange
from hairpin.domain.summary import Summary
from hairpin.domain.tally import ModeCount, Standing
from hairpin.domain.users import Context
from hairpin.reports.tables import Section

REPORT_SCHEMA_VERSION = 1


class Named(Value):
    """An id with its title and what it means."""

    id: str
    title: str
    text: str = ""


class FailureReport(Value):
    """A failure instance. ``aimed``: the strategy that wrote the utterance aims at this very mode."""

    t: int
    anchor: str
    mode: Named
    kind: ModeKind
    critical: bool
    target_id: str | None
    target: str | None
    strategy: Named | None
    aimed: bool
    evidence: str


class ChangeKind(StrEnum):
    """How a target changed."""

    FOUND = "found"
    INTRODUCED = "introduced"
    CHANGED = "changed"
    COMPLETED = "completed"
    REOPENED = "reopened"
    DROPPED = "dropped"


class TargetState(StrEnum):
    """How a target stands after an exchange."""

    UNSAID = "not said yet"
    OPEN = "open"
    COMPLETED = "completed"
    DROPPED = "dropped"


class TargetChange(Value):
    """One or more changes of a target at one exchange; ``t`` is ``None`` before the first."""

    t: int | None
    target_id: str
    kinds: tuple[ChangeKind, ...]
    reason: str


class TargetCell(Value):
    """A target after exchange ``t``, and what changed at it."""

    t: int
    anchor: str
    state: TargetState
    changes: tuple[ChangeKind, ...]


class TargetReport(Value):
    """One target over time. ``constraints`` are the last ones."""

    id: str
    text: str
    kind: str
    constraints: tuple[str, ...]
    state: TargetState
    introduced: int | None
    resolved: int | None
    cells: tuple[TargetCell, ...]
    changes: tuple[TargetChange, ...]


class ViolationReport(Value):
    """A violated relation as one of the answers that it compares sees it.

    ``words``: what the relation found. ``conversation`` and ``t``: where ``answer`` is; ``compared_with``: the other
    text, and ``origin``: whose it is. ``similarity`` is ``None`` where words decided, ``level`` without gold answers.
    """

    relation: MetamorphicRelation
    words: str
    conversation: str
    t: int
    question: str
    answer: str
    compared_with: str
    origin: str
    similarity: float | None
    level: int | None


class TurnReport(Value):
    """One exchange. ``answered`` is false for a blank reply. ``aims_at`` is ξ of the strategy that shaped u_t.

    ``regenerations``: how often the simulated user's text was thrown away and made anew before this one.
    ``state_changes``: what the assistant's side channel says now and did not say after the reply before.
    ``violations``: of relations that compare this answer, where they were asked for.
    """

    t: int
    anchor: str
    user: str
    assistant: str
    answered: bool
    source: UtteranceSource
    strategy: Named | None
    aims_at: Named | None
    latency_ms: float
    retry_wait_ms: float
    ended: bool
    notes: tuple[str, ...]
    regenerations: int
    failures: tuple[FailureReport, ...]
    changes: tuple[TargetChange, ...]
    state: Mapping[str, JsonValue] | None
    state_changes: tuple[StateChange, ...]
    metadata: Mapping[str, JsonValue]
    violations: tuple[ViolationReport, ...] = Field(default=(), exclude=True)


class DimensionReport(Value):
    """d_j with its reasoning; ``score`` is ``None`` when it is missing, ``weight`` when it is unknown."""

    dimension: Named
    score: int | None
    weight: float | None
    reasoning: str


class RatioReport(Value):
    """T over one choice of targets."""

    title: str
    completed: int
    total: int
    value: float | None


class ScoreReport(Value):
    """C with its parts. ``ratios``: over uttered targets (the one in C), over all, and without dropped ones."""

    value: float | None
    threshold: float
    dimensions: tuple[DimensionReport, ...]
    targets_weight: float | None
    ratios: tuple[RatioReport, ...]
    note: str

    @property
    def low_parts(self) -> str:
        """The parts below their best that count, the lowest first: what C was lost by."""
        lowest_first = sorted(self.dimensions, key=lambda row: 2 if row.score is None else row.score)
        parts = [
            f"{row.dimension.title} {row.score} of 2"
            for row in lowest_first
            if row.score is not None and row.score < 2 and row.weight != 0
        ]
        uttered = self.ratios[0] if self.ratios and self.targets_weight != 0 else None
        if uttered is not None and uttered.value is not None and uttered.value < 1:
            parts.append(f"targets completed {uttered.completed} of {uttered.total}")
        return ", ".join(parts)


class StopReport(Value):
    """Why a conversation ended; ``role`` is the one that broke."""

    reason: StopReason
    words: str
    role: Role | None
    detail: str


class FailingMode(Value):
    """A failure mode of a conversation with the turns it was found at; ``evidence`` is that of the first."""

    mode: Named
    turns: tuple[int, ...]
    evidence: str
    critical: bool


class FailedRequests(Value):
    """How many requests to models ended without a usable answer in one way."""

    outcome: str
    words: str
    number: int


class UsageRow(Value):
    """What models used in one role, or in all. ``cost``: in words, with the reason when it is unknown.

    ``cached_share``: of the prompt tokens, those that a provider served from its prefix cache.
    """

    title: str
    models: tuple[str, ...]
    calls: int
    requests: int
    from_cache: int
    prompt_tokens: int
    completion_tokens: int
    cached_share: float | None
    requests_without_usage: int
    cost_usd: float | None
    cost: str
    failed: tuple[FailedRequests, ...]


class EndpointRow(Value):
    """Where the time of requests to one endpoint went, summed over all of them; they run side by side."""

    endpoint: str
    requests: int
    queue_wait_s: float
    retry_wait_s: float
    answer_s: float
    mean_answer_s: float | None


class ModelsReport(Value):
    """What models used."""

    roles: tuple[UsageRow, ...]
    total: UsageRow
    endpoints: tuple[EndpointRow, ...]


class ConversationReport(Value):
    """One planned conversation. ``opening`` is its seed phrase, else its first utterance.

    ``replay``: what it asks and what for, where its questions are those of a test seed; it has no verdict then.
    ``models``: what all attempts at it used of models, where that was asked for. ``ledger``: who broke it and what
    shows it; ``None``: it has a clean verdict, or that was not asked for.
    """

    index: int
    id: str
    anchor: str
    sut: str
    arm: Arm
    standing: Standing
    standing_words: str
    blame: Blame | None
    reason: str
    stop: StopReport | None
    opening: str
    seed_phrase: str | None
    recording: str | None
    replay: Replay | None = None
    persona: Named
    context: Context
    repeat: int
    rng_seed: int
    max_turns: int
    attempts: int
    elapsed_s: float
    turns: tuple[TurnReport, ...]
    pending_utterance: str | None
    failing_modes: tuple[FailingMode, ...]
    first_failure_t: int | None
    targets: tuple[TargetReport, ...]
    score: ScoreReport
    show_command: str
    models: ModelsReport | None = None
    ledger: LedgerRow | None = None

    @property
    def failures(self) -> tuple[FailureReport, ...]:
        """All failure instances, in the order of turns."""
        return tuple(failure for turn in self.turns for failure in turn.failures)

    @property
    def replay_command(self) -> str:
        """How to say it again to the assistant, where that broke it off; else empty."""
        broke = self.stop is not None and self.stop.reason is StopReason.SUT_ERROR
        return self.show_command.replace("hairpin show", "hairpin replay", 1) if broke else ""

    @property
    def low_parts(self) -> str:
        """What a conversation that failed by its success score lost it by; else empty."""
        score = self.score
        lost = self.standing is Standing.FAIL and score.value is not None and score.value < score.threshold
        return score.low_parts if lost else ""

    @property
    def critical(self) -> bool:
        """Whether a critical mode was found."""
        return any(mode.critical for mode in self.failing_modes)


class AgentReport(Value):
    """What plays a role."""

    role: str
    title: str
    player: str
    offline: bool


class ModeRow(Value):
    """A failure mode over the run; ``share`` of the most frequent one's instances, for a bar; by assistant label."""

    mode: Named
    count: ModeCount
    critical: bool
    share: float = Field(ge=0, le=1)
    by_sut: Mapping[str, ModeCount]


class OutsideRow(Value):
    """A failure mode in conversations that are in no rate."""

    standing: Standing
    mode: Named
    count: ModeCount


class CriticalRow(Value):
    """A critical failure with the place where it stands; no ``anchor``: its transcript is not in the report."""

    conversation: str
    sut: str
    anchor: str | None
    t: int
    mode: Named
    standing: Standing


class InvalidRow(Value):
    """An invalid conversation; no ``anchor``: its transcript is not in the report.

    ``replay_command``: how to say it again to the assistant, where that broke it off.
    """

    id: str
    anchor: str | None
    n_turns: int
    stop: StopReport
    replay_command: str = ""


class InvalidGroup(Value):
    """The invalid conversations that ended alike and that somebody is to blame for.

    ``number``: how many there are; ``conversations`` are the ids of the first of them, which ``rows`` tell of.
    """

    blame: Blame | None
    title: str
    reason: StopReason
    words: str
    number: int
    conversations: tuple[str, ...]
    rows: tuple[InvalidRow, ...] = Field(exclude=True)


class ListedConversation(Value):
    """A conversation that the report does not show whole, in a line."""

    id: str
    sut: str
    standing: Standing
    modes: tuple[Named, ...]
    success_score: float | None
    n_turns: int


class StandingGroup(Value):
    """The conversations that stand alike, in plan order: ``number`` in all, those shown whole, and those listed."""

    standing: Standing
    title: str
    note: str
    number: int
    conversations: tuple[ConversationReport, ...]
    listed: tuple[ListedConversation, ...] = ()

    @property
    def n_counted_only(self) -> int:
        """How many are neither shown nor listed."""
        return self.number - len(self.conversations) - len(self.listed)


class AssistantReplays(Value):
    """What was asked of one assistant in replays; see ``reports.shown.ReplayCount``."""

    test_seeds: int = 0
    follow_ups: int = 0
    broken: int = 0
    missing: int = 0
    calls: int = 0


class ReportModel(Value):
    """The report of a run. ``sentence`` says why ``outcome`` is what it is, ``gated`` whether any
    condition was set, ``doubt`` why the failure rate is not to be believed; times are ISO 8601, UTC.

    ``imported``: where the conversations were taken from, if they were made elsewhere, and what was decided then.
    ``n_conversations``: how many were planned; ``conversations`` are those shown whole, and ``shown_note`` says what
    became of the others, where there are any. ``seconds``: how long all of an assistant took. ``replays``: of every
    assistant, what was asked again. ``sections``: tables and figures of a campaign, none for other runs.
    ``judge_differences``: where stored conversations were judged again, what is judged differently.
    ``violated``: the first relations that replays violated; ``epsilon_note``: what to mind of their threshold.
    """

    schema_version: int = REPORT_SCHEMA_VERSION
    run_id: str
    name: str
    title: str
    tags: tuple[str, ...]
    location: str
    hairpin_version: str
    created_at: str
    status: RunStatus
    outcome: GateOutcome
    gated: bool = True
    exit_code: int
    heading: str
    sentence: str
    doubt: str = ""
    threshold: float
    scored: bool
    agents: tuple[AgentReport, ...]
    agents_note: str
    imported: Imported | None = None
    fingerprint_parts: Mapping[str, str]
    summary: Summary
    modes: tuple[ModeRow, ...]
    outside: tuple[OutsideRow, ...]
    critical: tuple[CriticalRow, ...]
    invalid: tuple[InvalidGroup, ...]
    models: ModelsReport | None
    n_conversations: int
    shown_note: str = Field(exclude=True)
    seconds: Mapping[str, float] = Field(exclude=True)
    replays: Mapping[str, AssistantReplays] = Field(default_factory=dict, exclude=True)
    sections: tuple[Section, ...] = Field(default=(), exclude=True)
    judge_differences: JudgeDifferences | None = None
    violated: tuple[ViolationReport, ...] = Field(default=(), exclude=True)
    epsilon_note: str = Field(default="", exclude=True)
    groups: tuple[StandingGroup, ...] = Field(exclude=True)
    conversations: tuple[ConversationReport, ...]

    @property
    def only_replays(self) -> bool:
        """Whether nothing but replays was planned, so that nothing can have a verdict."""
        return bool(self.summary.metamorphic.planned) and not self.summary.conversations.planned

    def conversation(self, conversation_id: str) -> ConversationReport:
        """Return a conversation that is shown whole.

        Raises:
            KeyError: the report shows no such conversation.
        """
        for conversation in self.conversations:
            if conversation.id == conversation_id:
                return conversation
        raise KeyError(conversation_id)
