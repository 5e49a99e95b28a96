"""What a run leaves behind, as values: the rows of the store, joined per conversation.

State, metrics and reports are folds over these.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from pydantic import Field

from hairpin.domain.ballots import Ballot
from hairpin.domain.base import Value
from hairpin.domain.conversation import Exchange
from hairpin.domain.failures import Failure
from hairpin.domain.outcome import Stop
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.recording import Imported, Rejudged
from hairpin.domain.reviews import SimulatorReview
from hairpin.domain.scoring import DimensionScore, Judgement
from hairpin.domain.sut import SutIdentity
from hairpin.domain.targets import Target, TargetEvent, replay_events


class Outcome(Value):
    """How an attempt ended. ``pending_utterance`` was sent, or was about to be, and got no reply.

    ``active_s``: in a campaign, the active time of its arm when it ended.
    """

    stop: Stop
    judgement: Judgement
    pending_utterance: str | None = None
    elapsed_s: float = Field(default=0.0, ge=0)
    active_s: float | None = Field(default=None, ge=0)


class ConversationRecord(Value):
    """One planned conversation with everything stored about its accepted attempt (else its latest).

    ``review``: of its simulated user; ``None``: nobody looked at one. ``ballots``: what each member of a panel of turn
    judges said, by exchange; what was said of a dimension is with its score.
    """

    planned: PlannedConversation
    attempts: int = Field(default=0, ge=0)
    exchanges: tuple[Exchange, ...] = ()
    failures: tuple[Failure, ...] = ()
    target_events: tuple[TargetEvent, ...] = ()
    scores: tuple[DimensionScore, ...] = ()
    outcome: Outcome | None = None
    review: SimulatorReview | None = None
    ballots: tuple[Ballot, ...] = ()

    @property
    def targets(self) -> tuple[Target, ...]:
        """𝒢 with final statuses."""
        return replay_events(self.target_events)


class RunStatus(StrEnum):
    """Where a run stands."""

    RUNNING = "running"
    FINISHED = "finished"
    INTERRUPTED = "interrupted"
    STOPPED = "stopped"


class RunSettings(Value):
    """What a run was started with beside its scenario; ``resume`` goes on with the same."""

    concurrency: int = Field(default=4, ge=1)
    fail_on: str = "any"
    max_cost_usd: float | None = Field(default=None, ge=0)
    max_tokens: int | None = Field(default=None, ge=0)
    canary: bool = True
    cache: str | None = None
    packs: tuple[str, ...] = ()


class RunInfo(Value):
    """What is true of a whole run. ``agents`` says per role what plays it; times are ISO 8601, UTC.

    ``imported``: where its conversations were taken from, if they were made elsewhere; ``rejudged``: the run
    whose conversations it judges again; ``campaign``: whether it runs
    its scenario as a campaign, and of how many conversations, where that was said (``n_planned``); ``rng_seed``: the
    scenario's; ``canary_share``: how many of its conversations a canary was to follow, where any was.
    """

    run_id: str
    name: str
    title: str = ""
    tags: tuple[str, ...] = ()
    hairpin_version: str
    created_at: str
    fingerprint: str
    fingerprint_parts: Mapping[str, str]
    agents: Mapping[str, str]
    suts: Mapping[str, SutIdentity]
    threshold: float
    critical_modes: tuple[str, ...] = ()
    scored: bool = True
    imported: Imported | None = None
    rejudged: Rejudged | None = None
    settings: RunSettings = RunSettings()
    campaign: bool = False
    n_planned: int | None = Field(default=None, ge=1)
    rng_seed: int = 1
    canary_share: float | None = Field(default=None, gt=0, le=1)
    status: RunStatus = RunStatus.RUNNING
    status_detail: str = ""
    elapsed_s: float = Field(default=0.0, ge=0)
