"""Facts of a small campaign."""

from __future__ import annotations

from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.outcome import StopReason
from hairpin.domain.records import RunInfo
from hairpin.domain.sut import SutIdentity
from hairpin.domain.tally import Standing

RUN = RunInfo(
    run_id="r",
    name="small",
    hairpin_version="0",
    created_at="2026-11-29T00:00:00+00:00",
    fingerprint="f",
    fingerprint_parts={},
    agents={},
    suts={"s": SutIdentity(name="s")},
    threshold=0.75,
    campaign=True,
)


def failing(n_conversations: int) -> tuple[ConversationFacts, ...]:
    """Return failed conversations of two kinds by turns, each with two utterances."""
    return tuple(
        ConversationFacts(
            id=f"guided-{number:03d}",
            index=number,
            run=0,
            sut="s",
            arm=Arm.GUIDED,
            task="",
            seed_phrase="x",
            persona="p",
            context="–",
            max_turns=2,
            standing=Standing.FAIL,
            stop_reason=StopReason.TURNS_EXHAUSTED,
            blame=None,
            success_score=0.1,
            failures=(),
            strategies=(None, None),
            utterances=("alpha", "apple") if number % 2 else ("zulu", "zebra"),
            attempts=1,
            elapsed_s=1.0,
            active_s=float(number),
        )
        for number in range(n_conversations)
    )
