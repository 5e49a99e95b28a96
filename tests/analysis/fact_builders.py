"""Conversations' facts for tests, written in a few words."""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts, FailureFact
from hairpin.domain.failures import CHECK_FAILED, ModeKind
from hairpin.domain.outcome import StopReason
from hairpin.domain.tally import Standing


def failure(t: int, mode: str, *, strategy: str | None = None, target_kind: str = "") -> FailureFact:
    """Return an instance of ``mode``, which is a failed check if it is called so."""
    kind = ModeKind.CHECK if mode == CHECK_FAILED else ModeKind.RESPONSE
    return FailureFact(t=t, mode=mode, kind=kind, target_kind=target_kind, strategy=strategy)


def conversation(
    standing: Standing = Standing.PASS,
    *failures: tuple[int, str],
    index: int = 0,
    run: int = 0,
    sut: str = "a",
    arm: Arm = Arm.GUIDED,
    task: str = "task",
    persona: str = "polite",
    context: str = "town",
    strategies: Sequence[str | None] = (None,) * 8,
    max_turns: int = 8,
    success_score: float | None = None,
    active_s: float | None = None,
    cost_usd: float | None = 0.0,
) -> ConversationFacts:
    """Return a conversation with ``failures`` as (t, mode), each by the strategy of its turn."""
    return ConversationFacts(
        id=f"c{index + 1:04d}",
        index=index,
        run=run,
        sut=sut,
        arm=arm,
        task=task,
        seed_phrase="Take me home",
        persona=persona,
        context=context,
        max_turns=max_turns,
        standing=standing,
        stop_reason=None if standing is Standing.MISSING else StopReason.TURNS_EXHAUSTED,
        blame=None,
        success_score=success_score,
        failures=tuple(failure(t, mode, strategy=strategies[t]) for t, mode in failures),
        strategies=tuple(strategies),
        utterances=("",) * len(strategies),
        attempts=1,
        elapsed_s=1.0,
        active_s=active_s,
        cost_usd=cost_usd,
    )
