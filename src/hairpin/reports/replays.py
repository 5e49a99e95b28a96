"""The words in which reports speak of replays: what one is for, and what their relations found.

It computes nothing but sentences; tables of relations are ``reports.metamorphic_tables``.
"""

from __future__ import annotations

from hairpin.domain.relation_counts import MetamorphicSummary
from hairpin.domain.replay import Replay
from hairpin.reports.text import one_line


def replay_words(replay: Replay) -> str:
    """Say in a line what a conversation is replayed for."""
    kind = " ".join(filter(None, (replay.method.value.upper(), one_line(replay.kind))))
    numbered = f", number {replay.execution + 1}" if replay.execution else ""
    seed = f"test seed {one_line(replay.test_seed)}"
    if replay.source is None:
        return f"{seed} as it is ({kind})"
    return f"{kind}{numbered} of {one_line(replay.source)} ({seed})"


def replayed_line(replayed: MetamorphicSummary) -> str:
    """Say in a line how much was replayed and what came of it."""
    checks = replayed.total
    found = f"{checks.violations} of {_count(checks.checks, 'relation check')} violated"
    outside = [f"{replayed.broken} broke off"] * bool(replayed.broken)
    outside += [f"{replayed.missing} missing"] * bool(replayed.missing)
    outside += [f"{_count(checks.not_applicable, 'check')} not applicable"] * bool(checks.not_applicable)
    line = f"{_count(replayed.follow_ups, 'follow-up')} of {_count(replayed.sources, 'conversation')}, {found}"
    return f"{line}; besides {', '.join(outside)}" if outside else line


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
