"""What reports say of simulated users: how many were reviewed, how many spoiled their conversation, and how.

It must not review or count.
"""

from __future__ import annotations

from hairpin.domain.review_counts import SimulatorSummary
from hairpin.domain.reviews import FAULT_WORDS


def simulator_words(simulator: SimulatorSummary) -> str:
    """Say how many simulated users were reviewed and how many spoiled their conversation; '' where none was."""
    if simulator.share is None or simulator.low is None or simulator.high is None:
        return ""
    kinds = ", ".join(f"{number} {kind_words(kind)}" for kind, number in simulator.by_kind.items())
    return (
        f"{simulator.spoiled} of {simulator.reviewed} simulated users spoiled their conversation"
        f" ({100 * simulator.share:.1f} %, 95 % interval {100 * simulator.low:.1f} to {100 * simulator.high:.1f} %)"
        + (f": {kinds}" if kinds else "")
    )


def kind_words(kind: str) -> str:
    """Return what a kind of fault is in words, also one that this version does not know."""
    known = {each.value: words for each, words in FAULT_WORDS.items()}
    return known.get(kind, kind.replace("_", " "))
