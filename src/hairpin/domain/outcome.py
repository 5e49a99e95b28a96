"""How conversations end: stop reasons, verdicts, blame, and the table that joins them.

The table is design section 2; ``domain.scoring`` turns scores into pass or fail.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from enum import StrEnum

from hairpin.domain.base import Value


class StopReason(StrEnum):
    """Why a conversation ended, in the order in which the reasons are checked: the first that holds wins."""

    INTERRUPTED = "interrupted"
    SUT_UNREACHABLE = "sut_unreachable"
    SUT_ERROR = "sut_error"
    ADAPTER_FAULT = "adapter_fault"
    CHECK_FAULT = "check_fault"
    INTERNAL_ERROR = "internal_error"
    PROVIDER_ERROR = "provider_error"
    REFUSED = "refused"
    CONTENT_FILTERED = "content_filtered"
    CONTEXT_EXCEEDED = "context_exceeded"
    TRUNCATED = "truncated"
    SIMULATOR_FAULT = "simulator_fault"
    JUDGE_FAULT = "judge_fault"
    JUDGES_DISAGREE = "judges_disagree"
    DEADLINE = "deadline"
    BUDGET = "budget"
    TARGETS_RESOLVED = "targets_resolved"
    SUT_ENDED = "sut_ended"
    REPETITION = "repetition"
    SCRIPT_EXHAUSTED = "script_exhausted"
    TURNS_EXHAUSTED = "turns_exhausted"


class Verdict(StrEnum):
    """Of a conversation; never a bool."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"
    INVALID = "invalid"


class Blame(StrEnum):
    """Who kept a conversation from a clean verdict."""

    SUT = "sut"
    SIMULATOR = "simulator"
    JUDGE = "judge"
    PROVIDER = "provider"
    ADAPTER = "adapter"
    HARNESS = "harness"
    USER = "user"


class Role(StrEnum):
    """The agents of Hairpin; there is one conversation judge per dimension, and one reviewer of the simulated user.

    The last four serve replays: they rewrite and answer questions, judge contexts, and write QAAsker's questions.
    """

    EXTRACTOR = "extractor"
    SIMULATOR = "simulator"
    STRATEGIST = "strategist"
    TURN_JUDGE = "turn_judge"
    CONVERSATION_JUDGE = "conversation_judge"
    SIMULATOR_REVIEWER = "simulator_reviewer"
    DECONTEXTUALISER = "decontextualiser"
    REFERENCE_ANSWERER = "reference_answerer"
    CONTEXT_JUDGE = "context_judge"
    QUESTION_WRITER = "question_writer"

    @property
    def blame(self) -> Blame:
        """Who speaks or makes up the user's words counts as simulator, who decides or helps to as judge."""
        return Blame.SIMULATOR if self in _SPEAKING else Blame.JUDGE


_SPEAKING = frozenset({Role.EXTRACTOR, Role.SIMULATOR, Role.STRATEGIST, Role.QUESTION_WRITER})
REPLAY_ROLES = (Role.DECONTEXTUALISER, Role.REFERENCE_ANSWERER, Role.CONTEXT_JUDGE, Role.QUESTION_WRITER)
"""Who takes part only where conversations are replayed."""


class StopRule(Value):
    """What follows from a stop reason.

    ``judged``: the dimension judges run. ``verdict``: ``None`` means the oracles decide (or, when interrupted, nobody).
    ``blame``: ``None`` with an invalid verdict means the role that broke (``Stop.blame``), else nobody.
    """

    judged: bool
    verdict: Verdict | None
    blame: Blame | None = None


_BY_ORACLES = StopRule(judged=True, verdict=None)
_CUT = StopRule(judged=True, verdict=Verdict.INCONCLUSIVE)


def _invalid(blame: Blame | None, *, judged: bool = False) -> StopRule:
    return StopRule(judged=judged, verdict=Verdict.INVALID, blame=blame)


STOP_RULES: dict[StopReason, StopRule] = {
    StopReason.INTERRUPTED: StopRule(judged=False, verdict=None, blame=Blame.USER),
    StopReason.SUT_UNREACHABLE: _invalid(Blame.SUT),
    StopReason.SUT_ERROR: _invalid(Blame.SUT, judged=True),
    StopReason.ADAPTER_FAULT: _invalid(Blame.ADAPTER),
    StopReason.CHECK_FAULT: _invalid(Blame.USER),
    StopReason.INTERNAL_ERROR: _invalid(Blame.HARNESS),
    StopReason.PROVIDER_ERROR: _invalid(Blame.PROVIDER),
    StopReason.REFUSED: _invalid(None),
    StopReason.CONTENT_FILTERED: _invalid(None),
    StopReason.CONTEXT_EXCEEDED: _invalid(None),
    StopReason.TRUNCATED: _invalid(None),
    StopReason.SIMULATOR_FAULT: _invalid(Blame.SIMULATOR),
    StopReason.JUDGE_FAULT: _invalid(Blame.JUDGE),
    StopReason.JUDGES_DISAGREE: StopRule(judged=False, verdict=Verdict.INCONCLUSIVE, blame=Blame.JUDGE),
    StopReason.DEADLINE: _CUT,
    StopReason.BUDGET: _CUT,
    StopReason.TARGETS_RESOLVED: _BY_ORACLES,
    StopReason.SUT_ENDED: _BY_ORACLES,
    StopReason.REPETITION: _BY_ORACLES,
    StopReason.SCRIPT_EXHAUSTED: _BY_ORACLES,
    StopReason.TURNS_EXHAUSTED: _BY_ORACLES,
}


class Stop(Value):
    """A stop reason with the role that broke, if one did, and what happened in words.

    ``reviewed``: it was found in the end, when the whole conversation was looked at.
    """

    reason: StopReason
    role: Role | None = None
    detail: str = ""
    reviewed: bool = False

    @property
    def rule(self) -> StopRule:
        """What follows from the reason."""
        return STOP_RULES[self.reason]

    @property
    def blame(self) -> Blame | None:
        """Who is to blame: fixed by the reason, else the role that broke, else, with no role known, the provider."""
        if self.rule.blame is not None or self.rule.verdict is not Verdict.INVALID:
            return self.rule.blame
        return Blame.PROVIDER if self.role is None else self.role.blame


def first_reason(reasons: Collection[StopReason]) -> StopReason | None:
    """Return the reason that is checked first, or ``None`` when none holds."""
    return next((reason for reason in StopReason if reason in reasons), None)


def decide_stop(
    *,
    t: int,
    max_turns: int,
    all_resolved: bool,
    sut_ended: bool,
    repeating: bool,
    scripted: bool,
    more_script: bool,
    guided: bool = True,
) -> StopReason | None:
    """Say why the conversation must end after exchange ``t``, or ``None`` to go on.

    Scripted and replayed users never end by targets or repetition, nor does the baseline arm (not ``guided``), which
    always speaks M times unless the assistant ends it. ``more_script``: the script has another turn.

    Source: in-car paper, algorithm 1, lines 4 and 10; order: design, section 2; baseline: section 4.
    """
    holds = {
        StopReason.TARGETS_RESOLVED: guided and not scripted and all_resolved and t >= math.ceil(max_turns / 2),
        StopReason.SUT_ENDED: sut_ended,
        StopReason.REPETITION: guided and not scripted and repeating,
        StopReason.SCRIPT_EXHAUSTED: scripted and not more_script,
        StopReason.TURNS_EXHAUSTED: t + 1 >= max_turns,
    }
    return first_reason({reason for reason, true in holds.items() if true})
